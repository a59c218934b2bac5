import { enqueue, type Db } from '#platform'
import { smsProvider } from './provider-of-shop.ts'
import { deleteOldSms, deleteSmsOf } from './store.ts'

/** The provider deletes no message that is on its way. */
export const transitMs = 3_600_000

/** For the erasure of an account: its messages, also at the provider. */
export async function removeSmsOf(db: Db, customerId: string): Promise<void> {
  await removeAtProvider(db, await deleteSmsOf(db, customerId))
}

export async function forgetOldSms(db: Db): Promise<void> {
  await removeAtProvider(db, await deleteOldSms(db))
}

/** Has the provider delete these messages; retried until it has done so. */
export async function removeAtProvider(db: Db, references: readonly string[], runAt = new Date()): Promise<void> {
  if (!smsProvider()) return
  for (const reference of references) await enqueue(db, { name: 'sms.remove', key: reference, payload: { reference }, runAt })
}
