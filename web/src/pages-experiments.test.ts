import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { PageModule, RequestContext } from './page.ts'
import { createPages } from './pages.ts'
import type { Site } from './pages-options.ts'
import type { Route } from './route-table.ts'
import { listen } from './testing.ts'

interface Context extends RequestContext {
  variations: Readonly<Record<string, string>>
}
const made: string[] = []
const page: PageModule<Context> = {
  load: ({ pathname, variations }) => {
    made.push(pathname)
    return { data: JSON.stringify(variations), title: 'T', tags: [] }
  },
  Page: () => null,
}
const row = (name: string, experiments?: string[]): Route => ({
  name,
  addresses: [`/${name}`],
  access: 'public',
  layout: 'none',
  indexable: true,
  page: 'page',
  cache: { seconds: 60, stale: 60, tags: [] },
  ...(experiments && { experiments }),
})
const site: Site = { key: 'site', tag: 'site', origin: 'http://localhost', variant: 'b2c' }
const pages = createPages<Site, Route, Context>({
  routes: [row('plain'), row('one', ['order']), row('stopped', ['ended'])],
  bundle: { pages: { page }, layouts: {}, errorPage: page },
  site: () => site,
  variation: (_site, cookies) => ({
    key: '',
    cookieHeader: '',
    shareable: true,
    experiments: { order: cookies?.includes('b') ? 'b' : 'a', other: cookies?.includes('y') ? 'y' : 'x' },
  }),
  context: ({ base, variations }) => ({ ...base, variations }),
  guard: () => null,
  document: ({ loaded }) => `<p>${String(loaded.data)}</p>`,
  headers: () => ({}),
  assets: () => false,
  flashCookie: () => '',
  log: { info: () => {}, error: () => {}, warn: () => {} },
})
const server = await listen((req, res) => pages.handle(req, res))
after(() => server.close())

const ask = async (path: string, cookie = '') => {
  const reply = await server.ask(path, { headers: { cookie } })
  return { text: /\{.*?\}/.exec(reply.body.replaceAll('&quot;', '"'))?.[0], cache: reply.headers['cache-control'] }
}

test('a cached page varies by the experiments its row declares and by no others', async () => {
  const visitors = ['', 'b', 'y', 'b y']
  for (let round = 0; round < 3; round++) for (const cookie of visitors) await ask('/plain', cookie)
  // Admitted at the second request, and then one copy for everybody.
  assert.ok(made.filter((path) => path === '/plain').length <= 2, String(made.length))
  assert.equal((await ask('/plain', 'b')).text, '{}')

  made.length = 0
  for (let round = 0; round < 3; round++)
    for (const cookie of visitors) assert.equal((await ask('/one', cookie)).text, `{"order":"${cookie.includes('b') ? 'b' : 'a'}"}`)
  assert.ok(made.length <= 4, `${made.length} renderings of two variations`)
})

test('an external cache never stores a page with an experiment, and stores all others', async () => {
  assert.equal((await ask('/one')).cache, 'private, no-cache')
  assert.match((await ask('/plain')).cache ?? '', /^public/)
  assert.match((await ask('/stopped')).cache ?? '', /^public/)
})
