import { join, resolve } from 'node:path'
import { createSiteHosts, type SiteHosts } from '@purlin/contract/site-settings.ts'
import { StartError } from './errors.ts'

export const roles = ['web', 'gateway', 'worker'] as const
export type Role = (typeof roles)[number]

/** What the environment and the command line decide; .env.example explains each. */
export interface Settings {
  port: number
  dataDir: string
  /** Given by somebody else; undefined: the embedded Postgres. */
  databaseUrl: string | undefined
  /** Part of the house to run; undefined: all of it. */
  role: Role | undefined
  /** Products of a new demo shop. */
  products: number
  /** Processes that serve pages and the gateway. */
  processes: number
  hosts: SiteHosts
  trustProxy: string | undefined
  searchDir: string
}

/** Reads `--role`, `--products` and the environment. @throws StartError with the setting that is wrong */
export function readSettings(env: NodeJS.ProcessEnv = process.env, args: readonly string[] = process.argv.slice(2)): Settings {
  const port = whole('PORT', env.PORT || '3000', 1, 65_534)
  const dataDir = resolve(env.DATA_DIR || '.data')
  const role = option(args, '--role')
  if (role !== undefined && !(roles as readonly string[]).includes(role))
    throw new StartError(`--role is one of ${roles.join(', ')}, not "${role}".`)
  const unknown = args.find((arg) => arg.startsWith('--') && !/^--(role|products)(=|$)/.test(arg))
  if (unknown) throw new StartError(`Unknown option ${unknown}: there are --products N and --role ${roles.join('|')}.`)
  let hosts: SiteHosts
  try {
    hosts = createSiteHosts({ port, ...(env.SITE_HOSTS && { realHosts: env.SITE_HOSTS }) })
  } catch (error) {
    throw new StartError(`SITE_HOSTS: ${error instanceof Error ? error.message : String(error)}`)
  }
  return {
    port,
    dataDir,
    databaseUrl: env.DATABASE_URL || undefined,
    role: role as Role | undefined,
    products: whole('--products', option(args, '--products') ?? '5000', 1, 10_000_000),
    processes: whole('WEB_PROCESSES', env.WEB_PROCESSES || '2', 1, 64),
    hosts,
    trustProxy: env.TRUST_PROXY || undefined,
    searchDir: env.SEARCH_DIR ? resolve(env.SEARCH_DIR) : join(dataDir, 'search'),
  }
}

function option(args: readonly string[], name: string): string | undefined {
  const at = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`))
  if (at < 0) return undefined
  const arg = args[at] ?? ''
  return arg === name ? (args[at + 1] ?? '') : arg.slice(name.length + 1)
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new StartError(`${name} is a whole number from ${least} to ${most}, not "${text}".`)
  return value
}
