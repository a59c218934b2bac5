import { join, resolve } from 'node:path'
import { createSiteHosts, type SiteHosts } from '@purlin/contract/site-settings.ts'
import { creditSettings, type CreditSettings } from './credit-settings.ts'
import { type Environment, type SettingName, logLevels, parseEnvironment, problemWith } from './environment.ts'
import { StartError } from './errors.ts'
import { forwardingPairs, forwardingSettings, type ForwardingSettings } from './forwarding-settings.ts'
import { connectionProblems, connectionsOf, needsDocumentsProcess, portProblems } from './machine-limits.ts'
import { type Operator, operatorOf } from './operator.ts'
import type { CarrierSettings, IdentitySettings, VatSettings } from './provider-settings.ts'
import { identityConnections, optionalConnections, type PoolSizes } from './pool-sizes.ts'
import { smsSettings, type SmsSettings } from './sms-settings.ts'
import { namesRealDomains, productionProblems } from './production-profile.ts'

export const roles = ['web', 'gateway', 'worker'] as const
export type Role = (typeof roles)[number]

export type PaymentSettings =
  | { provider: 'embedded'; secret: string; webhookSecret: string; providerUrl: string; webhookUrl: string; origin: string }
  | {
      provider: 'stripe'
      secretKey: string
      webhookSecret: string
      publishableKey: string
      frameUrl: string
      apiUrl: string | undefined
      origin: string
    }

export type FileSettings =
  | { store: 'folder'; directory: string }
  | { store: 's3'; endpoint: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string }

/** Where OpenTelemetry traces go, and the share of requests that is traced. */
export interface TraceSettings {
  endpoint: string
  service: string
  ratio: number
}

/** Settings from the environment and the command line; .env.example explains each. */
export interface Settings {
  port: number
  dataDir: string
  /** Undefined: the embedded Postgres. */
  databaseUrl: string | undefined
  /** Number of database connections that the processes of this machine may open. */
  maxConnections: number
  /** The role to run; undefined: all of them. */
  role: Role | undefined
  /** Whether to fill an empty database with the demo shop. */
  demo: boolean
  /** Number of products in a new demo shop. */
  products: number
  /** Number of processes that serve pages and the gateway. */
  processes: number
  /** Maximum size in MB of the JavaScript heap of each of them; one that needs more ends and is started again. */
  webHeapMb: number
  /** Memory of each of them for rendered pages. */
  pageCacheBytes: number
  hosts: SiteHosts
  /** Serves real domains, so the production profile applies and all developer features are closed. */
  isPublic: boolean
  /** GraphQL documents other than those of the shop's own pages: executed for everybody, for the holders of keys, or for nobody. */
  publicApi: 'open' | 'keyed' | 'closed'
  /** Whether those documents have a process of their own, at low priority; else the web processes execute them, in slices. */
  hasDocumentsProcess: boolean
  trustProxy: string | undefined
  /** Where quotas are counted: in memory for one machine, in the database for several. */
  quotaStore: 'memory' | 'postgres'
  /** Metrics are served on this port, by the supervisor, and on no other; undefined: at /metrics. */
  metricsPort: number | undefined
  /** Undefined: nothing is traced. */
  traces: TraceSettings | undefined
  /** How long browser scripts wait for a response. */
  requestTimeoutMs: number
  /** How long a shop that is stopping still accepts connections after its readiness has turned false. */
  drainMs: number
  /** Database connections of each process, by purpose. */
  connections: PoolSizes
  searchDir: string
  /** Where pictures, documents and uploads are kept. */
  files: FileSettings
  payments: PaymentSettings
  identity: IdentitySettings
  /** Registers of VAT numbers. */
  vat: VatSettings
  /** The carrier of the shop's parcels. */
  carrier: CarrierSettings
  /** The provider of payment by invoice for companies. */
  credit: CreditSettings
  /** Services that receive visitors' events; none by default. */
  forwarding: ForwardingSettings
  /** How many times faster than the calendar the demo's sellers and carrier work; 0: they do nothing by themselves. */
  demoSpeed: number
  mail: {
    /** Undefined: the embedded mailbox. */
    smtpUrl: string | undefined
    sender: string
    /** Signs the links in mails. */
    linkSecret: string
  }
  /** The provider of text messages. */
  sms: SmsSettings
  reminders: {
    /** How long a basket is left alone before its customer is reminded of it; 0: never. */
    afterHours: number
  }
  /** Seals the invoice details of erased customers; undefined: a key derived from the link secret. */
  retentionKey: string | undefined
  sessions: {
    /** Encrypts the tokens of the identity provider and signs CSRF tokens. */
    secret: string
  }
  addresses: {
    /** A geocoder that speaks Photon's API; null: the embedded gazetteer alone. */
    geocoderUrl: string | null
  }
  /** The company that runs the shop. */
  operator: Operator
  /** Permissions of a bearer; undefined: nobody has them. */
  keys: { search: string; searchAdmin: string | undefined; operator: string | undefined; metrics: string | undefined }
}

type Raw = Readonly<Record<string, string | undefined>>

export interface ReadOptions {
  /** Apply the production profile whatever the domains are. */
  forProduction?: boolean
}

/**
 * Parses the environment, `--role` and `--products`, all at once and before anything is touched.
 * @throws StartError that lists every problem, one sentence each
 */
export function readSettings(
  env: Raw = process.env,
  args: readonly string[] = process.argv.slice(2),
  { forProduction = false }: ReadOptions = {},
): Settings {
  const { problems, environment } = parseEnvironment(env)
  const isPublic = forProduction || namesRealDomains(env['SITE_HOSTS'])
  const options = readOptions(args)
  const all = [
    ...problems,
    ...options.problems,
    ...together(env, options.role, isPublic),
    ...(environment ? portProblems(environment, options.role, isPublic) : []),
    ...(environment && isPublic ? connectionProblems(environment, options.role) : []),
    ...(isPublic ? productionProblems(env) : []),
  ]
  if (!environment || all.length > 0) throw new SettingsError([...new Set(all)])
  const { PORT: port, DATA_DIR, SEARCH_DIR, SITE_HOSTS } = environment
  const dataDir = resolve(DATA_DIR)
  return {
    port,
    dataDir,
    databaseUrl: environment.DATABASE_URL,
    // The embedded identity provider is a part of a whole shop.
    maxConnections:
      connectionsOf(environment, options.role).connections + (options.role || environment.IDENTITY_URL ? 0 : identityConnections),
    role: options.role,
    demo: environment.DEMO === 'on',
    products: options.products,
    processes: environment.WEB_PROCESSES,
    webHeapMb: environment.WEB_HEAP_MB,
    pageCacheBytes: environment.PAGE_CACHE_MB * 2 ** 20,
    hosts: createSiteHosts({ port, ...(SITE_HOSTS && { realHosts: SITE_HOSTS }), onlyNamed: isPublic }),
    isPublic,
    publicApi: environment.PUBLIC_API === undefined ? (isPublic ? 'closed' : 'open') : environment.PUBLIC_API === 'on' ? 'keyed' : 'closed',
    hasDocumentsProcess: needsDocumentsProcess(environment),
    trustProxy: environment.TRUST_PROXY,
    quotaStore: environment.QUOTA_STORE,
    metricsPort: environment.METRICS_PORT,
    traces: traceSettings(environment),
    requestTimeoutMs: environment.REQUEST_TIMEOUT,
    drainMs: 1000 * (environment.DRAIN_SECONDS ?? (isPublic ? 5 : 0)),
    connections: {
      reads: environment.DATABASE_READS,
      commands: environment.DATABASE_COMMANDS,
      single: environment.DATABASE_SINGLE,
      reports: environment.DATABASE_REPORTS,
      optional: optionalConnections,
    },
    searchDir: SEARCH_DIR ? resolve(SEARCH_DIR) : join(dataDir, 'search'),
    files: fileSettings(environment, dataDir),
    payments: paymentSettings(environment),
    identity: identitySettings(environment),
    vat: vatSettings(environment),
    carrier: carrierSettings(environment, isPublic),
    credit: creditSettings(environment, isPublic),
    forwarding: forwardingSettings(environment),
    demoSpeed: environment.DEMO === 'on' && !isPublic ? environment.DEMO_SPEED : 0,
    sms: smsSettings(environment, isPublic),
    reminders: { afterHours: environment.BASKET_REMINDER_HOURS },
    mail: { smtpUrl: environment.SMTP_URL, sender: environment.MAIL_FROM, linkSecret: environment.ORDER_LINK_SECRET },
    retentionKey: environment.RETENTION_KEY,
    sessions: { secret: environment.SESSION_SECRET },
    addresses: { geocoderUrl: environment.GEOCODER_URL ?? null },
    operator: operatorOf(environment),
    keys: {
      search: environment.SEARCH_KEY,
      searchAdmin: environment.SEARCH_ADMIN_KEY,
      operator: environment.OPERATOR_API_KEY,
      metrics: environment.METRICS_TOKEN,
    },
  }
}

export class SettingsError extends StartError {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    const [only = ''] = problems
    super(problems.length === 1 ? `${only}.` : `These settings are wrong:\n${problems.map((problem) => `  - ${problem}.`).join('\n')}`)
    this.problems = problems
  }
}

const ofS3 = ['S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
const ofStripe = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_FRAME_URL'] as const

/** Settings that depend on each other. */
function together(env: Raw, role: Role | undefined, isPublic: boolean): string[] {
  const missing = (name: SettingName, needs: string) => (env[name]?.trim() ? [] : [problemWith(name, `is not set, and ${needs} needs it`)])
  return [
    ...(role ? missing('DATABASE_URL', `--role ${role}`) : []),
    ...(isPublic || env['PAYMENT_PROVIDER'] === 'stripe' ? ofStripe.flatMap((name) => missing(name, 'PAYMENT_PROVIDER=stripe')) : []),
    ...(env['IDENTITY_URL']?.trim() ? missing('IDENTITY_CLIENT_SECRET', 'IDENTITY_URL') : []),
    ...(env['CARRIER_URL']?.trim()
      ? (['CARRIER_API_KEY', 'CARRIER_WEBHOOK_SECRET'] as const).flatMap((name) => missing(name, 'CARRIER_URL'))
      : []),
    ...(env['CREDIT_URL']?.trim()
      ? (['CREDIT_API_KEY', 'CREDIT_WEBHOOK_SECRET'] as const).flatMap((name) => missing(name, 'CREDIT_URL'))
      : []),
    ...(env['SMS_URL']?.trim()
      ? (['SMS_ACCOUNT', 'SMS_TOKEN', 'SMS_FROM', 'SMS_WEBHOOK_URL'] as const).flatMap((name) => missing(name, 'SMS_URL'))
      : []),
    ...(env['CREDIT_CREDITOR_ID']?.trim() ? missing('CREDIT_CREDITOR_NAME', 'CREDIT_CREDITOR_ID') : []),
    ...forwardingPairs.flatMap(([name, secret]) => (env[name]?.trim() ? missing(secret, name) : [])),
    ...(env['HMRC_URL']?.trim() ? (['HMRC_CLIENT_ID', 'HMRC_CLIENT_SECRET'] as const).flatMap((name) => missing(name, 'HMRC_URL')) : []),
    ...(env['S3_BUCKET']?.trim() ? ofS3.flatMap((name) => missing(name, 'S3_BUCKET')) : []),
  ]
}

function traceSettings(environment: Environment): TraceSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: service, OTEL_TRACES_SAMPLER_ARG: ratio } = environment
  return endpoint === undefined ? undefined : { endpoint: endpoint.replace(/\/+$/, ''), service, ratio }
}

/** A bucket if S3_BUCKET is set, else a folder. */
function fileSettings(environment: Environment, dataDir: string): FileSettings {
  const { FILES_DIR, S3_BUCKET: bucket, S3_REGION: region = '', S3_ENDPOINT: endpoint } = environment
  if (!bucket) return { store: 'folder', directory: FILES_DIR ? resolve(FILES_DIR) : join(dataDir, 'files') }
  const { S3_ACCESS_KEY_ID: accessKeyId = '', S3_SECRET_ACCESS_KEY: secretAccessKey = '' } = environment
  return { store: 's3', endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`, bucket, region, accessKeyId, secretAccessKey }
}

function paymentSettings(environment: Environment): PaymentSettings {
  const { PORT: port, PAYMENT_PROVIDER: provider, STRIPE_FRAME_URL: frameUrl = '' } = environment
  if (provider === 'stripe') {
    return {
      provider,
      secretKey: environment.STRIPE_SECRET_KEY ?? '',
      webhookSecret: environment.STRIPE_WEBHOOK_SECRET ?? '',
      publishableKey: environment.STRIPE_PUBLISHABLE_KEY ?? '',
      frameUrl,
      apiUrl: environment.STRIPE_API_URL,
      origin: environment.PAYMENT_ORIGIN ?? new URL(frameUrl).origin,
    }
  }
  return {
    provider,
    secret: environment.PAYMENT_SECRET,
    webhookSecret: environment.PAYMENT_WEBHOOK_SECRET,
    providerUrl: environment.PAYMENT_PROVIDER_URL ?? `http://127.0.0.1:${port + 1}`,
    webhookUrl: environment.PAYMENT_WEBHOOK_URL ?? `http://127.0.0.1:${port}/webhooks/payment`,
    origin: environment.PAYMENT_ORIGIN ?? `http://pay.localhost:${port + 1}`,
  }
}

/** The embedded provider listens on the second port after the shop's. */
function identitySettings(environment: Environment): IdentitySettings {
  const { PORT: port, IDENTITY_URL: url, IDENTITY_ORIGIN: origin } = environment
  const common = {
    clientSecret: environment.IDENTITY_CLIENT_SECRET,
    dataKey: environment.IDENTITY_DATA_KEY,
    breachedPasswordsUrl: environment.BREACHED_PASSWORDS_URL,
  }
  if (url) return { isEmbedded: false, url, internalUrl: url, ...common }
  const internalUrl = `http://127.0.0.1:${port + 2}`
  return { isEmbedded: true, url: origin ?? `http://id.localhost:${port + 2}`, internalUrl, ...common }
}

/** The embedded registers listen on the third port after the shop's. */
function vatSettings({ PORT: port, VIES_URL, HMRC_URL, HMRC_CLIENT_ID, HMRC_CLIENT_SECRET }: Environment): VatSettings {
  const embedded = `http://127.0.0.1:${port + 3}`
  return {
    isEmbedded: !VIES_URL || !HMRC_URL,
    viesUrl: (VIES_URL ?? `${embedded}/taxation_customs/vies/rest-api`).replace(/\/+$/, ''),
    hmrcUrl: (HMRC_URL ?? embedded).replace(/\/+$/, ''),
    hmrcClient: { clientId: HMRC_CLIENT_ID ?? 'purlin', clientSecret: HMRC_CLIENT_SECRET ?? 'embedded' },
  }
}

/** The embedded carrier listens on the fourth port after the shop's. Its secrets are public: real domains need a real one. */
function carrierSettings(environment: Environment, isPublic: boolean): CarrierSettings {
  const { PORT: port, CARRIER_URL: url, CARRIER_API_KEY: apiKey, CARRIER_WEBHOOK_SECRET: webhookSecret } = environment
  if (url) return { kind: 'aggregator', url: url.replace(/\/+$/, ''), apiKey, webhookSecret }
  return isPublic ? { kind: 'none' } : { kind: 'embedded', url: `http://127.0.0.1:${port + 4}`, apiKey, webhookSecret }
}

interface Options {
  problems: string[]
  role: Role | undefined
  products: number
}

function readOptions(args: readonly string[]): Options {
  const problems: string[] = []
  const unknown = args.find((arg) => arg.startsWith('--') && !/^--(role|products)(=|$)/.test(arg))
  if (unknown) problems.push(`Unknown option ${unknown}: the options are --products N and --role ${roles.join('|')}`)
  const given = optionOf(args, '--role')
  const role = roles.find((each) => each === given)
  if (given !== undefined && !role) problems.push(`--role is "${given}" and must be one of ${roles.join(', ')}, for example --role worker`)
  const products = optionOf(args, '--products') ?? '5000'
  const count = /^\d{1,8}$/.test(products) ? Number(products) : 0
  if (count < 1 || count > 10_000_000)
    problems.push(`--products is "${products}" and must be a whole number from 1 to 10000000, for example --products 100`)
  return { problems, role, products: count }
}

function optionOf(args: readonly string[], name: string): string | undefined {
  const at = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`))
  if (at < 0) return undefined
  const arg = args[at] ?? ''
  return arg === name ? (args[at + 1] ?? '') : arg.slice(name.length + 1)
}

let known: Settings | undefined
let overridden: Raw | undefined

/** The settings of this process, parsed once. Nothing else reads the environment. */
export function settings(): Settings {
  return (known ??= readSettings(overridden ?? process.env, []))
}

/** Replaces the settings of this process; without an argument restores those of the environment. For tests. */
export function useSettings(env?: Raw): void {
  known = undefined
  overridden = env
}

interface ProcessSettings {
  part: string
  withPages: boolean
  isWoken: boolean
  /** Descriptors of the shared port. */
  inherited: number
  /** The process that executes documents of strangers, and what opens it; undefined: there is none. */
  documents: { port: number; secret: string } | undefined
  logLevel: string
  dataDir: string
}

/** Settings the supervisor passes to its child processes; not part of the configuration. */
export function processSettings(): ProcessSettings {
  const { PURLIN_ROLE: part = 'shop', PURLIN_PAGES, PURLIN_WAKING, PURLIN_INHERITED, PURLIN_DOCUMENTS } = process.env
  const { LOG_LEVEL, NODE_TEST_CONTEXT, DATA_DIR } = process.env
  const [port, secret] = PURLIN_DOCUMENTS?.split(':') ?? []
  const level = logLevels.find((each) => each === LOG_LEVEL)
  // Tests provoke failures on purpose.
  const logLevel = level ?? (NODE_TEST_CONTEXT ? 'silent' : 'info')
  return {
    part,
    withPages: PURLIN_PAGES !== 'no',
    isWoken: PURLIN_WAKING === 'yes',
    inherited: Number(PURLIN_INHERITED ?? 0),
    documents: port && secret ? { port: Number(port), secret } : undefined,
    logLevel,
    dataDir: DATA_DIR || '.data',
  }
}

/**
 * How glibc manages memory. By default it keeps freed memory apart for each of a dozen threads, and, once a large block was freed, takes
 * blocks of up to 32 MB from the middle of its heap, where they leave holes.
 */
const allocator = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_TRIM_THRESHOLD_: '4194304' }

/** The environment of a child process: ours, plus additional variables. */
export function childEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { ...allocator, ...process.env, ...more }
}
