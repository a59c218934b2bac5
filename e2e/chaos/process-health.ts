import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Violation } from '../invariants.ts'
import { ask } from '../support/ask.ts'
import { areHandlesBack, type Health } from './judge-chaos.ts'
import type { Part } from './parts.ts'

/** Ids of the processes of a part. */
type Find = (part: Part) => readonly number[]

/** I9: uncaught errors, and processes that ended although nobody stopped or killed them, in the log of the shop. */
export function processViolations(logFile: string, stopped: ReadonlySet<number>): Violation[] {
  const found: Violation[] = []
  for (const line of readFileSync(logFile, 'utf8').split('\n')) {
    if (!line.startsWith('{')) continue
    const entry = JSON.parse(line) as {
      msg?: string
      part?: string
      process?: number
      code?: number | null
      reason?: string
      role?: string
    }
    if (entry.msg === 'uncaught error')
      found.push({ id: 'I9', what: `${entry.role}: uncaught error: ${entry.reason?.split('\n')[0]?.slice(0, 300)}` })
    const isByItself = entry.msg === 'a process ended and is started again' && entry.code !== null && !stopped.has(entry.process ?? 0)
    if (isByItself) found.push({ id: 'I9', what: `${entry.part} ended by itself with ${entry.code}` })
  }
  return found
}

/** Open files, sockets and pipes of each process. */
export function openHandles(pids: readonly number[]): number[] {
  return pids.flatMap((pid) => {
    try {
      return [readdirSync(`/proc/${pid}/fd`).length]
    } catch {
      return []
    }
  })
}

/** The parts that still have no process when the time is over: one that was killed is started again within a second or two. */
export async function missingParts(find: Find, parts: readonly Part[], patienceMs: number): Promise<Part[]> {
  const look = () => parts.filter((part) => find(part).length === 0)
  let missing = look()
  for (const end = Date.now() + patienceMs; missing.length > 0 && Date.now() < end; missing = look()) await sleep(200)
  return missing
}

/** Null for a process that has just ended. */
function residentMb(pid: number): number | null {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return null
  }
}

/** What is found after the last fault, with nobody buying. */
export async function healthAfter(origin: string, find: Find, parts: readonly Part[], handlesBefore: number): Promise<Health> {
  const failed: string[] = []
  const paths = ['/', '/cart', '/search/drill', '/brands', '/great-deals', '/health/ready']
  const statusOf = async (path: string): Promise<number> => (await ask(origin, { path }).catch(() => ({ status: 599 }))).status
  // The last fault may have been a kill: a minute to come back.
  for (const healed = Date.now() + 60_000; (await statusOf('/health/ready')) !== 200 && Date.now() < healed;) await sleep(500)
  const missing = await missingParts(find, parts, 60_000)
  for (let at = 0; at < 60; at++) {
    const status = await statusOf(paths[at % paths.length] ?? '/')
    if (status >= 500) failed.push(`${paths[at % paths.length]} answered ${status} after the last fault`)
    await sleep(50)
  }
  // Connections that clients keep alive close after 65 seconds.
  const most = () => Math.max(0, ...openHandles(find('app')))
  let handles = most()
  for (const end = Date.now() + 90_000; !areHandlesBack({ handles, handlesBefore }) && Date.now() < end; handles = most()) await sleep(2000)
  const megabytes = find('app').flatMap((pid) => residentMb(pid) ?? [])
  return { missing, failed, handles, handlesBefore, megabytes }
}
