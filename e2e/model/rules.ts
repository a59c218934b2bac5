/**
 * A seller's part of an order, played by the rules alone: pieces, deadlines, refunds, returns, a dispute, invoices and payouts.
 * Each sequence is drawn from a seed; `check` holds after every move, `checkEnd` once everything has come to its end.
 */
import assert from 'node:assert/strict'
import type { Market } from '@purlin/contract/markets.ts'
import { stateAfter, disputeMoves, dueDays, onDeadline, type DisputeState } from '@purlin/server/after-sale/disputes/dispute.ts'
import { awaitedStates, consequence, dueAt, isAwaited, type DoorDue as DueKind } from '@purlin/server/after-sale/fulfilment/deadlines.ts'
import { sentPieces } from '@purlin/server/after-sale/invoices/issue-invoice.ts'
import { payableAt } from '@purlin/server/after-sale/payouts/payable-rule.ts'
import { changeOfMindDays, offeredReturn, returnReasons, withdrawalDaysLeft } from '@purlin/server/after-sale/returns/offered-return.ts'
import { returnSteps, type ReturnActor, type ReturnState } from '@purlin/server/after-sale/returns/return-request.ts'
import type { SellerOrder } from '@purlin/server/selling/orders/index.ts'
import {
  stateOfPaidOrder,
  stateOfSellerOrder,
  sumQuantities,
  type LineMove,
  type LineQuantities,
} from '@purlin/server/selling/orders/line-moves.ts'
import { customerOrderStates, sellerOrderStates, type Actor } from '@purlin/server/selling/orders/order-states.ts'
import { refundDue, type WantedRefund } from '@purlin/server/selling/refunds/refund-rule.ts'
import { seeded, type Random } from '../support/random.ts'
import { drawMoves, drawReport, movesOfAll, wayToBuyer, wayToCarrier } from './draw-moves.ts'
import { drawPart } from './draw-part.ts'
import { checkIncidents, movesOfPaidBack, nextEnd, recordMoves, type ModelMove } from './incidents.ts'
import { accountsOfRefund, accountsOfSale, checkNothingIsLeft } from './money.ts'
import { Papers, type Given } from './papers.ts'
import { refundedBefore, refundedLines } from './refunded.ts'
import { checkPieces, drawReturn, endByTime, ended, mayTake, movedBy, refundWanted, takeReturnStep, type Returning } from './returning.ts'

const markets: readonly Market[] = ['gb', 'fr', 'de', 'es', 'it']
const actors: readonly Actor[] = ['buyer', 'seller', 'system', 'provider', 'carrier', 'operator']
const finalStates = new Set(['refused', 'cancelled', 'closed'])
const dueOf: Partial<Record<string, DueKind>> = { accepted: 'ship', shipped: 'arrive', delivered: 'close' }

class World {
  readonly #random: Random
  readonly #market: Market
  readonly part: SellerOrder
  readonly #buyer: { buyer: 'consumer' | 'business'; businessReturnDays: number | null }
  #now = new Date('2026-11-23T10:00:00Z')
  #lines: LineQuantities[]
  #dues = new Map<DueKind, { at: Date; step: number }>()
  #refunds: Given[] = []
  #moves: ModelMove[] = []
  #returns: Returning[] = []
  #dispute: { state: DisputeState; wanted: number; offered: number; decided: number } | null = null
  #lastArrival: Date | null = null
  readonly #papers: Papers
  #accounts = new Map<string, number>()
  /** Every move made, for the report of a violation. */
  readonly trace: string[] = []

  constructor(seed: number) {
    this.#random = seeded(seed)
    this.#market = this.#oneOf(markets)
    this.part = drawPart(this.#below)
    this.#buyer = this.#oneOf([
      { buyer: 'consumer', businessReturnDays: null },
      ...[null, 0, 30, 365].map((businessReturnDays) => ({ buyer: 'business' as const, businessReturnDays })),
    ])
    this.#papers = new Papers(this.part)
    this.#lines = this.part.lines.map(({ offerId, quantity }) => ({ offerId, quantities: { pending: quantity } }))
    this.#dues.set('accept', { at: dueAt('accept', this.#market, this.#now), step: 0 })
    this.#book(accountsOfSale(this.part))
  }

  #below = (n: number): number => Math.floor(this.#random() * n)
  #oneOf = <Value>(values: readonly Value[]): Value => values[this.#below(values.length)] as Value

  /** One move by anybody, allowed or not. */
  step(): void {
    const moves: [weight: number, move: () => void][] = [
      [8, () => this.#move(drawMoves(this.#below, this.#lines), this.#oneOf(actors))],
      [5, () => this.#move(drawReport(this.#below, this.#lines), 'carrier')],
      [2, () => this.#passTime()],
      [2, () => this.#askReturn()],
      [3, () => this.#stepReturn(this.#oneOf(['buyer', 'seller', 'system'] as const))],
      [1, () => this.#endReturnByTime()],
      [1, () => this.#bringBack(this.#below(2) === 0)],
      [1, () => this.#goodwill()],
      [2, () => this.#moveDispute()],
      [2, () => this.#invoice()],
      [1, () => this.#payOut()],
      [1, () => this.#deliver()],
    ]
    let drawn = this.#below(moves.reduce((all, [weight]) => all + weight, 0))
    moves.find(([weight]) => (drawn -= weight) < 0)?.[1]()
    this.check()
  }

  /** Shipment of all outstanding pieces, half of the time with their delivery: random moves alone rarely get that far. */
  #deliver(): void {
    for (const { from, to, actor } of this.#below(2) === 0 ? wayToBuyer : wayToCarrier) {
      const moves = movesOfAll(this.#lines, from, to)
      if (moves.length > 0) this.#move(moves, actor)
    }
  }

  /** False if the rules refuse it, and then nothing has changed. */
  #move(moves: readonly LineMove[], actor: Actor, reason: string | null = null): boolean {
    const before = structuredClone(this.#lines)
    const after = movedBy({ lines: this.#lines, moves: this.#moves, returns: this.#returns }, moves, actor)
    if (typeof after === 'string') {
      assert.deepEqual(this.#lines, before, 'a refused move changed something')
      return false
    }
    this.trace.push(`${actor}: ${moves.map(({ offerId, quantity, from, to }) => `${quantity} × ${offerId} ${from} > ${to}`).join(', ')}`)
    this.#lines = after
    this.#moves.push(...recordMoves(this.#below, this.#moves, moves, { reason, at: this.#now }))
    for (const { to } of moves) {
      if (to === 'delivered') this.#lastArrival = this.#now
      const kind = dueOf[to]
      if (kind) this.#dues.set(kind, { at: dueAt(kind, this.#market, this.#now, this.part.deliveryOptions[0]), step: 0 })
    }
    const units = moves.filter(({ to }) => to === 'cancelled' || to === 'refused').map(({ offerId, quantity }) => ({ offerId, quantity }))
    for (const unit of units) this.#refund('cancellation', { isCancellation: true, units: [unit], delivery: 'full', bornBy: 'seller' })
    if (moves.some(({ to }) => to === 'incident-open')) this.#closePaidBack()
    return true
  }

  /** The clock goes on to the next deadline, which has its consequence. */
  #passTime(): void {
    const [next] = [...this.#dues].toSorted(([, one], [, other]) => one.at.getTime() - other.at.getTime())
    if (!next) return
    const [kind, due] = next
    if (due.at > this.#now) this.#now = due.at
    if (!isAwaited(kind, this.#lines)) return void this.#dues.delete(kind)
    const { does, nextAt } = consequence(kind, this.#market, due.step, this.#now)
    assert.ok(!nextAt || nextAt > this.#now, 'a deadline is repeated later')
    if (nextAt) this.#dues.set(kind, { at: nextAt, step: due.step + 1 })
    else this.#dues.delete(kind)
    if (does !== 'act') return
    const to = ({ accept: 'cancelled', ship: 'cancelled', arrive: 'incident-open', close: 'closed' } as const)[kind]
    const moves = this.#lines.flatMap(({ offerId, quantities }) =>
      awaitedStates[kind].flatMap((from) => {
        const quantity = quantities[from] ?? 0
        return quantity > 0 ? [{ offerId, quantity, from, to }] : []
      }),
    )
    assert.ok(this.#move(moves, 'system'), `the system may do what the deadline “${kind}” asks`)
  }

  #daysSinceArrival(at = this.#now): number | null {
    return this.#lastArrival && Math.floor((at.getTime() - this.#lastArrival.getTime()) / 86_400_000)
  }

  #askReturn(): void {
    const offer = offeredReturn(this.#oneOf(returnReasons), {
      market: this.#market,
      ...this.#buyer,
      daysSinceDelivery: this.#daysSinceArrival(),
      withdrawalDaysLeft: this.#lastArrival && withdrawalDaysLeft(this.#market, this.#lastArrival, this.#now),
      isCollected: this.#below(5) === 0,
    })
    const facts = { part: this.part, lines: this.#lines, moves: this.#moves, returns: this.#returns, now: this.#now }
    const one = offer && drawReturn(this.#below, { ...facts, offer })
    if (!one) return
    this.#returns.push(one)
    const pieces = one.lines.map(({ offerId, quantity }) => `${quantity} × ${offerId}`).join(', ')
    this.trace.push(`buyer: return on ${one.offer.basis} of ${pieces}`)
  }

  #stepReturn(actor: ReturnActor): void {
    const one = this.#returns.length > 0 ? this.#oneOf(this.#returns) : undefined
    const steps = returnSteps.filter(({ from, actors: own }) => from === one?.state && own.includes(actor))
    if (!one || steps.length === 0) return
    const { to } = this.#oneOf(steps)
    const facts = { lines: this.#lines, moves: this.#moves, returns: this.#returns }
    if (mayTake(one, to, actor, facts)) this.#takeReturnStep(one, to, actor)
  }

  /** A refund of which nothing is left settles what cannot be refused any more. */
  #takeReturnStep(one: Returning, to: ReturnState, actor: ReturnActor): void {
    const isDue = one.offer.basis === 'withdrawal' || one.state === 'accepted' || one.state === 'inspected' || actor === 'system'
    if (to === 'refunded' && !this.#refund('return', refundWanted(one, this.#below)) && !isDue) return
    takeReturnStep(one, to, actor, this.#now)
    this.trace.push(`${actor}: return ${to}`)
  }

  /** Goods that are not handed over, or do not arrive, are awaited until the return ends. */
  #endReturnByTime(one = this.#returns.find((each) => endByTime(each) !== null)): void {
    const end = one && endByTime(one)
    if (!one || !end) return
    if (end.at > this.#now) this.#now = end.at
    this.#takeReturnStep(one, end.to, 'system')
  }

  /** Goods whose claim was refused come back to their buyer, or their price does. */
  #bringBack(doesArrive: boolean): void {
    const one = this.#returns.find(({ replacementOrder, isBack }) => replacementOrder !== null && !isBack)
    if (!one) return
    one.isBack = true
    this.trace.push(`seller: refused goods ${doesArrive ? 'arrive' : 'are not sent back'}`)
    if (!doesArrive) this.#refund('return', { isCancellation: false, units: one.lines, delivery: 'full', bornBy: 'seller' })
  }

  #goodwill(): void {
    const offerId = this.#oneOf([null, this.#oneOf(this.part.lines).offerId])
    const bornBy = this.#oneOf(['seller', 'marketplace'] as const)
    const extra = { offerId, amount: 1 + this.#below(2 * this.part.total + 1) }
    this.#refund('goodwill', { isCancellation: false, units: [], delivery: 'full', extra, bornBy })
  }

  #refund(cause: Given['cause'], wanted: WantedRefund): boolean {
    const before = refundedBefore(this.part, this.#refunds)
    const due = refundDue(this.part, before, wanted)
    if (!due) return false
    const { amount, recovered, lines } = due
    this.#book(accountsOfRefund(this.part, before.bySeller, due, wanted.bornBy))
    // What is cancelled before there is an invoice is never credited.
    const isCredited = cause === 'cancellation' && this.#papers.invoiced === 0
    const given = { cause, bornBy: wanted.bornBy, amount, recovered, lines, isCredited, requestedAt: this.#now }
    this.#refunds.push(given)
    // What is cancelled was not invoiced, but the delivery may have been; later invoices take it into account.
    if (cause === 'cancellation' && !isCredited) this.#papers.credit(given, this.#lines, before.lines)
    if (amount + recovered > 0)
      this.trace.push(`${wanted.bornBy} gives back ${amount}${recovered > 0 ? ` and ${recovered} to the marketplace` : ''} (${cause})`)
    this.#closePaidBack()
    return true
  }

  /** Missing pieces whose price has gone back are closed. */
  #closePaidBack(): void {
    const { part } = this
    const refunds = this.#refunds
    const moves = movesOfPaidBack(this.#moves, { order: {}, part, quantities: this.#lines, refunds, before: refundedBefore(part, refunds) })
    if (moves.length > 0) assert.ok(this.#move(moves, 'system'), 'the system may close what was paid back')
  }

  /** Expiry of open incidents, each by its reason. */
  #endIncidents(): void {
    const next = () => nextEnd({ lines: this.#lines, moves: this.#moves, returns: this.#returns })
    // The money for one may close another.
    for (let end = next(); end; end = next()) {
      if (end.at > this.#now) this.#now = end.at
      const { units } = end
      const moves = units.map((unit): LineMove => ({ ...unit, from: 'incident-open', to: 'closed' }))
      assert.ok(this.#move(moves, 'system', end.reason), 'the system may end an incident')
      if (end.isRefunded) this.#refund('lost', { isCancellation: false, units, delivery: 'full', bornBy: 'seller' })
    }
  }

  #moveDispute(): void {
    const left = this.part.total - this.#refunds.reduce((all, { amount }) => all + amount, 0)
    if (!this.#dispute) {
      if (left > 0) this.#dispute = { state: 'open', wanted: 1 + this.#below(left), offered: 0, decided: 0 }
      return
    }
    const { action, actors: own } = this.#oneOf(disputeMoves)
    this.#takeDisputeStep(action, this.#oneOf(own), 1 + this.#below(Math.max(1, left)))
  }

  #takeDisputeStep(
    action: (typeof disputeMoves)[number]['action'],
    actor: (typeof disputeMoves)[number]['actors'][number],
    amount: number,
  ): void {
    const dispute = this.#dispute
    const state = dispute && stateAfter(dispute.state, action, actor)
    if (!dispute || !state) return
    if (action === 'offer') dispute.offered = amount
    if (action === 'decide') dispute.decided = amount
    dispute.state = state
    this.trace.push(`${actor}: dispute ${action}`)
    const due = { agree: dispute.wanted, accept: dispute.offered, finish: dispute.decided, decide: dispute.decided }[String(action)] ?? 0
    if ((state === 'settled' || state === 'closed') && due > 0)
      this.#refund('dispute', {
        isCancellation: false,
        units: [],
        delivery: 'full',
        extra: { offerId: null, amount: due },
        bornBy: 'seller',
      })
  }

  /** Invoices what was sent and credits what can be credited. */
  #invoice(): void {
    this.#papers.invoice(sentPieces(this.#lines), refundedLines(this.part, this.#refunds))
    for (const [at, refund] of this.#refunds.entries())
      if (refund.bornBy === 'seller' && !refund.isCredited)
        this.#papers.credit(refund, this.#lines, refundedLines(this.part, this.#refunds.slice(0, at)))
  }

  /** What the seller is owed is settled once it is payable. */
  #payOut(): void {
    const due = this.#payableAt()
    if (!due || due > this.#now || this.#returns.some(({ state }) => !ended.has(state))) return
    const owed = -(this.#accounts.get('seller') ?? 0)
    this.#book({ seller: owed, payable: -owed })
    if (owed !== 0) this.trace.push(`settled ${owed}`)
  }

  /** No seller is paid while the buyer may send back what has arrived. */
  #payableAt(): Date | null {
    if (!this.#lastArrival) return null
    const due = payableAt(this.#market, this.#lastArrival, changeOfMindDays(this.#buyer))
    const daysLeft = withdrawalDaysLeft(this.#market, this.#lastArrival, due)
    const days = { daysSinceDelivery: this.#daysSinceArrival(due), withdrawalDaysLeft: daysLeft }
    const about = { market: this.#market, ...this.#buyer, ...days, isCollected: false }
    assert.equal(offeredReturn('changed-mind', about), null, 'a sale is payable while the buyer may change their mind')
    return due
  }

  #book(entries: Record<string, number>): void {
    assert.equal(
      Object.values(entries).reduce((all, amount) => all + amount, 0),
      0,
      'a booking sums to zero',
    )
    for (const [account, amount] of Object.entries(entries)) this.#accounts.set(account, (this.#accounts.get(account) ?? 0) + amount)
  }

  #isOver = (): boolean => this.#lines.every(({ quantities }) => Object.keys(quantities).every((state) => finalStates.has(state)))

  check(): void {
    for (const [index, { quantities }] of this.#lines.entries()) {
      const pieces = Object.values(quantities)
      assert.ok(pieces.every((n) => Number.isSafeInteger(n) && n > 0))
      assert.equal(
        pieces.reduce((all, n) => all + n, 0),
        this.part.lines[index]?.quantity,
        'no piece appears or gets lost',
      )
    }
    const sum = sumQuantities(this.#lines)
    assert.ok(sellerOrderStates.includes(stateOfSellerOrder(sum)) && customerOrderStates.includes(stateOfPaidOrder(sum)))
    this.#payableAt()
    const refunded = this.#refunds.reduce((all, { amount }) => all + amount, 0)
    assert.ok(refunded >= 0 && refunded <= this.part.total, 'captured ≥ refunded ≥ 0')
    const isAllBack = refunded === this.part.total && refunded > 0
    assert.ok(!isAllBack || !sum['incident-open'], 'nobody waits for goods whose price has gone back')
    assert.equal(this.#accounts.get('provider'), this.part.total - refunded)
    for (const { offerId, quantity, goods, delivery } of refundedLines(this.part, this.#refunds)) {
      const line = this.part.lines.find((each) => each.offerId === offerId)
      assert.ok(line && quantity <= line.quantity && goods >= 0 && delivery >= 0)
      assert.ok(goods <= line.total - line.discount, 'no line gets back more than was paid for it')
    }
    checkIncidents(this.#lines, this.#moves)
    checkPieces({ lines: this.#lines, moves: this.#moves, returns: this.#returns })
    const { invoiced, credited } = this.#papers
    assert.ok(invoiced <= this.part.total && credited <= invoiced, 'no more is credited than was invoiced')
    assert.ok(Math.abs(this.#accounts.get('goodwill') ?? 0) <= this.part.total && (this.#accounts.get('goodwill') ?? 0) >= 0)
  }

  /** Everybody does what is left to do, with time passing; then every account and every paper agrees. */
  finish(): void {
    for (let round = 0; !this.#isOver(); round++) {
      assert.ok(round < 60, `no way out of ${JSON.stringify(this.#lines)}`)
      this.#passTime()
      this.#endIncidents()
      this.check()
    }
    for (const one of this.#returns)
      for (let round = 0; !ended.has(one.state); round++) {
        assert.ok(round < 10, `a return stays ${one.state}`)
        if (endByTime(one)) this.#endReturnByTime(one)
        else {
          // Nobody but the seller ends the others, if need be because a dispute has decided it.
          const step = returnSteps.find(({ from, to }) => from === one.state && to !== 'refused' && to !== 'exchanged' && to !== 'closed')
          assert.ok(step, `no way out of a return ${one.state}`)
          this.#takeReturnStep(one, step.to, step.actors[0] ?? 'seller')
        }
      }
    while (this.#returns.some(({ replacementOrder, isBack }) => replacementOrder !== null && !isBack)) this.#bringBack(false)
    for (let round = 0; this.#dispute && dueDays[this.#dispute.state] !== null; round++) {
      assert.ok(round < 10, `no way out of a dispute ${this.#dispute.state}`)
      const action = onDeadline[this.#dispute.state]
      this.#takeDisputeStep(action ?? 'decide', action ? 'system' : 'operator', 1)
    }
    this.#invoice()
    this.#invoice()
    this.check()
    this.checkEnd()
  }

  checkEnd(): void {
    const { total } = this.part
    const bySeller = this.#refunds.reduce((all, { bornBy, amount, recovered }) => all + (bornBy === 'seller' ? amount + recovered : 0), 0)
    assert.equal(this.#papers.open, total - bySeller, 'invoices and credit notes are what was sold and not given back')
    if (bySeller >= total) checkNothingIsLeft(this.#accounts, this.part)
  }
}

/** Plays one sequence; throws with its seed and moves if something does not hold. */
export function playSequence(seed: number): number {
  const world = new World(seed)
  try {
    const length = 4 + (seed % 17)
    for (let at = 0; at < length; at++) world.step()
    world.finish()
    return world.trace.length
  } catch (error) {
    throw new Error(`Sequence ${seed}: ${(error as Error).message}\n${world.trace.join('\n')}`, { cause: error })
  }
}
