import '../../scripts/tsx-hook.mjs'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { createElement as h } from 'react'
import * as v from 'valibot'
import { documentOf } from './document.ts'
import { formAction } from './form-action.ts'
import { bodyOf, text } from './form-input.ts'
import type { ClientManifest } from './manifest.ts'
import { canonicalSlug, gone, notFound, redirect, refuse } from './outcomes.ts'
import type { LayoutProps, PageModule, RequestContext } from './page.ts'
import type { PagesOptions, Site } from './pages-options.ts'
import { createPages, type Pages } from './pages.ts'
import { queryText } from './query-text.ts'
import type { Route, RouteFacts, Serving } from './route-table.ts'
import { listen, type TestServer } from './testing.ts'

const { render } = await import('./render.tsx')
const manifest: ClientManifest = { client: '/assets/c.js', css: ['/assets/s.css'], fonts: [], icons: [] }

interface Context extends RequestContext {
  person: string
  variation: string
  t: (key: string) => string
  errorData?: { status: number; requestId: string; instead: unknown }
}
type Page = PageModule<Context>

const made: string[] = []
let loadOf: (context: Context) => Promise<void> | void = () => {}

function textPage(text: (context: Context) => string, more: Partial<Page> = {}): Page {
  return {
    load: async (context) => {
      made.push(context.pathname)
      await loadOf(context)
      return { data: text(context), title: 'T', tags: ['own'] }
    },
    Page: ({ data, refusal, typed }: { data: string; refusal?: unknown; typed?: { get(name: string): string } }) =>
      h('p', null, data, refusal ? ` refused ${JSON.stringify(refusal)} ${typed?.get('email')}` : ''),
    ...more,
  }
}

const row = (name: string, address: string, more: Partial<RouteFacts> = {}, serving: Serving = { page: name }): Route => ({
  name,
  addresses: [address],
  access: 'public',
  layout: 'base',
  indexable: true,
  ...more,
  ...serving,
})
const cache = { seconds: 60, stale: 60, tags: ['thing:{id}'], query: ['page'] }

const routes: Route[] = [
  row('shared', '/shared-{id}', { cache }),
  row('personal', '/me'),
  row('secret', '/secret', { access: 'restricted' }),
  row('form', '/form', { cache: { ...cache, tags: [] } }),
  row('wide', '/wide'),
  row('old', '/old-{id}', { cache }),
  row('slug', '/slug-{name}-{id}', { cache }),
  row('ended', '/ended'),
  row('missing', '/missing', { cache }),
  row('broken', '/broken', { cache }),
  row('busy', '/busy'),
  row('cookie', '/cookie', { cache }),
  row('makeshift', '/makeshift', { cache }),
  row('menuless', '/menuless', { cache: { ...cache, query: ['menu'] } }),
  row('elsewhere', '/elsewhere', {}, { endpoint: 'served' }),
  row('bare', '/bare', { layout: 'none' }),
  row('custom', '/custom', { layout: 'custom' }),
  row('customWithout', '/custom-without', { layout: 'custom' }),
  row('funnelled', '/funnelled', { layout: 'funnel' }),
  row('parts', '/parts/{slug}-{id}'),
  row('moved', '/find/{word}', {}, { redirect: { status: 301, to: '/search/{word}' } }),
  row('gone-away', '/went', {}, { redirect: { status: 301, to: '/me' } }),
]

const layout = (name: string) => ({
  load: async ({ query }: Context) => {
    if (queryText(query, 'menu') === 'down') throw new Error('menu is down')
    return queryText(query, 'menu') === 'empty' ? { keep: false, toString: () => 'no menu' } : 'menu'
  },
  Layout: ({ layoutData, children }: LayoutProps<Context>) => h('div', { id: name }, `${layoutData} `, children),
})

class Upstream extends Error {
  readonly status = 424
}

const options: PagesOptions<Site, Route, Context> = {
  routes,
  bundle: {
    pages: {
      shared: textPage(
        (context) =>
          `hello ${context.person || 'everybody'} page ${queryText(context.query, 'page')} seen ${Object.keys(context.query)} ${context.variation}`,
      ),
      personal: textPage((context) => `hello ${context.person}`),
      secret: textPage(() => 'secret'),
      form: textPage(() => 'form', {
        action: formAction(v.object({ email: v.optional(v.string(), '') }), async (_context: Context, { email }) => {
          if (email === 'boom') throw new Upstream('no')
          if (!email.includes('@')) return refuse({ email: 'invalid' })
          return redirect(301, '/me', { severity: 'success', key: 'done' })
        }),
      }),
      wide: textPage(() => 'form', {
        action: formAction(v.pipe(v.object({ note: text(150_000) }), bodyOf(160_000)), async (_context: Context, { note }) =>
          refuse({ length: note.length }),
        ),
      }),
      old: { load: () => redirect(301, '/p/ä b\r\nSet-Cookie: x=1'), Page: () => null },
      slug: {
        load: (context) => canonicalSlug(context, `/slug-right-${context.params['id']}`) ?? { data: null, title: 'T' },
        Page: () => null,
      },
      ended: { load: () => gone('try this'), Page: () => null },
      missing: { load: () => notFound(), Page: () => null },
      broken: textPage(() => {
        throw new Error('secret detail')
      }),
      busy: textPage(() => {
        throw Object.assign(new Error('full'), { status: 503 })
      }),
      cookie: textPage((context) => ((context as unknown as { setCookies: string[] }).setCookies.push('a=b') ? 'cookie' : '')),
      makeshift: { load: () => ({ data: null, title: 'T', tags: ['own'], keep: false }), Page: () => h('p', null, 'for now') },
      menuless: textPage(() => 'x'),
      bare: textPage(() => 'bare'),
      parts: textPage(({ params, query }) => JSON.stringify({ params, query })),
      custom: textPage(() => 'custom', { Layout: ({ children }: LayoutProps<Context>) => h('div', { id: 'own' }, children) }),
      customWithout: textPage(() => 'custom'),
      funnelled: textPage(() => 'step'),
    },
    layouts: { base: layout('base'), funnel: layout('funnel') },
    errorPage: {
      load: ({ errorData }: Context) => ({ data: errorData!, title: 'E' }),
      Page: (({ data }: { data: { status: number; instead: unknown } }) =>
        h('p', null, `error ${data.status} ${data.instead}`)) as Page['Page'],
    },
  },
  site: (host) => (host.startsWith('shop.') ? { key: host, origin: `http://${host}` } : null),
  variation: (_, cookies) =>
    cookies?.includes('own=1')
      ? null
      : {
          key: cookies?.includes('vat=1') ? 'vat' : '',
          cookieHeader: cookies?.includes('vat=1') ? 'vat=1' : '',
          shareable: !cookies?.includes('vat=1'),
        },
  context: ({ base, cookies, setCookies }) =>
    ({ ...base, person: cookies['person'] ?? '', variation: cookies['vat'] ?? '', t: (key: string) => key, setCookies }) as Context,
  guard: (route, context) => (route.access === 'restricted' && !context.person ? redirect(302, '/login') : null),
  document: ({ page, layout: around, context, loaded, layoutData, refusal, typed }) =>
    documentOf({
      language: 'en',
      loaded,
      canonicalUrl: null,
      alternates: [],
      robots: null,
      siteName: 'S',
      html: render({
        page: page as unknown as PageModule,
        layout: around as never,
        context,
        data: loaded.data,
        layoutData,
        refusal,
        ...(typed && { typed }),
      }),
      manifest,
      attributes: {},
    }),
  headers: () => ({ 'content-security-policy': "default-src 'self'" }),
  assets: () => false,
  flashCookie: (_, flash) => `flash=${flash.key}`,
  log: { info() {}, warn() {}, error() {} },
}

let pages: Pages
let server: TestServer
before(async () => {
  pages = createPages(options)
  server = await listen((req, res) => pages.handle(req, res))
})
after(() => server.close())

const ask = (path: string, more: Parameters<TestServer['ask']>[1] = {}) => server.ask(path, { host: 'shop.test', ...more })
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  ask(path, {
    method: 'POST',
    body,
    headers: { origin: 'http://shop.test', 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

/** The parameters and the query that a page was given at an address. */
async function givenAt(path: string): Promise<unknown> {
  const { body } = await server.ask(path, { host: 'shop.example' })
  return JSON.parse(/\{.*\}/.exec(body)?.[0].replaceAll('&quot;', '"') ?? 'null')
}

test('R-282 R-283 an address leads to its page whatever its query, and the page reads path and query parameters', async () => {
  const params = { slug: 'drill-18-v', id: '7' }
  assert.deepEqual(await givenAt('/parts/drill-18-v-7'), { params, query: {} })
  assert.deepEqual(await givenAt('/parts/drill-18-v-7?ref=/parts/other-8&f=a&f=b'), {
    params,
    query: { ref: '/parts/other-8', f: ['a', 'b'] },
  })
})

test('R-284 an address that has moved is built from its pattern, its parameters and the query', async () => {
  const { status, headers } = await server.ask('/find/a%2Fb%20c?page=2&f=x', { host: 'shop.example' })
  assert.deepEqual([status, headers.location], [301, '/search/a%2Fb%20c?page=2&f=x'])
})

test('R-708 a page is given a query nested at most five levels deep', async () => {
  const { query } = (await givenAt('/parts/a-1?a[b][c][d][e][f][g]=1')) as { query: unknown }
  assert.deepEqual(query, { a: { b: { c: { d: { e: { f: { '[g]': '1' } } } } } } })
})

test('R-598 an unknown host gets a message and nothing else (A46)', async () => {
  const reply = await server.ask('/me', { host: 'evil.com', headers: { 'x-forwarded-host': 'shop.test' } })
  assert.deepEqual([reply.status, reply.body], [404, 'App settings not found.'])
  assert.match(String(reply.headers['content-security-policy']), /default-src 'none'/)
  assert.deepEqual([reply.headers['x-content-type-options'], reply.headers['cache-control']], ['nosniff', 'no-store'])
})

test('R-625 a shared page is cached, rendered without cookies, and says how long a CDN may cache it', async () => {
  await ask('/shared-1?page=2')
  made.length = 0
  const first = await ask('/shared-1?page=2', { headers: { cookie: 'person=Ann' } })
  const second = await ask('/shared-1?page=2', { headers: { cookie: 'person=Ben' } })
  assert.equal(first.status, 200)
  assert.match(first.body, /hello everybody page 2 seen page/)
  assert.equal(second.body, first.body)
  assert.deepEqual(made, ['/shared-1'])
  assert.equal(first.headers['cache-control'], 'public, max-age=0, s-maxage=60, stale-while-revalidate=60')
  assert.equal(first.headers['surrogate-key'], 'thing:1 own')
  assert.equal(first.headers['set-cookie'], undefined)
  assert.equal(first.headers['x-request-id'], undefined, "the id of whoever asked first is nobody else's")
})

test('A47 A50 a shared page varies by host, visitor group and allowed parameters only', async () => {
  await ask('/shared-7')
  made.length = 0
  await ask('/shared-7')
  await ask('/shared-7?utm_source=mail&__proto__=x')
  await ask('/shared-%37?x=1')
  assert.equal(made.length, 1, 'parameters that do not count, and other spellings, are the same page')
  const vat = await ask('/shared-7', { headers: { cookie: 'vat=1; person=Ann' } })
  assert.match(vat.body, /everybody .* 1</, 'the kind of visitor is known to its page, the person is not')
  assert.equal(vat.headers['cache-control'], 'private, no-cache', 'what depends on a cookie is not for a CDN')
  await ask('/shared-7', { host: 'shop.other' })
  assert.equal(made.length, 3)
  const own = await ask('/shared-7', { headers: { cookie: 'own=1; person=Ann' } })
  assert.match(own.body, /hello Ann/)
  assert.equal(own.headers['cache-control'], 'private, no-cache')
})

test('a shared page comes in the requested encoding, and is 304 if the client’s copy is current', async () => {
  const plain = await ask('/shared-2')
  for (const encoding of ['br', 'gzip']) {
    const reply = await ask('/shared-2', { headers: { 'accept-encoding': encoding } })
    assert.equal(reply.headers['content-encoding'], encoding)
    assert.equal(reply.body, plain.body)
  }
  assert.equal((await ask('/shared-2', { headers: { 'accept-encoding': 'br;q=0, gzip;q=0' } })).headers['content-encoding'], undefined)
  const known = await ask('/shared-2', { headers: { 'if-none-match': plain.headers.etag! } })
  assert.deepEqual([known.status, known.body], [304, ''])
  assert.deepEqual([known.headers['content-encoding'], known.headers['cache-control']], [undefined, plain.headers['cache-control']])
  assert.equal((await ask('/shared-2', { headers: { 'if-none-match': '"other"' } })).status, 200)
  const head = await ask('/shared-2', { method: 'HEAD' })
  assert.deepEqual([head.status, head.body, head.headers['content-length']], [200, '', plain.headers['content-length']])
  assert.equal((await ask('/shared-2', { headers: { range: 'bytes=0-3' } })).status, 200, 'a range is not a page')
})

test('V-101 a page is cached from its second request on: one-off addresses do not displace others', async () => {
  const before = pages.cache.stats()
  for (let page = 100; page < 140; page++) assert.equal((await ask(`/shared-9?page=${page}`)).status, 200)
  assert.equal(pages.cache.stats().entries, before.entries)
  await ask('/shared-9?page=100')
  assert.equal(pages.cache.stats().entries, before.entries + 1)
  made.length = 0
  const again = await ask('/shared-9?page=100')
  assert.deepEqual([made.length, again.status], [0, 200])
})

test('a purge by tag causes the page to be rendered again', async () => {
  await ask('/shared-3')
  await ask('/shared-3')
  made.length = 0
  await ask('/shared-3')
  assert.equal(made.length, 0)
  pages.purge(['thing:4', 'other'])
  await ask('/shared-3')
  assert.equal(made.length, 0)
  pages.purge(['thing:3'])
  await ask('/shared-3')
  assert.equal(made.length, 1)
  pages.purge(null)
  await ask('/shared-3')
  assert.equal(made.length, 2)
})

test('fifty concurrent requests for an uncached page cost one rendering', async () => {
  made.length = 0
  loadOf = () => new Promise((resolve) => setTimeout(resolve, 500))
  const replies = await Promise.all(Array.from({ length: 50 }, () => ask('/shared-4')))
  loadOf = () => {}
  assert.equal(made.length, 1)
  assert.ok(replies.every(({ status }) => status === 200))
})

test('A48 A51 a response that sets a cookie, fails or redirects is never cached for others', async () => {
  for (const [path, status] of [
    ['/cookie', 200],
    ['/makeshift', 200],
    ['/menuless?menu=down', 200],
    ['/menuless?menu=empty', 200],
    ['/old-1', 301],
    ['/missing', 404],
    ['/broken', 500],
  ] as const) {
    const before = pages.cache.stats().entries
    // A page is cached from its second request on.
    for (let time = 0; time < 3; time++) {
      const reply = await ask(path)
      assert.equal(reply.status, status, path)
      assert.match(reply.headers['cache-control']!, /^private/, path)
      assert.equal(pages.cache.stats().entries, before, path)
    }
  }
  assert.deepEqual((await ask('/cookie')).headers['set-cookie'], ['a=b'])
})

test('A51 a page that fails twice and then succeeds is shown, and cached, as the page', async () => {
  let failures = 2
  loadOf = () => {
    if (failures-- > 0) throw Object.assign(new Error('down'), { status: 503 })
  }
  const replies = [await ask('/shared-51'), await ask('/shared-51'), await ask('/shared-51'), await ask('/shared-51')]
  loadOf = () => {}
  assert.deepEqual(
    replies.map(({ status }) => status),
    [503, 503, 200, 200],
  )
  for (const { body } of replies.slice(2)) assert.match(body, /hello everybody/)
})

test('A51 a personal page is never 304 for another person, and a shared one never for another group, whatever a client says it has', async () => {
  const of = (person: string, known?: string) =>
    ask('/me', { headers: { cookie: `person=${person}`, ...(known !== undefined && { 'if-none-match': known }) } })
  const { headers } = await of('Ann')
  for (const known of [headers.etag ?? '*', '*', 'W/"x", *']) {
    const reply = await of('Ben', known)
    assert.equal(reply.status, 200, known)
    assert.match(reply.body, /hello Ben/)
  }
  const { etag = '' } = (await ask('/shared-52')).headers
  assert.match(etag, /^W\/"/)
  const other = await ask('/shared-52', { headers: { cookie: 'vat=1', 'if-none-match': etag } })
  assert.deepEqual([other.status, other.headers.etag === etag], [200, false])
})

test('a personal page is private; one behind a sign-in is not even stored', async () => {
  const mine = await ask('/me', { headers: { cookie: 'person=Ann' } })
  assert.match(mine.body, /hello Ann/)
  assert.equal(mine.headers['cache-control'], 'private, no-cache')
  assert.match(mine.headers.vary!, /Cookie/)
  const secret = await ask('/secret', { headers: { cookie: 'person=Ann' } })
  assert.equal(secret.headers['cache-control'], 'private, no-store')
  const anonymous = await ask('/secret')
  assert.deepEqual([anonymous.status, anonymous.headers.location], [302, '/login'])
})

for (const path of ['/me/x.css', '/me;.js', '/me%2fx.css', '/me%00.css', '/me.css'])
  test(`A49 a personal page is not found at ${path}`, async () =>
    assert.equal((await ask(path, { headers: { cookie: 'person=Ann' } })).status, 404))

test('R-634 R-635 an unknown address or id is 404, an ended one is 410 with alternatives', async () => {
  assert.equal((await ask('/nowhere')).status, 404)
  assert.match((await ask('/missing')).body, /id="base".*error 404/s)
  const ended = await ask('/ended')
  assert.equal(ended.status, 410)
  assert.match(ended.body, /error 410 try this/)
})

test('R-639 R-637 a failing page does not reveal the cause, and has the status of its error', async () => {
  const broken = await ask('/broken')
  assert.equal(broken.status, 500)
  assert.doesNotMatch(broken.body, /secret detail/)
  const busy = await ask('/busy')
  assert.deepEqual([busy.status, busy.headers['retry-after']], [503, '5'])
  assert.equal((await post('/form', 'email=boom')).status, 424)
})

test('R-628 A57 a redirect keeps its status, and its address stays on one line', async () => {
  const reply = await ask('/old-1')
  assert.equal(reply.status, 301)
  assert.equal(reply.headers.location, '/p/%C3%A4%20b%0D%0ASet-Cookie:%20x=1')
  assert.equal(reply.headers['set-cookie'], undefined)
  assert.deepEqual([(await ask('/went?a=1')).status, (await ask('/went?a=1')).headers.location], [301, '/me?a=1'])
})

test('R-630 a doubled or trailing slash is 308 to the canonical address, never to another host', async () => {
  assert.deepEqual([(await ask('/me/?a=1')).status, (await ask('/me/?a=1')).headers.location], [308, '/me?a=1'])
  assert.equal((await ask('//me')).headers.location, '/me')
  assert.equal((await ask('//evil.com/')).status, 404)
  // An escaped spelling as well. (V-16)
  assert.deepEqual([(await ask('//shared%2D1')).headers.location, (await ask('//%6De')).headers.location], ['/shared-1', '/me'])
})

test('R-277 a page has the base layout by default', async () => assert.match((await ask('/me')).body, /id="base">menu <p>hello/))
test('R-278 funnel pages have the funnel layout', async () => assert.match((await ask('/funnelled')).body, /id="funnel"/))
test('R-279 a page without layout is bare', async () => assert.match((await ask('/bare')).body, /<body><p>bare<\/p>/))
test('R-280 a page with a custom layout brings its own', async () => assert.match((await ask('/custom')).body, /<div id="own"><p>custom/))
test('R-281 R-618 a custom-layout page without its own layout is an error', async () => {
  const logged: unknown[] = []
  const strict = createPages({ ...options, log: { ...options.log, error: (fields) => void logged.push(fields) } })
  const other = await listen((req, res) => strict.handle(req, res))
  assert.equal((await other.ask('/custom-without', { host: 'shop.test' })).status, 500)
  assert.match(String((logged[0] as { err: Error }).err), /custom layout/)
  await other.close()
})

test('a page that is not in the bundle stops the start', () => {
  assert.throws(() => createPages({ ...options, routes: [...routes, row('unwritten', '/unwritten')] }), /unwritten: the bundle has no page/)
})

test('a row that is no page shows none, and takes no form', async () => {
  const reply = await ask('/elsewhere')
  assert.equal(reply.status, 404)
  assert.match(reply.headers['cache-control']!, /^private/)
  assert.equal((await post('/elsewhere', '')).status, 405)
  assert.equal((await post('/went', '')).status, 405)
})

test('an unavailable menu does not break the page', async () => assert.match((await ask('/me?menu=down')).body, /null <p>hello/))

test('R-636 a refused form is shown again with 422 and the entered values, and is not cached', async () => {
  const reply = await post('/form', 'email=%3Cscript%3E')
  assert.equal(reply.status, 422)
  assert.match(reply.body, /refused .*invalid.* &lt;script&gt;/)
  assert.doesNotMatch((await ask('/form')).body, /refused/)
})

test('a successful form is followed by a 303 and a flash message', async () => {
  const reply = await post('/form', 'email=a%40b')
  assert.deepEqual([reply.status, reply.headers.location, reply.headers['set-cookie']], [303, '/me', ['flash=done']])
})

test('R-633 A34 a form that does not come from our own pages is refused', async () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.com' },
    { origin: 'null' },
    { origin: 'http://pro.shop.test' },
    { origin: 'http://shop.test', 'sec-fetch-site': 'cross-site' },
  ]
  for (const headers of foreign) {
    assert.equal((await post('/form', 'email=a%40b', headers)).status, 403, JSON.stringify(headers))
  }
  const without = await ask('/form', {
    method: 'POST',
    body: 'email=a%40b',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(without.status, 403)
})

test('forms of another type, too large, or to a page without one are 415, 413, 405; other methods 405', async () => {
  assert.equal((await post('/form', '{}', { 'content-type': 'application/json' })).status, 415)
  assert.equal((await post('/form', '{}', { 'content-type': 'text/plain' })).status, 415)
  assert.equal((await post('/form', `email=${'x'.repeat(70_000)}`)).status, 413)
  assert.equal((await post('/form', 'a&'.repeat(2000))).status, 413)
  const unannounced = await post('/form', 'x'.repeat(200_000), { 'transfer-encoding': 'chunked' })
  assert.equal(unannounced.status, 413, 'a body that does not say how large it is')
  assert.equal((await post('/me', 'email=x')).status, 405)
  assert.equal((await ask('/me', { method: 'DELETE' })).status, 405)
  assert.equal((await ask('/shared-1', { method: 'TRACE' })).status, 405)
})

test('a form with more text than others has a limit of its own, announced or not', async () => {
  const unannounced = { 'transfer-encoding': 'chunked' }
  for (const headers of [{}, unannounced]) {
    const taken = await post('/wide', `note=${'x'.repeat(150_000)}`, headers)
    assert.deepEqual([taken.status, /refused .*150000/.test(taken.body)], [422, true])
    assert.equal((await post('/wide', `note=${'x'.repeat(160_000)}`, headers)).status, 413)
  }
})

test('R-640 a page that takes too long is 504', async () => {
  const impatient = createPages({ ...options, maxMs: 20 })
  const other = await listen((req, res) => impatient.handle(req, res))
  const { promise, resolve } = Promise.withResolvers<void>()
  loadOf = () => promise
  assert.equal((await other.ask('/me', { host: 'shop.test' })).status, 504)
  assert.equal((await other.ask('/shared-1', { host: 'shop.test' })).status, 504)
  resolve()
  loadOf = () => {}
  assert.equal((await other.ask('/shared-1', { host: 'shop.test' })).status, 200)
  await other.close()
})

test('F4 a stale page survives a failed revalidation, but not its own removal', async () => {
  let time = 0
  let fate: 'fine' | 'failed' | 'ended' = 'fine'
  const kept = createPages({
    ...options,
    routes: routes.filter(({ name }) => name === 'shared'),
    now: () => time,
    bundle: {
      ...options.bundle,
      pages: {
        shared: {
          load: () => {
            if (fate === 'failed') throw new Error('down')
            return fate === 'ended' ? gone() : { data: null, title: 'T' }
          },
          Page: () => h('p', null, 'still here'),
        },
      },
    },
  })
  const other = await listen((req, res) => kept.handle(req, res))
  const get = () => other.ask('/shared-1', { host: 'shop.test' })
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20))
  await get()
  await get()
  time = 70_000
  fate = 'failed'
  assert.equal((await get()).status, 200)
  await settled()
  assert.match((await get()).body, /still here/)
  await settled()
  fate = 'ended'
  assert.equal((await get()).status, 200, 'the last one to see it')
  await settled()
  assert.equal((await get()).status, 410)
  await other.close()
})

test('V-13 more revalidations of a cached page than the cache counts do not make it forget that another page has been requested', async () => {
  let time = 0
  let made = 0
  const kept = createPages({
    ...options,
    routes: routes.filter(({ name }) => name === 'shared'),
    now: () => time,
    bundle: {
      ...options.bundle,
      pages: { shared: { load: () => ({ data: ++made, title: 'T', tags: [] }), Page: () => h('p', null, 'here') } },
    },
  })
  const other = await listen((req, res) => kept.handle(req, res))
  const get = (path: string) => other.ask(path, { host: 'shop.test' })
  await get('/shared-1')
  const { etag } = (await get('/shared-1')).headers
  await get('/shared-2')
  let unchanged = 0
  const request = { url: '/shared-1', method: 'GET', headers: { host: 'shop.test', 'if-none-match': etag } } as IncomingMessage
  const response = { writeHead: (status: number) => void (unchanged += status === 304 ? 1 : 0), end: () => {} } as unknown as ServerResponse
  // Within fifty seconds, while the page is fresh.
  for (let each = 1; each <= 300_000; each++) {
    time = each / 6
    kept.handle(request, response)
  }
  assert.equal(unchanged, 300_000)
  made = 0
  for (let each = 0; each < 3; each++) await get('/shared-2')
  assert.equal(made, 1, 'its second request was enough')
  await other.close()
})

test('R-074 a wrong slug is 301 to the right one, keeping the parameters of the page and those of an advertisement', async () => {
  const reply = await ask('/slug-wrong-1?page=2&utm_source=x')
  assert.deepEqual([reply.status, reply.headers.location], [301, '/slug-right-1?page=2&utm_source=x'])
  const both = await Promise.all(
    ['?gclid=1&page=3', '?page=3&gclid=2&a%5Bb%5D=%0d%0aX:%20y'].map((search) => ask(`/slug-wrong-1${search}`)),
  )
  assert.deepEqual(
    both.map(({ headers }) => headers.location),
    ['/slug-right-1?page=3&gclid=1', '/slug-right-1?page=3&gclid=2&a%5Bb%5D=%0d%0aX:%20y'],
    'each visitor keeps their own, also when both wait for one page',
  )
  assert.equal((await ask('/slug-right-1?page=2')).status, 200)
})

test('concurrent pages above the limit are 503 with Retry-After, and cached pages are still served', async () => {
  const small = createPages({ ...options, maximumAtOnce: 1 })
  const other = await listen((req, res) => small.handle(req, res))
  for (const _ of [1, 2]) await other.ask('/shared-1', { host: 'shop.test' })
  const { promise, resolve } = Promise.withResolvers<void>()
  loadOf = () => promise
  const slow = other.ask('/me', { host: 'shop.test' })
  while (made.at(-1) !== '/me') await new Promise((next) => setTimeout(next, 1))
  const refused = await other.ask('/me', { host: 'shop.test' })
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1'])
  assert.equal((await other.ask('/shared-1', { host: 'shop.test' })).status, 200)
  resolve()
  loadOf = () => {}
  assert.equal((await slow).status, 200)
  await other.close()
})

test('V-12 pages that wait for their turn keep no place from more important ones, nor from a cached page in another spelling', async () => {
  const small = createPages({
    ...options,
    maximumAtOnce: 4,
    enter: (row) => (row?.name === 'personal' ? Promise.resolve(() => undefined) : turnsOfOthers.promise.then(() => () => undefined)),
  })
  const other = await listen((req, res) => small.handle(req, res))
  const turnsOfOthers = Promise.withResolvers<void>()
  turnsOfOthers.resolve()
  for (const _ of [1, 2]) await other.ask('/shared-1', { host: 'shop.test' })
  Object.assign(turnsOfOthers, Promise.withResolvers<void>())
  const waiting = Array.from({ length: 10 }, (_, nth) => other.ask(`/nowhere-${nth}`, { host: 'shop.test' }))
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal((await other.ask('/me', { host: 'shop.test' })).status, 200)
  assert.equal((await other.ask('/shared-1?utm_source=x', { host: 'shop.test' })).status, 200)
  turnsOfOthers.resolve()
  await Promise.all(waiting)
  await other.close()
})

test('V-15 F13 forms that arrive a byte at a time keep nobody from a page, and are answered once they are there', async () => {
  const small = createPages({ ...options, maximumAtOnce: 2 })
  const other = await listen((req, res) => small.handle(req, res))
  const head = 'POST /form HTTP/1.1\r\nhost: shop.test\r\norigin: http://shop.test\r\ncontent-type: application/x-www-form-urlencoded'
  const senders = Array.from({ length: 6 }, () => {
    const socket = connect(other.port, '127.0.0.1').on('error', () => undefined)
    socket.write(`${head}\r\ncontent-length: 11\r\n\r\nemail=`)
    return socket
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  for (let n = 0; n < 3; n++) assert.equal((await other.ask('/me', { host: 'shop.test' })).status, 200)
  const answered = senders.map(async (socket) => {
    const [first] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    return String(first).slice(9, 12)
  })
  for (const socket of senders) socket.write('a%40b')
  for (const status of await Promise.all(answered)) assert.notEqual(status, '503')
  await other.close()
})
