import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { actions } from '@purlin/contract/actions.ts'
import type { AnyJob, Handler, Schedule } from '#platform'
import { moduleFolders } from '../../modules.ts'
import { connectModules } from '../connect-modules.ts'
import { housekeeping } from './housekeeping.ts'

export interface AllJobs {
  handlers: Handler[]
  jobs: AnyJob[]
  schedules: Schedule[]
}

/** The exports of every module's jobs.ts, in module order. */
export async function loadJobs(): Promise<AllJobs> {
  connectModules()
  const all: AllJobs = { handlers: [], jobs: [], schedules: [...housekeeping] }
  for (const folder of moduleFolders) {
    const file = join(import.meta.dirname, '../..', folder, 'jobs.ts')
    if (!existsSync(file)) continue
    const found = (await import(file)) as Partial<AllJobs>
    all.handlers.push(...(found.handlers ?? []))
    all.jobs.push(...(found.jobs ?? []))
    all.schedules.push(...(found.schedules ?? []))
  }
  const names = [
    ...all.handlers.map((handler) => `${handler.type} ${handler.name}`),
    ...all.jobs.map(({ name }) => name),
    ...all.schedules.map(({ name }) => name),
  ]
  checkActions([...all.handlers, ...all.jobs, ...all.schedules].map(({ name }) => name))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) throw new Error(`Two jobs are called ${twice}`)
  return all
}

/** "notify.confirm" needs the action "notify.work": a job may only do what the table of actions grants to the system. */
export function checkActions(names: readonly string[]): void {
  const allowed = new Set(Object.entries(actions).flatMap(([action, rule]) => ('system' in rule ? [action] : [])))
  const nameless = names.find((name) => !allowed.has(`${name.split('.')[0]}.work`))
  if (nameless) throw new Error(`The job ${nameless} has no action: contract/src/actions.ts lacks ${nameless.split('.')[0]}.work`)
}
