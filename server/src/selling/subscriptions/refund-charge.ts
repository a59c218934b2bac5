import { paymentProvider, type ProviderPayment } from '#payments'
import { enqueue, type Db, type JobScope } from '#platform'
import { bookCharge, factsOf, intentOf } from './charge.ts'
import { readCharge, writeCharge } from './charge-store.ts'
import { lockSubscription, readSubscription } from './store.ts'

/** Voids the intent of a charge that was given up. */
export async function voidCharge(db: Db, chargeId: string, signal: AbortSignal): Promise<ProviderPayment | null> {
  const charge = await readCharge(db, chargeId)
  const subscription = charge && (await readSubscription(db, charge.subscriptionId))
  if (!subscription || (charge.state !== 'abandoned' && charge.state !== 'failed')) return null
  return paymentProvider().void(await intentOf(charge, subscription, signal), { key: `subscription-${chargeId}-void`, signal })
}

export async function noteVoided(scope: JobScope, chargeId: string, seen: ProviderPayment): Promise<void> {
  const charge = await readCharge(scope.db, chargeId)
  const subscription = charge && (await lockSubscription(scope.db, charge.subscriptionId))
  if (!subscription || seen.captured <= seen.refunded) return
  await writeCharge(scope.db, { ...charge, state: 'refunding', reference: seen.reference })
  await enqueue(scope.db, { name: 'subscriptions.refund', key: chargeId, payload: { chargeId } })
}

export async function refundCharge(db: Db, chargeId: string, signal: AbortSignal): Promise<ProviderPayment | null> {
  const charge = await readCharge(db, chargeId)
  if (charge?.state !== 'refunding' || charge.reference === null) return null
  return paymentProvider().refund(charge.reference, charge.gross, { key: `subscription-${chargeId}-refund`, signal })
}

export async function noteRefunded(scope: JobScope, chargeId: string): Promise<void> {
  const charge = await readCharge(scope.db, chargeId)
  const subscription = charge && (await lockSubscription(scope.db, charge.subscriptionId))
  if (!subscription || charge.state !== 'refunding') return
  await writeCharge(scope.db, { ...charge, state: 'refunded', refundedAt: scope.now })
  // What was captured after the end was never booked, and has no invoice.
  if (charge.paidAt === null) return
  await bookCharge(scope.db, subscription, charge, 'refund')
  scope.emit('subscription.refunded', factsOf(subscription, charge))
}
