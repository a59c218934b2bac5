/**
 * What follows an order, played against Postgres by the operations themselves: buyer, seller, operator, carrier and the system
 * act in an order drawn from a seed, while connections are cut. Afterwards everything comes to its end.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { endIncidentAsOperator, endUnclaimed, incidentDeeds } from '@purlin/server/after-sale/disputes/end-unclaimed.ts'
import { moveAs, moveDispute, openDispute } from '@purlin/server/after-sale/disputes/move-dispute.ts'
import { disputeMoves } from '@purlin/server/after-sale/disputes/dispute.ts'
import { passDeadlines } from '@purlin/server/after-sale/disputes/jobs.ts'
import { readDisputesOfSeller } from '@purlin/server/after-sale/disputes/store.ts'
import { checkDeadlines } from '@purlin/server/after-sale/fulfilment/check-deadlines.ts'
import { cancelSale, refuseSale } from '@purlin/server/after-sale/fulfilment/handle-sale.ts'
import { reportParcel } from '@purlin/server/after-sale/fulfilment/report-parcel.ts'
import { shipLines } from '@purlin/server/after-sale/fulfilment/ship-lines.ts'
import { readParcels } from '@purlin/server/after-sale/fulfilment/store.ts'
import { writeMessage } from '@purlin/server/after-sale/messages/write-message.ts'
import { startRun } from '@purlin/server/after-sale/payouts/run-payouts.ts'
import { acceptOrSendAgain } from '@purlin/server/after-sale/returns/accept-or-send-again.ts'
import { cancelLines } from '@purlin/server/after-sale/returns/cancel-lines.ts'
import { readCancellations } from '@purlin/server/after-sale/returns/cancellation-store.ts'
import { decideCancellation } from '@purlin/server/after-sale/returns/decide-cancellation.ts'
import { endAwaited, remindOfAwaited } from '@purlin/server/after-sale/returns/end-awaited.ts'
import { handleReturn, stepByBuyer } from '@purlin/server/after-sale/returns/handle-return.ts'
import { returnReasons, returnWishes } from '@purlin/server/after-sale/returns/offered-return.ts'
import { requestReturn } from '@purlin/server/after-sale/returns/request-return.ts'
import { findings, type ReturnState } from '@purlin/server/after-sale/returns/return-request.ts'
import { readReturnsOf } from '@purlin/server/after-sale/returns/return-store.ts'
import { isUnavailable, type Scope } from '@purlin/server/foundation/platform/index.ts'
import { quantityStates } from '@purlin/server/selling/orders/index.ts'
import { giveRefund } from '@purlin/server/selling/refunds/give-refund.ts'
import { seeded, type Random } from '../support/random.ts'
import { offerIds, type ModelShop } from './shop-on-postgres.ts'
import type { Buyer } from '@purlin/server/selling/checkout/testing.ts'

type Act = (scope: Scope) => Promise<unknown>
type Outcome = { ok: boolean }

export interface Played {
  sellerOrderId: string
  allowed: number
  refused: number
  cuts: number
}

const dayMs = 86_400_000
const deeds = ['accept', 'refuse', 'receive', 'inspect', 'refund', 'exchange'] as const
const nextDeed: Partial<Record<ReturnState, (typeof deeds)[number]>> = {
  requested: 'accept',
  'label-sent': 'receive',
  'in-transit': 'receive',
  received: 'inspect',
}
const kinds = ['out-for-delivery', 'delivered', 'lost', 'returned'] as const

class Sequence {
  readonly #shop: ModelShop
  readonly #random: Random
  readonly #seed: number
  #buyer!: Buyer
  #id = ''
  #lines: { offerId: string; quantity: number }[] = []
  #step = 0
  #message = ''
  readonly trace: string[] = []
  readonly played: Played = { sellerOrderId: '', allowed: 0, refused: 0, cuts: 0 }

  constructor(shop: ModelShop, seed: number) {
    this.#shop = shop
    this.#seed = seed
    this.#random = seeded(seed)
  }

  #below = (n: number): number => Math.floor(this.#random() * n)
  #oneOf = <Value>(values: readonly Value[]): Value => values[this.#below(values.length)] as Value
  get #part(): string {
    return `${this.#id}-1`
  }

  async begin(): Promise<void> {
    this.#lines = offerIds.slice(0, 1 + this.#below(offerIds.length)).map((offerId) => ({ offerId, quantity: 1 + this.#below(3) }))
    const { id, buyer } = await this.#shop.sell(this.#lines)
    this.#id = id
    this.#buyer = buyer
    this.played.sellerOrderId = this.#part
    await this.#shop.work()
  }

  /** One act of anybody; in one of five the connections are cut while it runs, and whoever acts tries again. */
  async step(): Promise<void> {
    this.#step += 1
    const acts = this.#acts()
    // Most orders are accepted, shipped and delivered: the first of each pair are these.
    const usual = this.#below(3) > 0 ? acts[2 * (this.#step - 1)] : undefined
    const [name, overrides, act] = this.#step <= 3 && usual ? usual : this.#oneOf(acts)
    const isCut = this.#below(5) === 0
    const cutting = isCut ? sleep(this.#below(9)).then(async () => (this.played.cuts += await this.#shop.cut())) : undefined
    await this.#try(name, overrides, act, isCut)
    await cutting
    if (this.#below(3) === 0) await this.#workUnderFire()
  }

  async #try(name: string, overrides: Partial<Scope>, act: Act, mayFail: boolean): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        const outcome = await this.#shop.database.command(overrides, act)
        const isAllowed = typeof outcome !== 'object' || outcome === null || (outcome as Partial<Outcome>).ok !== false
        this.played[isAllowed ? 'allowed' : 'refused'] += 1
        this.trace.push(`${name}${isAllowed ? '' : ` (refused: ${JSON.stringify(outcome)})`}`)
        return
      } catch (error) {
        // A connection that was cut may end a little later, under the next act.
        if ((!mayFail && !isUnavailable(error)) || attempt >= 6) throw error
        this.trace.push(`${name} (cut)`)
      }
    }
  }

  async #workUnderFire(): Promise<void> {
    if (this.#below(2) === 0) return this.#shop.work()
    const cutting = sleep(this.#below(25)).then(async () => (this.played.cuts += await this.#shop.cut()))
    // What breaks with the connection is done by the next round.
    await this.#shop.work().catch(() => undefined)
    await cutting
    await this.#shop.work().catch(() => undefined)
  }

  #some(): { offerId: string; quantity: number }[] {
    return this.#lines.filter(() => this.#below(3) > 0).map(({ offerId, quantity }) => ({ offerId, quantity: 1 + this.#below(quantity) }))
  }

  #acts(): [name: string, overrides: Partial<Scope>, act: Act][] {
    const { seller, operator } = this.#shop.as
    const buyer = this.#buyer.overrides
    const part = { sellerOrderId: this.#part }
    const order = { customerOrderId: this.#id, ...part }
    const lines = this.#below(3) > 0 ? null : this.#some()
    const declining = { ...part, lines, reason: this.#oneOf(['out-of-stock', 'other'] as const), note: null }
    const key = `model-${this.#seed}-${this.#step}`
    const amount = 1 + this.#below(4_000)
    const deed = {
      do: this.#oneOf(deeds),
      finding: this.#oneOf(findings),
      amount: this.#oneOf([null, null, amount]),
      note: this.#oneOf([null, 'Used.']),
    }
    const wish = {
      ...order,
      lines: this.#some(),
      reason: this.#oneOf(returnReasons),
      wish: this.#oneOf(returnWishes),
      amount,
      method: 'label',
      description: 'It does not fit.',
      photos: [],
    }
    const move = this.#oneOf(disputeMoves).action
    const pickAt = this.#random()
    const pick = <Value>(values: readonly Value[]): Value | undefined => values[Math.floor(pickAt * values.length)]
    const accept: [string, Partial<Scope>, Act] = ['seller accepts', seller, (scope) => acceptOrSendAgain(scope, { ...part, lines })]
    const carrier = { name: 'Own Van', trackingNumber: `OV${this.#seed}T${this.#step}X` }
    const ship: [string, Partial<Scope>, Act] = [
      'seller ships',
      seller,
      (scope) => shipLines(scope, { ...part, lines, carrier, idempotencyKey: key }),
    ]
    const report: [string, Partial<Scope>, Act] = [
      'carrier reports',
      seller,
      async (scope) => {
        const parcel = pick(await readParcels(scope.db, this.#id))
        const kind = kinds[Math.floor(pickAt * 97) % kinds.length] ?? 'delivered'
        return parcel ? reportParcel(scope, { parcelId: parcel.id, kind, place: null }) : { ok: false }
      },
    ]
    return [
      accept,
      accept,
      ship,
      ship,
      report,
      report,
      ['seller refuses', seller, (scope) => refuseSale(scope, declining)],
      ['seller cancels', seller, (scope) => cancelSale(scope, declining)],
      ['buyer cancels', buyer, (scope) => cancelLines(scope, { ...order, lines: this.#lines, reason: 'changed-mind' })],
      [
        'seller decides a cancellation',
        seller,
        async (scope) => {
          const open = pick(await readCancellations(scope.db, this.#part))
          return open ? decideCancellation(scope, open.id, pickAt < 0.7, null) : { ok: false }
        },
      ],
      ['buyer returns', buyer, (scope) => requestReturn(scope, wish)],
      [
        `seller handles a return (${deed.do})`,
        seller,
        async (scope) => {
          const own = pick(await readReturnsOf(scope.db, this.#id))
          return own ? handleReturn(scope, own.id, deed) : { ok: false }
        },
      ],
      [
        'buyer hands over a return',
        buyer,
        async (scope) => {
          const own = pick(await readReturnsOf(scope.db, this.#id))
          return own ? stepByBuyer(scope, own.id, pickAt < 0.8 ? 'in-transit' : 'closed') : { ok: false }
        },
      ],
      [
        'goods of returns are awaited in vain',
        { now: new Date(Date.now() + 22 * dayMs) },
        async (scope) => {
          await remindOfAwaited(scope)
          for (const { id, updatedAt } of await readReturnsOf(scope.db, this.#id))
            await endAwaited(scope, { requestId: id, since: updatedAt.getTime() })
        },
      ],
      ['seller gives money back', seller, (scope) => giveRefund(scope, { ...order, offerId: null, amount, idempotencyKey: key })],
      ['operator gives money back', operator, (scope) => giveRefund(scope, { ...order, offerId: null, amount, idempotencyKey: key })],
      [
        'buyer opens a dispute',
        buyer,
        async (scope) => {
          const written = await writeMessage(scope, 'conversation.write', this.#part, { text: 'It is damaged.', topic: 'damage' })
          if (!written.ok) return written
          this.#message = written.id
          return openDispute(scope, {
            orderId: this.#part,
            messageId: this.#message,
            reason: 'damaged',
            wish: 'part-refund',
            amount,
            note: 'Scratched.',
          })
        },
      ],
      [`buyer moves a dispute (${move})`, buyer, (scope) => this.#moveDispute(scope, 'buyer', move, amount)],
      [`seller moves a dispute (${move})`, seller, (scope) => this.#moveDispute(scope, 'seller', move, amount)],
      [`operator moves a dispute (${move})`, operator, (scope) => this.#moveDispute(scope, 'operator', move, amount)],
      [
        'operator ends an incident',
        {},
        (scope) => endIncidentAsOperator(scope, this.#part, incidentDeeds[Math.floor(pickAt * incidentDeeds.length)] ?? 'close'),
      ],
      [
        'a payout runs',
        {},
        (scope) => startRun({ ...scope, now: new Date(Date.now() + 90 * dayMs) }, { key, currency: 'GBP', cause: 'operator' }),
      ],
    ]
  }

  async #moveDispute(
    scope: Scope,
    by: 'buyer' | 'seller' | 'operator',
    action: (typeof disputeMoves)[number]['action'],
    amount: number,
  ): Promise<unknown> {
    const own = (await readDisputesOfSeller(scope.db, 1, 'gb')).find(({ sellerOrderId }) => sellerOrderId === this.#part)
    if (!own) return { ok: false }
    const input = { id: own.id, action, note: 'So be it.', amount }
    if (by === 'operator') return moveAs(scope, 'operator', input)
    return moveDispute(scope, by === 'buyer' ? 'dispute.open' : 'dispute.serve', input)
  }

  /** Everybody does what is left, deadlines pass, and the money is paid out: nothing may be left open. */
  async finish(): Promise<void> {
    const { database, as } = this.#shop
    const act = <Value>(operation: (scope: Scope) => Promise<Value>, overrides: Partial<Scope> = {}) =>
      again(() => database.command(overrides, operation))
    const ended = new Set(['refused', 'cancelled', 'closed'])
    await again(() => this.#shop.work())
    for (let round = 1; ; round++) {
      const now = new Date(Date.now() + round * 12 * dayMs)
      await act(checkDeadlines, { now })
      await act((scope) => endUnclaimed(scope, { customerOrderId: this.#id, sellerOrderId: this.#part }), { now })
      await act(passDeadlines, { now })
      await this.#shop.work()
      const dispute = (await readDisputesOfSeller(database.db, 1, 'gb')).find(({ sellerOrderId }) => sellerOrderId === this.#part)
      if (dispute && dispute.endedAt === null)
        await act((scope) => moveAs(scope, 'operator', { id: dispute.id, action: 'decide', amount: 0, note: 'So be it.' }))
      for (const { id, state } of await readReturnsOf(database.db, this.#id)) {
        const deed = { do: nextDeed[state] ?? ('refund' as const), finding: 'as-described', amount: null, note: null }
        await act((scope) => handleReturn(scope, id, deed), as.seller)
      }
      await this.#shop.work()
      const pieces = await quantityStates(database.db, [this.#part])
      const returns = await readReturnsOf(database.db, this.#id)
      const isOver =
        pieces.every(({ quantities }) => Object.keys(quantities).every((state) => ended.has(state))) &&
        returns.every(({ state, isSettled }) => isSettled || ['refused', 'lapsed', 'closed'].includes(state)) &&
        (!dispute || (await readDisputesOfSeller(database.db, 1, 'gb')).every((each) => each.id !== dispute.id || each.endedAt !== null))
      if (isOver) break
      if (round > 25) throw new Error(`no way out: ${JSON.stringify({ pieces, returns: returns.map(({ state }) => state), dispute })}`)
    }
    await this.#shop.work()
  }
}

/** Nothing is cut any more, but a connection that was may end only now. */
async function again<Value>(act: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (error) {
      if (!isUnavailable(error) || attempt >= 6) throw error
    }
  }
}

/** Plays one sequence; throws with its seed and acts if something cannot be. */
export async function playOnPostgres(shop: ModelShop, seed: number): Promise<Played & { trace: string[] }> {
  const sequence = new Sequence(shop, seed)
  try {
    await sequence.begin()
    for (let at = 0; at < 6 + (seed % 13); at++) await sequence.step()
    await sequence.finish()
    return { ...sequence.played, trace: sequence.trace }
  } catch (error) {
    throw new Error(`Sequence ${seed}: ${(error as Error).message}\n${sequence.trace.join('\n')}`, { cause: error })
  }
}
