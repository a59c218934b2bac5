import { identitiesOf } from '#accounts'
import { enqueue, type Db } from '#platform'

/** Has a person's accounts at the identity provider deleted. Until then, their identities resolve to the closed account. */
export async function removeIdentities(db: Db, customerId: string): Promise<void> {
  for (const { issuer, subject } of await identitiesOf(db, customerId))
    await enqueue(db, { name: 'auth.remove-identity', key: `${issuer}/${subject}`, payload: { issuer, subject } })
}
