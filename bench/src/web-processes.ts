import { execFileSync } from 'node:child_process'

export interface WebProcess {
  id: number
  /** Resident memory. */
  mb: number
}

/** The web processes below the shop's first process. @throws if there are none: whatever is measured of them would look perfect */
export function webProcesses(parent: number | undefined): WebProcess[] {
  const list = execFileSync('ps', ['-o', 'pid=,ppid=,rss=,args=', '-e'], { encoding: 'utf8', maxBuffer: 2 ** 24 })
  const found = webProcessesIn(list, parent)
  if (found.length === 0) throw new Error(`No web process is found below the process ${parent}`)
  return found
}

export function webProcessesIn(list: string, parent: number | undefined): WebProcess[] {
  return list.split('\n').flatMap((line) => {
    const [, pid, ppid, size, command] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return Number(ppid) === parent && command?.includes('start/app.ts') ? [{ id: Number(pid), mb: Number(size) / 1024 }] : []
  })
}

/** How many of the processes have gone. A process that ended by itself is replaced, and its memory would look flat. */
export function ended(before: readonly WebProcess[], now: readonly WebProcess[]): number {
  return before.filter(({ id }) => !now.some((each) => each.id === id)).length
}
