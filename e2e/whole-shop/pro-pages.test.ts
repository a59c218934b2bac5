/** The public pages of Purlin Pro with their real content: every one of them in each market, on both storefronts. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { marketCodes, type Market, type Mode } from '@purlin/contract/markets.ts'
import { asCommand } from '@purlin/server/foundation/platform/index.ts'
import { forgetSwitches, setConfig } from '@purlin/server/foundation/flags/index.ts'
import { publishFiles, readEntryFiles } from '@purlin/server/goods/content/index.ts'
import { runWork } from '@purlin/server/edges/worker/testing.ts'
import { enqueue } from '@purlin/server/foundation/platform/index.ts'
import { jobs } from '@purlin/server/selling/segments/jobs.ts'
import { shopWithVisitors } from './visitors.ts'

const shop = await shopWithVisitors()
after(() => shop.close())
const { entries } = readEntryFiles(join(import.meta.dirname, '../../demo/content'))
await asCommand(shop.database.pool, ({ db }) => publishFiles({ db, now: new Date() }, entries))

const hostOf = (market: Market, mode: Mode) => `${mode === 'b2b' ? 'pro.' : ''}${market}.localhost:3000`
const get = (market: Market, mode: Mode, path: string) => shop.ask('anonymous', mode, path, { host: hostOf(market, mode) })
const pathsIn = (body: string, type: string) => [
  ...new Set([...body.matchAll(new RegExp(`href="(/pro/${type}/[^"]+)"`, 'g'))].map(([, path = '']) => path)),
]
const alternatesIn = (body: string) =>
  [...body.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="http:\/\/((?:pro\.)?([a-z]{2})\.localhost(?::\d+)?)(\/[^"]*)"/g)].map(
    ([, , , market = '', path = '']) => ({ market: market as Market, path }),
  )

const types = [
  { type: 'trade', kind: 'trade', ids: 'R-124' },
  { type: 'industry', kind: 'industry', ids: 'R-125' },
  { type: 'product', kind: 'family', ids: 'R-126' },
] as const

for (const { type, kind, ids } of types)
  test(`${ids} R-264 /pro links to every page by ${type}; each answers in every market and on both storefronts, has alternates that answer, and is in the sitemap`, async () => {
    const written = entries.filter((entry) => entry.kind === kind)
    assert.ok(written.length >= 3)
    for (const market of marketCodes)
      for (const mode of ['b2c', 'b2b'] as const) {
        const landing = await get(market, mode, '/pro')
        assert.equal(landing.status, 200)
        const paths = pathsIn(landing.body, type)
        assert.equal(paths.length, written.length, `${market} ${mode}`)
        const sitemap = await get(market, mode, '/sitemaps/advice.xml')
        for (const path of paths) {
          const page = await get(market, mode, path)
          assert.equal(page.status, 200, `${market} ${mode} ${path}`)
          assert.ok(!page.body.includes('noindex'), path)
          assert.ok(page.body.includes('id="list"') && page.body.includes('id="tips"') && page.body.includes('id="rules"'), path)
          assert.ok(sitemap.body.includes(`${path}</loc>`), `${path} is in the sitemap of ${market} ${mode}`)
          const others = alternatesIn(page.body)
          assert.equal(others.length, marketCodes.length, path)
          if (mode === 'b2b' && market === 'de')
            for (const other of others) assert.equal((await get(other.market, mode, other.path)).status, 200, other.path)
        }
      }
  })

test('R-124 a page of a trade in its own language: its list, tips and rules, and the way to an account', async () => {
  const { body } = await get('de', 'b2c', '/pro/trade/elektriker')
  for (const words of ['Material für Elektriker', 'DIN VDE 0100', 'Drei Tipps für den Einkauf', 'Gewerbekonto eröffnen'])
    assert.ok(body.includes(words), words)
  assert.match(body, /href="\/pro-account\/signup"/)
})

test('R-264 a slug of another language or the key leads to the page of this market; an unknown slug or type is not found', async () => {
  for (const slug of ['electricians', 'electrician', 'electriciens']) {
    const answer = await get('de', 'b2c', `/pro/trade/${slug}`)
    assert.deepEqual([answer.status, answer.headers['location']], [301, '/pro/trade/elektriker'], slug)
  }
  for (const path of ['/pro/trade/astronaut', '/pro/industry/elektriker', '/pro/product/elektriker', '/pro/planet/mars'])
    assert.equal((await get('de', 'b2b', path)).status, 404, path)
})

test('R-050 R-263 the landing of Purlin Pro leads consumers to the conversion and to the professional shop, and professionals to their account', async () => {
  const consumer = await get('gb', 'b2c', '/pro')
  assert.match(consumer.body, /href="\/pro-account\/signup"/)
  assert.match(consumer.body, /href="http:\/\/pro\.gb\.localhost(?::\d+)?\/"/)
  assert.match(consumer.body, /How to register/)
  assert.match(consumer.body, /Questions and answers/)
  const professional = await get('gb', 'b2b', '/pro')
  assert.match(professional.body, /href="http:\/\/gb\.localhost(?::\d+)?\/pro-account\/signup"/)
  assert.match(professional.body, /data-audience="customers" hidden/)
  assert.match((await get('gb', 'b2b', '/')).body, /href="\/pro#trades"/)
  for (const mode of ['b2c', 'b2b'] as const) assert.equal((await get('gb', mode, '/static/pro-landing')).headers['location'], '/pro')
  assert.equal((await get('gb', 'b2c', '/pro?version=9')).status, 404)
  assert.match((await get('gb', 'b2c', '/pro?version=1')).body, /noindex/)
})

test('R-050 free returns are promised only while the platform grants them', async () => {
  assert.ok(!(await get('it', 'b2b', '/pro')).body.includes('Resi gratuiti'))
  await asCommand(shop.database.pool, ({ db }) =>
    setConfig({ db }, { market: 'it', mode: 'b2b' }, { key: 'free-returns-b2b', value: { days: 45 }, replaces: 0 }),
  )
  forgetSwitches()
  shop.forgetPages()
  assert.match((await get('it', 'b2b', '/pro')).body, /Rendi la merce senza spese per 45 giorni/)
})

const loyaltyPages = ['/static/loyalty-landing', '/static/loyalty-program-faq']
const memberId = async () =>
  (await shop.database.pool.query<{ id: string }>(`select id from accounts.customer where email = 'member@visitors.example'`)).rows[0]
    ?.id ?? ''
const setTier = async (tier: string) =>
  void (await shop.database.pool.query(
    `insert into segments.customer (customer_id, imported) values ($1, $2) on conflict (customer_id) do update set imported = excluded.imported`,
    [await memberId(), JSON.stringify({ loyalty_level: tier })],
  ))
async function night(): Promise<void> {
  await asCommand(shop.database.pool, ({ db }) => enqueue(db, { name: 'segments.compute', key: 'all', payload: {} }))
  await runWork(shop.database, [], jobs)
}
const grantedTo = async () =>
  (
    await shop.database.pool.query<{ code: string; market: string; kind: string; limit: number }>(
      `select code, market, kind, per_customer_limit as limit from cart.coupon where customer_id = $1 order by code`,
      [await memberId()],
    )
  ).rows

test('R-217 R-218 the loyalty pages are for professionals: members see them, consumers are led to the conversion, guests to sign-in', async () => {
  for (const path of loyaltyPages) {
    assert.equal((await shop.ask('member', 'b2b', path)).status, 200, path)
    const customer = await shop.ask('customer', 'b2b', path)
    assert.equal(customer.status, 302, path)
    assert.match(String(customer.headers['location']), /pro-account|login/, path)
    assert.match(String((await shop.ask('anonymous', 'b2b', path)).headers['location']), /\/login/, path)
  }
  const faq = await shop.ask('member', 'b2b', '/static/loyalty-program-faq')
  assert.match(faq.body, /How do I reach a tier\?/)
  assert.match(faq.body, /FAQPage/)
})

test('R-409 benefits are granted only while loyalty-program is announced, once per quarter, to those with a tier and to nobody else', async () => {
  await setTier('silver')
  await night()
  assert.deepEqual(await grantedTo(), [])
  assert.match((await shop.ask('member', 'b2b', '/static/loyalty-landing')).body, /The programme is paused/)
  await asCommand(shop.database.pool, ({ db }) =>
    setConfig({ db }, { market: 'gb', mode: 'b2b' }, { key: 'loyalty-program', value: { isAnnounced: true }, replaces: 0 }),
  )
  forgetSwitches()
  await night()
  await night()
  const [coupon, ...others] = await grantedTo()
  assert.deepEqual(others, [])
  assert.match(coupon?.code ?? '', /^SILVER-\d{4}Q[1-4]-[0-9A-F]{12}$/)
  assert.deepEqual({ ...coupon, code: '' }, { code: '', market: 'gb', kind: 'free-delivery', limit: 3 })
  const { rows } = await shop.database.pool.query(`select 1 from cart.coupon where code ~ '^(GOLD|SILVER|BRONZE)-' and customer_id <> $1`, [
    await memberId(),
  ])
  assert.equal(rows.length, 0)
  await setTier('gold')
  await night()
  assert.deepEqual(
    (await grantedTo()).map(({ limit }) => limit),
    [6, 3],
  )
})

test('R-217 the landing of the programme shows the levels, the own tier and what is missing for the next one; so do the advantages', async () => {
  await setTier('bronze')
  for (const path of ['/static/loyalty-landing', '/my-advantages']) {
    const { status, body } = await shop.ask('member', 'b2b', path)
    assert.equal(status, 200)
    assert.match(body, /Bronze/, path)
    assert.match(body, /<meter[^>]*max="5"/, path)
    assert.match(body, /more orders? and £[\d.]+ more take you to Silver/, path)
    assert.ok(!body.includes('The programme is paused'), path)
  }
  const landing = await shop.ask('member', 'b2b', '/static/loyalty-landing')
  for (const words of [
    '6 free deliveries',
    '3 free deliveries',
    '1 free delivery',
    'from £1,000.00',
    'from £50.00',
    'href="/static/loyalty-program-faq"',
  ])
    assert.ok(landing.body.includes(words), words)
  assert.match((await shop.ask('member', 'b2b', '/my-advantages')).body, /GOLD-\d{4}Q/)
  await setTier('gold')
  assert.match((await shop.ask('member', 'b2b', '/static/loyalty-landing')).body, /This is the highest tier/)
})
