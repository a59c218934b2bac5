import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { marketCodes } from '@purlin/contract/markets.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { startShopProcess, type ShopProcess } from './shop-process.ts'

/** Memory growth of one web process under thousands of requests that are all different. */

const database = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'weigh-'))
const megabyte = 2 ** 20
let shop: ShopProcess
before(async () => {
  shop = await startShopProcess(database.connectionString, {
    environment: {
      TRUST_PROXY: '127.0.0.1,::1',
      WEB_PROCESSES: '1',
      PAGE_CACHE_MB: '4',
      WEIGH_DIR: folder,
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${pathToFileURL(join(import.meta.dirname, 'weigh-memory.mjs')).href}`,
    },
  })
})
after(async () => {
  await shop.stop()
  rmSync(folder, { recursive: true })
})

interface Asked {
  path: string
  host?: string
  headers?: Record<string, string>
  body?: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

function send({ path, host = 'gb.localhost', headers = {}, body }: Asked, from: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const call = request(
      {
        host: '127.0.0.1',
        port: shop.port,
        agent,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          host: `${host}:${shop.port}`,
          ...(from && { 'x-forwarded-for': from }),
          ...(body !== undefined && { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }),
          ...headers,
        },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => (text += part))
        answer.on('close', () => resolve({ status: answer.statusCode ?? 0, text }))
      },
    )
    call.on('error', () => resolve({ status: 0, text: '' }))
    call.end(body)
  })
}

const pad = 'y'.repeat(350)
const consent = 'mm_consent=v1:statistics,userPreferences'
const agents = ['Mozilla/5.0 (iPhone) Mobile', 'Mozilla/5.0 (iPad)', 'Mozilla/5.0 (X11)']
const uuid = (n: number) => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
const document = (body: object): Asked => ({ path: '/graphql', body: JSON.stringify(body) })
const vitals = (n: number): Asked => ({
  path: '/api/v1/web-vitals/beacon',
  host: `${marketCodes[n % marketCodes.length]}.localhost`,
  headers: { cookie: consent, 'user-agent': agents[n % agents.length] ?? '' },
  body: JSON.stringify({
    browserContext: { url: 'https://shop/', userAgent: 'x' },
    service: 'shop',
    resource: `page-${n}`,
    version: String(n),
    metrics: ['FCP', 'LCP', 'CLS', 'INP', 'TTFB'].map((name) => ({ name, value: 1, startTime: 0 })),
    startTime: 0,
    duration: 0,
  }),
})
interface Kind {
  times: number
  make: (n: number) => Asked
}
const spelling: Kind['make'] = (n) => ({ path: `/?x=${n}&${pad}` })
/** The n-th request of each kind has a name, spelling or credential that no other has. */
const kinds: readonly Kind[] = [
  { times: 1000, make: spelling },
  { times: 300, make: (n) => ({ path: `/brands?utm_source=${n}${pad}` }) },
  { times: 150, make: (n) => ({ path: `/search/drill-${n}-${pad}` }) },
  { times: 150, make: (n) => ({ path: `/nowhere/${n}/${pad}` }) },
  { times: 150, make: (n) => ({ path: '/cart', headers: { cookie: `__Host-purlin=${String(n).padStart(43, 'a')}; purlin-x${n}=1` } }) },
  { times: 300, make: (n) => ({ path: '/', host: `x${n}.example` }) },
  { times: 300, make: (n) => ({ path: '/api/seller/v1/orders', headers: { authorization: `Bearer pks_${String(n).padStart(43, 'b')}` } }) },
  { times: 300, make: (n) => document({ query: `{ a${n}: site { market } b: site { mode } }` }) },
  { times: 300, make: (n) => document({ query: `{ unknown${n} }` }) },
  { times: 300, make: (n) => document({ extensions: { persistedQuery: { version: 1, sha256Hash: `${n}`.padStart(64, 'c') } } }) },
  { times: 300, make: vitals },
  {
    times: 150,
    make: (n) => ({ path: `/api/v1/address-suggestions?country=FR&text=Par${n}`, headers: { cookie: `mm_flag_overrides={"x${n}":true}` } }),
  },
  {
    times: 150,
    make: (n) => ({ path: `/api/auth/session?callbackUrl=/x${n}`, headers: { cookie: `mm_visitor_id=${uuid(n)}; ${consent}` } }),
  },
  { times: 150, make: (n) => ({ path: `/x${n}.js?${pad}`, headers: { 'accept-encoding': 'gzip', [`x-header-${n}`]: '1' } }) },
]

let sent = 0
let rounds = 0
/** Sends so many of each kind; nothing is the same as in another round. The addresses come again: each is remembered for a minute. */
async function storm(chosen: readonly Kind[]): Promise<void> {
  const round = ++rounds
  const failed: string[] = []
  let answered = 0
  const waiting = chosen
    .flatMap(({ times, make }) => Array.from({ length: times }, (_, n) => ({ at: n / times, asked: make(round * 1_000_000 + n) })))
    .toSorted((one, other) => one.at - other.at)
  const all = waiting.length
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const { status } = await send(next.asked, `198.18.${(sent >> 3) % 200}.${sent++ % 8}`)
        if (status === 500) failed.push(next.asked.path.slice(0, 60))
        if (status > 0) answered++
      }
    }),
  )
  assert.deepEqual(failed, [])
  assert.ok(answered > 0.9 * all, `${answered} of ${all} answered`)
}

/** Memory of the web process after a garbage collection. */
async function held(): Promise<number> {
  const [pid] = shop.pidsOf('app')
  assert.ok(pid)
  const file = join(folder, String(pid))
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (const end = Date.now() + 30_000; !existsSync(file); await sleep(50)) assert.ok(Date.now() < end, 'the web process says nothing')
  return Number(readFileSync(file, 'utf8'))
}
const metricsText = async () => (await send({ path: '/metrics' }, '')).text

test(
  'V-13 A50 names, spellings and credentials that strangers invent stay neither in the memory of a web process nor in its metrics',
  { timeout: 300_000 },
  async (context) => {
    const weigh = async () => ({ bytes: await held(), metrics: (await metricsText()).length, pid: shop.pidsOf('app')[0] })
    await storm(kinds)
    const before = await weigh()
    await storm(kinds)
    const after = await weigh()
    await storm([{ times: 25_000, make: spelling }])
    const spelled = await weigh()
    const grown = [after.bytes - before.bytes, spelled.bytes - after.bytes].map((bytes) => (bytes / megabyte).toFixed(1))
    const told = `${grown.join(' and ')} MB more than ${(before.bytes / megabyte).toFixed(0)}, metrics of ${before.metrics}, ${after.metrics}, ${spelled.metrics}`
    context.diagnostic(told)
    assert.equal(spelled.pid, before.pid, 'it is still the same process')
    assert.ok(after.bytes - before.bytes < 12 * megabyte, told)
    assert.ok(spelled.bytes - after.bytes < 4 * megabyte, told)
    assert.ok(before.metrics < 3_000_000, told)
    assert.ok(spelled.metrics - before.metrics < 20_000, told)
  },
)
