import { execFileSync } from 'node:child_process'

/** Resident memory in MB of each web process below the shop's first process. */
export function webProcessMemory(parent: number | undefined): number[] {
  const list = execFileSync('ps', ['-o', 'ppid=,rss=,args=', '-e'], { encoding: 'utf8', maxBuffer: 2 ** 24 })
  return list.split('\n').flatMap((line) => {
    const [, ppid, size, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return Number(ppid) === parent && command?.includes('start/app.ts') ? [Number(size) / 1024] : []
  })
}
