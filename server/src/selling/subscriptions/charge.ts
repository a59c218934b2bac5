import { subscriptionCharge, payLabel, paymentProvider, ProviderRefusal, type ProviderPayment } from '#payments'
import { book } from '#ledger'
import { enqueue, newId, type Db, type JobScope } from '#platform'
import { insertCharge, readCharge, takeAttempts, writeCharge, type Charge } from './charge-store.ts'
import { nextAttempt, periodStart } from './dunning.ts'
import { mailCompany } from './mail-company.ts'
import { endedMail, failedMail, trialEndsMail } from './mails.ts'
import { anchorOf, dayMs, periodEnd } from './plan.ts'
import { priceForCompany } from './price-for-company.ts'
import { lockSubscription, readSubscription, takeDue, takeEndingTrials, writeSubscription, type Subscription } from './store.ts'

/** Requests what is due: a charge for each new period, and another attempt where one was declined. Runs every minute. */
export async function renewDue(scope: JobScope): Promise<void> {
  const { db, now } = scope
  for (const subscription of await takeDue(db, now)) {
    if (subscription.cancelsAtEnd) await endSubscription(scope, subscription, 'cancelled')
    else await requestCharge(scope, subscription)
  }
  for (const chargeId of await takeAttempts(db, now))
    await enqueue(db, { name: 'subscriptions.charge', key: chargeId, payload: { chargeId } })
}

/** Reminds of trials that end within three days. */
export async function remindOfTrials(scope: JobScope): Promise<void> {
  const before = new Date(scope.now.getTime() + 3 * dayMs)
  for (const subscription of await takeEndingTrials(scope.db, scope.now, before))
    await mailCompany(scope, subscription, trialEndsMail, `${subscription.id}:trial`)
}

async function requestCharge(scope: JobScope, subscription: Subscription): Promise<void> {
  const { db, now } = scope
  const { id: subscriptionId, nextPeriod, dueAt } = subscription
  const period = nextPeriod ?? subscription.period
  const sequence = subscription.charges + 1
  const price = await priceForCompany(scope, subscription, period)
  await insertCharge(db, { id: newId(), subscriptionId, sequence, period, dueAt: dueAt ?? now, ...price, nextAttemptAt: now })
  await writeSubscription(db, { ...subscription, period, nextPeriod: null, charges: sequence })
}

/** The outcome of an attempt. */
export interface Attempt {
  number: number
  reference: string
  seen: ProviderPayment
}

/**
 * One attempt with the company's card. A period has one intent at the provider, which can be captured once: a worker that
 * died between the charge and its note, a slow response and a second worker all find the same one.
 */
export async function attemptCharge(db: Db, chargeId: string, signal: AbortSignal): Promise<Attempt | null> {
  const charge = await readCharge(db, chargeId)
  const subscription = charge && (await readSubscription(db, charge.subscriptionId))
  if (charge?.state !== 'due' || !subscription?.cardReference) return null
  const reference = await intentOf(charge, subscription, signal)
  const number = charge.attempts + 1
  const { cardReference } = subscription
  // The response to an earlier attempt may be lost, and the card replaced since: no second card pays what the first has paid.
  const before = await paymentProvider().retrieve(reference, { signal })
  if (before.captured > 0) return { number, reference, seen: before }
  const key = `subscription-${charge.id}-${number}-${cardReference}`
  const seen = await paymentProvider()
    .chargeSaved(reference, cardReference, { key, signal })
    .catch((error: unknown) => {
      // A card that the provider no longer has, or an intent that has been voided: the intent says how it stands.
      if (error instanceof ProviderRefusal) return paymentProvider().retrieve(reference, { signal })
      throw error
    })
  return { number, reference, seen }
}

/** The same intent for a charge on every call. */
export async function intentOf(charge: Charge, { market, origin, providerCustomer }: Subscription, signal: AbortSignal): Promise<string> {
  if (charge.reference !== null) return charge.reference
  const { id, gross: amount, currency } = charge
  const wish = {
    paymentId: `${subscriptionCharge}${id}`,
    customerOrderId: `Purlin Pro ${charge.sequence}`,
    amount,
    currency,
    market,
    payLabel: payLabel(market),
    returnUrl: `${origin}/subscription-management`,
    shopOrigin: origin,
    customer: providerCustomer,
  }
  return (await paymentProvider().createIntent(wish, { key: `subscription-${id}-intent`, signal })).reference
}

/** Notes an attempt, once: what was noted before changes nothing. */
export async function noteAttempt(scope: JobScope, chargeId: string, { number, reference, seen }: Attempt): Promise<void> {
  const { db, now } = scope
  const before = await readCharge(db, chargeId)
  const subscription = before && (await lockSubscription(db, before.subscriptionId))
  const charge = await readCharge(db, chargeId)
  if (!subscription || charge?.state !== 'due') return
  const known = { ...charge, reference }
  if (seen.captured > 0) return notePaid(scope, subscription, known)
  if (charge.attempts >= number) return
  const nextAttemptAt = nextAttempt(number, now)
  const failure = seen.failureCode ?? 'declined'
  await writeCharge(db, { ...known, attempts: number, failure, state: nextAttemptAt ? 'due' : 'failed', nextAttemptAt })
  if (!nextAttemptAt) {
    await voidLater(db, chargeId)
    return endSubscription(scope, subscription, 'unpaid')
  }
  await writeSubscription(db, { ...subscription, state: 'past-due' })
  await mailCompany(scope, subscription, failedMail, `${chargeId}:${number}`, { at: nextAttemptAt, charge })
}

async function notePaid(scope: JobScope, subscription: Subscription, charge: Charge): Promise<void> {
  const { db, now } = scope
  const start = periodStart(charge.dueAt, now)
  const { market } = subscription
  const anchorDay = anchorOf(market, start, subscription.anchorDay)
  const end = periodEnd(market, start, charge.period, anchorDay)
  await writeCharge(db, { ...charge, state: 'paid', nextAttemptAt: null, failure: null, periodStart: start, periodEnd: end, paidAt: now })
  await writeSubscription(db, { ...subscription, state: 'active', paidUntil: end, dueAt: end, anchorDay })
  await bookCharge(db, subscription, charge, 'capture')
  scope.emit('subscription.charged', { ...factsOf(subscription, charge), periodStart: start.toISOString(), periodEnd: end.toISOString() })
}

/** The payload of events about a charge, from which invoices are issued. */
export function factsOf({ companyId, customerId, market }: Subscription, charge: Charge) {
  const { id: chargeId, subscriptionId, period, net, vat, gross, rateBp, treatment, currency } = charge
  return { chargeId, subscriptionId, companyId, customerId, market, period, net, vat, gross, rateBp, treatment, currency }
}

export async function bookCharge(
  db: Db,
  { provider }: Subscription,
  { id, gross, net, vat, currency }: Charge,
  kind: 'capture' | 'refund',
) {
  const sign = kind === 'capture' ? 1 : -1
  const entries = [
    { account: `provider:${provider ?? ''}`, amount: sign * gross },
    { account: 'subscriptions', amount: -sign * net },
    { account: 'vat-on-subscriptions', amount: -sign * vat },
  ] as const
  await book(db, {
    key: `subscription-${kind}:${id}`,
    kind,
    customerOrderId: `subscription:${id}`,
    currency,
    entries: entries.filter(({ amount }) => amount !== 0),
  })
}

/** An intent that must not be captured any more is voided; what was captured meanwhile is paid back. */
export async function voidLater(db: Db, chargeId: string): Promise<void> {
  await enqueue(db, { name: 'subscriptions.void', key: chargeId, payload: { chargeId } })
}

export async function endSubscription(
  scope: JobScope,
  subscription: Subscription,
  endReason: 'cancelled' | 'unpaid' | 'withdrawn',
): Promise<void> {
  const ended = { ...subscription, state: 'ended', endReason, endedAt: scope.now, dueAt: null, nextPeriod: null } as const
  await writeSubscription(scope.db, ended)
  await mailCompany(scope, ended, endedMail, `${subscription.id}:ended`)
}
