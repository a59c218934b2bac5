/** A whole shop started with the settings of real domains, as its proxy reaches it: empty, closed to strangers, and refusing what only the demo has. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoSecrets } from '@purlin/server/foundation/platform/environment.ts'
import { productionSettings } from '@purlin/server/foundation/platform/testing.ts'
import { freePorts } from '../scripts/free-ports.ts'

const root = join(import.meta.dirname, '..')
const dataDir = mkdtempSync(join(tmpdir(), 'purlin-production-'))
chmodSync(dataDir, 0o755)
const port = await freePorts()
const operatorKey = randomBytes(32).toString('base64')
const shop = spawn(process.execPath, [join(root, 'scripts/bootstrap.mjs'), 'start.ts'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'pipe'],
  env: {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    ...productionSettings,
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    OPERATOR_API_KEY: operatorKey,
  },
})
let said = ''
for (const stream of [shop.stdout, shop.stderr]) stream.on('data', (chunk: Buffer) => (said += String(chunk)))
const ended = new Promise<void>((resolve) => shop.once('exit', () => resolve()))
after(async () => {
  shop.kill('SIGTERM')
  await ended
  rmSync(dataDir, { recursive: true, force: true })
})

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** A request as the proxy passes it on, whose client spoke HTTPS. */
function ask(path: string, { host = 'www.purlin.fr', key, json }: { host?: string; key?: string; json?: object } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      host,
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-proto': 'https',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(json && { 'content-type': 'application/json', origin: `https://${host}` }),
    }
    request({ port, path, method: json ? 'POST' : 'GET', headers, agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (body += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
      .on('error', reject)
      .end(json && JSON.stringify(json))
  })
}

before(async () => {
  for (const end = Date.now() + 90_000; ; await sleep(100)) {
    assert.ok(Date.now() < end && shop.exitCode === null, said.slice(-2000))
    if ((await ask('/health/ready').catch(() => undefined))?.status === 200) return
  }
})

test('V-05 with valid settings of real domains a shop starts, empty, on both of its storefronts, for HTTPS alone', async () => {
  for (const host of ['www.purlin.fr', 'pro.purlin.fr']) {
    const { status, headers, body } = await ask('/', { host })
    assert.equal(status, 200, body.slice(0, 500))
    assert.match(body, /<html[^>]* lang="fr/)
    assert.match(String(headers['strict-transport-security']), /max-age=\d{8}/)
    assert.doesNotMatch(body, /localhost/)
  }
})

for (const path of [
  '/dev/mails',
  '/dev/insights',
  '/dev/styles',
  '/metrics',
  '/.env',
  '/.git/config',
  '/server/src/index.ts',
  '/start.ts',
  '/debug',
])
  test(`A72 V-17 ${path} is not there on a real domain`, async () => {
    const { status, body } = await ask(path)
    assert.ok([401, 403, 404].includes(status), String(status))
    assert.doesNotMatch(body, /SESSION_SECRET|process_|purlin_|Template/)
  })

test('A72 a host that is none of the shop’s gets no shop', async () => {
  for (const host of ['gb.localhost', 'localhost', 'www.purlin.fr.example.com']) assert.ok((await ask('/', { host })).status >= 400, host)
})

test('V-01 on a real domain neither the schema nor a document of a stranger is answered', async () => {
  for (const query of ['{ __schema { types { name } } }', '{ __type(name: "Query") { name } }', '{ cart { itemCount } }']) {
    const { status, body } = await ask('/graphql', { json: { query } })
    assert.ok(status >= 400 && status < 500, `${status} ${body}`)
    assert.doesNotMatch(body, /"data":\{/)
  }
})

test('V-05 no secret of the demo opens what operators and developers may see; the key of the settings does', async () => {
  for (const path of ['/api/v1/operator/payout-runs', '/dev/insights']) {
    for (const secret of Object.values(demoSecrets)) assert.equal((await ask(path, { key: secret })).status, 401, path)
    assert.equal((await ask(path, { key: operatorKey })).status, 200, path)
  }
})

test('V-05 no message of the demo’s payment provider, carrier or credit provider is heard', async () => {
  for (const path of ['/webhooks/payment', '/webhooks/carrier', '/webhooks/credit', '/webhooks/sms']) {
    const { status } = await ask(path, { json: { id: 'evt_1' } })
    assert.ok(status >= 400 && status < 500, `${path} ${status}`)
  }
})

test('V-05 no secret of the settings is printed', () => {
  for (const [name, value] of Object.entries({ ...productionSettings, OPERATOR_API_KEY: operatorKey }))
    if (/SECRET|KEY$/.test(name) && !name.includes('PUBLISHABLE')) assert.ok(!said.includes(value), `${name} is printed`)
})
