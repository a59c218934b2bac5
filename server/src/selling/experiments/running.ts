import { assignmentsOf, isTargeted, type Experiment } from '@purlin/contract/experiments.ts'
import { consentOf, visitorIdOf } from '@purlin/contract/consent.ts'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import { log, type Db } from '#platform'
import { readExperiments } from './store.ts'

/** Running experiments in this process's memory: pages ask for them synchronously, before they look into their cache. */
let running: readonly Experiment[] = []
export const experimentsTag = 'experiments'

export async function loadExperiments(db: Db): Promise<void> {
  const rows = await readExperiments(db.reads)
  running = rows.filter(({ state }) => state === 'running').map(({ campaignId, name, definition }) => ({ campaignId, name, ...definition }))
}

/** Reads them again; those known stay while the database does not answer. */
export function reloadExperiments(db: Db): void {
  loadExperiments(db).catch((error: unknown) => log.error({ err: error }, 'Experiments are unavailable; the known ones go on'))
}

export function runningExperiments(): readonly Experiment[] {
  return running
}

interface Visit {
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/**
 * The variation of each experiment that runs on a storefront, by name, for pages that declare it. Without consent to
 * statistics, and outside its share of visitors, a visitor sees the control. Segments take part in scripts alone: a
 * cached page knows no customer.
 */
export function variationsFor(site: { market: Market; mode: Mode }, visit: Visit): Record<string, string> {
  const here = running.filter((experiment) => experiment.segments.length === 0 && isTargeted(experiment, site))
  if (here.length === 0) return {}
  const variations: Record<string, string> = {}
  for (const { name, variations: all } of here) variations[name] = all[0]?.name ?? ''
  const unit = consentOf(visit).allows('statistics') ? visitorIdOf(visit) : null
  if (unit === null) return variations
  for (const { experiment, variation } of assignmentsOf(here, { unit, ...site })) variations[experiment.name] = variation.name
  return variations
}
