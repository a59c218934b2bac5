import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError, codeOf } from './errors.ts'

/** Public facts about the shop running from a data folder. */
export interface Running {
  pid: number
  port: number
  databaseUrl?: string
}

/**
 * Claims a data folder for this process and keeps a lock file in it. @throws StartError when a running shop holds it, or
 * when nothing can be written there
 */
export function claimDataDir(dataDir: string, about: Running): { update(about: Running): void; release(): void } {
  const note = join(dataDir, 'running.json')
  try {
    mkdirSync(dataDir, { recursive: true })
    const holder = existsSync(note) ? parse(readFileSync(note, 'utf8')) : undefined
    if (holder && holder.pid !== process.pid && isShop(holder.pid)) {
      throw new StartError(
        `Purlin runs already from ${dataDir} (process ${holder.pid}, port ${holder.port}): stop it, or set DATA_DIR and PORT.`,
      )
    }
    write(note, about)
  } catch (error) {
    if (error instanceof StartError) throw error
    if (codeOf(error) === 'ENOSPC') throw new StartError(`The disk is full: nothing can be written in ${dataDir}.`)
    throw new StartError(`DATA_DIR: nothing can be written in ${dataDir} (${codeOf(error) ?? String(error)}).`)
  }
  return { update: (more) => write(note, more), release: () => rmSync(note, { force: true }) }
}

function write(note: string, about: Running): void {
  writeFileSync(`${note}.new`, JSON.stringify(about), { mode: 0o600 })
  renameSync(`${note}.new`, note)
}

function parse(text: string): Running | undefined {
  try {
    return JSON.parse(text) as Running
  } catch {
    return undefined
  }
}

/** The pid of a dead shop may belong to another process by now. */
function isShop(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false
  }
  if (process.platform !== 'linux') return true
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('start.ts')
  } catch {
    return false
  }
}
