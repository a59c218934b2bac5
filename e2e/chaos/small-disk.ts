import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A file system of its own, which can be filled without troubling anybody else. */
export interface SmallDisk {
  /** For the shop's data. */
  folder: string
  /** Leaves no byte free for a while. */
  fillFor(ms: number): Promise<void>
  remove(): void
}

/** Null where this process may not mount one: that takes root on Linux. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const place = mkdtempSync(join(tmpdir(), 'small-disk-'))
  const mounted = join(place, 'disk')
  const remove = (): void => {
    execFileSync('umount', ['--lazy', mounted])
    rmSync(place, { recursive: true, force: true })
  }
  try {
    chmodSync(place, 0o755)
    mkdirSync(mounted)
    execFileSync('truncate', ['--size', `${megabytes}M`, join(place, 'image')])
    execFileSync('mkfs.ext4', ['-q', '-m', '0', join(place, 'image')])
    execFileSync('mount', ['-o', 'loop', join(place, 'image'), mounted])
  } catch {
    rmSync(place, { recursive: true, force: true })
    return null
  }
  const ballast = join(mounted, 'ballast')
  return {
    folder: join(mounted, 'shop'),
    fillFor: async (ms) => {
      try {
        const { bavail, bsize } = statfsSync(mounted)
        execFileSync('fallocate', ['--length', String(Math.max(1, bavail - 64) * bsize), ballast])
        writeUntilFull(ballast)
        await sleep(ms)
      } finally {
        rmSync(ballast, { force: true })
      }
    },
    remove,
  }
}

function writeUntilFull(file: string): void {
  const descriptor = openSync(file, 'a')
  try {
    for (;;) writeSync(descriptor, Buffer.alloc(4096))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(descriptor)
  }
}
