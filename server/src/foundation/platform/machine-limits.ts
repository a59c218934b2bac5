import { type Environment, problemWith } from './environment.ts'
import { fewConnections, optionalConnections, type PoolSizes } from './pool-sizes.ts'

const lastPort = 65_535

/** Ports that one shop takes, the shop's own first. Parts started with `--role` run no embedded services. */
function portsOf(environment: Environment, role: string | undefined, isPublic: boolean): { port: number; use: string }[] {
  const { PORT: port, IDENTITY_URL, VIES_URL, HMRC_URL, CARRIER_URL, CREDIT_URL, SMS_URL } = environment
  if (role === 'worker') return []
  const shop = { port, use: 'the shop itself' }
  if (role) return [shop]
  return [
    shop,
    { port: port + 1, use: 'the embedded payment provider' },
    ...(IDENTITY_URL ? [] : [{ port: port + 2, use: 'the embedded identity provider' }]),
    ...(VIES_URL && HMRC_URL ? [] : [{ port: port + 3, use: 'the embedded registers of VAT numbers' }]),
    ...(CARRIER_URL || isPublic ? [] : [{ port: port + 4, use: 'the embedded carrier' }]),
    ...(CREDIT_URL || isPublic ? [] : [{ port: port + 5, use: 'the embedded credit provider' }]),
    ...(SMS_URL || isPublic ? [] : [{ port: port + 6, use: 'the embedded SMS provider' }]),
  ]
}

/** Ports that do not exist or that two parts of the shop would take. */
export function portProblems(environment: Environment, role: string | undefined, isPublic: boolean): string[] {
  const { PORT, METRICS_PORT } = environment
  const ports = portsOf(environment, role, isPublic)
  const beyond = ports.find(({ port }) => port > lastPort)
  const taken = ports.find(({ port }) => port === METRICS_PORT)
  return [
    ...(beyond ? [problemWith('PORT', `is "${PORT}", and ${beyond.use} would need port ${beyond.port}, which does not exist`)] : []),
    ...(taken ? [problemWith('METRICS_PORT', `is "${METRICS_PORT}", the port of ${taken.use}`)] : []),
  ]
}

/** The embedded database has 120, of which ten are left to operators and migrations. A database that is asked for more than a thousand needs a pooler. */
const maxConnections = { embedded: 110, own: 1000 }

/** The settings that decide about connections, with their usual values. */
const usual = { WEB_PROCESSES: 2, DATABASE_READS: 2, DATABASE_COMMANDS: 12, DATABASE_SINGLE: 4, DATABASE_REPORTS: 2 } as const
const deciding = Object.keys(usual) as (keyof typeof usual)[]

const sum = ({ reads, commands, single, reports, optional }: PoolSizes) => reads + commands + single + reports + 2 * optional

/** Documents of strangers have a process of their own where programs may send them, unless DOCUMENTS_PROCESS says otherwise (decision 073). */
export function needsDocumentsProcess({ PUBLIC_API, DOCUMENTS_PROCESS }: Pick<Environment, 'PUBLIC_API' | 'DOCUMENTS_PROCESS'>): boolean {
  return PUBLIC_API !== 'off' && (DOCUMENTS_PROCESS ?? PUBLIC_API) === 'on'
}

/** The processes of one machine that may be connected to the database, and the connections they may open. */
export function connectionsOf(environment: Environment, role: string | undefined): { processes: number; connections: number } {
  const { WEB_PROCESSES, DATABASE_READS, DATABASE_COMMANDS, DATABASE_SINGLE, DATABASE_REPORTS } = environment
  // A web process that leaves works on until another stands in its place.
  const processes = role === 'worker' ? 1 : WEB_PROCESSES + (role ? 1 : 2)
  const sizes = {
    reads: DATABASE_READS,
    commands: DATABASE_COMMANDS,
    single: DATABASE_SINGLE,
    reports: DATABASE_REPORTS,
    optional: optionalConnections,
  }
  const strangers = needsDocumentsProcess(environment) && role !== 'worker' ? sum(fewConnections(sizes)) : 0
  return { processes, connections: processes * sum(sizes) + strangers }
}

/** Settings that let the processes of one machine open more database connections than a database has; the most unusual one is named. */
export function connectionProblems(environment: Environment, role: string | undefined): string[] {
  const { DATABASE_URL } = environment
  const { processes, connections } = connectionsOf(environment, role)
  const most = DATABASE_URL ? maxConnections.own : maxConnections.embedded
  if (connections <= most) return []
  const times = (name: keyof typeof usual) => environment[name] / usual[name]
  const name = deciding.reduce((worst, each) => (times(each) > times(worst) ? each : worst))
  const bound = DATABASE_URL ? `${most} is the most` : `the embedded database has ${most}`
  const who = `${processes} processes, one of them in another’s place, may open ${connections} database connections`
  return [problemWith(name, `is "${environment[name]}": ${who}, and ${bound}`)]
}
