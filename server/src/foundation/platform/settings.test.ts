import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { demoSecrets } from './environment.ts'
import { StartError, startSentence } from './errors.ts'
import { SettingsError, readSettings } from './settings.ts'
import { productionSettings } from './testing.ts'

test('without settings the shop has port 3000, its own data folder, two processes and 5,000 products', () => {
  const { port, dataDir, databaseUrl, role, products, processes, searchDir } = readSettings({}, [])
  assert.deepEqual([port, databaseUrl, role, products, processes], [3000, undefined, undefined, 5000, 2])
  assert.equal(dataDir.endsWith('.data'), true)
  assert.equal(searchDir, `${dataDir}/search`)
})

test('options are accepted with a space or an equals sign', () => {
  assert.equal(readSettings({}, ['--products', '12']).products, 12)
  assert.equal(readSettings({ DATABASE_URL: 'postgres://localhost/x' }, ['--products=12', '--role=worker']).role, 'worker')
})

const right = productionSettings

function problemsOf(env: Record<string, string>, args: string[] = []): readonly string[] {
  try {
    readSettings(env, args)
    return []
  } catch (error) {
    assert.ok(error instanceof SettingsError)
    return error.problems
  }
}

test('V-05 a shop on real domains starts with valid settings, and is public', () => {
  const settings = readSettings(right, [])
  assert.equal(settings.isPublic, true)
  assert.equal(settings.hosts.siteOf('www.purlin.fr')?.origin, 'https://www.purlin.fr')
  assert.equal(settings.payments.origin, 'https://pay.purlin.fr')
})

test('V-17 behind a balancer a stopping shop accepts connections for five seconds more, on a developer’s machine it stops at once', () => {
  assert.equal(readSettings({}, []).drainMs, 0)
  assert.equal(readSettings(right, []).drainMs, 5000)
  assert.equal(readSettings({ ...right, DRAIN_SECONDS: '30' }, []).drainMs, 30_000)
  assert.equal(readSettings({ DRAIN_SECONDS: '2' }, []).drainMs, 2000)
})

/** The settings under test, on top of valid ones where a case is about real domains; how the one sentence begins. */
const onRealDomains = (more: Record<string, string>) => ({ ...right, ...more })
const ownSecret = randomBytes(32).toString('base64')
const withCredit = (more: Record<string, string>) =>
  onRealDomains({ CREDIT_URL: 'https://credit.example.com', CREDIT_API_KEY: ownSecret, CREDIT_WEBHOOK_SECRET: otherSecret, ...more })
const withCarrier = (more: Record<string, string>) =>
  onRealDomains({ CARRIER_URL: 'https://api.easypost.com', CARRIER_API_KEY: ownSecret, CARRIER_WEBHOOK_SECRET: otherSecret, ...more })
const withSms = (more: Record<string, string>) =>
  onRealDomains({
    SMS_URL: 'https://api.twilio.com',
    SMS_ACCOUNT: 'AC1',
    SMS_TOKEN: ownSecret,
    SMS_FROM: '+33612345678',
    SMS_WEBHOOK_URL: 'https://www.purlin.fr/webhooks/sms',
    ...more,
  })
const otherSecret = randomBytes(32).toString('base64')
const wrong: [string, Record<string, string>, string[]?][] = [
  ['PORT is "70000" and must be a whole number from 1 to 65534, for example PORT=3000', { PORT: '70000' }],
  ['PORT is "3e3" and must be a whole number', { PORT: '3e3' }],
  ['WEB_PROCESSES is "0" and must be a whole number from 1 to 64', { WEB_PROCESSES: '0' }],
  ['LOG_LEVEL is "foo" and must be one of trace, debug, info', { LOG_LEVEL: 'foo' }],
  ['PAYMENT_PROVIDER is "x" and must be one of embedded, stripe', { PAYMENT_PROVIDER: 'x' }],
  ['DATABASE_URL must be the address of a Postgres database', { DATABASE_URL: 'mysql://me:secret@db/x' }],
  ['SMTP_URL must be the address of a mail server', { SMTP_URL: 'mail.purlin.fr' }],
  ['MAIL_FROM is "Purlin" and must be a mail address', { MAIL_FROM: 'Purlin' }],
  ['TRUST_PROXY is "yes" and must list IP addresses or networks', { TRUST_PROXY: 'yes' }],
  ['PAYMENT_ORIGIN is "https://pay.purlin.fr/x" and must be an origin', { PAYMENT_ORIGIN: 'https://pay.purlin.fr/x' }],
  ['STRIPE_FRAME_URL is not set, and PAYMENT_PROVIDER=stripe needs it', { ...right, SITE_HOSTS: '', STRIPE_FRAME_URL: '' }],
  ['Unknown option --prodcts', {}, ['--prodcts', '3']],
  ['--products is "many" and must be a whole number', {}, ['--products', 'many']],
  ['--products is "" and must be a whole number', {}, ['--products']],
  ['--role is "boss" and must be one of web, gateway, worker', {}, ['--role', 'boss']],
  ['DATABASE_URL is not set, and --role worker needs it', {}, ['--role', 'worker']],
  ['PAYMENT_PROVIDER is the embedded provider, whose test cards would pay orders', onRealDomains({ PAYMENT_PROVIDER: 'embedded' })],
  ['STRIPE_SECRET_KEY is a test key', onRealDomains({ STRIPE_SECRET_KEY: `sk_test_${randomBytes(32).toString('hex')}` })],
  ['STRIPE_API_URL is for tests', onRealDomains({ STRIPE_API_URL: 'http://127.0.0.1:1' })],
  ['STRIPE_FRAME_URL must begin with https:', onRealDomains({ STRIPE_FRAME_URL: 'http://pay.purlin.fr/frame' })],
  ['SMTP_URL is not set, and real domains need it', onRealDomains({ SMTP_URL: '' })],
  ...['ignoreTLS=true', 'requireTLS=false', 'tls.rejectUnauthorized=false', 'service=other'].map(
    (option): [string, Record<string, string>] => [
      'SMTP_URL has options that change its encryption',
      onRealDomains({ SMTP_URL: `smtp://user:password@mail.purlin.fr:587?${option}` }),
    ],
  ),
  ['SITE_HOSTS names gb.localhost beside real domains', onRealDomains({ SITE_HOSTS: 'www.purlin.fr=fr/b2c,gb.localhost=gb/b2c' })],
  ['SITE_HOSTS names www.purlin.fr twice', onRealDomains({ SITE_HOSTS: 'www.purlin.fr=fr/b2c,www.purlin.fr=de/b2b' })],
  ['SITE_HOSTS names www.purlin.fr. with a dot', onRealDomains({ SITE_HOSTS: 'www.purlin.fr.=fr/b2c' })],
  ['DATABASE_URL names a server beyond the private network', onRealDomains({ DATABASE_URL: 'postgres://a:b@db.purlin.fr/purlin' })],
  ['DATABASE_URL names a server beyond', onRealDomains({ DATABASE_URL: 'postgres://a:b@203.0.113.9/purlin?sslmode=prefer' })],
  ['DATABASE_URL names a server beyond', onRealDomains({ DATABASE_URL: 'postgres:///purlin?host=db.purlin.fr' })],
  ['DATABASE_URL names a server beyond', onRealDomains({ DATABASE_URL: 'postgres://a:b@localhost/purlin?host=/run&host=db.purlin.fr' })],
  ['DATABASE_URL names a server beyond', onRealDomains({ DATABASE_URL: 'postgres://a:b@db%2Epurlin%2Efr/purlin' })],
  [
    'DATABASE_URL names a server beyond',
    onRealDomains({ DATABASE_URL: 'postgres://a:b@db.purlin.fr/purlin?sslmode=verify-full&sslmode=disable' }),
  ],
  ['TRUST_PROXY is "34.0.0.0/8" and trusts', onRealDomains({ TRUST_PROXY: '34.0.0.0/8' })],
  ['TRUST_PROXY is "2600::/16" and trusts', onRealDomains({ TRUST_PROXY: '2600::/16' })],
  ['SITE_HOSTS names 10.0.0.7 beside real domains', onRealDomains({ SITE_HOSTS: 'www.purlin.fr=fr/b2c,10.0.0.7=gb/b2c' })],
  ['MAIL_FROM is the sender of the demo', onRealDomains({ MAIL_FROM: 'Purlin <orders@purlin.example>' })],
  ['ORDER_LINK_SECRET has 1 bytes, and a secret needs at least 32', onRealDomains({ ORDER_LINK_SECRET: 'x' })],
  ['ORDER_LINK_SECRET still has a value of the demo', onRealDomains({ ORDER_LINK_SECRET: demoSecrets.ORDER_LINK_SECRET })],
  [
    'ORDER_LINK_SECRET still has a value of the demo',
    onRealDomains({ ORDER_LINK_SECRET: Object.values(demoSecrets).find((each) => each !== demoSecrets.ORDER_LINK_SECRET)! }),
  ],
  ['ORDER_LINK_SECRET can be guessed', onRealDomains({ ORDER_LINK_SECRET: 'a'.repeat(40) })],
  ['ORDER_LINK_SECRET can be guessed', onRealDomains({ ORDER_LINK_SECRET: '(32 random bytes: openssl rand -base64 32)' })],
  ['ORDER_LINK_SECRET is the same as another secret', { ...onRealDomains({}), ORDER_LINK_SECRET: right.STRIPE_WEBHOOK_SECRET }],
  ['IDENTITY_DATA_KEY is not set, and real domains need a secret of your own', onRealDomains({ IDENTITY_DATA_KEY: '' })],
  ['STRIPE_PUBLISHABLE_KEY is a test key', onRealDomains({ STRIPE_PUBLISHABLE_KEY: 'pk_test_1' })],
  ['MAIL_FROM is the sender of the demo', onRealDomains({ MAIL_FROM: 'Purlin <orders@PURLIN.example>' })],
  ['TRUST_PROXY is "128.0.0.0/1,0.0.0.1/1" and trusts every address', onRealDomains({ TRUST_PROXY: '128.0.0.0/1,0.0.0.1/1' })],
  ['ORDER_LINK_SECRET is not set', onRealDomains({ ORDER_LINK_SECRET: '  ' })],
  ['OPERATOR_API_KEY has 6 bytes', onRealDomains({ OPERATOR_API_KEY: 'secret' })],
  ['METRICS_TOKEN has 5 bytes', onRealDomains({ METRICS_TOKEN: 'token' })],
  ['TRUST_PROXY is not set, and real domains need it: TLS ends at a proxy', onRealDomains({ TRUST_PROXY: '' })],
  ['TRUST_PROXY is "0.0.0.0/1" and trusts every address', onRealDomains({ TRUST_PROXY: '0.0.0.0/1' })],
  ['TRUST_PROXY is "::ffff:0.0.0.0/96" and names IPv4 addresses', onRealDomains({ TRUST_PROXY: '::ffff:0.0.0.0/96' })],
  ['TRUST_PROXY is "::ffff:a00:0/104" and names IPv4 addresses', onRealDomains({ TRUST_PROXY: '::ffff:a00:0/104' })],
  ['TRUST_PROXY is "::/64" and names IPv4 addresses', onRealDomains({ TRUST_PROXY: '::/64' })],
  ...['10.0.0.0/7', '172.16.0.0/11', '172.16.0.0/8', '192.168.0.0/8', '100.64.0.0/9', '100.0.0.0/10', 'fc00::/6', 'fe80::/9'].map(
    (network): [string, Record<string, string>] => [
      `TRUST_PROXY is "${network}" and trusts every address`,
      onRealDomains({ TRUST_PROXY: network }),
    ],
  ),
  [
    'TRUST_PROXY is "1.0.0.0/8,2.0.0.0/8,3.0.0.0/8" and trusts every address',
    onRealDomains({ TRUST_PROXY: '1.0.0.0/8,2.0.0.0/8,3.0.0.0/8' }),
  ],
  ['TRUST_PROXY is "2001::/16,2002::/16,2003::/16" and trusts', onRealDomains({ TRUST_PROXY: '2001::/16,2002::/16,2003::/16' })],
  ['CREDIT_API_KEY still has a value of the demo', withCredit({ CREDIT_API_KEY: demoSecrets.CREDIT_API_KEY })],
  ['CREDIT_WEBHOOK_SECRET still has a value of the demo', withCredit({ CREDIT_WEBHOOK_SECRET: demoSecrets.CREDIT_WEBHOOK_SECRET })],
  ['CREDIT_WEBHOOK_SECRET has 1 bytes', withCredit({ CREDIT_WEBHOOK_SECRET: 'x' })],
  ['CREDIT_WEBHOOK_SECRET is not set, and CREDIT_URL needs it', withCredit({ CREDIT_WEBHOOK_SECRET: '' })],
  ['CREDIT_URL must begin with https: on real domains', withCredit({ CREDIT_URL: 'http://credit.example.com' })],
  ['CREDIT_URL names this machine', withCredit({ CREDIT_URL: 'http://127.0.0.1:3005' })],
  ['CREDIT_URL names this machine', withCredit({ CREDIT_URL: 'https://credit.localhost' })],
  ['SMS_URL names this machine', withSms({ SMS_URL: 'http://127.0.0.1:3006' })],
  ['GEOCODER_URL must begin with https: on real domains', onRealDomains({ GEOCODER_URL: 'http://photon.example.com/api/' })],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT must begin with https: on real domains',
    onRealDomains({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example.com:4318' }),
  ],
  ['SMS_URL must begin with https: on real domains', withSms({ SMS_URL: 'http://sms.example.com' })],
  ['SMS_TOKEN still has a value of the demo', withSms({ SMS_TOKEN: demoSecrets.SMS_TOKEN })],
  ['SMS_TOKEN is not set, and SMS_URL needs it', withSms({ SMS_TOKEN: '' })],
  ['SMS_WEBHOOK_URL is not set, and SMS_URL needs it', withSms({ SMS_WEBHOOK_URL: '' })],
  ['SMS_FROM is "Purlin" and must be a phone number', withSms({ SMS_FROM: 'Purlin' })],
  ['METRICS_PORT is "3006", the port of the embedded SMS provider', { METRICS_PORT: '3006' }],
  ['CARRIER_API_KEY still has a value of the demo', withCarrier({ CARRIER_API_KEY: demoSecrets.CARRIER_API_KEY })],
  ['CARRIER_WEBHOOK_SECRET has 1 bytes', withCarrier({ CARRIER_WEBHOOK_SECRET: 'x' })],
  ['CARRIER_WEBHOOK_SECRET still has a value of the demo', withCarrier({ CARRIER_WEBHOOK_SECRET: demoSecrets.CARRIER_WEBHOOK_SECRET })],
  ['CARRIER_URL must begin with https: on real domains', withCarrier({ CARRIER_URL: 'http://carrier.example.com' })],
  ['CARRIER_URL names this machine', withCarrier({ CARRIER_URL: 'https://[::1]:3004' })],
  ['VIES_URL names this machine', onRealDomains({ VIES_URL: 'http://127.0.0.1:3003/taxation_customs/vies/rest-api' })],
  ['VIES_URL must begin with https: on real domains', onRealDomains({ VIES_URL: 'http://ec.europa.eu/taxation_customs/vies/rest-api' })],
  ['HMRC_URL names this machine', onRealDomains({ HMRC_URL: 'http://localhost:3003' })],
  ['IDENTITY_ORIGIN names this machine', onRealDomains({ IDENTITY_ORIGIN: 'https://id.localhost' })],
  ['IDENTITY_ORIGIN is on a domain of the shop', onRealDomains({ IDENTITY_ORIGIN: 'https://www.purlin.fr' })],
  ['IDENTITY_ORIGIN must begin with https: on real domains', onRealDomains({ IDENTITY_ORIGIN: 'http://id.purlin.fr' })],
  ['IDENTITY_ORIGIN must be the https: address', onRealDomains({ IDENTITY_ORIGIN: '' })],
  ['STRIPE_FRAME_URL is on a domain of the shop', onRealDomains({ STRIPE_FRAME_URL: 'https://www.purlin.fr/frame' })],
  ['BREACHED_PASSWORDS_URL must begin with https:', onRealDomains({ BREACHED_PASSWORDS_URL: 'http://api.pwnedpasswords.com/range' })],
  [
    'STRIPE_PUBLISHABLE_KEY is a secret, and the browser of every buyer',
    onRealDomains({ STRIPE_PUBLISHABLE_KEY: right.STRIPE_SECRET_KEY }),
  ],
  [
    'STRIPE_PUBLISHABLE_KEY is a secret, and the browser',
    onRealDomains({ STRIPE_PUBLISHABLE_KEY: `rk_live_${randomBytes(32).toString('hex')}` }),
  ],
  ['STRIPE_PUBLISHABLE_KEY must begin with pk_live_', onRealDomains({ STRIPE_PUBLISHABLE_KEY: 'x' })],
  ['STRIPE_SECRET_KEY is a publishable key', onRealDomains({ STRIPE_SECRET_KEY: `pk_live_${randomBytes(32).toString('hex')}` })],
  ['STRIPE_SECRET_KEY must begin with sk_live_ or rk_live_', onRealDomains({ STRIPE_SECRET_KEY: randomBytes(32).toString('hex') })],
  ['STRIPE_WEBHOOK_SECRET must begin with whsec_', onRealDomains({ STRIPE_WEBHOOK_SECRET: randomBytes(32).toString('hex') })],
  ['SESSION_SECRET is the same as SEARCH_KEY, which is no secret', onRealDomains({ SEARCH_KEY: right.SESSION_SECRET })],
  ['SEARCH_ADMIN_KEY is the same as SEARCH_KEY, which is no secret', onRealDomains({ SEARCH_ADMIN_KEY: ownSecret, SEARCH_KEY: ownSecret })],
  ['HMRC_CLIENT_SECRET is the same as another secret', onRealDomains({ HMRC_CLIENT_SECRET: right.SESSION_SECRET })],
  ['METRICS_PORT is "3000", the port of the shop itself', { METRICS_PORT: '3000' }],
  ['METRICS_PORT is "4001", the port of the embedded payment provider', onRealDomains({ PORT: '4000', METRICS_PORT: '4001' })],
  ['METRICS_PORT is "3005", the port of the embedded credit provider', { METRICS_PORT: '3005' }],
  ['PORT is "65533", and the embedded registers of VAT numbers would need port 65536', { PORT: '65533' }],
  ['PORT is "65534", and the embedded identity provider would need port 65536', onRealDomains({ PORT: '65534' })],
  [
    'DATABASE_COMMANDS is "1000": 66 processes, one of them in another’s place, may open 66792 database connections, and 1000 is the most',
    onRealDomains({
      DATABASE_COMMANDS: '1000',
      WEB_PROCESSES: '64',
      DATABASE_URL: 'postgres://a:b@db.purlin.fr/purlin?sslmode=verify-full',
    }),
  ],
  [
    'WEB_PROCESSES is "3": 5 processes, one of them in another’s place, may open 120 database connections, and the embedded database has 110',
    onRealDomains({ WEB_PROCESSES: '3' }),
  ],
  ['IDENTITY_CLIENT_SECRET must be of plain characters', { IDENTITY_CLIENT_SECRET: 'a secret@' }],
]
for (const [start, env, args] of wrong) {
  test(`V-05 V-17 one invalid setting is one sentence: ${start}`, () => {
    const problems = problemsOf(env, args)
    assert.equal(problems.length, 1, problems.join('\n'))
    assert.ok(problems.join('\n').startsWith(start), problems.join('\n'))
    assert.doesNotMatch(problems.join(), /\n|secret@/)
  })
}

/** Valid on real domains, however close to a wrong one. */
const alsoRight: Record<string, Record<string, string>> = {
  'a credit provider and a carrier with secrets of their own': {
    ...withCredit({}),
    ...withCarrier({}),
    CREDIT_API_KEY: `${ownSecret}1`,
    CREDIT_WEBHOOK_SECRET: `${ownSecret}2`,
  },
  'a provider of text messages': withSms({}),
  'demo secrets of a carrier and a credit provider that are not used': { ...demoSecrets, ...right },
  'a restricted key of Stripe': onRealDomains({ STRIPE_SECRET_KEY: `rk_live_${randomBytes(32).toString('hex')}` }),
  'the private networks, and a proxy with an IPv6 address': onRealDomains({
    TRUST_PROXY: '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,2001:db8::/32,::1',
  }),
  'shared address space, as clouds have it, and link-local networks': onRealDomains({
    TRUST_PROXY: '100.64.0.0/10,169.254.0.0/16,fe80::/10,127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7',
  }),
  'one proxy in the mapped form': onRealDomains({ TRUST_PROXY: '::ffff:10.0.0.1' }),
  'metrics beside the embedded services': onRealDomains({ PORT: '4000', METRICS_PORT: '4003' }),
  'the last ports, with services elsewhere': onRealDomains({ PORT: '65533' }),
  'a geocoder and a mail server on this machine': onRealDomains({
    GEOCODER_URL: 'http://127.0.0.1:2322/api/',
    SMTP_URL: 'smtp://127.0.0.1:25',
  }),
  'a database in the private network': onRealDomains({ DATABASE_URL: 'postgres://a:b@db/purlin' }),
  'a database at a private address': onRealDomains({ DATABASE_URL: 'postgres://a:b@10.2.3.4/purlin' }),
  'a database of a cluster': onRealDomains({ DATABASE_URL: 'postgres://a:b@postgres.shop.svc.cluster.local/purlin' }),
  'a database behind a socket': onRealDomains({ DATABASE_URL: 'postgres:///purlin?host=/run/postgresql' }),
  'a database behind an encoded socket': onRealDomains({ DATABASE_URL: 'postgres://%2Frun%2Fpostgresql.fr/purlin' }),
  'a database whose last host is private': onRealDomains({ DATABASE_URL: 'postgres://a:b@db.purlin.fr/purlin?host=db.purlin.fr&host=db' }),
  'a database whose last host is empty': onRealDomains({ DATABASE_URL: 'postgres://a:b@db/purlin?host=' }),
  'a database that asks for encryption at last': onRealDomains({
    DATABASE_URL: 'postgres://a:b@db.purlin.fr/purlin?sslmode=disable&sslmode=verify-full',
  }),
  'proxies of a content network': onRealDomains({ TRUST_PROXY: '10.0.0.0/8,fc00::/7,104.16.0.0/13,2400:cb00::/32' }),
  'a collector of traces in the private network': onRealDomains({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector:4318' }),
  'eight processes on a database of their own': onRealDomains({
    WEB_PROCESSES: '8',
    DATABASE_URL: 'postgres://a:b@db.purlin.fr/purlin?sslmode=verify-full',
  }),
}
for (const [name, env] of Object.entries(alsoRight))
  test(`V-05 V-17 a shop on real domains starts with ${name}`, () => assert.deepEqual(problemsOf(env), []))

test('V-01 foreign documents are open locally, closed on real domains, and for programs with a key where PUBLIC_API is on', () => {
  const api = (env: Record<string, string>) => readSettings(env, []).publicApi
  assert.deepEqual([api({}), api({ PUBLIC_API: 'on' }), api({ PUBLIC_API: 'off' })], ['open', 'keyed', 'closed'])
  assert.deepEqual([api(right), api({ ...right, PUBLIC_API: 'on' })], ['closed', 'keyed'])
})

test('V-01 documents of programs have a process of their own, unless the setting says otherwise', () => {
  const has = (env: Record<string, string>) => readSettings(env, []).hasDocumentsProcess
  const cases: Record<string, string>[] = [
    {},
    { PUBLIC_API: 'on' },
    { DOCUMENTS_PROCESS: 'on' },
    { PUBLIC_API: 'on', DOCUMENTS_PROCESS: 'off' },
    { PUBLIC_API: 'off', DOCUMENTS_PROCESS: 'on' },
  ]
  assert.deepEqual(cases.map(has), [false, true, true, false, false])
})

test('V-17 two keys in each other’s places are two sentences', () => {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY } = right
  const problems = problemsOf(onRealDomains({ STRIPE_SECRET_KEY: STRIPE_PUBLISHABLE_KEY, STRIPE_PUBLISHABLE_KEY: STRIPE_SECRET_KEY }))
  assert.deepEqual(
    problems.map((problem) => problem.split(' ')[0]),
    ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'],
  )
  assert.doesNotMatch(problems.join(), new RegExp(`${STRIPE_SECRET_KEY}|${STRIPE_PUBLISHABLE_KEY}`))
})

test('V-17 the web processes of one machine among several share no port with embedded services', () => {
  const database = { DATABASE_URL: 'postgres://localhost/x', PORT: '65534' }
  assert.equal(readSettings({ ...database, METRICS_PORT: '65535' }, ['--role', 'web']).port, 65_534)
  assert.equal(readSettings({ ...database, METRICS_PORT: '65534' }, ['--role', 'worker']).metricsPort, 65_534)
  assert.equal(problemsOf({ ...database, METRICS_PORT: '65534' }, ['--role', 'web']).length, 1)
})

test('V-17 an invalid host is reported together with the requirements of real domains', () => {
  const problems = problemsOf({ SITE_HOSTS: 'www.purlin.fr' })
  assert.ok(problems.some((problem) => problem.startsWith('SITE_HOSTS is "www.purlin.fr" and must list entries')))
  assert.ok(problems.some((problem) => problem.startsWith('SMTP_URL is not set')))
})

test('V-05 V-17 all problems are listed at once, one line each', () => {
  const env = { PORT: 'x', LOG_LEVEL: 'foo', SITE_HOSTS: 'www.purlin.fr=fr/b2c', ORDER_LINK_SECRET: 'x' }
  assert.throws(
    () => readSettings(env, []),
    (error) => {
      assert.ok(error instanceof StartError)
      for (const name of ['PORT', 'LOG_LEVEL', 'TRUST_PROXY', 'PAYMENT_PROVIDER', 'SMTP_URL', 'MAIL_FROM', 'ORDER_LINK_SECRET'])
        assert.match(error.message, new RegExp(`^  - ${name} .*\\.$`, 'm'))
      return true
    },
  )
})

test('V-05 local names are not real domains: localhost, names below .localhost, loopback addresses', () => {
  assert.equal(readSettings({}, []).isPublic, false)
  assert.equal(readSettings({ SITE_HOSTS: 'shop.localhost=gb/b2c,127.0.0.1=fr/b2c' }, []).isPublic, false)
  assert.ok(problemsOf({ SITE_HOSTS: 'shop.localhost.evil.com=gb/b2c' }).length > 1)
  assert.ok(problemsOf({ SITE_HOSTS: 'shop.localhost=gb/b2c,staging.purlin.fr=fr/b2c' }).length > 1)
})

test('V-05 the production check applies to settings without domains, too', () => {
  assert.throws(() => readSettings({}, [], { forProduction: true }), /SITE_HOSTS is not set, and real domains need it/)
  assert.equal(readSettings(right, [], { forProduction: true }).isPublic, true)
})

test('F11 a full disk is reported in one sentence, whichever process meets it', () => {
  for (const error of [
    Object.assign(new Error('write'), { code: 'ENOSPC' }),
    Object.assign(new Error('could not extend file'), { code: '53100' }),
  ]) {
    assert.equal(startSentence(error, '/data'), 'The disk is full: the shop needs room in /data.')
  }
  assert.match(startSentence(new Error('a fault of ours'), '/data'), /a fault of ours\n\s+at /)
})

test('a folder owned by another user is reported in one sentence, too', () => {
  const error = Object.assign(new Error('permission denied, mkdir'), { code: 'EACCES', path: '/theirs/dist' })
  assert.equal(
    startSentence(error, '/data'),
    'This user may not write /theirs/dist: start as the owner of that folder, or from a copy of your own.',
  )
})
