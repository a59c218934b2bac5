import { isIP } from 'node:net'
import { markets } from '@purlin/contract/markets.ts'
import { demoSecrets, problemWith, settingNames, type SettingName } from './environment.ts'
import { isNear } from './near.ts'
import { demoOperator, operatorSettings } from './operator.ts'
import { proxyListProblem } from './trusted-networks.ts'

type Raw = Readonly<Record<string, string | undefined>>

/** Whether names other than this machine's own are served, so that the shop must be safe for the public. */
export function namesRealDomains(siteHosts = ''): boolean {
  // Parsed loosely: an entry invalid in another way is reported separately.
  return hostsIn(siteHosts).some((host) => !isOwnMachine(host))
}

function hostsIn(siteHosts = ''): string[] {
  const hosts = siteHosts.split(',').map((entry) => entry.split('=')[0]?.trim().toLowerCase() ?? '')
  return hosts.filter((host) => host !== '')
}

/** Ends of names that the public domain name system does not serve. */
const privateEnds = /\.(?:internal|local|lan|svc|home\.arpa)\.?$/

/** This machine, a private address, or a name of a private network: without a dot, or with one of their ends. */
export function isPrivateName(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  return isOwnMachine(host) || !/[.:]/.test(host) || privateEnds.test(host) || (isIP(address) !== 0 && isNear(address))
}

function isOwnMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || /^127(?:\.\d{1,3}){3}$/.test(host) || /^(?:0\.0\.0\.0|\[::1?\])$/.test(host)
}

const leastBytes = 32
const leastSigns = 10
const secretNames = [
  'PAYMENT_SECRET',
  'PAYMENT_WEBHOOK_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'ORDER_LINK_SECRET',
  'RETENTION_KEY',
  'SESSION_SECRET',
  'OPERATOR_API_KEY',
  'SEARCH_ADMIN_KEY',
  'METRICS_TOKEN',
  'IDENTITY_CLIENT_SECRET',
  'CARRIER_API_KEY',
  'CARRIER_WEBHOOK_SECRET',
  'CREDIT_API_KEY',
  'CREDIT_WEBHOOK_SECRET',
  'SMS_TOKEN',
  'IDENTITY_DATA_KEY',
  'HMRC_CLIENT_SECRET',
  'S3_SECRET_ACCESS_KEY',
  'GA4_API_SECRET',
  'CONVERSIONS_TOKEN',
  'EVENTS_WEBHOOK_SECRET',
] as const satisfies readonly SettingName[]
type SecretName = (typeof secretNames)[number]
const secrets: ReadonlySet<string> = new Set(secretNames)

const operatorCountries = Object.values(markets).map(({ country }) => country)

interface Check {
  name: SettingName
  /** The problem, phrased to follow the setting's name; false if there is none. */
  problem: (value: string, raw: Raw) => string | false
}

const must = (name: SettingName, reason: string): Check => ({
  name,
  problem: (value) => !value && `is not set, and real domains need it: ${reason}`,
})

/** Another setting with the value of this secret: an earlier secret, or one that is no secret at all. */
function twinOf(name: SecretName, value: string, raw: Raw): SettingName | undefined {
  const earlier = secretNames.slice(0, secretNames.indexOf(name))
  // A publishable key that is a secret is reported as such.
  const others = settingNames.filter((other) => !secrets.has(other) && other !== 'STRIPE_PUBLISHABLE_KEY')
  return [...earlier, ...others].find((other) => raw[other]?.trim() === value)
}

const distinct = (name: SecretName): Check => ({
  name,
  problem: (value, raw) => {
    const twin = value && twinOf(name, value, raw)
    if (!twin) return false
    return secrets.has(twin)
      ? `is the same as another secret, ${twin}: one that leaks must not open two doors`
      : `is the same as ${twin}, which is no secret`
  },
})

const strong = (name: SecretName, isNeeded: (raw: Raw) => boolean): Check => ({
  name,
  problem: (value, raw) => {
    if (!isNeeded(raw)) return false
    if (!value) return 'is not set, and real domains need a secret of your own'
    if (Object.values<string>(demoSecrets).includes(value)) return 'still has a value of the demo, which is public'
    if (Buffer.byteLength(value) < leastBytes) return `has ${Buffer.byteLength(value)} bytes, and a secret needs at least ${leastBytes}`
    // Typed by hand or copied from documentation: "aaaa…", "(32 random bytes: …)".
    if (new Set(value).size < leastSigns || /\s/.test(value))
      return 'can be guessed; make it of random bytes, for example with: openssl rand -base64 32'
    return distinct(name).problem(value, raw)
  },
})

const https = (name: SettingName): Check => ({
  name,
  problem: (value) => Boolean(value) && !value.startsWith('https:') && 'must begin with https: on real domains',
})

/** A service that receives personal data: plain HTTP only in a private network. */
const encrypted = (name: SettingName): Check => ({
  name,
  problem: (value, raw) => {
    if (!URL.canParse(value)) return false
    return isPrivateName(new URL(value).hostname) ? false : https(name).problem(value, raw)
  },
})

/**
 * Whether a connection string leads to this machine, its sockets or a private network. Source: pg-connection-string; the last parameter `host` goes
 * before the host of the address, which may be escaped.
 */
function isPrivateDatabase(address: string): boolean {
  const { hostname, searchParams } = new URL(address)
  const host = searchParams.getAll('host').at(-1) || hostname
  return /^(?:\/|%2f)/i.test(host) || (!host.includes('%') && isPrivateName(host))
}

/** Whether a connection string asks for encryption. Source: libpq, sslmode; node-postgres encrypts only if it is told to, and by the last one. */
const asksForEncryption = (address: string) =>
  /^(?:require|verify-ca|verify-full)$/.test(new URL(address).searchParams.getAll('sslmode').at(-1) ?? '')

/** The address of a service that must not be an embedded one. */
const elsewhere = (name: SettingName): Check => ({
  name,
  problem: (value, raw) => {
    if (!URL.canParse(value)) return false
    const { hostname } = new URL(value)
    return isOwnMachine(hostname) ? 'names this machine, where only an embedded service answers' : https(name).problem(value, raw)
  },
})

/** A page that strangers' scripts must not reach: with an origin of the shop it would share its cookies and its scripts. */
const apart = (name: SettingName): Check => ({
  name,
  problem: (value, raw) => {
    const problem = elsewhere(name).problem(value, raw)
    if (problem || !URL.canParse(value)) return problem
    return hostsIn(raw['SITE_HOSTS']).includes(new URL(value).hostname) && 'is on a domain of the shop, and needs one of its own'
  },
})

/** A key of Stripe's live mode, recognised by its beginning. */
const liveKey = (name: SettingName, beginnings: readonly string[], mistaken: readonly [RegExp, string][]): Check => ({
  name,
  problem: (value, raw) => {
    if (!value || !whenStripe(raw) || beginnings.some((beginning) => value.startsWith(beginning))) return false
    return mistaken.find(([pattern]) => pattern.test(value))?.[1] ?? `must begin with ${beginnings.join(' or ')}`
  },
})
/** Parameters of an address of a mail server that override what we require of it. */
const encryptionOptions = /^(?:ignoreTLS|opportunisticTLS|requireTLS|secure|service|tls\..*)$/
const testKey = 'is a test key, with which test cards would pay orders'

const always = () => true
const isSet = (raw: Raw, name: SettingName) => Boolean(raw[name]?.trim())
const ifSet =
  (...names: readonly SettingName[]) =>
  (raw: Raw) =>
    names.every((name) => isSet(raw, name))
const whenStripe = (raw: Raw) => raw['PAYMENT_PROVIDER'] === 'stripe'

/** Requirements of a shop on real domains. Introspection, `/dev` and statement counts close by themselves (`isPublic`). */
const checks: readonly Check[] = [
  must('SITE_HOSTS', 'name each domain with its market'),
  {
    name: 'SITE_HOSTS',
    problem: (value) => {
      const hosts = hostsIn(value)
      const twice = hosts.find((host, at) => hosts.indexOf(host) !== at)
      if (twice !== undefined) return `names ${twice} twice, and one of its entries would be ignored`
      const dotted = hosts.find((host) => host.endsWith('.'))
      if (dotted !== undefined) return `names ${dotted} with a dot at its end, which no request is found by`
      const local = namesRealDomains(value) ? hosts.find(isPrivateName) : undefined
      return local !== undefined && `names ${local} beside real domains, and only this machine or a private network would reach it`
    },
  },
  must('TRUST_PROXY', 'TLS ends at a proxy, and the shop must know its address'),
  {
    name: 'TRUST_PROXY',
    problem: (value) => {
      const problem = Boolean(value) && proxyListProblem(value)
      return problem && `is "${value}" and ${problem}`
    },
  },
  {
    name: 'DATABASE_URL',
    problem: (value) => {
      if (!URL.canParse(value) || isPrivateDatabase(value) || asksForEncryption(value)) return false
      return 'names a server beyond the private network and does not ask for encryption; add ?sslmode=verify-full'
    },
  },
  { name: 'DEMO', problem: (value) => value !== 'off' && 'is on, and would fill an empty database with goods nobody sells' },
  {
    name: 'PAYMENT_PROVIDER',
    problem: (value) => value !== 'stripe' && 'is the embedded provider, whose test cards would pay orders',
  },
  liveKey(
    'STRIPE_SECRET_KEY',
    ['sk_live_', 'rk_live_'],
    [
      [/^[rs]k_test_/, testKey],
      [/^pk_/, 'is a publishable key, with which nothing can be charged; use the secret one'],
    ],
  ),
  liveKey(
    'STRIPE_PUBLISHABLE_KEY',
    ['pk_live_'],
    [
      [/^pk_test_/, testKey],
      [/^(?:[rs]k|whsec)_/, 'is a secret, and the browser of every buyer would receive it'],
    ],
  ),
  liveKey('STRIPE_WEBHOOK_SECRET', ['whsec_'], []),
  apart('PAYMENT_ORIGIN'),
  { name: 'STRIPE_API_URL', problem: (value) => Boolean(value) && 'is for tests and must not be set on real domains; leave it empty' },
  apart('STRIPE_FRAME_URL'),
  https('S3_ENDPOINT'),
  https('BREACHED_PASSWORDS_URL'),
  apart('IDENTITY_URL'),
  {
    name: 'IDENTITY_ORIGIN',
    problem: (value, raw) => {
      if (isSet(raw, 'IDENTITY_URL')) return false
      return value
        ? apart('IDENTITY_ORIGIN').problem(value, raw)
        : 'must be the https: address of the embedded identity provider on real domains'
    },
  },
  strong('IDENTITY_CLIENT_SECRET', ifSet('IDENTITY_CLIENT_SECRET')),
  strong('IDENTITY_DATA_KEY', (raw) => !isSet(raw, 'IDENTITY_URL')),
  must('VIES_URL', 'the embedded register calls nearly every VAT number valid'),
  elsewhere('VIES_URL'),
  must('HMRC_URL', 'the embedded register calls nearly every VAT number valid'),
  elsewhere('HMRC_URL'),
  distinct('HMRC_CLIENT_SECRET'),
  distinct('S3_SECRET_ACCESS_KEY'),
  elsewhere('CARRIER_URL'),
  strong('CARRIER_API_KEY', ifSet('CARRIER_URL', 'CARRIER_API_KEY')),
  strong('CARRIER_WEBHOOK_SECRET', ifSet('CARRIER_URL', 'CARRIER_WEBHOOK_SECRET')),
  elsewhere('CREDIT_URL'),
  strong('CREDIT_API_KEY', ifSet('CREDIT_URL', 'CREDIT_API_KEY')),
  strong('CREDIT_WEBHOOK_SECRET', ifSet('CREDIT_URL', 'CREDIT_WEBHOOK_SECRET')),
  elsewhere('SMS_URL'),
  elsewhere('SMS_WEBHOOK_URL'),
  strong('SMS_TOKEN', ifSet('SMS_URL', 'SMS_TOKEN')),
  encrypted('GEOCODER_URL'),
  encrypted('OTEL_EXPORTER_OTLP_ENDPOINT'),
  elsewhere('GA4_URL'),
  distinct('GA4_API_SECRET'),
  elsewhere('CONVERSIONS_URL'),
  distinct('CONVERSIONS_TOKEN'),
  elsewhere('EVENTS_WEBHOOK_URL'),
  strong('EVENTS_WEBHOOK_SECRET', ifSet('EVENTS_WEBHOOK_URL')),
  must('SMTP_URL', 'without it mails stay in the embedded mailbox'),
  {
    name: 'SMTP_URL',
    problem: (value) =>
      URL.canParse(value) &&
      !isPrivateName(new URL(value).hostname) &&
      [...new URL(value).searchParams.keys()].some((name) => encryptionOptions.test(name)) &&
      'has options that change its encryption; servers beyond the private network have to offer it, with a valid certificate',
  },
  {
    name: 'MAIL_FROM',
    problem: (value) => (!value || /@(?:[^>]*\.)?purlin\.example>?$/i.test(value)) && 'is the sender of the demo, to whom nobody can reply',
  },
  {
    name: 'OPERATOR_VAT_NUMBER',
    problem: (value) =>
      value !== '' &&
      value !== demoOperator.OPERATOR_VAT_NUMBER &&
      !operatorCountries.some((country) => value.toUpperCase().startsWith(country)) &&
      `must begin with one of ${operatorCountries.join(', ')}: the VAT of the marketplace's own services is known for the countries in which it sells`,
  },
  strong('STRIPE_SECRET_KEY', ifSet('STRIPE_SECRET_KEY')),
  strong('STRIPE_WEBHOOK_SECRET', ifSet('STRIPE_WEBHOOK_SECRET')),
  strong('ORDER_LINK_SECRET', always),
  strong('RETENTION_KEY', always),
  strong('SESSION_SECRET', always),
  strong('OPERATOR_API_KEY', ifSet('OPERATOR_API_KEY')),
  strong('SEARCH_ADMIN_KEY', ifSet('SEARCH_ADMIN_KEY')),
  strong('METRICS_TOKEN', ifSet('METRICS_TOKEN')),
  ...operatorSettings.map((name): Check => ({
    name,
    problem: (value) => (!value || value === demoOperator[name]) && 'does not say who runs the shop, and buyers have a right to know',
  })),
]

/** Reasons why these settings are unfit for real domains: one sentence each. */
export function productionProblems(raw: Raw): string[] {
  return checks.flatMap(({ name, problem }) => {
    const said = problem(raw[name]?.trim() ?? '', raw)
    return said ? [problemWith(name, said)] : []
  })
}
