import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Violation } from '../invariants.ts'
import { draftAs, enterCard, pay, place } from '../faults/buyer.ts'
import { newGuest } from '../faults/shop-process.ts'
import { passThreeDays } from './days-late.ts'
import { orderLeaks } from './privacy-watch.ts'

export interface Purchases {
  begun: number
  /** Orders whose placement was acknowledged. */
  placed: string[]
  paid: string[]
  /** How many were paid with messages of the provider that went wrong, by what was wrong (F9). */
  messages: Map<string, number>
  /** Answers with 500, and orders that somebody else saw. */
  violations: Violation[]
  /** How often a purchase ended early, by reason. */
  ended: Map<string, number>
  /** Each purchase: the load in which it began, and whether it was paid, left, or ended for another reason. */
  attempts: Attempt[]
}

export interface Attempt {
  during: string
  outcome: 'paid' | 'left without paying' | (string & {})
}

/** Its messages come after ten seconds. */
const slowCard = '4000000000000200'
/** Approved at once and without a question; the last five are paid with messages of the provider that go wrong (F9). */
const cards: readonly { number: string; messages?: string; isDaysLate?: true }[] = [
  { number: '4000000000000002' },
  { number: '5200000000000007' },
  { number: '4000000000000010' },
  { number: slowCard, messages: 'ten seconds late' },
  { number: slowCard, messages: 'three days late', isDaysLate: true },
  { number: '4000000000000218', messages: 'three times each' },
  { number: '4000000000000226', messages: 'in the wrong order' },
  { number: '4000000000000234', messages: 'never' },
]

/** Ids of offers with stock, which a guest may buy singly. */
export async function offersForSale(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select o.id::text from catalogue.offer o join sellers.seller s on s.id = o.seller_id
    where o.market = 'gb' and o.stock > 20 and o.bulk is null and not o.is_sample and not s.is_b2b and s.status = 'active' order by o.id limit 60`,
  )
  if (rows.length === 0) throw new Error('The demo shop has nothing to buy')
  return rows.map(({ id }) => id)
}

/** Enough of each for every buyer of a long run, as a correction of the stock. */
export async function restock(pool: pg.Pool, offers: readonly string[], stock = 1_000_000): Promise<void> {
  await pool.query(
    `with changed as (
        update catalogue.offer o set stock = $2 from (select id, stock from catalogue.offer where id = any($1::bigint[])) before
        where o.id = before.id returning o.id, $2 - before.stock as delta)
      insert into catalogue.stock_movement (id, offer_id, delta, reason) select gen_random_uuid(), id, delta, 'correction' from changed`,
    [offers, stock],
  )
}

/**
 * Guests who buy one thing after the other until told to stop. Every eighth leaves: half of these before paying, the others right after. Every
 * fourth is spied upon.
 */
export async function keepBuying(options: {
  port: number
  buyers: number
  pool: pg.Pool
  until: () => boolean
  /** How often a buyer sends a request at most. */
  tries?: number
  /** Lets three days pass for some orders before the provider's messages arrive (F9). */
  daysLate?: boolean
  /** Names the load of this moment. */
  during?: () => string
}): Promise<Purchases> {
  const { port, buyers, pool, until, tries, daysLate = false } = options
  const usable = cards.filter(({ isDaysLate }) => daysLate || !isDaysLate)
  const offers = await offersForSale(pool)
  await restock(pool, offers)
  const purchases: Purchases = { begun: 0, placed: [], paid: [], messages: new Map(), violations: [], ended: new Map(), attempts: [] }
  const count = (reason: string): void => void purchases.ended.set(reason, (purchases.ended.get(reason) ?? 0) + 1)
  const buy = async (): Promise<string> => {
    const turn = (purchases.begun += 1)
    const offer = offers[turn % offers.length] ?? ''
    const email = `chaos${turn}@example.com`
    const onFailure = (what: string): void => {
      if (what.startsWith('500')) purchases.violations.push({ id: 'I9', what: `a buyer met ${what}` })
    }
    const made = await draftAs(newGuest(port, { onFailure, ...(tries !== undefined && { tries }) }), offer, email)
    const outcome = await place(made)
    if (outcome !== 'sold') return outcome
    purchases.placed.push(made.orderId)
    if (turn % 4 === 0) purchases.violations.push(...(await orderLeaks(port, made, email, offer)))
    if (daysLate && turn % 16 === 8) {
      // Paid, but the shop hears of it when the order has long been given up.
      await enterCard(made, slowCard, 90_000)
      await withPatience(() => passThreeDays(pool, made.orderId))
      return 'left after paying, and the message came three days late'
    }
    if (turn % 8 === 0) return 'left without paying'
    const card = usable[turn % usable.length]!
    await pay(made, card.number, 90_000)
    if (card.isDaysLate) await withPatience(() => passThreeDays(pool, made.orderId))
    purchases.paid.push(made.orderId)
    if (card.messages !== undefined) purchases.messages.set(card.messages, (purchases.messages.get(card.messages) ?? 0) + 1)
    return 'paid'
  }
  await Promise.all(
    Array.from({ length: buyers }, async () => {
      while (!until()) {
        const during = options.during?.() ?? ''
        const outcome = await buy().catch((error: unknown) =>
          error instanceof Error ? error.message.replace(/\w{8,}/g, '…').slice(0, 120) : 'unknown',
        )
        if (outcome !== 'paid') count(outcome)
        purchases.attempts.push({ during, outcome })
        await sleep(200)
      }
    }),
  )
  return purchases
}

/** The database may be down at this moment. */
async function withPatience(work: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + 30_000; ; await sleep(500)) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}
