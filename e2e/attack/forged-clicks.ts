import { setTimeout as sleep } from 'node:timers/promises'
import { inParallel, listed, type RunnableAttack } from './attacks.ts'
import { send, sendOperation, type Target } from './client.ts'

const range = (length: number) => Array.from({ length }, (_, at) => at)

interface List {
  name: string
  ids: string[]
  prices: ReadonlyMap<string, number>
  queryId: string
}

/** A list of the shop, with the id that events about it name. A program's document may be refused on a busy machine: it is sent again. */
async function listOf({ port }: Pick<Target, 'port'>, input: string, from: string, tries = 10): Promise<List> {
  const text = `{ listing(input: { ${input}, pageSize: 48 }) { queryId cards { productId prices { main { asFloat } } } } }`
  const sent = await sendOperation(port, from, text)
  const { data } = JSON.parse(sent.text || '{}') as {
    data?: { listing: { queryId: string | null; cards: { productId: string; prices: { main: { asFloat: number } } }[] } } | null
  }
  if (data) {
    const { cards, queryId } = data.listing
    const prices = new Map(cards.map(({ productId, prices: { main } }) => [productId, main.asFloat]))
    return { name: input, ids: cards.map(({ productId }) => productId), prices, queryId: queryId ?? '' }
  }
  if (tries <= 1) throw new Error(`${input}: ${sent.status} ${sent.text.slice(0, 200)}`)
  await sleep(2000)
  return listOf({ port }, input, from, tries - 1)
}

/**
 * Lists in which popularity decides: of the categories and brands with the most products, which are equal in everything else, and of
 * searches, whose last hits may differ in relevance.
 */
async function popularLists({ pool }: Target): Promise<string[]> {
  const largest = async (column: 'category_id' | 'brand_id', kind: string, count: number) => {
    const { rows } = await pool.query<{ id: number }>(
      `select p.${column} as id from catalogue.product p where exists (
          select from catalogue.offer o where o.product_id = p.id and o.market = 'gb' and o.status = 'active' and o.stock > 0)
        group by 1 order by count(*) desc, 1 limit $1`,
      [count],
    )
    return rows.map(({ id }) => `kind: ${kind}, id: ${id}`)
  }
  const words = ['drill', 'paint', 'saw', 'lamp', 'screwdriver', 'hammer', 'tap', 'brush', 'shelf', 'light', 'door', 'garden']
  const searches = words.map((query) => `kind: search, query: "${query}"`)
  return [...(await largest('category_id', 'category', 6)), ...(await largest('brand_id', 'brand', 2)), ...searches]
}

const read = (target: Target, inputs: readonly string[]): Promise<List[]> =>
  Promise.all(inputs.map((input) => listOf(target, input, target.newAddress())))

/** Makes all products equally popular, as the least weight is seen among equals, and waits until the lists stand still. */
async function levelPopularity(target: Target, inputs: readonly string[]): Promise<List[]> {
  const { pool } = target
  await pool.query(
    `with changed as (update catalogue.product set popularity = 100 where popularity <> 100 returning id)
      insert into platform.outbox (id, type, aggregate, payload)
      select gen_random_uuid(), 'product.changed', id::text, jsonb_build_object('productId', id::text) from changed`,
  )
  return readStill(target, inputs)
}

/** The lists once they stand still: changes of products reach the index one batch after the other. */
async function readStill(target: Target, inputs: readonly string[]): Promise<List[]> {
  let shown = await read(target, inputs)
  for (const end = Date.now() + 180_000; Date.now() < end;) {
    await sleep(15_000)
    const now = await read(target, inputs)
    const isStill = now.every(({ ids }, at) => ids.join() === shown[at]?.ids.join())
    shown = now
    if (isStill) break
  }
  return shown
}

/** Runs a schedule of the worker now. */
async function runSchedule({ pool }: Target, name: string): Promise<void> {
  await pool.query('update platform.schedule set next_run_at = now() where name = $1', [name])
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(500)) {
    const { rows } = await pool.query<{ ran: boolean }>('select next_run_at > now() as ran from platform.schedule where name = $1', [name])
    if (rows[0]?.ran) return
  }
}

const forgedDays = 14
/** Fifty IPv4 addresses far from each other, and thirty networks of each of five IPv6 lines. */
const forgers = [
  ...range(50).map((at) => `45.${at + 1}.7.9`),
  ...range(150).map((at) => `2a01:4f8:${(at % 5) + 1}:${(at + 1).toString(16)}::1`),
]
const forgingLines = 55
const choices = 12
/** The quota of an address counts rows: each product of an event is one. */
const rowsOfAddress = 1900
/** Places of a list from which the ranker learns. */
const placesRead = 24

/** The next day begins: what has happened is a day older, and last night's work is done. */
async function passNight(target: Target): Promise<void> {
  const { pool } = target
  for (const table of ['search_event', 'asked']) await pool.query(`update merchandising.${table} set at = at - interval '1 day'`)
  // In two steps, so that no row meets the one of the day before.
  for (const table of ['ranker_day', 'ranking_in_use'])
    for (const days of [-1000, 999]) await pool.query(`update merchandising.${table} set day = day + $1::integer`, [days])
  await pool.query(`delete from platform.note where key = 'ranking-learned-until'`)
  await runSchedule(target, 'merchandising.learn')
  await sleep(5000)
}

/** An id that the shop has issued: nothing keeps a forger from getting one. */
async function issuedVisitor({ port }: Target, from: string): Promise<string> {
  const { cookies } = await send(port, {
    method: 'POST',
    path: '/api/v1/consent',
    from,
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ choice: 'some', purposes: ['userPreferences'] }),
  })
  const id = /mm_visitor_id=([^;]+)/.exec(cookies.join('\n'))?.[1]
  if (!id) throw new Error('No visitor id was issued')
  return id
}

/** The dearest products among those that the ranker learns from. */
function dearestOf({ ids, prices }: List): string[] {
  const price = (id: string) => prices.get(id) ?? 0
  return ids
    .slice(0, placesRead)
    .toSorted((a, b) => price(b) - price(a))
    .slice(0, choices)
}

const pricesOf = (list: List): number => new Set(dearestOf(list).map((id) => list.prices.get(id))).size

/** The searches that clicks are forged in. Their ids are new each day: lists are cached for a while, with the id they were found by. */
async function newSearches(target: Target, inputs: readonly string[], used: Set<string>): Promise<List[]> {
  for (const end = Date.now() + 120_000; ; await sleep(3000)) {
    const searches = await read(target, inputs)
    if (searches.every(({ queryId }) => queryId !== '' && !used.has(queryId))) {
      for (const { queryId } of searches) used.add(queryId)
      return searches
    }
    if (Date.now() > end) throw new Error('The ids of searches stay the same')
  }
}

/** One day of clicks on the dearest products of every search, counted by status. */
async function forgeDay(
  target: Target,
  day: number,
  searches: readonly List[],
  visitor: string,
  statuses: Map<number, number>,
): Promise<void> {
  // The other processes have to know the searches.
  await sleep(2000)
  // All fourteen days are one to the quotas: networks of one line have to share its own, and send on every fourth day.
  const senders = forgers.filter((from, at) => !from.includes(':') || Math.floor(at / 5) % 4 === day % 4)
  await inParallel(senders, 6, async (from) => {
    for (const [at, list] of searches.entries()) {
      const count = from.includes(':') ? 1 : Math.floor(rowsOfAddress / forgedDays / searches.length / choices)
      const events = range(count).map((n) => ({
        eventType: n % 2 ? 'conversion' : 'click',
        eventName: 'buy',
        index: 'products_gb',
        userToken: `visitor-${at}-${n}`,
        objectIDs: dearestOf(list),
        queryID: list.queryId,
      }))
      const { status } = await send(target.port, {
        method: 'POST',
        path: '/search-engine/1/events',
        from,
        headers: { 'x-algolia-api-key': 'purlin-search', cookie: `mm_consent=v1:userPreferences; mm_visitor_id=${visitor}` },
        body: JSON.stringify({ events }),
      })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  })
}

/** Days whose clicks are stored for all lines, on products that their lists showed. */
async function daysStored({ pool }: Target, since: Date): Promise<number> {
  const { rows } = await pool.query<{ days: number }>(
    `select count(*)::int as days from (select from merchandising.search_event e join merchandising.asked a using (query_id)
       where a.shown && e.product_ids and e.at > $1 group by (e.at at time zone 'UTC')::date having count(distinct e.sender_hash) >= $2) day`,
    [since, forgingLines],
  )
  return rows[0]?.days ?? 0
}

export const forgedEvents: RunnableAttack = {
  ids: 'V-10',
  name: '100,000 forged clicks on the twelve dearest products of the first places of three to five searches, with query ids of the shop and an issued visitor, on fourteen days from fifty IPv4 addresses far from each other and 150 networks of five IPv6 lines each, all products equally popular',
  rule: 'the clicks of every day are stored, at ten prices and more in each list, and after none of the nights has a product moved by more than one place in any list of categories, brands and searches',
  run: async (target) => {
    const inputs = await popularLists(target)
    const before = await levelPopularity(target, inputs)
    const startedAt = new Date()
    const statuses = new Map<number, number>()
    const visitor = await issuedVisitor(target, target.newAddress())
    const broken = new Set<string>()
    const used = new Set<string>()
    const forgedIn = before.filter((list) => list.queryId !== '' && pricesOf(list) >= 10).slice(0, 5)
    if (forgedIn.length < 3) broken.add(`only ${forgedIn.length} searches have ten prices`)
    for (const day of range(forgedDays)) {
      const searches = await newSearches(
        target,
        forgedIn.map(({ name }) => name),
        used,
      )
      await forgeDay(target, day, searches, visitor, statuses)
      // Searches are stored every few seconds. Those of the days to come wait there.
      await sleep(8000)
      for (const table of ['search_event', 'asked'])
        await target.pool.query(`update merchandising.${table} set at = at + make_interval(days => $1) where query_id = any($2)`, [
          day,
          searches.map(({ queryId }) => queryId),
        ])
    }
    const stored = await daysStored(target, startedAt)
    if (stored < forgedDays) broken.add(`the clicks of ${stored} of ${forgedDays} days were stored, so nothing was shown`)
    for (const night of range(forgedDays)) {
      await passNight(target)
      const after = night === forgedDays - 1 ? await readStill(target, inputs) : await read(target, inputs)
      for (const moved of await movedPlaces(target, before, after, startedAt)) broken.add(moved)
    }
    const { rows } = await target.pool.query<{ days: number }>('select count(*)::int as days from merchandising.ranker_day')
    return {
      tried: `100,000 clicks in ${listed(statuses)} responses, stored on ${stored} days for ${forgingLines} lines, ${rows[0]?.days ?? 0} of which taught something; ${inputs.length} lists compared after each of ${forgedDays} nights; forged in ${forgedIn.map(({ name }) => name).join(' and ')}`,
      broken: [...broken],
    }
  },
}

/** Products that stand more than one place from where they stood. Orders of other attacks sell some out meanwhile. */
async function movedPlaces({ pool }: Target, before: readonly List[], after: readonly List[], since: Date): Promise<string[]> {
  const { rows: sold } = await pool.query<{ id: string }>(
    `select distinct o.product_id::text as id from catalogue.stock_movement m join catalogue.offer o on o.id = m.offer_id where m.at > $1`,
    [new Date(since.getTime() - 60_000)],
  )
  const isSold = new Set(sold.map(({ id }) => id))
  const places = (list: List | undefined) => list?.ids.filter((id) => !isSold.has(id)) ?? []
  return before.flatMap((list, at) => {
    const now = places(after[at])
    return places(list).flatMap((id, place) =>
      Math.abs(now.indexOf(id) - place) > 1 ? [`${list.name}: product ${id} went from place ${place + 1} to ${now.indexOf(id) + 1}`] : [],
    )
  })
}
