import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Shop } from '../support/shop.ts'

export type Part = 'app' | 'documents' | 'worker' | 'services'

/** Ids of the shop's processes of one kind. */
export function partsOf({ shop }: { shop: Pick<Shop, 'pid'> }, part: Part): number[] {
  return children(shop.pid ?? 0).flatMap(({ pid, command }) => (command.includes(`start/${part}.ts`) ? [pid] : []))
}

function children(parent: number): { pid: number; command: string }[] {
  const list = execFileSync('ps', ['-o', 'pid=,ppid=,args=', '-e'], { encoding: 'utf8', maxBuffer: 2 ** 24 })
  return list.split('\n').flatMap((line) => {
    const [, pid, ppid, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return Number(ppid) === parent && command !== undefined ? [{ pid: Number(pid), command }] : []
  })
}

/** All processes of the database, and those of them that serve a connection each. */
export function postgres({ shop }: { shop: Pick<Shop, 'dataDir'> }): { all: number[]; serving: number[] } {
  const file = join(shop.dataDir, 'postgres/cluster/postmaster.pid')
  if (!existsSync(file)) return { all: [], serving: [] }
  const main = Number(readFileSync(file, 'utf8').split('\n')[0])
  const below = children(main)
  return {
    all: [main, ...below.map(({ pid }) => pid)],
    serving: below.flatMap(({ pid, command }) => (/postgres: \S+ \S+ (\S+\(\d+\)|\[local\])/.test(command) ? [pid] : [])),
  }
}
