import type { Currency, Market, Mode } from '@purlin/contract/markets.ts'
import { eventValues, newId, storeEvents, type Db } from '#platform'
import { refundReturned, type KnownPayment, type Payment, type PaymentMethod, type PaymentState } from './payment.ts'
import type { ProviderPayment } from './provider.ts'

const columns = `p.id, p.customer_order_id as "customerOrderId", p.customer_id as "customerId", p.company_id as "companyId", p.placement, p.provider, p.state, p.amount, p.currency, p.market, p.mode, p.origin,
  p.method, p.captured, p.refunded, p.refunds_returned as "refundsReturned", p.provider_reference as "providerReference", p.frame_url as "frameUrl",
  p.failure_code as "failureCode", p.authorisations, p.card_brand as "cardBrand", p.card_last4 as "cardLast4", p.paid_with as "paidWith", p.abandoned`

/**
 * SQL that stores a payment with its event `payment.requested`, if `when` holds, as parts of a WITH list: the payment's is
 * called `name`, and has no row when the placement has its payment already. The parameters from `$from` on are `paymentValues`.
 */
export function insertPaymentAs(name: string, from: number, when: string): string {
  const $ = (index: number, type: string) => `$${from + index}::${type}`
  return `${name} as (
      insert into payments.payment (id, customer_order_id, placement, provider, state, amount, currency, market, mode, origin, customer_id, method, company_id)
      select ${$(0, 'uuid')}, ${$(1, 'text')}, ${$(2, 'integer')}, ${$(3, 'text')}, 'initiated', ${$(4, 'integer')}, ${$(5, 'text')}, ${$(6, 'text')},
        ${$(7, 'text')}, ${$(8, 'text')}, ${$(9, 'uuid')}, ${$(10, 'text')}, ${$(11, 'uuid')} where ${when}
      on conflict (customer_order_id, placement) do nothing returning id
    ), ${name}_noted as (
      ${storeEvents(from + 12, `exists (select 1 from ${name})`)}
    )`
}

export interface NewPayment {
  id: string
  customerOrderId: string
  customerId: string | null
  method: PaymentMethod
  companyId: string | null
  placement: number
  provider: string
  amount: number
  currency: Currency
  market: Market
  mode: Mode
  origin: string
}

export function paymentValues(payment: NewPayment): unknown[] {
  const { id, customerOrderId, customerId, method, companyId, placement, provider, amount, currency, market, mode, origin } = payment
  // A payment by invoice is read again: its request names the company.
  const asked = method === 'card' && { asked: { customerId, placement, amount, currency, market, mode, origin } }
  const event = eventValues('payment.requested', { paymentId: id, customerOrderId, ...asked })
  return [id, customerOrderId, placement, provider, amount, currency, market, mode, origin, customerId, method, companyId, ...event]
}

const selectOne = { name: 'payments.by-id', text: `select ${columns} from payments.payment p where p.id = $1` }
const lockOne = { name: 'payments.by-id-locked', text: `select ${columns} from payments.payment p where p.id = $1 for update` }
const selectSeveral = { name: 'payments.by-ids', text: `select ${columns} from payments.payment p where p.id = any($1::uuid[])` }
const selectByReference = {
  name: 'payments.by-reference',
  text: `select ${columns} from payments.payment p where p.provider = $1 and p.provider_reference = $2`,
}
const selectOfOrder = {
  name: 'payments.of-order',
  text: `select ${columns} from payments.payment p where p.customer_order_id = $1 order by p.placement desc limit 1`,
}
/** SQL: the payment of an order's latest placement as JSON, for a statement that reads the order. */
export const paymentJsonOf = (orderId: string): string =>
  `(select to_jsonb(pay) from (select ${columns} from payments.payment p where p.customer_order_id = ${orderId} order by p.placement desc limit 1) pay)`
const lockOfOrder = {
  name: 'payments.of-order-locked',
  text: `select ${columns} from payments.payment p where p.customer_order_id = $1 order by p.placement desc limit 1 for update`,
}

export function readPayment(db: Db, id: string): Promise<Payment | undefined> {
  return db.row<Payment>(selectOne, [id])
}

export function readPayments(db: Db, ids: readonly string[]): Promise<Payment[]> {
  return ids.length === 0 ? Promise.resolve([]) : db.rows<Payment>(selectSeveral, [ids])
}

export function lockPayment(db: Db, id: string): Promise<Payment | undefined> {
  return db.row<Payment>(lockOne, [id])
}

export function readPaymentByReference(db: Db, provider: string, reference: string): Promise<Payment | undefined> {
  return db.row<Payment>(selectByReference, [provider, reference])
}

/** The payment of the order's latest placement. */
export function readPaymentOfOrder(db: Db, customerOrderId: string): Promise<Payment | undefined> {
  return db.row<Payment>(selectOfOrder, [customerOrderId])
}

const byInvoice = {
  name: 'payments.orders-by-invoice',
  text: `select id from (select distinct on (customer_order_id) customer_order_id as id, method from payments.payment
      where customer_order_id = any($1::text[]) order by customer_order_id, placement desc) latest where method = 'invoice'`,
}

/** Those of these orders that are paid by invoice. */
export async function readOrdersByInvoice(db: Db, customerOrderIds: readonly string[]): Promise<Set<string>> {
  return new Set((await db.rows<{ id: string }>(byInvoice, [customerOrderIds])).map(({ id }) => id))
}

const selectStanding = {
  name: 'payments.standing-of-orders',
  text: `select distinct on (customer_order_id) customer_order_id as "customerOrderId", state, frame_url is not null as "hasFrame",
      abandoned is not null as "isAbandoned"
    from payments.payment where customer_order_id = any($1::text[]) order by customer_order_id, placement desc`,
}

/** Summary of the payment of an order's latest placement. */
export interface Standing {
  customerOrderId: string
  state: PaymentState
  hasFrame: boolean
  isAbandoned: boolean
}

/** For many orders in one query: used by waiting requests. */
export function readStandings(db: Db, customerOrderIds: readonly string[]): Promise<Standing[]> {
  return db.rows<Standing>(selectStanding, [customerOrderIds])
}

const about = {
  name: 'payments.about-orders',
  text: `select customer_order_id as "orderId", method, state, amount, currency, captured, refunded, card_brand as "cardBrand", card_last4 as "cardLast4",
      paid_with as "paidWith", created_at as "requestedAt"
    from payments.payment where customer_order_id = any($1) order by created_at, placement`,
}
/** The payments of these orders, one for each placement, oldest first: for their buyer's data export. Amounts in minor units. */
export function readPaymentsAbout(db: Db, customerOrderIds: readonly string[]): Promise<unknown[]> {
  return db.rows<object>(about, [customerOrderIds])
}

export function lockPaymentOfOrder(db: Db, customerOrderId: string): Promise<Payment | undefined> {
  return db.row<Payment>(lockOfOrder, [customerOrderId])
}

const lockMany = {
  name: 'payments.lock-of-orders',
  text: 'select id from payments.payment where customer_order_id = any($1) order by id for update',
}

/** Locks the payments of these orders, so that no refund is requested for them meanwhile. */
export async function lockPaymentsOfOrders(db: Db, customerOrderIds: readonly string[]): Promise<void> {
  await db.rows(lockMany, [customerOrderIds])
}

const update = {
  name: 'payments.step',
  text: `with stepped as (
      update payments.payment set state = $2, provider_reference = coalesce(provider_reference, $3), frame_url = coalesce(frame_url, $4),
        failure_code = $5, authorisations = authorisations + case when $14 and $2 = 'authorised' then 1 else 0 end, card_brand = coalesce($6, card_brand), card_last4 = coalesce($7, card_last4),
        paid_with = case when $14 then $19 else paid_with end,
        captured = greatest(captured, $8::integer), refunded = greatest(refunded, $9::integer),
        reduced = case when $14 then coalesce($20::integer, reduced) else reduced end,
        next_check_at = now() + interval '20 seconds', checks = 0, updated_at = now()
      where id = $1 and state = $11 and captured = $15 and refunded = $16 and abandoned is not distinct from $17
        and provider_reference is not distinct from $18
      returning id
    )
    insert into payments.transition (id, payment_id, from_state, to_state, cause, applied)
    select $10, id, $11, $12, $13, $14 from stepped`,
}

/** Records what the provider reported and the resulting transition, taken or not; false when the row has changed since it was read. */
export async function writeStep(
  db: Db,
  payment: KnownPayment,
  step: { state: PaymentState; seen: ProviderPayment; said: PaymentState; cause: string; applied: boolean },
): Promise<boolean> {
  const { seen } = step
  const written = await db.run(update, [
    payment.id,
    step.state,
    seen.reference,
    seen.frameUrl,
    step.state === 'failed' ? (seen.failureCode ?? payment.failureCode ?? 'declined') : null,
    seen.card?.brand ?? null,
    seen.card?.last4 ?? null,
    step.applied ? seen.captured : 0,
    step.applied ? seen.refunded : 0,
    newId(),
    payment.state,
    step.said,
    step.cause,
    step.applied,
    payment.captured,
    payment.refunded,
    payment.abandoned,
    payment.providerReference,
    seen.way ?? null,
    seen.reduced ?? null,
  ])
  return written === 1
}

const know = {
  name: 'payments.know-reference',
  text: `update payments.payment set provider_reference = coalesce(provider_reference, $2), frame_url = coalesce(frame_url, $3),
      next_check_at = now() + interval '20 seconds', updated_at = now()
    where id = $1 and (provider_reference is null or provider_reference = $2)`,
}

/** Stores the provider's reference and the address of the card fields. */
export async function writeReference(db: Db, id: string, { reference, frameUrl }: ProviderPayment): Promise<void> {
  if ((await db.run(know, [id, reference, frameUrl])) !== 1)
    throw new Error(`Payment ${id} already has a reference other than ${reference}`)
}

const abandon = {
  name: 'payments.abandon',
  text: `update payments.payment set abandoned = $2, updated_at = now() where id = $1 and abandoned is null`,
}

export async function markAbandoned(db: Db, id: string, why: 'expired' | 'voided'): Promise<void> {
  await db.run(abandon, [id, why])
}

const keepFailed = {
  name: 'payments.keep-failure',
  text: 'insert into payments.webhook_event (provider, event_id, type, provider_reference) values ($1, $2, $3, $4) on conflict do nothing',
}
/** Notes that a refund has failed, by the provider's id of the refund. False if that is known. */
export async function keepFailure(
  db: Db,
  provider: string,
  failed: { refundReference: string; type: string; reference: string },
): Promise<boolean> {
  return (await db.run(keepFailed, [provider, failed.refundReference, failed.type, failed.reference])) === 1
}

const returnMoney = {
  name: 'payments.return-refunded',
  text: `with before as (
      select id, state from payments.payment where id = $1 and refunded >= $2 and state in ('part-refunded', 'refunded') for update
    ), returned as (
      update payments.payment p set refunded = p.refunded - $2, refunds_returned = p.refunds_returned + $2,
        state = case when p.refunded = $2 then 'captured' else 'part-refunded' end
      from before where p.id = before.id
      returning p.id, before.state as was, p.state
    )
    insert into payments.transition (id, payment_id, from_state, to_state, cause, applied) select $3, id, was, state, $4, true from returned`,
}
/** A refund has failed after it was made: the payment has its money again, and a step that says so. False if it never gave back as much. */
export async function writeReturned(db: Db, id: string, amount: number): Promise<boolean> {
  return (await db.run(returnMoney, [id, amount, newId(), refundReturned])) === 1
}

const keepEvent = {
  name: 'payments.keep-event',
  text: `with kept as (
      insert into payments.webhook_event (provider, event_id, type, provider_reference) values ($1, $2, $3, $4) on conflict do nothing returning 1
    )
    select ${columns}, exists (select 1 from kept) as "isNew" from payments.payment p where p.id = $5 for update of p`,
}

/** Stores a message in the inbox and locks the row of its payment; `isNew` is false for a duplicate. */
export function keepWebhookEvent(
  db: Db,
  provider: string,
  event: { id: string; type: string; payment: ProviderPayment },
  paymentId: string,
): Promise<(Payment & { isNew: boolean }) | undefined> {
  return db.row(keepEvent, [provider, event.id, event.type, event.payment.reference, paymentId])
}

// With growing intervals: a buyer may spend half an hour at the card fields.
const due = {
  name: 'payments.due-checks',
  text: `update payments.payment p set checks = p.checks + 1, next_check_at = now() + least(15 * 2 ^ p.checks, 300) * interval '1 second'
    where p.id in (
      select id from payments.payment
      where state in ('initiated', 'action-required', 'authorised', 'failed') and next_check_at < now()
      order by next_check_at limit $1 for update skip locked)
    returning ${columns}`,
}

/** Payments that have been pending too long; the next check of each is scheduled. */
export function takeDueChecks(db: Db, limit: number): Promise<Payment[]> {
  return db.rows<Payment>(due, [limit])
}

const invoiceUse = {
  name: 'payments.invoice-use',
  text: `select coalesce(sum(greatest(0, amount - refunded - repaid)) filter (where refunded = 0 or repaid = 0), 0)::integer as used,
      coalesce(jsonb_agg(jsonb_build_object('id', id, 'amount', amount, 'refunded', refunded, 'reduced', reduced))
        filter (where refunded > 0 and repaid > 0), '[]') as mixed
    from payments.payment
    where company_id = any($1::uuid[]) and currency = $2
      and (state in ('captured', 'part-refunded') or (state in ('initiated', 'action-required', 'authorised') and abandoned is null))`,
}

/** A payment by invoice of which something was paid and something refunded: its claims say what is open. */
export interface MixedPayment {
  id: string
  amount: number
  refunded: number
  /** The part of `refunded` that was never invoiced; null if the provider did not report it. */
  reduced: number | null
}

/** What a company's orders by invoice, with those of the companies it was before, leave open in one currency, in minor units; and those that only their claims can tell. */
export async function readPaymentsByInvoice(
  db: Db,
  companyIds: readonly string[],
  currency: Currency,
): Promise<{ used: number; mixed: MixedPayment[] }> {
  return (await db.row<{ used: number; mixed: MixedPayment[] }>(invoiceUse, [companyIds, currency])) ?? { used: 0, mixed: [] }
}

const repay = {
  name: 'payments.repay',
  text: 'update payments.payment set repaid = $2, updated_at = now() where id = $1',
}
const lockRepaid = { name: 'payments.lock-repaid', text: 'select 1 from payments.payment where id = $1 for update' }

/** Records what a company has paid to the credit provider for a payment; the total is read while the payment is locked. */
export async function writeRepaid(db: Db, id: string, readTotal: () => Promise<number>): Promise<void> {
  await db.row(lockRepaid, [id])
  await db.run(repay, [id, await readTotal()])
}
