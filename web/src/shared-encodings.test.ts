import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { decompressed, finishPage } from './reply.ts'
import type { RequestContext } from './page.ts'
import type { PagesOptions, Site } from './pages-options.ts'
import { createPages, type Pages } from './pages.ts'
import type { Route } from './route-table.ts'
import { listen, type TestServer } from './testing.ts'

const pageLength = 10_000
/** Seconds that a sender waits for its quota; null within it. */
let quotaSeconds: number | null
let counted: number
let isBusy: boolean
let time: number
let failure: Error | null
let filler: string

const options: PagesOptions<Site, Route, RequestContext> = {
  routes: [
    {
      name: 'shared',
      addresses: ['/shared-{id}'],
      access: 'public',
      layout: 'none',
      indexable: true,
      cache: { seconds: 60, stale: 60, tags: [] },
      page: 'shared',
    },
  ],
  bundle: {
    pages: { shared: { load: ({ params }) => ({ data: null, title: `Page ${params['id']}` }), Page: () => null } },
    layouts: {},
    errorPage: { load: () => ({ data: null, title: 'Error' }), Page: () => null },
  },
  site: (host) => ({ key: host, origin: `http://${host}` }),
  variation: () => ({ key: '', cookieHeader: '', shareable: true }),
  context: ({ base }) => base,
  guard: () => null,
  admit: async () => {
    counted++
    return quotaSeconds
  },
  enter: async () => {
    if (failure) throw failure
    return isBusy ? null : () => undefined
  },
  document: ({ loaded }) => `${loaded.title} `.padEnd(pageLength, filler),
  headers: () => ({}),
  assets: () => false,
  flashCookie: () => '',
  log: { info() {}, warn() {}, error() {} },
  now: () => time,
}

const servers: TestServer[] = []
async function serve(limits: PagesOptions<Site, Route, RequestContext>['conversions'] = {}, cacheBytes = 2 ** 27) {
  const pages: Pages = createPages({ ...options, conversions: limits, cacheBytes })
  const server = await listen((req, res) => pages.handle(req, res))
  servers.push(server)
  const ask = (path: string, accepted: string) => server.ask(path, { headers: { 'accept-encoding': accepted } })
  const fill = async (path: string, accepted: string) => {
    for (let n = 0; n < 2; n++) assert.equal((await ask(path, accepted)).status, 200)
  }
  return { ...server, cache: pages.cache, ask, fill }
}
beforeEach(() => {
  quotaSeconds = null
  counted = 0
  isBusy = false
  failure = null
  filler = 'drills and saws '
  time = 0
})
after(async () => {
  for (const server of servers) await server.close()
})

test('V-101 A50 whoever fills the cache, a page is kept as most browsers accept it: it costs them nothing', async () => {
  const shop = await serve()
  for (const [path, accepted] of [
    ['/shared-1', 'gzip'],
    ['/shared-2', 'identity'],
    ['/shared-3', 'br'],
  ] as const) {
    await shop.fill(path, accepted)
    counted = 0
    const { headers, body } = await shop.ask(path, 'gzip, deflate, br')
    assert.deepEqual([headers['content-encoding'], body.length, counted], ['br', pageLength, 0], accepted)
  }
})

test('V-101 a page is kept once, in one encoding, and comes in whichever its client accepts', async () => {
  const shop = await serve()
  const plain = await shop.ask('/shared-1', 'identity')
  await shop.ask('/shared-1', 'gzip')
  const pageBytes = () => shop.cache.stats().bytes - shop.cache.stats().copiedBytes
  const before = pageBytes()
  assert.ok(before < pageLength)
  for (const accepted of ['gzip', 'br', undefined]) {
    const reply = await shop.ask('/shared-1', accepted ?? 'identity')
    assert.deepEqual([reply.body, reply.headers['content-encoding'], reply.headers.etag], [plain.body, accepted, plain.headers.etag])
  }
  assert.deepEqual([shop.cache.stats().entries, pageBytes()], [1, before])
})

test('V-13 a page that is kept holds as much memory as it has bytes, in whichever encoding', async () => {
  for (const accepted of ['brotli', 'gzip'] as const) {
    const page = await finishPage('drills and saws '.repeat(2_000), {}, { accepted, isKept: accepted === 'brotli' })
    for (const { buffer, length } of [page.body, await decompressed(page)]) assert.equal(buffer.byteLength, length)
  }
})

test('A50 a conversion counts as a page of its sender; what is cached or converted already is sent without a quota', async () => {
  const shop = await serve()
  await shop.fill('/shared-1', 'br')
  quotaSeconds = 30
  const refused = await shop.ask('/shared-1', 'gzip')
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '30'])
  assert.equal((await shop.ask('/shared-1', 'br')).status, 200)
  quotaSeconds = null
  assert.equal((await shop.ask('/shared-1', 'gzip')).status, 200)
  quotaSeconds = 30
  counted = 0
  for (const accepted of ['gzip', 'br']) assert.equal((await shop.ask('/shared-1', accepted)).status, 200)
  assert.equal(counted, 0)
})

test('A50 of the converted pages those used last are kept', async () => {
  const shop = await serve({ bytes: 4 * 2.5 * pageLength })
  for (const page of [1, 2, 3]) await shop.fill(`/shared-${page}`, 'br')
  const isConverted = async (page: number) => {
    counted = 0
    await shop.ask(`/shared-${page}`, 'identity')
    return counted > 0
  }
  for (const [page, converted] of [
    [1, true],
    [2, true],
    [1, false],
    [3, true],
    [1, false],
    [2, true],
  ] as const)
    assert.equal(await isConverted(page), converted, `page ${page}`)
})

/** In one packet: all have begun before the first is converted. */
async function askTogether(shop: { port: number }, pages: readonly number[]): Promise<[status: string, encoding: string][]> {
  const requests = pages.map((page) => `GET /shared-${page} HTTP/1.1\r\nhost: localhost\r\naccept-encoding: gzip\r\n`)
  const socket = connect(shop.port, '127.0.0.1').setEncoding('latin1')
  let answers = ''
  socket.on('data', (text: string) => (answers += text))
  socket.write(`${requests.join('\r\n')}connection: close\r\n\r\n`)
  await once(socket, 'close')
  const heads = answers.split('HTTP/1.1 ').slice(1)
  return heads.map((head) => [head.slice(0, 3), /content-encoding: (\w+)/i.exec(head)?.[1] ?? 'none'])
}

test('V-12 A50 few pages are compressed anew at once, and only so many wait for it: others go out uncompressed', async () => {
  const shop = await serve({ atOnce: 1, waiting: 1 })
  for (const page of [1, 2, 3]) await shop.fill(`/shared-${page}`, 'br')
  // The second request is for the same page as the first.
  assert.deepEqual(await askTogether(shop, [1, 1, 2, 3]), [
    ['200', 'gzip'],
    ['200', 'gzip'],
    ['200', 'gzip'],
    ['200', 'none'],
  ])
  assert.equal((await shop.ask('/shared-3', 'gzip')).headers['content-encoding'], 'gzip', 'later')
})

test('A50 when even those to be decompressed are too many, others are told to come back', async () => {
  const shop = await serve({ atOnce: 1, waiting: 0, waitingPlain: 1 })
  for (const page of [1, 2, 3, 4]) await shop.fill(`/shared-${page}`, 'br')
  assert.deepEqual(
    (await askTogether(shop, [1, 2, 3, 4])).map(([status]) => status),
    ['200', '200', '200', '503'],
  )
})

test('A50 pages and their copies share the memory of the page cache, and the copies have half of it at most', async () => {
  const cacheBytes = 400_000
  filler = randomBytes(pageLength).toString('base64')
  const shop = await serve({}, cacheBytes)
  const ids = Array.from({ length: 40 }, (_, nth) => nth)
  for (const id of ids) await shop.fill(`/shared-${id}`, 'br')
  const before = shop.cache.stats()
  for (const accepted of ['gzip', 'identity'])
    for (const id of ids) {
      await shop.ask(`/shared-${id}`, accepted)
      assert.ok(shop.cache.stats().bytes <= cacheBytes)
    }
  const { entries } = shop.cache.stats()
  assert.ok(entries < before.entries && entries >= before.entries / 2, `${entries} of ${before.entries} pages`)
})

test('A50 behind a proxy that asks for gzip alone, each cached page is converted once', async () => {
  const shop = await serve({}, 8_000_000)
  const ids = Array.from({ length: 50 }, (_, nth) => nth)
  for (const id of ids) await shop.fill(`/shared-${id}`, 'gzip')
  for (const id of ids) await shop.ask(`/shared-${id}`, 'gzip')
  counted = 0
  for (const id of ids) assert.equal((await shop.ask(`/shared-${id}`, 'gzip')).headers['content-encoding'], 'gzip')
  assert.equal(counted, 0)
})

test('V-12 a stale page that is being converted goes out although it cannot be rendered again', async () => {
  const shop = await serve()
  await shop.fill('/shared-1', 'br')
  time = 70_000
  failure = new Error('no turn')
  // Another spelling is found by the page's key, not by its address.
  for (const [path, accepted] of [
    ['/shared-1', 'gzip'],
    ['/shared-1?utm_source=mail', 'identity'],
  ] as const) {
    const { status, body } = await shop.ask(path, accepted)
    assert.deepEqual([status, body.length], [200, pageLength], path)
  }
})

test('V-12 a stale copy goes out to every client while the shop is too busy to render it again', async () => {
  const shop = await serve()
  await shop.fill('/shared-1', 'br')
  isBusy = true
  time = 70_000
  for (const accepted of ['gzip', 'identity', 'br']) assert.equal((await shop.ask('/shared-1', accepted)).status, 200, accepted)
})
