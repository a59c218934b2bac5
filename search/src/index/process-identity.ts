import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Identifies the process that holds a lease precisely enough to know that it is dead. A pid alone is not enough: pids are
 * reused, and every container counts its own from 1.
 */
export interface ProcessIdentity {
  host: string
  pid: number
  /** Boot id of the machine, pid namespace, and start time of the process; null if the system has no /proc. */
  boot: string | null
  namespace: string | null
  startedAt: string | null
}

/** The calling process. */
export function ownIdentity(): ProcessIdentity {
  return {
    host: hostname(),
    pid: process.pid,
    boot: orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: orNull(() => readlinkSync('/proc/self/ns/pid')),
    startedAt: startOf(process.pid),
  }
}

/** True when the process is certainly dead; false when it runs, or when that cannot be known from here. */
export function isCertainlyGone(holder: ProcessIdentity, own = ownIdentity()): boolean {
  if (own.boot === null || own.namespace === null || own.startedAt === null || holder.startedAt === null) return false
  if (holder.boot !== own.boot || holder.namespace !== own.namespace) return false
  return startOf(holder.pid) !== holder.startedAt
}

/** Ticks from boot to the start of a process; null when there is no such process. */
function startOf(pid: number): string | null {
  // The program's name comes second and may contain blanks and brackets: fields are counted from its end.
  return orNull(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : (fields[19] ?? null)
  })
}

function orNull<T>(read: () => T | null): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
