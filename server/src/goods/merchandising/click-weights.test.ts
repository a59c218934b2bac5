/** The effect of clicks on the popularity of products, day by day: honest ones, and forged ones with query ids of our own. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { productsIndex } from '#listing'
import { addDays } from '#pricing'
import { testDatabase } from '#platform/testing'
import { clickRules, countClickDays, forgetClickDays, takeClickWeights } from './click-weights.ts'
import { schedules } from './jobs.ts'
import { takeEvents } from './take-events.ts'
import { flushSearches, noteSearch } from './watch-searches.ts'

const database = await testDatabase({ upTo: 'merchandising' })
const { db, pool } = database
const index = productsIndex('gb')
/** Products of one list, all equally popular. */
const list = ['11', '12', '13', '14', '15']
const popularity = schedules.find(({ name }) => name === 'merchandising.popularity')!

interface Clicks {
  product: string
  networks: number
  /** Events of each network. */
  events?: number
  named?: string
}

const start = Date.parse('2026-11-02T10:00:00Z')
let now = new Date(start)
let ids = 0

/** A query of ours with this list. */
async function ask(shown = list, at = now): Promise<string> {
  const queryId = (++ids).toString(16).padStart(32, '0')
  noteSearch({ market: 'gb', query: 'brush', results: shown.length, queryId, shown }, at)
  await flushSearches(db)
  return queryId
}

async function click(queryID: string | undefined, { product, networks, events = 1, named = 'network' }: Clicks): Promise<void> {
  const event = { eventName: 'card', index, objectIDs: [product], ...(queryID && { queryID }) }
  for (let n = 0; n < networks; n++) {
    const batch = Array.from({ length: events }, (_, at) => ({ ...event, eventType: 'click' as const, userToken: `${n} ${at}` }))
    await takeEvents({ db, now }, batch, `${named} ${n}`)
  }
}

/** A day passes, and its clicks are counted. Returns by how much the popularity of products changes. */
async function passDay(): Promise<Record<string, number>> {
  now = new Date(now.getTime() + 86_400_000)
  await countClickDays(db, now)
  await forgetClickDays(db, now)
  const weights = await takeClickWeights(db, now)
  return Object.fromEntries(weights.map(({ productId, weight }) => [productId, weight]))
}

beforeEach(async () => {
  now = new Date(start)
  await pool.query(`truncate merchandising.search_event, merchandising.asked, merchandising.click_day, merchandising.click_weight`)
  await pool.query(`delete from platform.note where key = 'clicks-counted-until'`)
})

test('V-10 100,000 forged clicks with a query id of ours, from 500 networks on a day, change the popularity of no product', async () => {
  const id = await ask()
  await click(id, { product: '15', networks: 500, events: 200 })
  for (let day = 0; day < clickRules.days + 2; day++) assert.deepEqual(await passDay(), {}, `day ${day}`)
})

test('V-10 neither does clicking each day of a week, two networks an hour or fifty at a time', async () => {
  for (let day = 0; day < clickRules.daysNeeded - 1; day++) {
    await click(await ask(), { product: '15', networks: 60 })
    assert.deepEqual(await passDay(), {}, `day ${day}`)
  }
  for (let day = 0; day < clickRules.days; day++) assert.deepEqual(await passDay(), {}, `day ${day} afterwards`)
})

test('V-10 whoever keeps it up gains three at most, once, and loses it again', async () => {
  const changes: Record<string, number>[] = []
  for (let day = 0; day < 30; day++) {
    if (day < 20) await click(await ask(), { product: '15', networks: 100 })
    changes.push(await passDay())
  }
  const sums = changes.reduce<number[]>((all, change) => [...all, (all.at(-1) ?? 0) + (change['15'] ?? 0)], [])
  assert.equal(Math.max(...sums), clickRules.maxPoints)
  assert.equal(sums[clickRules.daysNeeded - 2], 0)
  assert.equal(sums[clickRules.daysNeeded - 1], clickRules.maxPoints)
  assert.equal(sums.at(-1), 0)
})

test('honest clicks count in the long run, by the share of the networks that clicked in lists with the product', async () => {
  let total: Record<string, number> = {}
  for (let day = 0; day < 14; day++) {
    const id = await ask()
    // Of 100 networks that click in the list 60 prefer one product, 22 another, and 18 are too few.
    await click(id, { product: '12', networks: 60, named: 'a' })
    await click(id, { product: '13', networks: 22, named: 'b' })
    await click(id, { product: '14', networks: 18, named: 'c' })
    for (const [product, weight] of Object.entries(await passDay())) total = { ...total, [product]: (total[product] ?? 0) + weight }
  }
  assert.deepEqual(total, { 12: 3, 13: 2 })
})

test('V-10 clicks without a query, with an invented one, an old one, or on a product it did not show count for nothing', async () => {
  for (let day = 0; day < 10; day++) {
    const id = await ask()
    await click(undefined, { product: '15', networks: 25 })
    await click('f'.repeat(32), { product: '15', networks: 25 })
    await click(id, { product: '16', networks: 25 })
    await click(await ask(list, new Date(now.getTime() - 25 * 3_600_000)), { product: '15', networks: 25 })
    assert.deepEqual(await passDay(), {})
  }
})

test('V-10 one network counts once a day for a product, and for twenty products at most', async () => {
  const many = Array.from({ length: 30 }, (_, n) => String(100 + n))
  const id = await ask(many)
  for (const product of many) await click(id, { product, networks: 20 })
  await click(id, { product: '100', networks: 20, events: 5 })
  await passDay()
  const { rows } = await pool.query('select product_id::text as id, networks, of_networks as of from merchandising.click_day order by 1')
  assert.equal(rows.length, 20)
  assert.deepEqual(rows[0], { id: '100', networks: 20, of: 20 })
})

test('V-10 of one network a hundred different events a day are considered, and none after them', async () => {
  for (let query = 0; query < 100; query++) await click(await ask(), { product: '11', networks: 20 })
  now = new Date(now.getTime() + 1000)
  await click(await ask(), { product: '12', networks: 20 })
  await passDay()
  const { rows } = await pool.query('select product_id::text as id, networks from merchandising.click_day')
  assert.deepEqual(rows, [{ id: '11', networks: 20 }])
})

test('V-10 a flood of some networks does not keep the clicks of others from being counted', async () => {
  const id = await ask()
  await click(id, { product: '11', networks: 11, events: 2_000, named: 'flood' })
  await click(id, { product: '12', networks: 25 })
  await passDay()
  const { rows } = await pool.query('select product_id::text as id, networks, of_networks as of from merchandising.click_day')
  assert.deepEqual(rows, [{ id: '12', networks: 25, of: 36 }])
})

test('the hourly job counts the days that are over once, and changes the popularity of products', async () => {
  for (let day = 2; day < 11; day++)
    await pool.query(`insert into merchandising.click_day values ($1, 12, 50, 100)`, [addDays('2026-11-15', -day)])
  await pool.query(`insert into catalogue.brand (id, slug, name, tier, country) values (1, 'brand', 'Brand', 1, 'DE')`)
  await pool.query(`insert into catalogue.category (id, parent_id, level, position, path, department, names, slugs)
    values (1, null, 0, 0, '{1}', 'tools', '{"en": "Tools"}', '{"en": "tools"}')`)
  await pool.query(`insert into catalogue.product (id, article_id, brand_id, category_id, family, ean, mpn, titles, descriptions, slugs, attributes,
    weight_g, pictures, popularity) values (12, 12, 1, 1, 'brush', 'E12', 'M12', '{"en": "Brush"}', '{}', '{"en": "brush"}', '{}', 100, '[]', 40)`)
  for (let run = 0; run < 2; run++)
    await database.command({ now: new Date('2026-11-15T10:00:00Z') }, (scope) =>
      popularity.run(scope as Parameters<typeof popularity.run>[0]),
    )
  const { rows } = await pool.query('select popularity from catalogue.product where id = 12')
  assert.deepEqual(rows, [{ popularity: 43 }])
})
