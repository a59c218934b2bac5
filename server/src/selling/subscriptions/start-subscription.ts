import { authorize, companyOf, companyWithFormer, customerIdOf } from '#accounts'
import { isConfirmedCompany } from '#companies'
import { enqueue, newId, type Db, type Scope } from '#platform'
import { companyTaxOwner, readTaxRecord } from '#tax'
import { insertSetup, readLatestSetup } from './setup-store.ts'
import { beginSubscription, hadSubscription, lockLiveOf, type Subscription } from './store.ts'
import { dayMs, type SubscriptionPeriod } from './plan.ts'

export type SubscriptionRefusal =
  | 'not-allowed'
  | 'already-subscribed'
  | 'billing-details-missing'
  | 'not-subscribed'
  | 'withdrawal-over'
  | 'in-payment'
export type Changed = { ok: true } | { ok: false; reason: SubscriptionRefusal }

/** Providers close forms that were never completed after about a day. */
const setupMs = dayMs

/** Chooses a plan; the card follows. A company has one subscription, however often and by whomever it is requested. */
export async function startSubscription(scope: Scope, period: SubscriptionPeriod): Promise<Changed> {
  const companyId = companyOf(scope)
  const customerId = customerIdOf(scope)
  if (companyId === null || customerId === null || !authorize(scope, 'subscription.change', { companyId }))
    return { ok: false, reason: 'not-allowed' }
  const record = await readTaxRecord(scope.db, companyTaxOwner(companyId))
  if (!record?.line1 || !record.postcode || !record.city || !record.country) return { ok: false, reason: 'billing-details-missing' }
  const begun = await beginSubscription(scope.db, {
    id: newId(),
    companyId,
    customerId,
    market: scope.market,
    origin: scope.origin,
    period,
    hasTrial: (await trialOf(scope.db, companyId)) === 'available',
    createdAt: scope.now,
  })
  if (!begun) return { ok: false, reason: 'already-subscribed' }
  await requestSetup(scope, begun)
  return { ok: true }
}

/**
 * A company's first subscription begins with a trial. It has to be confirmed first: registering costs nothing, so that a new company every
 * month would never pay. Nor does one that was closed and opened anew begin again.
 */
export async function trialOf(db: Db, companyId: string): Promise<'available' | 'used' | 'unconfirmed'> {
  if (await hadSubscription(db, await companyWithFormer(db, companyId))) return 'used'
  return (await isConfirmedCompany(db, companyId)) ? 'available' : 'unconfirmed'
}

/**
 * Requests a card, to begin with or instead of the present one. An open form is used again if its page promises the same and its button does
 * what it says: one that was shown with another plan, or before a charge was overdue, may still be filled in there.
 */
export async function requestSetup(scope: Pick<Scope, 'db' | 'now'>, subscription: Subscription): Promise<void> {
  const { id: subscriptionId, state, market, period, hasTrial } = subscription
  const promised = state === 'incomplete' ? { market, period, hasTrial } : null
  const pays = state === 'incomplete' ? null : state === 'past-due'
  const known = await readLatestSetup(scope.db, subscriptionId, { promised, pays })
  const isOpen = known?.state === 'requested' || known?.state === 'open'
  if (known && isOpen && scope.now.getTime() - known.createdAt.getTime() < setupMs) return
  const id = newId()
  await insertSetup(scope.db, { id, subscriptionId, createdAt: scope.now, promised, pays })
  await enqueue(scope.db, { name: 'subscriptions.set-up', key: id, payload: { setupId: id } })
}

/** The company's live subscription, locked, for those who may change it. */
export async function lockOwn(scope: Scope): Promise<Subscription | undefined> {
  const companyId = companyOf(scope)
  if (companyId === null || !authorize(scope, 'subscription.change', { companyId })) return undefined
  return lockLiveOf(scope.db, companyId)
}
