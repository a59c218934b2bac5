import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { StartError } from './errors.ts'
import { childEnvironment } from './settings.ts'

/** The account the server runs as; undefined: our own. */
export interface Account {
  name: string
  uid: number
  gid: number
}

/** Postgres refuses to run as root, and as a uid without an entry in the password file. */
export function postgresAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const entries = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const wanted of ['postgres', 'nobody']) {
    const [name, , uid, gid] = entries.find((entry) => entry.startsWith(`${wanted}:`))?.split(':') ?? []
    if (name && Number(uid) > 0) return { name, uid: Number(uid), gid: Number(gid) }
  }
  throw new StartError(
    'The database does not run as root, and there is no user "postgres" or "nobody" for it: make one, start as another user, or set DATABASE_URL.',
  )
}

/** Spawn options that drop to the account, with only the part of our environment that a server needs. */
export function asAccount(account: Account | undefined): { env: NodeJS.ProcessEnv; cwd?: string; uid?: number; gid?: number } {
  const env = { PATH: childEnvironment()['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  if (process.platform === 'win32') return { env: childEnvironment(env) }
  return account ? { uid: account.uid, gid: account.gid, env, cwd: '/' } : { env, cwd: '/' }
}

/** Whether the account may run this binary. */
export function canRun(account: Account | undefined, binary: string): boolean {
  return spawnSync(binary, ['--version'], { ...asAccount(account), stdio: 'ignore' }).status === 0
}

/** Whether the account may enter this folder and write there. */
export function canStoreDataIn(account: Account | undefined, folder: string): boolean {
  if (!account) return true
  const script = 'cd "$1" && touch .reachable && rm .reachable'
  return spawnSync('/bin/sh', ['-c', script, 'sh', folder], { ...asAccount(account), stdio: 'ignore' }).status === 0
}
