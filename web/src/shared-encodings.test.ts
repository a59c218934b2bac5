import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, beforeEach, test } from 'node:test'
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
  enter: async () => (isBusy ? null : () => undefined),
  document: ({ loaded }) => `${loaded.title} `.padEnd(pageLength, 'drills and saws '),
  headers: () => ({}),
  assets: () => false,
  flashCookie: () => '',
  log: { info() {}, warn() {}, error() {} },
  now: () => time,
}

const servers: TestServer[] = []
async function serve(limits: PagesOptions<Site, Route, RequestContext>['conversions'] = {}) {
  const pages: Pages = createPages({ ...options, conversions: limits })
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
  const { bytes, entries } = shop.cache.stats()
  assert.deepEqual([entries, bytes < pageLength], [1, true])
  for (const accepted of ['gzip', 'br', undefined]) {
    const reply = await shop.ask('/shared-1', accepted ?? 'identity')
    assert.deepEqual([reply.body, reply.headers['content-encoding'], reply.headers.etag], [plain.body, accepted, plain.headers.etag])
  }
  assert.equal(shop.cache.stats().bytes, bytes)
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
  const shop = await serve({ bytes: 2.5 * pageLength })
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

test('A50 few pages are converted at once, and only so many wait for it: others are told to come back', async () => {
  const shop = await serve({ atOnce: 1, waiting: 1 })
  for (const page of [1, 2, 3]) await shop.fill(`/shared-${page}`, 'br')
  // In one packet: all have begun before the first is converted. The second asks for the same as the first.
  const requests = [1, 1, 2, 3].map((page) => `GET /shared-${page} HTTP/1.1\r\nhost: localhost\r\naccept-encoding: gzip\r\n`)
  const socket = connect(shop.port, '127.0.0.1').setEncoding('latin1')
  let answers = ''
  socket.on('data', (text: string) => (answers += text))
  socket.write(`${requests.join('\r\n')}connection: close\r\n\r\n`)
  await once(socket, 'close')
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
  assert.deepEqual(statuses, ['200', '200', '200', '503'])
  assert.equal((await shop.ask('/shared-3', 'gzip')).status, 200, 'later')
})

test('V-12 a stale copy goes out to every client while the shop is too busy to render it again', async () => {
  const shop = await serve()
  await shop.fill('/shared-1', 'br')
  isBusy = true
  time = 70_000
  for (const accepted of ['gzip', 'identity', 'br']) assert.equal((await shop.ask('/shared-1', accepted)).status, 200, accepted)
})
