import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { SubscriptionPeriod } from './plan.ts'
import { latestSetupJson, setupFromJson, type Setup } from './setup-store.ts'

export type SubscriptionState = 'incomplete' | 'trialing' | 'active' | 'past-due' | 'ended'
export type EndReason = 'cancelled' | 'unpaid' | 'withdrawn'

export interface Subscription {
  id: string
  companyId: string
  /** The member who began it. */
  customerId: string
  market: Market
  origin: string
  state: SubscriptionState
  period: SubscriptionPeriod
  nextPeriod: SubscriptionPeriod | null
  hasTrial: boolean
  paidUntil: Date | null
  dueAt: Date | null
  anchorDay: number | null
  cancelsAtEnd: boolean
  charges: number
  provider: string | null
  providerCustomer: string | null
  cardReference: string | null
  cardBrand: string | null
  cardLast4: string | null
  cardExpiryYear: number | null
  cardExpiryMonth: number | null
  createdAt: Date
  endedAt: Date | null
  endReason: EndReason | null
}

const columns = `id, company_id as "companyId", customer_id as "customerId", market, origin, state, period, next_period as "nextPeriod",
  has_trial as "hasTrial", paid_until as "paidUntil", due_at as "dueAt", anchor_day as "anchorDay", cancels_at_end as "cancelsAtEnd", charges,
  provider, provider_customer as "providerCustomer", card_reference as "cardReference", card_brand as "cardBrand", card_last4 as "cardLast4",
  card_expiry_year as "cardExpiryYear", card_expiry_month as "cardExpiryMonth", created_at as "createdAt", ended_at as "endedAt", end_reason as "endReason"`

// In one statement: read on their own, a setup that is done could meet a subscription that has not begun.
const latest = {
  name: 'subscriptions.latest',
  text: `select found.*, ${latestSetupJson} as setup from (
    select ${columns} from subscriptions.subscription where company_id = $1 order by (state <> 'ended') desc, created_at desc limit 1) found`,
}
const lockLive = {
  name: 'subscriptions.lock-live',
  text: `select ${columns} from subscriptions.subscription where company_id = $1 and state <> 'ended' for update`,
}
const lockById = { name: 'subscriptions.lock', text: `select ${columns} from subscriptions.subscription where id = $1 for update` }
const byId = { name: 'subscriptions.by-id', text: `select ${columns} from subscriptions.subscription where id = $1` }
const had = {
  name: 'subscriptions.had',
  text: `select exists (select from subscriptions.subscription where company_id = any($1::uuid[]) and paid_until is not null) as had`,
}
// Two clicks at once: the second finds the row of the first.
const begin = {
  name: 'subscriptions.begin',
  text: `insert into subscriptions.subscription (id, company_id, customer_id, market, origin, state, period, has_trial, created_at)
    values ($1, $2, $3, $4, $5, 'incomplete', $6, $7, $8)
    on conflict (company_id) where state <> 'ended' do update set period = excluded.period, market = excluded.market, origin = excluded.origin,
      customer_id = excluded.customer_id, has_trial = excluded.has_trial where subscription.state = 'incomplete'
    returning ${columns}`,
}
/** SQL: the `Entitlement` of this company. */
function entitlementOf(company: string): string {
  return `select state, paid_until as "paidUntil", market, period from subscriptions.subscription
    where company_id = ${company} and state in ('trialing', 'active')`
}
const entitlement = {
  name: 'subscriptions.entitlement',
  text: entitlementOf('$1'),
}
const due = {
  name: 'subscriptions.due',
  text: `select ${columns} from subscriptions.subscription s where state in ('trialing', 'active') and due_at <= $1
      and not exists (select from subscriptions.charge c where c.subscription_id = s.id and c.state = 'due')
    order by due_at limit 50 for update skip locked`,
}
const trialsEnding = {
  name: 'subscriptions.trials-ending',
  text: `update subscriptions.subscription set reminded_for = due_at where id in (
      select id from subscriptions.subscription where state = 'trialing' and not cancels_at_end and due_at > $1 and due_at <= $2
        and reminded_for is distinct from due_at limit 50 for update skip locked)
    returning ${columns}`,
}

/** The company's subscription, or its last one, with the latest setup that promises what it says. */
export async function readLatest(db: Db, companyId: string): Promise<(Subscription & { setup: Setup | undefined }) | undefined> {
  const found = await db.row<Subscription & { setup: Setup | null }>(latest, [companyId])
  return found && { ...found, setup: setupFromJson(found.setup) }
}
export function readSubscription(db: Db, id: string): Promise<Subscription | undefined> {
  return db.row<Subscription>(byId, [id])
}
/** Changes to one subscription follow one another until the transaction ends. */
export function lockSubscription(db: Db, id: string): Promise<Subscription | undefined> {
  return db.row<Subscription>(lockById, [id])
}
const turn = { name: 'subscriptions.take-trial-turn', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' }

/** Until the transaction ends no other company of this one's number begins its trial. Taken before the lock of a subscription. */
export async function takeTrialTurn(db: Db, firstCompanyId: string): Promise<void> {
  await db.run(turn, [`subscriptions trial ${firstCompanyId}`])
}
export function lockLiveOf(db: Db, companyId: string): Promise<Subscription | undefined> {
  return db.row<Subscription>(lockLive, [companyId])
}
/** Whether one of these companies was ever subscribed. */
export async function hadSubscription(db: Db, companyIds: readonly string[]): Promise<boolean> {
  return (await db.row<{ had: boolean }>(had, [companyIds]))?.had ?? false
}

export type NewSubscription = Pick<
  Subscription,
  'id' | 'companyId' | 'customerId' | 'market' | 'origin' | 'period' | 'hasTrial' | 'createdAt'
>

/** Undefined when the company is subscribed already; one without a card takes the new choice. */
export function beginSubscription(db: Db, begun: NewSubscription): Promise<Subscription | undefined> {
  const { id, companyId, customerId, market, origin, period, hasTrial, createdAt } = begun
  return db.row<Subscription>(begin, [id, companyId, customerId, market, origin, period, hasTrial, createdAt])
}

export type Entitlement = Pick<Subscription, 'state' | 'paidUntil' | 'market' | 'period'>
/** SQL: the same as JSON, to embed in another statement; `entitlementFromJson` parses it. */
export const entitlementJsonOf = (company: string): string => `(select row_to_json(own) from (${entitlementOf(company)}) own)`
export function entitlementFromJson(json: object): Entitlement {
  const found = json as Omit<Entitlement, 'paidUntil'> & { paidUntil: string | null }
  return { ...found, paidUntil: found.paidUntil === null ? null : new Date(found.paidUntil) }
}
export function readEntitlement(db: Db, companyId: string): Promise<Entitlement | undefined> {
  return db.row<Entitlement>(entitlement, [companyId])
}

/** Locked: those whose next charge is due and not requested. */
export function takeDue(db: Db, now: Date): Promise<Subscription[]> {
  return db.rows<Subscription>(due, [now])
}
/** Trials that end before an instant, each once. */
export function takeEndingTrials(db: Db, now: Date, before: Date): Promise<Subscription[]> {
  return db.rows<Subscription>(trialsEnding, [now, before])
}

const write = {
  name: 'subscriptions.write',
  text: `update subscriptions.subscription set state = $2, period = $3, next_period = $4, paid_until = $5, due_at = $6, anchor_day = $7,
      cancels_at_end = $8, charges = $9, provider = $10, provider_customer = $11, card_reference = $12, card_brand = $13, card_last4 = $14,
      card_expiry_year = $15, card_expiry_month = $16, ended_at = $17, end_reason = $18, has_trial = $19
    where id = $1`,
}

/** Writes a locked subscription. */
export async function writeSubscription(db: Db, changed: Subscription): Promise<void> {
  const { id, state, period, nextPeriod, paidUntil, dueAt, anchorDay, cancelsAtEnd, charges, provider, providerCustomer } = changed
  const { cardReference, cardBrand, cardLast4, cardExpiryYear, cardExpiryMonth, endedAt, endReason, hasTrial } = changed
  const head = [id, state, period, nextPeriod, paidUntil, dueAt, anchorDay, cancelsAtEnd, charges, provider, providerCustomer]
  await db.run(write, [...head, cardReference, cardBrand, cardLast4, cardExpiryYear, cardExpiryMonth, endedAt, endReason, hasTrial])
}

// The references stay: a request that is repeated under its key must not change.
const dropCards = {
  name: 'subscriptions.drop-cards',
  text: `update subscriptions.subscription set card_brand = null, card_last4 = null, card_expiry_year = null, card_expiry_month = null
    where company_id = $1 and provider is not null and provider_customer is not null
    returning provider, provider_customer as reference`,
}
/** Removes what is stored of a company's cards. Returns its customers at the provider. */
export async function dropCardsOf(db: Db, companyId: string): Promise<{ provider: string; reference: string }[]> {
  return db.rows<{ provider: string; reference: string }>(dropCards, [companyId])
}

const begunBy = {
  name: 'subscriptions.begun-by',
  text: `select market, period, has_trial as "hasTrial", case when $3 then state end as state, case when $3 then paid_until end as "paidUntil", card_brand as "cardBrand", card_last4 as "cardLast4",
      card_expiry_year as "cardExpiryYear", card_expiry_month as "cardExpiryMonth", created_at as "createdAt",
      case when $3 then ended_at end as "endedAt"
    from subscriptions.subscription where company_id = $1 and customer_id = $2 order by created_at`,
}
/**
 * The company's subscriptions that this person began, with their cards: for the person's data export. What became of them is left out once
 * the person is no member any more.
 */
export function readSubscriptionsBegunBy(
  db: Db,
  { companyId, customerId, isMember }: { companyId: string; customerId: string; isMember: boolean },
): Promise<unknown[]> {
  return db.rows<object>(begunBy, [companyId, customerId, isMember])
}
