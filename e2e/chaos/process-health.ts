import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Violation } from '../invariants.ts'
import { ask } from '../support/ask.ts'

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

const maxMb = 450
const moreHandles = 100

/** I9: after the last fault, with nobody buying, no answer is a 5xx, and handles and memory of the web processes are back. */
export async function healthViolations(origin: string, webProcesses: () => number[], handlesBefore: number): Promise<Violation[]> {
  const found: Violation[] = []
  const paths = ['/', '/cart', '/search/drill', '/brands', '/great-deals', '/health/ready']
  const statusOf = async (path: string): Promise<number> => (await ask(origin, { path }).catch(() => ({ status: 599 }))).status
  // The last fault may have been a kill: a minute to come back.
  for (const healed = Date.now() + 60_000; (await statusOf('/health/ready')) !== 200 && Date.now() < healed;) await sleep(500)
  for (let at = 0; at < 60; at++) {
    const status = await statusOf(paths[at % paths.length] ?? '/')
    if (status >= 500) found.push({ id: 'I9', what: `${paths[at % paths.length]} answered ${status} after the last fault` })
    await sleep(50)
  }
  // Connections that clients keep alive close after 65 seconds.
  let handles = Infinity
  for (const end = Date.now() + 90_000; handles > handlesBefore + moreHandles && Date.now() < end; await sleep(2000))
    handles = Math.max(0, ...openHandles(webProcesses()))
  if (handles > handlesBefore + moreHandles)
    found.push({ id: 'I9', what: `a web process holds ${handles} handles, ${handlesBefore} before` })
  for (const pid of webProcesses()) {
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
    if (kilobytes > maxMb * 1024) found.push({ id: 'I9', what: `a web process takes ${Math.round(kilobytes / 1024)} MB` })
  }
  return found
}
