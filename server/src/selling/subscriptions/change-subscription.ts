import { companyWithFormer } from '#accounts'
import { isConfirmedCompany } from '#companies'
import { deleteProviderCustomer } from '#payments'
import { enqueue, type JobScope, type Scope } from '#platform'
import { endSubscription, voidLater } from './charge.ts'
import { readFirstPaid, readOpenCharge, writeCharge, type Charge } from './charge-store.ts'
import { dayMs, withdrawalDays, type SubscriptionPeriod } from './plan.ts'
import { lockOwn, requestSetup, type Changed } from './start-subscription.ts'
import { dropCardsOf, lockLiveOf, writeSubscription, type Subscription } from './store.ts'

const gone = { ok: false, reason: 'not-subscribed' } as const

/** The other period applies from the next charge on; choosing the present one takes a change back. */
export async function changePeriod(scope: Scope, period: SubscriptionPeriod): Promise<Changed> {
  const own = await lockOwn(scope)
  if (!own || own.state === 'incomplete') return gone
  // The price of the period under way has been requested already.
  if (await readOpenCharge(scope.db, own.id)) return { ok: false, reason: 'in-payment' }
  // Nothing has been paid in a trial: the choice itself changes.
  const change = own.state === 'trialing' ? { period, nextPeriod: null } : { nextPeriod: period === own.period ? null : period }
  await writeSubscription(scope.db, { ...own, ...change })
  return { ok: true }
}

/** Cancels at the end of the trial or of the paid period; one that is past due, or has no card yet, ends at once. */
export async function cancelSubscription(scope: Scope): Promise<Changed> {
  const own = await lockOwn(scope)
  if (!own) return gone
  const open = await readOpenCharge(scope.db, own.id)
  if (own.state !== 'incomplete' && own.state !== 'past-due' && !open) {
    await writeSubscription(scope.db, { ...own, cancelsAtEnd: true })
    return { ok: true }
  }
  await endNow(scope, own, open)
  return { ok: true }
}

async function endNow(scope: Scope | JobScope, own: Subscription, open: Charge | undefined): Promise<void> {
  if (open) {
    await writeCharge(scope.db, { ...open, state: 'abandoned', nextAttemptAt: null })
    await voidLater(scope.db, open.id)
  }
  await endSubscription(scope, own, 'cancelled')
}

/** A company whose last member is gone is charged nothing more, and its card is deleted here and at the provider. */
export async function closeSubscriptionOf(scope: JobScope, companyId: string): Promise<void> {
  const live = await lockLiveOf(scope.db, companyId)
  if (live) await endNow(scope, live, await readOpenCharge(scope.db, live.id))
  for (const customer of await dropCardsOf(scope.db, companyId)) await deleteProviderCustomer(scope.db, customer)
}

export async function resumeSubscription(scope: Scope): Promise<Changed> {
  const own = await lockOwn(scope)
  if (!own?.cancelsAtEnd) return gone
  await writeSubscription(scope.db, { ...own, cancelsAtEnd: false })
  return { ok: true }
}

/** A card instead of the present one; what is due is charged to it at once. */
export async function changeCard(scope: Scope): Promise<Changed> {
  const own = await lockOwn(scope)
  // The first card belongs to the choice of a plan, which says whether there is a trial.
  if (!own || own.state === 'incomplete') return gone
  await requestSetup(scope, own)
  return { ok: true }
}

/** Ends at once within fourteen days of the first payment, which is paid back in full. Once per company. */
export async function withdrawSubscription(scope: Scope): Promise<Changed> {
  const own = await lockOwn(scope)
  if (!own) return gone
  const first = await withdrawablePayment(scope, own)
  if (!first) return { ok: false, reason: 'withdrawal-over' }
  await writeCharge(scope.db, { ...first, state: 'refunding' })
  await enqueue(scope.db, { name: 'subscriptions.refund', key: first.id, payload: { chargeId: first.id } })
  await endSubscription(scope, own, 'withdrawn')
  return { ok: true }
}

/** The payment that a withdrawal returns: the first that the company ever made, for fourteen days. The company must be confirmed. */
export async function withdrawablePayment(
  { db, now }: Pick<Scope, 'db' | 'now'>,
  { id, companyId, state }: Subscription,
): Promise<Charge | undefined> {
  if (state !== 'active') return undefined
  const first = await readFirstPaid(db, await companyWithFormer(db, companyId))
  if (first?.subscriptionId !== id || first.state !== 'paid' || first.paidAt === null) return undefined
  const isInTime = now.getTime() - first.paidAt.getTime() < withdrawalDays * dayMs
  return isInTime && (await isConfirmedCompany(db, companyId)) ? first : undefined
}
