import { signInsAlive } from '#accounts'
import { enqueue, type Db } from '#platform'
import type { PersonalPush } from './message.ts'
import { readSubscriptionsOf, type CustomersSubscription } from './store.ts'

/** The subscriptions that a message to a customer goes to: those of this topic in browsers that are still signed in. */
export async function personalSubscriptions(
  db: Db,
  to: Pick<PersonalPush, 'customerId' | 'market' | 'mode' | 'topic'>,
): Promise<CustomersSubscription[]> {
  const all = await readSubscriptionsOf(db, to)
  const alive = new Set(
    await signInsAlive(
      db,
      all.flatMap(({ signInId }) => signInId ?? []),
    ),
  )
  return all.filter(({ signInId }) => signInId !== null && alive.has(signInId))
}

/** Whether a message on this topic would reach the customer in any browser. */
export async function isReachedByPush(db: Db, to: Pick<PersonalPush, 'customerId' | 'market' | 'mode' | 'topic'>): Promise<boolean> {
  return (await personalSubscriptions(db, to)).length > 0
}

/** Queues a push message to one customer in the caller's transaction. */
export async function pushTo(db: Db, message: PersonalPush): Promise<void> {
  await enqueue(db, { name: 'push.send-to', key: `${message.customerId} ${message.key}`, payload: message })
}
