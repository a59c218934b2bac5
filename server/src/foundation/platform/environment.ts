import { isIP } from 'node:net'
import { parseRealHosts } from '@purlin/contract/site-settings.ts'
import * as v from 'valibot'
import { operatorEntries, operatorExamples } from './operator.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Secrets of the demo: public, and refused on real domains. */
export const demoSecrets = {
  PAYMENT_SECRET: 'demo-payment-secret-not-for-production',
  PAYMENT_WEBHOOK_SECRET: 'demo-webhook-secret-not-for-production',
  ORDER_LINK_SECRET: 'demo-order-link-secret-not-for-production',
  SESSION_SECRET: 'demo-session-secret-not-for-production',
  CARRIER_API_KEY: 'demo-carrier-key-not-for-production',
  CREDIT_API_KEY: 'demo-credit-key-not-for-production',
  CREDIT_WEBHOOK_SECRET: 'demo-credit-secret-not-for-production',
  CARRIER_WEBHOOK_SECRET: 'demo-carrier-secret-not-for-production',
  SMS_TOKEN: 'demo-sms-token-not-for-production',
  IDENTITY_DATA_KEY: 'demo-identity-data-key-not-for-production',
} as const

const whole = (least: number, most: number) => {
  const problem = `must be a whole number from ${least} to ${most}`
  return v.pipe(v.string(), v.regex(/^\d{1,9}$/, problem), v.transform(Number), v.minValue(least, problem), v.maxValue(most, problem))
}
const address = (kind: string, ...schemes: string[]) =>
  v.pipe(
    v.string(),
    v.check((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1)), `must be ${kind}`),
  )
const web = address('a web address', 'http', 'https')
const origin = v.pipe(
  web,
  v.check((text) => !URL.canParse(text) || new URL(text).origin === text, 'must be an origin: scheme and host, without a path'),
)
const choice = <const Options extends readonly [string, ...string[]]>(options: Options) =>
  v.picklist(options, `must be one of ${options.join(', ')}`)
const text = v.optional(v.string())

function hostsProblem(setting: string): string | undefined {
  try {
    parseRealHosts(setting)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** An address, a network, or one of the names for private ranges. */
function isProxy(part: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(part)) return true
  const [ip = '', bits] = part.split('/')
  const version = isIP(ip)
  return (
    version !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128)))
  )
}

/** Every setting of the environment. `.env.example` explains each; an empty one counts as not set. */
export const environment = v.object({
  PORT: v.optional(whole(1, 65_534), '3000'),
  DATA_DIR: v.optional(v.string(), '.data'),
  DATABASE_URL: v.optional(address('the address of a Postgres database', 'postgres', 'postgresql')),
  DATABASE_READS: v.optional(whole(1, 100), '2'),
  DATABASE_COMMANDS: v.optional(whole(2, 1000), '12'),
  DATABASE_SINGLE: v.optional(whole(1, 1000), '4'),
  DATABASE_REPORTS: v.optional(whole(1, 100), '2'),
  SEARCH_DIR: text,
  DEMO: v.optional(choice(['on', 'off']), 'on'),
  FILES_DIR: text,
  S3_BUCKET: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'))),
  S3_REGION: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,40}$/, 'must be the name of a region'))),
  S3_ENDPOINT: v.optional(origin),
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  WEB_PROCESSES: v.optional(whole(1, 64), '2'),
  WEB_HEAP_MB: v.optional(whole(160, 16_384), '200'),
  PAGE_CACHE_MB: v.optional(whole(0, 16_384), '32'),
  SITE_HOSTS: v.optional(
    v.pipe(
      v.string(),
      v.check((setting) => hostsProblem(setting) === undefined, 'must list entries that read host=market/mode'),
    ),
    '',
  ),
  TRUST_PROXY: v.optional(
    v.pipe(
      v.string(),
      v.check((list) => list.split(',').every((part) => isProxy(part.trim())), 'must list IP addresses or networks'),
    ),
  ),
  PUBLIC_API: v.optional(choice(['on', 'off'])),
  DOCUMENTS_PROCESS: v.optional(choice(['on', 'off'])),
  REQUEST_TIMEOUT: v.optional(whole(100, 60_000), '10000'),
  DRAIN_SECONDS: v.optional(whole(0, 300)),
  QUOTA_STORE: v.optional(choice(['memory', 'postgres']), 'memory'),
  LOG_LEVEL: v.optional(choice(logLevels), 'info'),
  METRICS_TOKEN: text,
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(address('the address of an OpenTelemetry collector', 'http', 'https')),
  OTEL_EXPORTER_OTLP_HEADERS: text,
  OTEL_SERVICE_NAME: v.optional(
    v.pipe(v.string(), v.regex(/^[\w.-]{1,64}$/, 'must be a name of letters, digits, dots and hyphens')),
    'purlin',
  ),
  OTEL_TRACES_SAMPLER_ARG: v.optional(
    v.pipe(v.string(), v.regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0+)?)$/, 'must be a ratio from 0 to 1'), v.transform(Number)),
    '1',
  ),
  METRICS_PORT: v.optional(whole(1, 65_535)),
  PAYMENT_PROVIDER: v.optional(choice(['embedded', 'stripe']), 'embedded'),
  PAYMENT_ORIGIN: v.optional(origin),
  PAYMENT_SECRET: v.optional(v.string(), demoSecrets.PAYMENT_SECRET),
  PAYMENT_WEBHOOK_SECRET: v.optional(v.string(), demoSecrets.PAYMENT_WEBHOOK_SECRET),
  PAYMENT_PROVIDER_URL: v.optional(web),
  PAYMENT_WEBHOOK_URL: v.optional(web),
  STRIPE_SECRET_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  STRIPE_PUBLISHABLE_KEY: text,
  STRIPE_FRAME_URL: v.optional(web),
  STRIPE_API_URL: v.optional(web),
  IDENTITY_URL: v.optional(
    v.pipe(
      web,
      v.check((text) => !/[/?#]$/.test(text), 'must not end with a slash'),
    ),
  ),
  IDENTITY_ORIGIN: v.optional(origin),
  BREACHED_PASSWORDS_URL: v.optional(web),
  IDENTITY_CLIENT_SECRET: v.optional(v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/, 'must be of plain characters, without spaces'))),
  IDENTITY_DATA_KEY: v.optional(v.string(), demoSecrets.IDENTITY_DATA_KEY),
  VIES_URL: v.optional(web),
  HMRC_URL: v.optional(web),
  HMRC_CLIENT_ID: text,
  HMRC_CLIENT_SECRET: text,
  CARRIER_URL: v.optional(web),
  CARRIER_API_KEY: v.optional(v.string(), demoSecrets.CARRIER_API_KEY),
  CARRIER_WEBHOOK_SECRET: v.optional(v.string(), demoSecrets.CARRIER_WEBHOOK_SECRET),
  CREDIT_URL: v.optional(web),
  CREDIT_API_KEY: v.optional(v.string(), demoSecrets.CREDIT_API_KEY),
  CREDIT_WEBHOOK_SECRET: v.optional(v.string(), demoSecrets.CREDIT_WEBHOOK_SECRET),
  CREDIT_CREDITOR_NAME: v.optional(v.pipe(v.string(), v.maxLength(70, 'has more than 70 characters'))),
  CREDIT_CREDITOR_ID: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{2}\d{2}[A-Z0-9]{3}[A-Z0-9]{1,28}$/, 'must be a creditor identifier'))),
  DEMO_SPEED: v.optional(whole(0, 100_000), '1440'),
  GA4_MEASUREMENT_ID: v.optional(v.pipe(v.string(), v.regex(/^G-[A-Z0-9]{4,20}$/, 'must be a measurement id'))),
  GA4_API_SECRET: text,
  GA4_URL: v.optional(web, 'https://region1.google-analytics.com/mp/collect'),
  CONVERSIONS_URL: v.optional(web),
  CONVERSIONS_TOKEN: text,
  EVENTS_WEBHOOK_URL: v.optional(web),
  EVENTS_WEBHOOK_SECRET: text,
  SMTP_URL: v.optional(address('the address of a mail server', 'smtp', 'smtps')),
  MAIL_FROM: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:[^<>@\r\n]+<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, 'must be a mail address, with or without a name'),
    ),
    'Purlin <orders@purlin.example>',
  ),
  SMS_URL: v.optional(web),
  SMS_ACCOUNT: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'must be the id of an account')), 'AC-purlin-demo'),
  SMS_TOKEN: v.optional(v.string(), demoSecrets.SMS_TOKEN),
  SMS_FROM: v.optional(v.pipe(v.string(), v.regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number such as +441632960001')), '+441632960001'),
  SMS_WEBHOOK_URL: v.optional(web),
  BASKET_REMINDER_HOURS: v.optional(whole(0, 720), '24'),
  ORDER_LINK_SECRET: v.optional(v.string(), demoSecrets.ORDER_LINK_SECRET),
  RETENTION_KEY: text,
  SESSION_SECRET: v.optional(v.string(), demoSecrets.SESSION_SECRET),
  GEOCODER_URL: v.optional(web),
  SEARCH_KEY: v.optional(v.string(), 'purlin-search'),
  SEARCH_ADMIN_KEY: text,
  OPERATOR_API_KEY: text,
  ...operatorEntries,
})
export type Environment = v.InferOutput<typeof environment>
export type SettingName = keyof typeof environment.entries
export const settingNames = Object.keys(environment.entries) as SettingName[]

const aSecret = '(32 random bytes: openssl rand -base64 32)'
/** A valid example for each setting, for the message about an invalid one. */
export const examples: Record<SettingName, string> = {
  PORT: '3000',
  DATA_DIR: '/var/lib/purlin',
  DATABASE_URL: 'postgres://user:password@host:5432/database',
  DATABASE_READS: '2',
  DATABASE_COMMANDS: '12',
  DATABASE_SINGLE: '4',
  DATABASE_REPORTS: '2',
  SEARCH_DIR: '/var/lib/purlin/search',
  DEMO: 'off',
  FILES_DIR: '/var/lib/purlin/files',
  S3_BUCKET: 'purlin-files',
  S3_REGION: 'eu-west-3',
  S3_ENDPOINT: 'https://s3.eu-west-3.amazonaws.com',
  S3_ACCESS_KEY_ID: 'AKIA…',
  S3_SECRET_ACCESS_KEY: '…',
  WEB_PROCESSES: '2',
  WEB_HEAP_MB: '200',
  PAGE_CACHE_MB: '32',
  SITE_HOSTS: 'www.purlin.fr=fr/b2c,pro.purlin.fr=fr/b2b',
  TRUST_PROXY: '127.0.0.1,10.0.0.0/8',
  PUBLIC_API: 'on',
  DOCUMENTS_PROCESS: 'on',
  REQUEST_TIMEOUT: '10000',
  DRAIN_SECONDS: '5',
  QUOTA_STORE: 'postgres',
  LOG_LEVEL: 'info',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer …',
  OTEL_SERVICE_NAME: 'purlin',
  OTEL_TRACES_SAMPLER_ARG: '0.05',
  METRICS_TOKEN: aSecret,
  METRICS_PORT: '9464',
  PAYMENT_PROVIDER: 'stripe',
  PAYMENT_ORIGIN: 'https://pay.purlin.fr',
  PAYMENT_SECRET: aSecret,
  PAYMENT_WEBHOOK_SECRET: aSecret,
  PAYMENT_PROVIDER_URL: 'http://127.0.0.1:3001',
  PAYMENT_WEBHOOK_URL: 'http://127.0.0.1:3000/webhooks/payment',
  STRIPE_SECRET_KEY: 'sk_live_…',
  STRIPE_WEBHOOK_SECRET: 'whsec_…',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_…',
  STRIPE_FRAME_URL: 'https://pay.purlin.fr/stripe-frame',
  STRIPE_API_URL: 'http://127.0.0.1:12111',
  IDENTITY_URL: 'https://id.purlin.fr',
  IDENTITY_ORIGIN: 'https://id.purlin.fr',
  BREACHED_PASSWORDS_URL: 'https://api.pwnedpasswords.com/range',
  IDENTITY_CLIENT_SECRET: aSecret,
  IDENTITY_DATA_KEY: aSecret,
  VIES_URL: 'https://ec.europa.eu/taxation_customs/vies/rest-api',
  HMRC_URL: 'https://api.service.hmrc.gov.uk',
  HMRC_CLIENT_ID: 'the id of the application at HMRC',
  HMRC_CLIENT_SECRET: 'the secret of the application at HMRC',
  CARRIER_URL: 'https://api.easypost.com',
  CARRIER_API_KEY: aSecret,
  CARRIER_WEBHOOK_SECRET: aSecret,
  CREDIT_URL: 'https://credit.example.com',
  CREDIT_API_KEY: aSecret,
  CREDIT_WEBHOOK_SECRET: aSecret,
  CREDIT_CREDITOR_NAME: 'Example Credit GmbH',
  CREDIT_CREDITOR_ID: 'DE98ZZZ09999999999',
  DEMO_SPEED: '1440',
  GA4_MEASUREMENT_ID: 'G-ABC123DEF4',
  GA4_API_SECRET: 'the secret of the Measurement Protocol',
  GA4_URL: 'https://region1.google-analytics.com/mp/collect',
  CONVERSIONS_URL: 'https://graph.facebook.com/v23.0/1234567890/events',
  CONVERSIONS_TOKEN: 'the access token of the Conversions API',
  EVENTS_WEBHOOK_URL: 'https://events.example.com/purlin',
  EVENTS_WEBHOOK_SECRET: aSecret,
  SMTP_URL: 'smtp://user:password@mail.purlin.fr:587',
  MAIL_FROM: 'Purlin <orders@purlin.fr>',
  SMS_URL: 'https://api.twilio.com',
  SMS_ACCOUNT: 'AC0123456789abcdef0123456789abcdef',
  SMS_TOKEN: aSecret,
  SMS_FROM: '+441632960001',
  SMS_WEBHOOK_URL: 'https://www.purlin.fr/webhooks/sms',
  BASKET_REMINDER_HOURS: '24',
  ORDER_LINK_SECRET: aSecret,
  RETENTION_KEY: aSecret,
  SESSION_SECRET: aSecret,
  GEOCODER_URL: 'https://photon.komoot.io/api/',
  SEARCH_KEY: 'purlin-search',
  SEARCH_ADMIN_KEY: aSecret,
  OPERATOR_API_KEY: aSecret,
  ...operatorExamples,
}

/** The values of these never appear in a message or a log. */
const hidden: ReadonlySet<string> = new Set<SettingName>(['DATABASE_URL', 'SMTP_URL', 'IDENTITY_CLIENT_SECRET'])

/** One sentence: the setting, what is wrong with it, and a valid example. */
export function problemWith(name: SettingName, problem: string): string {
  return `${name} ${problem}, for example ${name}=${examples[name]}`
}

/** Parses the environment; every invalid setting is one sentence in `problems`. */
export function parseEnvironment(raw: Readonly<Record<string, string | undefined>>): { problems: string[]; environment?: Environment } {
  const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const parsed = v.safeParse(environment, given)
  if (parsed.success) return { problems: [], environment: parsed.output }
  const first = new Map<SettingName, string>()
  for (const { path, message } of parsed.issues) {
    const name = path?.[0]?.key
    if (isSettingName(name) && !first.has(name)) first.set(name, message)
  }
  const problems = [...first].map(([name, message]) => problemWith(name, `${hidden.has(name) ? '' : `is "${given[name]}" and `}${message}`))
  return { problems }
}

function isSettingName(name: unknown): name is SettingName {
  return typeof name === 'string' && name in environment.entries
}
