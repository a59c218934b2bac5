import { setTimeout as sleep } from 'node:timers/promises'
import { loadSdl } from '@purlin/server/edges/gateway/load-schema.ts'
import { buildSchema } from 'graphql'
import { draftAs, place } from '../faults/buyer.ts'
import { inParallel, listed, type RunnableAttack } from './attacks.ts'
import { send, sendOperation, visitorAt, type Target } from './client.ts'
import { hostileOperations } from './hostile-operations.ts'
import { harm, otherUsers } from './other-users.ts'

const range = (length: number) => Array.from({ length }, (_, at) => at)
const isRefused = (status: number) => status === 400 || status === 413 || status === 429 || status === 503

/** How long other users are watched before the attack. */
const quietMs = 60_000

const hostile: RunnableAttack = {
  ids: 'A64 A65 V-01',
  name: '2,000 generated operations: deep, broad, of aliases, fragments, directives and big lists',
  rule: 'each is refused within 20 ms, or answered within 300 ms with less than 1 MB; no other user is refused, and their p99 changes by less than a fifth',
  run: async ({ port, random, newAddress }) => {
    const next = hostileOperations(buildSchema(loadSdl()), random)
    const broken: string[] = []
    const statuses = new Map<string, number>()
    const quiet = otherUsers(port)
    await sleep(quietMs)
    const before = await quiet.stop()
    const visitors = otherUsers(port)
    let repeated = 0
    for (let n = 0; n < 2000; n++) {
      const { shape, query } = next()
      // The fastest of four, each with a text of its own, because the machine has other work.
      let sent = await sendOperation(port, newAddress(), query)
      const allowedMs = () => (isRefused(sent.status) ? 20 : 300)
      let { ms } = sent
      for (let again = 0; again < 3 && ms >= allowedMs(); again++) {
        if (again === 0) repeated++
        sent = await sendOperation(port, newAddress(), `${query} #${again}`)
        ms = Math.min(ms, sent.ms)
      }
      // A body over the limit is cut, and its sender may not see the 413.
      const isCut = sent.status === 0 && query.length > 100_000
      const status = isCut ? 'cut while it was sent' : String(sent.status)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const what = `${shape}: ${sent.status} after ${ms.toFixed(0)} ms with ${sent.text.length} bytes: ${query.slice(0, 160)}`
      if (ms >= allowedMs() || sent.text.length >= 1_000_000 || (sent.status === 0 && !isCut) || sent.status === 500) broken.push(what)
    }
    const others = harm(before, await visitors.stop())
    return {
      tried: `2,000 operations: ${listed(statuses)}; ${repeated} sent again for their time; ${others.said}`,
      broken: [...broken, ...others.broken],
    }
  },
}

const wanted = ['', 'drill', 'paint', 'saw', 'light', 'garden']

async function lists({ port, newAddress }: Target): Promise<string[][]> {
  const all: string[][] = []
  for (const query of wanted) {
    const text = `{ listing(input: { kind: search, query: "${query}", pageSize: 100 }) { cards { productId } } }`
    const sent = await sendOperation(port, newAddress(), text)
    const { data } = JSON.parse(sent.text) as { data: { listing: { cards: { productId: string }[] } } }
    all.push(data.listing.cards.map(({ productId }) => productId))
  }
  return all
}

const forgedEvents: RunnableAttack = {
  ids: 'V-10',
  name: '100,000 forged clicks and purchases for the last product of each list, from fifty addresses',
  rule: 'no product moves by more than one place in any list',
  run: async (target) => {
    const before = await lists(target)
    const favourites = before.flatMap((list) => list.slice(-1))
    const senders = range(50).map(() => target.newAddress())
    const statuses = new Map<number, number>()
    await inParallel(range(200), 6, async (at) => {
      const events = range(500).map((n) => ({
        eventType: n % 2 ? 'conversion' : 'click',
        eventName: 'buy',
        index: 'products_gb',
        userToken: `visitor-${at}-${n}`,
        objectIDs: favourites.slice(0, 10),
        ...(n % 3 > 0 && {
          queryID: Math.floor(target.random() * 2 ** 48)
            .toString(16)
            .padStart(32, '0'),
        }),
      }))
      const { status } = await send(target.port, {
        method: 'POST',
        path: '/search-engine/1/events',
        from: senders[at % senders.length] ?? '',
        headers: { 'x-algolia-api-key': 'purlin-search', cookie: 'mm_consent=v1:userPreferences' },
        body: JSON.stringify({ events }),
      })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    })
    await target.pool.query(`update platform.schedule set next_run_at = now() where name = 'merchandising.popularity'`)
    for (const end = Date.now() + 30_000; Date.now() < end; await sleep(500)) {
      const { rows } = await target.pool.query<{ ran: boolean }>(
        `select next_run_at > now() as ran from platform.schedule where name = 'merchandising.popularity'`,
      )
      if (rows[0]?.ran) break
    }
    await sleep(5000)
    const after = await lists(target)
    const moved = before.flatMap((list, at) =>
      list.flatMap((id, place) => {
        const now = after[at]?.indexOf(id) ?? -1
        return Math.abs(now - place) > 1 ? [`"${wanted[at]}": product ${id} went from place ${place + 1} to ${now + 1}`] : []
      }),
    )
    return { tried: `100,000 events in 200 requests (${listed(statuses)}), ${wanted.length} lists compared`, broken: moved }
  },
}

const hoarding: RunnableAttack = {
  ids: 'V-11',
  name: 'fifty sessions at one address hold a scarce offer again and again, ten honest buyers want one each',
  rule: 'the last honest buyer has ordered after five minutes',
  run: async (target) => {
    const { rows } = await target.pool.query<{ id: string; stock: number }>(
      `select o.id::text, o.stock from catalogue.offer o join sellers.seller s on s.id = o.seller_id
        where o.market = 'gb' and o.stock between 10 and 40 and o.bulk is null and not o.is_sample and not s.is_b2b and s.status = 'active'
        order by o.stock, o.id limit 1`,
    )
    const [offer] = rows
    if (!offer) throw new Error('No offer is scarce')
    const from = target.newAddress()
    const draft = async (address: string, name: string) => draftAs(visitorAt(target, address), offer.id, `${name}@example.com`)
    const hoard: Awaited<ReturnType<typeof draft>>[] = []
    await inParallel(range(50), 6, async (at) => {
      const made = await draft(from, `hoard${at}`).catch(() => null)
      if (made) hoard.push(made)
    })
    const honest = await Promise.all(range(10).map((at) => draft(target.newAddress(), `honest${at}`)))
    for (const each of hoard) await place(each).catch(() => '')
    const startedAt = Date.now()
    const waiting = new Set(honest)
    while (waiting.size > 0 && Date.now() - startedAt < 420_000) {
      for (const each of hoard) await place(each).catch(() => '')
      for (const each of waiting) if ((await place(each).catch(() => '')) === 'sold') waiting.delete(each)
      await sleep(5000)
    }
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    return {
      tried: `${offer.stock} pieces, ${hoard.length} sessions, ${honest.length} honest buyers: all served after ${seconds} s`,
      broken: waiting.size > 0 || seconds > 300 ? [`${waiting.size} of ${honest.length} still waited after ${seconds} s`] : [],
    }
  },
}

export const longAttacks = { hostile, forgedEvents, hoarding }
