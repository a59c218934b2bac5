import { randomBytes } from 'node:crypto'
import { hasExpired } from './card-number.ts'
import type { ChargebackEnd, DeclineReason, TestCard } from './demo-cards.ts'
import type { ChargedCard } from './saved-cards.ts'
import type { Way } from './ways.ts'

export type IntentStatus =
  | 'requires_card'
  | 'requires_action'
  | 'authorised'
  | 'captured'
  | 'declined'
  | 'voided'
  | 'part_refunded'
  | 'refunded'

/** A requested payment. Amounts in minor units. Of a card only brand and last four digits are ever stored. */
export interface Intent {
  id: string
  status: IntentStatus
  amount: number
  currency: string
  captured: number
  refunded: number
  /** The shop's own reference. */
  reference: string
  description: string
  market: Market
  payLabel: string
  returnUrl: string
  frameOrigin: string
  /** Offered besides cards. */
  ways?: readonly Way[]
  /** Its holder may enter a card: part of the page's address. */
  secret: string
  failure: DeclineReason | 'capture-declined' | null
  /** The wallet or credit chosen last; a card otherwise. */
  way?: Way | null
  card: { brand: string; last4: string } | null
  /** Delivery of its messages, determined by the card entered. */
  messages: TestCard['messages'] | null
  captureDeclined: boolean
  /** The bank refuses refunds to the card, as it does for closed accounts. */
  refundDeclined?: boolean
  /** The buyer's bank takes the money back after the capture, and decides in the end, or never. */
  chargedBack?: ChargebackEnd | undefined
  /** When it decides; set by the capture. */
  decidesAt?: number
  /** The customer whose saved cards may pay for it, and who may save one. */
  customer: string | null
  /** The card entered, to be saved on authorisation. */
  keeping: ChargedCard | null
  /** A set-up charges nothing: it saves a card for charges the customer does not attend. */
  isSetup?: boolean
  /** Of a completed set-up: the saved card. */
  setupCard?: string
  /** The pending challenge of the bank. */
  challenge: { kind: 'code' | 'silent'; tries: number } | null
  created: number
}

export const markets = ['es', 'fr', 'gb', 'de', 'it'] as const
export type Market = (typeof markets)[number]

export interface IntentRequest {
  amount: number
  currency: string
  reference: string
  description: string
  market: Market
  payLabel: string
  returnUrl: string
  frameOrigin: string
  customer: string | null
  /** Ways to pay besides cards that the shop offers for it. */
  ways?: readonly Way[]
}

export function newIntent(wish: IntentRequest, now: number): Intent {
  return {
    ...wish,
    id: `pi_${randomBytes(15).toString('base64url')}`,
    secret: randomBytes(24).toString('base64url'),
    status: 'requires_card',
    captured: 0,
    refunded: 0,
    failure: null,
    card: null,
    messages: null,
    captureDeclined: false,
    keeping: null,
    challenge: null,
    created: now,
  }
}

/** Whether a card may be entered for it. */
export function takesCard({ status }: Intent): boolean {
  return status === 'requires_card' || status === 'declined' || status === 'requires_action'
}

/** The effect of a card on an intent; the events report it to the shop, in order. With `keep` the card is saved on authorisation. */
export function useCard(intent: Intent, card: ChargedCard, now: Date, keep = false): { intent: Intent; events: string[] } {
  const used: Intent = {
    ...intent,
    way: null,
    card: { brand: card.brand, last4: card.last4 },
    messages: card.messages ?? null,
    captureDeclined: card.captureDeclined ?? false,
    refundDeclined: card.refundDeclined ?? false,
    chargedBack: card.chargedBack,
    keeping: keep && intent.customer !== null ? card : null,
    failure: null,
    challenge: null,
  }
  if (hasExpired(card.expiry, now)) return { intent: { ...used, status: 'declined', failure: 'expired-card' }, events: ['declined'] }
  switch (card.behaviour.kind) {
    case 'approve':
      return {
        intent: { ...used, status: 'authorised' },
        events: card.messages === 'reordered' ? ['requires_action', 'authorised'] : ['authorised'],
      }
    case 'challenge':
      return { intent: { ...used, status: 'requires_action', challenge: { kind: 'code', tries: 0 } }, events: ['requires_action'] }
    case 'abandon':
      return { intent: { ...used, status: 'requires_action', challenge: { kind: 'silent', tries: 0 } }, events: ['requires_action'] }
    case 'decline':
      return { intent: { ...used, status: 'declined', failure: card.behaviour.reason }, events: ['declined'] }
  }
}

/** Opens the page of a wallet or a credit, where the payment is confirmed. */
export function useWay(intent: Intent, way: Way): { intent: Intent; events: string[] } {
  const refusals = { captureDeclined: false, refundDeclined: false, chargedBack: undefined }
  const plain = { card: null, messages: null, ...refusals, keeping: null, failure: null }
  return {
    intent: { ...intent, ...plain, way, status: 'requires_action', challenge: { kind: 'code', tries: 0 } },
    events: ['requires_action'],
  }
}

/** A credit that is refused: nothing is owed, and another way may be chosen. */
export function refuseCredit(intent: Intent): { intent: Intent; events: string[] } {
  return { intent: { ...intent, status: 'declined', failure: 'credit-refused', challenge: null }, events: ['declined'] }
}

/** Charges a saved card without its owner: their mandate, authenticated at the set-up, stands in for a challenge. */
export function chargeSaved(intent: Intent, card: ChargedCard, now: Date): { intent: Intent; events: string[] } {
  if (['captured', 'part_refunded', 'refunded'].includes(intent.status)) return { intent, events: [] }
  if (!takesCard(intent)) throw new Refusal(409, 'not_chargeable', `An intent that is ${intent.status} cannot be charged`)
  const { kind } = card.behaviour
  const behaviour = kind === 'challenge' ? ({ kind: 'approve', authentication: 'none' } as const) : card.behaviour
  if (kind === 'abandon') return { intent: { ...intent, status: 'declined', failure: 'authentication-failed' }, events: ['declined'] }
  const used = useCard(intent, { ...card, behaviour }, now)
  if (used.intent.status !== 'authorised') return used
  const taken = capture(used.intent)
  return { intent: taken.intent, events: [...used.events, ...taken.events] }
}

/** Attempts at the bank's challenge before it is declined. */
export const challengeTries = 3

export function answerChallenge(intent: Intent, right: boolean | 'cancelled'): { intent: Intent; events: string[] } {
  // A silent bank receives nothing; only cancelling ends it.
  if (intent.challenge === null || (intent.challenge.kind === 'silent' && right !== 'cancelled')) return { intent, events: [] }
  if (right === true) return { intent: { ...intent, status: 'authorised', challenge: null }, events: ['authorised'] }
  const tries = intent.challenge.tries + 1
  if (right === 'cancelled' || tries >= challengeTries) {
    // A wallet or credit has no bank that could be to blame.
    const failure = intent.way ? 'not-confirmed' : 'authentication-failed'
    return { intent: { ...intent, status: 'declined', failure, challenge: null }, events: ['declined'] }
  }
  return { intent: { ...intent, challenge: { ...intent.challenge, tries } }, events: [] }
}

export class Refusal extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export function capture(intent: Intent): { intent: Intent; events: string[] } {
  if (intent.status === 'captured') return { intent, events: [] }
  if (intent.status !== 'authorised') throw new Refusal(409, 'not_capturable', `An intent that is ${intent.status} cannot be captured`)
  if (intent.captureDeclined)
    return { intent: { ...intent, status: 'declined', failure: 'capture-declined', captureDeclined: false }, events: ['declined'] }
  return { intent: { ...intent, status: 'captured', captured: intent.amount }, events: ['captured'] }
}

/** A captured intent stays captured: the response says so, and the shop refunds. */
export function voidIntent(intent: Intent): { intent: Intent; events: string[] } {
  if (['captured', 'part_refunded', 'refunded', 'voided'].includes(intent.status)) return { intent, events: [] }
  return { intent: { ...intent, status: 'voided', challenge: null }, events: ['voided'] }
}

/** Whether the money is with the buyer's bank: from the capture on, unless the bank has decided for the shop. */
function isDisputed({ chargedBack, decidesAt = Infinity }: Intent, now: number): boolean {
  return chargedBack !== undefined && !(chargedBack === 'won' && decidesAt <= now)
}

export function refund(intent: Intent, amount: number, now: number): { intent: Intent; events: string[] } {
  if (intent.captured === 0) throw new Refusal(409, 'not_refundable', `An intent that is ${intent.status} cannot be refunded`)
  if (!Number.isSafeInteger(amount) || amount <= 0 || intent.refunded + amount > intent.captured) {
    throw new Refusal(400, 'amount_too_large', 'More than was captured cannot be refunded')
  }
  if (isDisputed(intent, now)) throw new Refusal(409, 'charge_disputed', 'The owner of the card has charged the payment back')
  if (intent.refundDeclined) throw new Refusal(402, 'refund_declined', 'The bank refuses refunds to this card')
  const refunded = intent.refunded + amount
  const status = refunded === intent.captured ? 'refunded' : 'part_refunded'
  return { intent: { ...intent, refunded, status }, events: [status] }
}

/** An intent in the form of API and messages: without its secret. */
export function asWire(intent: Intent, origin: string): object {
  const { id, status, amount, currency, captured, refunded, reference, description, card, way = null, created } = intent
  return {
    id,
    status,
    amount,
    currency,
    captured,
    refunded,
    reference,
    description,
    card,
    way,
    failure_code: intent.failure,
    ...(intent.isSetup && { is_setup: true }),
    frame_url: `${origin}/pay/${id}?secret=${intent.secret}`,
    created: new Date(created).toISOString(),
  }
}

/** How a dispute about an intent stands; undefined if there is none. */
export function disputeStatus({ chargedBack, captured, decidesAt = Infinity }: Intent, now: number): ChargebackEnd | undefined {
  if (chargedBack === undefined || captured === 0) return undefined
  return decidesAt <= now ? chargedBack : 'open'
}

/** A dispute about an intent, as messages tell of it. */
export function disputeWire({ id, captured, currency }: Intent): object {
  return { id: `dp_${id.slice(3)}`, intent: id, amount: captured, currency, reason: 'fraudulent' }
}
