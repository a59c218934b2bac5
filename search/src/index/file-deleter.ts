import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { discard } from './durable-files.ts'
import type { Manifest } from './commit-point.ts'

/** How long other threads and processes have to open what the last manifest named. */
const RETIRE_MS = 10_000

/** Removes what no manifest names: at the start what a crash left half done, later what has been replaced. */
export function sweep(folder: string, manifest: Manifest, firstLog: number, isStarting: boolean): void {
  const named = new Set(
    manifest.segments.flatMap(({ id, deleted }) => [`segment-${id}.bin`, `segment-${id}.documents`, `segment-${id}.${deleted}.deleted`]),
  )
  for (const file of readdirSync(folder)) {
    const number = /^log-(\d+)\.bin$/.exec(file)
    const isOldLog = number !== null && Number(number[1]) < firstLog
    const isUnnamed = (file.startsWith('segment-') || file.endsWith('.part')) && !named.has(file)
    if (!isOldLog && !isUnnamed) continue
    if (isStarting) discard(join(folder, file))
    else setTimeout(() => discard(join(folder, file)), RETIRE_MS).unref()
  }
}
