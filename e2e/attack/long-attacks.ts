import { setTimeout as sleep } from 'node:timers/promises'
import { loadSdl } from '@purlin/server/edges/gateway/load-schema.ts'
import { buildSchema } from 'graphql'
import { draftAs, place } from '../faults/buyer.ts'
import { inParallel, listed, type RunnableAttack } from './attacks.ts'
import { visitorAt, type Target } from './client.ts'
import { attackFromOutside, startBareServer } from './attack-from-outside.ts'
import type { Outcome } from './attacker.ts'
import { forgedEvents } from './forged-clicks.ts'
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
