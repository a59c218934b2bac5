import type { Currency } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { SubscriptionPeriod, SubscriptionTreatment } from './plan.ts'

export type ChargeState = 'due' | 'paid' | 'failed' | 'abandoned' | 'refunding' | 'refunded'

/** The price of one period. Minor units. */
export interface Charge {
  id: string
  subscriptionId: string
  sequence: number
  period: SubscriptionPeriod
  dueAt: Date
  net: number
  vat: number
  gross: number
  rateBp: number
  treatment: SubscriptionTreatment
  currency: Currency
  state: ChargeState
  /** Declined attempts. */
  attempts: number
  nextAttemptAt: Date | null
  reference: string | null
  failure: string | null
  periodStart: Date | null
  periodEnd: Date | null
  paidAt: Date | null
}

const columns = `id, subscription_id as "subscriptionId", sequence, period, due_at as "dueAt", net, vat, gross, rate_bp as "rateBp", treatment, currency,
  state, attempts, next_attempt_at as "nextAttemptAt", reference, failure, period_start as "periodStart", period_end as "periodEnd", paid_at as "paidAt"`
const byId = { name: 'subscriptions.charge', text: `select ${columns} from subscriptions.charge where id = $1` }
const insert = {
  name: 'subscriptions.insert-charge',
  text: `insert into subscriptions.charge (id, subscription_id, sequence, period, due_at, net, vat, gross, rate_bp, treatment, currency, state, next_attempt_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'due', $12)`,
}
// Given out for a while: what is lost with a worker is found again.
const attempts = {
  name: 'subscriptions.due-attempts',
  text: `update subscriptions.charge set next_attempt_at = $1::timestamptz + interval '10 minutes' where id in (
      select id from subscriptions.charge where state = 'due' and next_attempt_at <= $1 order by next_attempt_at limit 50 for update skip locked)
    returning id`,
}
const open = {
  name: 'subscriptions.open-charge',
  text: `select ${columns} from subscriptions.charge where subscription_id = $1 and state = 'due'`,
}
const first = {
  name: 'subscriptions.first-paid',
  text: `select ${columns} from subscriptions.charge where paid_at is not null
      and subscription_id in (select id from subscriptions.subscription where company_id = any($1::uuid[]))
    order by paid_at limit 1`,
}
const write = {
  name: 'subscriptions.write-charge',
  text: `update subscriptions.charge set state = $2, attempts = $3, next_attempt_at = $4, reference = $5, failure = $6, period_start = $7,
      period_end = $8, paid_at = $9, refunded_at = $10 where id = $1`,
}

export function readCharge(db: Db, id: string): Promise<Charge | undefined> {
  return db.row<Charge>(byId, [id])
}
export type NewCharge = Omit<Charge, 'state' | 'attempts' | 'reference' | 'failure' | 'periodStart' | 'periodEnd' | 'paidAt'>
export async function insertCharge(db: Db, charge: NewCharge): Promise<void> {
  const { id, subscriptionId, sequence, period, dueAt, net, vat, gross, rateBp, treatment, currency, nextAttemptAt } = charge
  await db.run(insert, [id, subscriptionId, sequence, period, dueAt, net, vat, gross, rateBp, treatment, currency, nextAttemptAt])
}
/** Ids of the charges to attempt now. */
export async function takeAttempts(db: Db, now: Date): Promise<string[]> {
  return (await db.rows<{ id: string }>(attempts, [now])).map(({ id }) => id)
}
export function readOpenCharge(db: Db, subscriptionId: string): Promise<Charge | undefined> {
  return db.row<Charge>(open, [subscriptionId])
}
/** The first payment of any of these companies. */
export function readFirstPaid(db: Db, companyIds: readonly string[]): Promise<Charge | undefined> {
  return db.row<Charge>(first, [companyIds])
}
/** Writes a charge, whose subscription the caller has locked. */
export async function writeCharge(db: Db, changed: Charge & { refundedAt?: Date }): Promise<void> {
  const { id, state, attempts: declined, nextAttemptAt, reference, failure, periodStart, periodEnd, paidAt, refundedAt = null } = changed
  await db.run(write, [id, state, declined, nextAttemptAt, reference, failure, periodStart, periodEnd, paidAt, refundedAt])
}
