import { setTimeout as sleep } from 'node:timers/promises'
import { loadSdl } from '@purlin/server/edges/gateway/load-schema.ts'
import { buildSchema } from 'graphql'
import { draftAs, place } from '../faults/buyer.ts'
import { inParallel, listed, type RunnableAttack } from './attacks.ts'
import { send, sendOperation, visitorAt, type Target } from './client.ts'
import { attackFromOutside, startBareServer } from './attack-from-outside.ts'
import type { Outcome } from './attacker.ts'
import { hostileOperations, type HostileOperation } from './hostile-operations.ts'
import { judgeOperations } from './judge.ts'
import { harm, inWindows } from './other-users.ts'

const range = (length: number) => Array.from({ length }, (_, at) => at)

const windowMs = 20_000
const operations = 2000

const hostile: RunnableAttack = {
  ids: 'A64 A65 V-01',
  name: '2,000 generated operations: deep, broad, of aliases, fragments, directives and big lists',
  rule: 'each is refused within 20 ms, or answered within 300 ms with less than 1 MB; no other user is refused, and their p99 is less than a fifth above that beside a bare server that gets the same bytes',
  run: async ({ port, random, rounds }) => {
    const next = hostileOperations(buildSchema(loadSdl()), random)
    const bare = await startBareServer()
    const outcomes: Outcome[] = []
    // Each window has operations of its own, made beforehand, and goes on until it has enough answers to other users for a p99.
    let latest: HostileOperation[] = []
    let everyMs = 0
    let sender = 0
    const { windows, warming } = await inWindows(port, rounds, windowMs, async (on, until) => {
      const startedAt = Date.now()
      const isShop = on === 'shop'
      if (isShop) latest = Array.from({ length: Math.ceil(operations / rounds) }, next)
      const work = { kind: 'operations', operations: latest, firstSender: 32_768 + sender, until } as const
      const report = await attackFromOutside({ ...work, port: isShop ? port : bare.port, everyMs: isShop ? 0 : everyMs })
      if (!isShop) return
      // The bare server would be sent more in the same time.
      everyMs = (Date.now() - startedAt) / report.outcomes.length
      sender += report.outcomes.reduce((sum, { tries }) => sum + tries, 0)
      outcomes.push(...report.outcomes)
    }).finally(bare.stop)
    const statuses = new Map<string, number>()
    for (const { status } of outcomes) {
      const name = status === -1 ? 'cut while it was sent' : String(status)
      statuses.set(name, (statuses.get(name) ?? 0) + 1)
    }
    const repeated = outcomes.filter(({ tries }) => tries > 1).length
    const { length: sentSoFar } = outcomes
    const others = harm(windows)
    return {
      tried: `${sentSoFar} operations: ${listed(statuses)}; ${repeated} sent again for their time; ${others.said}; before, while the shop warmed up, ${warming.map((ms) => ms.toFixed(0)).join(' and ')}`,
      broken: [...judgeOperations(outcomes), ...others.broken],
    }
  },
}

interface List {
  name: string
  ids: string[]
  queryId: string
}

/** A list of the shop, with the id that events about it name. A program's document may be refused on a busy machine: it is sent again. */
async function listOf({ port }: Pick<Target, 'port'>, input: string, from: string, tries = 10): Promise<List> {
  const text = `{ listing(input: { ${input}, pageSize: 48 }) { queryId cards { productId } } }`
  const sent = await sendOperation(port, from, text)
  const { data } = JSON.parse(sent.text || '{}') as {
    data?: { listing: { queryId: string | null; cards: { productId: string }[] } } | null
  }
  if (data) return { name: input, ids: data.listing.cards.map(({ productId }) => productId), queryId: data.listing.queryId ?? '' }
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
  const searches = ['drill', 'paint', 'saw'].map((query) => `kind: search, query: "${query}"`)
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
const forgedNetworks = 50

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

const forgedEvents: RunnableAttack = {
  ids: 'V-10',
  name: '100,000 forged clicks on the last product of lists of categories, brands and searches, with query ids of the shop, on fourteen days from fifty other addresses each, all products equally popular',
  rule: 'the clicks are stored, and after none of the nights has a product moved by more than one place in any list',
  run: async (target) => {
    const inputs = await popularLists(target)
    const before = await levelPopularity(target, inputs)
    const startedAt = new Date()
    const statuses = new Map<number, number>()
    const perRequest = Math.ceil(100_000 / forgedDays / forgedNetworks / inputs.length)
    for (const day of range(forgedDays)) {
      const asked = await read(target, inputs)
      await inParallel(
        range(forgedNetworks).map(() => target.newAddress()),
        6,
        async (from) => {
          for (const [at, { queryId }] of asked.entries()) {
            const events = range(perRequest).map((n) => ({
              eventType: n % 2 ? 'conversion' : 'click',
              eventName: 'buy',
              index: 'products_gb',
              userToken: `visitor-${at}-${n}`,
              objectIDs: [before[at]?.ids.at(-1)],
              queryID: queryId,
            }))
            const { status } = await send(target.port, {
              method: 'POST',
              path: '/search-engine/1/events',
              from,
              headers: { 'x-algolia-api-key': 'purlin-search', cookie: 'mm_consent=v1:userPreferences' },
              body: JSON.stringify({ events }),
            })
            statuses.set(status, (statuses.get(status) ?? 0) + 1)
          }
        },
      )
      // Searches are stored every few seconds. Those of the days to come wait there.
      await sleep(8000)
      for (const table of ['search_event', 'asked'])
        await target.pool.query(`update merchandising.${table} set at = at + make_interval(days => $1) where query_id = any($2)`, [
          day,
          asked.flatMap(({ queryId }) => queryId || []),
        ])
    }
    const { rows } = await target.pool.query<{ networks: number }>(
      `select count(distinct e.sender_hash)::int as networks from merchandising.search_event e join merchandising.asked a using (query_id)
       where a.shown && e.product_ids and e.at > $1`,
      [startedAt],
    )
    const networks = rows[0]?.networks ?? 0
    const broken = new Set<string>()
    for (const night of range(forgedDays)) {
      await passNight(target)
      const after = night === forgedDays - 1 ? await readStill(target, inputs) : await read(target, inputs)
      for (const moved of await movedPlaces(target, before, after, startedAt)) broken.add(moved)
    }
    return {
      tried: `100,000 events in ${listed(statuses)} responses, stored from ${networks} networks, ${inputs.length} lists compared after each of ${forgedDays} nights`,
      broken: [...broken, ...(networks < forgedNetworks ? ['the clicks were not stored, so nothing was shown'] : [])],
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

interface Scarce {
  id: string
  stock: number
}
type Drafted = Awaited<ReturnType<typeof draftAs>>

/** Drafts of one piece each in sessions at one address. */
async function hoardersAt(target: Target, from: string, { id }: Scarce, count: number): Promise<Drafted[]> {
  const drafts: Drafted[] = []
  await inParallel(range(count), 6, async (at) => {
    const made = await draftAs(visitorAt(target, from), id, `hoard${at}@example.com`).catch(() => null)
    if (made) drafts.push(made)
  })
  return drafts
}

const stockOf = async ({ pool }: Target, { id }: Scarce): Promise<number> =>
  (await pool.query<{ stock: number }>('select stock from catalogue.offer where id = $1', [id])).rows[0]?.stock ?? 0

const hoarding: RunnableAttack = {
  ids: 'V-11',
  name: 'fifty sessions at one address hold a scarce offer whenever some is left, ten honest buyers come when everything is held',
  rule: 'the last honest buyer has ordered after five minutes, and single pieces of another offer are held up to the limit of a network',
  run: async (target) => {
    const { rows } = await target.pool.query<Scarce>(
      `select o.id::text, o.stock from catalogue.offer o join sellers.seller s on s.id = o.seller_id
        where o.market = 'gb' and o.status = 'active' and o.stock between 10 and 40 and o.bulk is null and o.max_quantity is null and not o.is_sample
          and not s.is_b2b and s.status = 'active' order by o.stock, o.id limit 2`,
    )
    const [offer, other] = rows
    if (!offer || !other) throw new Error('No two offers are scarce')
    const broken: string[] = []
    const single = await hoardersAt(target, target.newAddress(), other, other.stock)
    let held = 0
    for (const each of single) if ((await place(each).catch(() => '')) === 'sold') held++
    if (single.length < other.stock) broken.push(`only ${single.length} of ${other.stock} sessions came to the second offer`)
    const most = Math.max(5, Math.floor(other.stock / 4))
    if (held > most) broken.push(`one network held ${held} of ${other.stock} pieces in as many orders`)

    const [first, ...hoard] = await hoardersAt(target, target.newAddress(), offer, 50)
    if (!first) throw new Error('The hoard has no session')
    const sessions = hoard.length + 1
    if (sessions < 50) broken.push(`the hoard has ${sessions} of 50 sessions`)
    const all = 'mutation ($id: ID!, $quantity: Int!) { setCartQuantity(offerId: $id, quantity: $quantity) { refusal { reason } } }'
    await first.guest.ask(all, { id: offer.id, quantity: offer.stock })
    const grabbed = await place(first)
    if ((await stockOf(target, offer)) > 0) broken.push(`the hoard could not take everything: ${grabbed}`)
    const startedAt = Date.now()
    const waiting = new Map(
      range(10).map((at) => [`honest${at}`, { guest: visitorAt(target, target.newAddress()), made: undefined as Drafted | undefined }]),
    )
    while (waiting.size > 0 && Date.now() - startedAt < 420_000) {
      // Patient: it orders only what is left, and is never refused for lack of stock.
      while (hoard.length > 0 && (await stockOf(target, offer)) > 0) {
        const next = hoard.shift()
        if (next) await place(next).catch(() => '')
      }
      for (const [name, buyer] of waiting) {
        // Without anything left the basket stays empty, and there is no order.
        buyer.made ??= await draftAs(buyer.guest, offer.id, `${name}@example.com`).catch(() => undefined)
        if (buyer.made && (await place(buyer.made).catch(() => '')) === 'sold') waiting.delete(name)
      }
      await sleep(5000)
    }
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    if (waiting.size > 0 || seconds > 300) broken.push(`${waiting.size} of 10 still waited after ${seconds} s`)
    return {
      tried: `${offer.stock} pieces held at once by one of ${sessions} sessions, ${10 - waiting.size} of 10 later buyers served after ${seconds} s; of ${other.stock} others ${held} held singly`,
      broken,
    }
  },
}

export const longAttacks = { hostile, forgedEvents, hoarding }
