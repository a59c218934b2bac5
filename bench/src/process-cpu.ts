import { readFileSync, readdirSync } from 'node:fs'

/** Linux clock ticks are hundredths of a second on every machine. */
const msPerTick = 10

interface Process {
  pid: number
  parent: number
  ticks: number
}

/** CPU time of a process and its descendants, ended children included. NaN without /proc. */
export function processTreeCpuMs(root: number): number {
  const all = processes()
  if (!all.some(({ pid }) => pid === root)) return Number.NaN
  const below = new Set([root])
  for (let size = 0; size !== below.size;) {
    size = below.size
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid)
  }
  return all.filter(({ pid }) => below.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0) * msPerTick
}

function processes(): Process[] {
  return names('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8')
      // The command name is in brackets and may contain anything.
      const [, parent, , , , , , , , , , utime, stime, cutime, cstime] = text.slice(text.lastIndexOf(')') + 2).split(' ')
      return [{ pid: Number(name), parent: Number(parent), ticks: Number(utime) + Number(stime) + Number(cutime) + Number(cstime) }]
    } catch {
      return []
    }
  })
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
