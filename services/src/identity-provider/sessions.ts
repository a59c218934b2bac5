import type { Realm } from '@purlin/contract/identity.ts'
import type { Provider } from 'oidc-provider'
import type { Db } from '@purlin/server/foundation/platform/index.ts'
import type { Account } from './accounts.ts'
import type { IdentityContext } from './context.ts'

const sessionBySid = {
  name: 'identity.session-by-sid',
  text: `select uid from identity.artifact, jsonb_each(payload -> 'authorizations') as client
    where realm = $1 and model = 'Session' and account_id = $2::uuid and client.value ->> 'sid' = $3 limit 1`,
}
const endGrants = {
  name: 'identity.session-end',
  text: `with gone as (delete from identity.artifact where realm = $1 and model = 'Session' and uid = $2 returning payload),
    forgotten as (delete from identity.device where realm = $1 and session_uid = $2),
    ended as (select client.value ->> 'grantId' as id from gone, jsonb_each(coalesce(payload -> 'authorizations', '{}')) as client)
    delete from identity.artifact where realm = $1
      and (grant_id in (select id from ended) or (model = 'Grant' and id in (select id from ended)))`,
}

const endAll = {
  name: 'identity.sessions-end-all',
  text: `with gone as (delete from identity.artifact where realm = $1 and account_id = $2::uuid and model = 'Session'
      and ($3::text is null or uid <> $3) returning payload, uid),
    ended as (select client.value ->> 'grantId' as id from gone, jsonb_each(coalesce(payload -> 'authorizations', '{}')) as client),
    forgotten as (delete from identity.device where realm = $1 and session_uid in (select uid from gone))
    delete from identity.artifact where realm = $1
      and (grant_id in (select id from ended) or (model = 'Grant' and id in (select id from ended)))`,
}

/** Ends every session of an account, on all its devices, or on all but one. */
export async function endSessionsOf(db: Db, { realm, id }: Pick<Account, 'realm' | 'id'>, except: string | null = null): Promise<void> {
  await db.run(endAll, [realm, id, except])
}

/** The uid of the session an ID token names. */
export async function findSessionBySid({ pool }: IdentityContext, realm: Realm, sub: string, sid: string): Promise<string | undefined> {
  return (await pool.db.row<{ uid: string }>(sessionBySid, [realm, sub, sid]))?.uid
}

/** Ends a session and every token that was given out in it. */
export async function endSession({ pool }: IdentityContext, realm: Realm, uid: string): Promise<void> {
  await pool.db.run(endGrants, [realm, uid])
}

export async function endSessionOfToken(context: IdentityContext, realm: Realm, provider: Provider, refreshToken: string): Promise<void> {
  const token = await provider.RefreshToken.find(refreshToken)
  if (token?.sessionUid) await endSession(context, realm, token.sessionUid)
}
