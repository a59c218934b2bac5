import { createHmac } from 'node:crypto'
import type { Realm } from '@purlin/contract/identity.ts'
import type { Db } from '@purlin/server/foundation/platform/index.ts'
import { type Account, normalizeEmail } from './accounts.ts'
import type { Visit } from './visit.ts'

/** Networks of an account's earlier sign-ins, as keyed hashes: a new browser at home is no stranger's. */

const remember = {
  name: 'identity.remember-network',
  text: `insert into identity.known_network (realm, account_id, mark) values ($1, $2, $3)
    on conflict (realm, account_id, mark) do update set seen_at = now()`,
}
const isKnown = {
  name: 'identity.is-known-network',
  text: `select 1 from identity.known_network n join identity.account a on a.realm = n.realm and a.id = n.account_id
    where a.realm = $1 and a.email = $2 and n.mark = $3 and n.seen_at > now() - interval '90 days'`,
}
const purge = {
  name: 'identity.networks-purge',
  text: `delete from identity.known_network where ctid = any(array(
    select ctid from identity.known_network where seen_at < now() - interval '90 days' limit $1 for update skip locked))`,
}

type Place = Pick<Visit, 'context' | 'address'>

function markOf({ context, address }: Place, realm: Realm): string {
  return createHmac('sha256', context.cookieSecret).update(`network\n${realm}\n${address}`).digest('base64url')
}

export async function rememberNetwork(visit: Place, { realm, id }: Pick<Account, 'realm' | 'id'>): Promise<void> {
  await visit.context.pool.db.run(remember, [realm, id, markOf(visit, realm)])
}

/** Whether the account with this address was signed in to from the visitor's network; one look-up whether or not there is an account. */
export async function isKnownNetwork(visit: Place & Pick<Visit, 'realm'>, email: string): Promise<boolean> {
  const { realm, context } = visit
  return (await context.pool.db.row(isKnown, [realm, normalizeEmail(email), markOf(visit, realm)])) !== undefined
}

/** Deletes networks of long ago, `most` at most, and returns their number. */
export function purgeNetworks(db: Db, most: number): Promise<number> {
  return db.run(purge, [most])
}
