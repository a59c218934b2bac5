import { demoSecrets, problemWith, type SettingName } from './environment.ts'
import { demoOperator, operatorSettings } from './operator.ts'

type Raw = Readonly<Record<string, string | undefined>>

/** Whether names other than this machine's own are served, so that the shop must be safe for the public. */
export function namesRealDomains(siteHosts = ''): boolean {
  // Parsed loosely: an entry invalid in another way is reported separately.
  const named = siteHosts.split(',').map((entry) => entry.split('=')[0]?.trim().toLowerCase() ?? '')
  return named.some((host) => host !== '' && !isOwnMachine(host))
}

function isOwnMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || /^127(?:\.\d{1,3}){3}$/.test(host)
}

const leastBytes = 32
const leastSigns = 10
const secretNames = [
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
  'IDENTITY_DATA_KEY',
] as const

interface Check {
  name: SettingName
  /** The problem, phrased to follow the setting's name; false if there is none. */
  problem: (value: string, raw: Raw) => string | false
}

const must = (name: SettingName, reason: string): Check => ({
  name,
  problem: (value) => !value && `is not set, and real domains need it: ${reason}`,
})

const strong = (name: SettingName, isNeeded: (raw: Raw) => boolean): Check => ({
  name,
  problem: (value, raw) => {
    if (!isNeeded(raw)) return false
    if (!value) return 'is not set, and real domains need a secret of your own'
    if (Object.values<string>(demoSecrets).includes(value)) return 'still has a value of the demo, which is public'
    if (Buffer.byteLength(value) < leastBytes) return `has ${Buffer.byteLength(value)} bytes, and a secret needs at least ${leastBytes}`
    // Typed by hand or copied from documentation: "aaaa…", "(32 random bytes: …)".
    if (new Set(value).size < leastSigns || /\s/.test(value))
      return 'can be guessed; make it of random bytes, for example with: openssl rand -base64 32'
    const earlier = secretNames.slice(
      0,
      secretNames.findIndex((other) => other === name),
    )
    const isTwice = earlier.some((other) => raw[other]?.trim() === value)
    return isTwice && 'is the same as another secret: one that leaks must not open two doors'
  },
})
/** A proxy has an address or a network of its own, not half of the internet. */
function trustsTooMany(entry: string): boolean {
  const [address = '', bits] = entry.trim().split('/')
  if (bits === undefined) return false
  return Number(bits) < (address.includes(':') ? 16 : 8)
}
const always = () => true
const ifSet = (name: SettingName) => (raw: Raw) => Boolean(raw[name])
const whenStripe = (raw: Raw) => raw['PAYMENT_PROVIDER'] === 'stripe'

/** Requirements of a shop on real domains. Introspection, `/dev` and statement counts close by themselves (`isPublic`). */
const checks: readonly Check[] = [
  must('SITE_HOSTS', 'name each domain with its market'),
  must('TRUST_PROXY', 'TLS ends at a proxy, and the shop must know its address'),
  {
    name: 'TRUST_PROXY',
    problem: (value) => value.split(',').some(trustsTooMany) && `is "${value}" and trusts every address, or nearly`,
  },
  { name: 'DEMO', problem: (value) => value !== 'off' && 'is on, and would fill an empty database with goods nobody sells' },
  {
    name: 'PAYMENT_PROVIDER',
    problem: (value) => value !== 'stripe' && 'is the embedded provider, whose test cards would pay orders',
  },
  {
    name: 'STRIPE_SECRET_KEY',
    problem: (value, raw) => whenStripe(raw) && /^[rs]k_test_/.test(value) && 'is a test key, with which test cards would pay orders',
  },
  {
    name: 'STRIPE_PUBLISHABLE_KEY',
    problem: (value, raw) => whenStripe(raw) && value.startsWith('pk_test_') && 'is a test key, with which test cards would pay orders',
  },
  {
    name: 'PAYMENT_ORIGIN',
    problem: (value) => Boolean(value) && !value.startsWith('https:') && 'must begin with https: on real domains',
  },
  { name: 'STRIPE_API_URL', problem: (value) => Boolean(value) && 'is for tests and must not be set on real domains; leave it empty' },
  {
    name: 'STRIPE_FRAME_URL',
    problem: (value) => Boolean(value) && !value.startsWith('https:') && 'must begin with https: on real domains',
  },
  {
    name: 'S3_ENDPOINT',
    problem: (value) => Boolean(value) && !value.startsWith('https:') && 'must begin with https: on real domains',
  },
  {
    name: 'IDENTITY_URL',
    problem: (value) => Boolean(value) && !value.startsWith('https:') && 'must begin with https: on real domains',
  },
  {
    name: 'IDENTITY_ORIGIN',
    problem: (value, raw) =>
      !raw['IDENTITY_URL'] && !value.startsWith('https:') && 'must be the https: address of the embedded identity provider on real domains',
  },
  strong('IDENTITY_CLIENT_SECRET', ifSet('IDENTITY_CLIENT_SECRET')),
  strong('IDENTITY_DATA_KEY', (raw) => !raw['IDENTITY_URL']),
  must('VIES_URL', 'the embedded register calls nearly every VAT number valid'),
  must('HMRC_URL', 'the embedded register calls nearly every VAT number valid'),
  must('SMTP_URL', 'without it mails stay in the embedded mailbox'),
  {
    name: 'MAIL_FROM',
    problem: (value) => (!value || /@(?:[^>]*\.)?purlin\.example>?$/i.test(value)) && 'is the sender of the demo, to whom nobody can reply',
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
