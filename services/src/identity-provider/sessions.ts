import { type Realm, issuerOf } from '@purlin/contract/identity.ts'
import { sessionsEnded, someSessionsEnded } from '@purlin/server/people/auth/provider-news.ts'
import type { Provider } from 'oidc-provider'
import type { Db } from '@purlin/server/foundation/platform/index.ts'
import type { Account } from './accounts.ts'
import type { IdentityContext } from './context.ts'

const tokens = `('AuthorizationCode', 'AccessToken', 'RefreshToken')`

const signInBySid = {
  name: 'identity.sign-in-by-sid',
  text: `select uid, null as "grantId" from identity.artifact, jsonb_each(payload -> 'authorizations') as client
      where realm = $1 and model = 'Session' and account_id = $2::uuid and client.value ->> 'sid' = $3
    union all
    select payload ->> 'sessionUid', grant_id from identity.artifact
      where realm = $1 and model in ${tokens} and account_id = $2::uuid and payload ->> 'sid' = $3`,
}
const endSignIn = {
  name: 'identity.sign-in-end',
  text: `with session as (delete from identity.artifact where realm = $1 and model = 'Session' and uid = $2),
    forgotten as (delete from identity.device where realm = $1 and session_uid = $2)
    delete from identity.artifact where realm = $1 and (grant_id = any($3) or (model = 'Grant' and id = any($3)))`,
}
const endAll = {
  name: 'identity.sessions-end-all',
  text: `with gone as (delete from identity.artifact where realm = $1 and account_id = $2::uuid
      and (model = 'Interaction' or (model = 'Session' and ($3::text is null or uid <> $3))
        or (model in ${tokens} and ($3::text is null or payload ->> 'sessionUid' is distinct from $3)))
      returning model, uid, grant_id),
    forgotten as (delete from identity.device where realm = $1
      and session_uid in (select uid from gone where model = 'Session'))
    delete from identity.artifact where realm = $1 and model = 'Grant' and id in (select grant_id from gone where model <> 'Interaction')`,
}
const endOne = {
  name: 'identity.session-end',
  text: `with gone as (delete from identity.artifact where realm = $1 and account_id = $2::uuid
      and ((model = 'Session' and uid = $3) or (model in ${tokens} and payload ->> 'sessionUid' = $3)) returning grant_id),
    forgotten as (delete from identity.device where realm = $1 and session_uid = $3)
    delete from identity.artifact where realm = $1 and model = 'Grant' and id in (select grant_id from gone)`,
}

type Owner = Pick<Account, 'realm' | 'id'>

type At = Pick<IdentityContext, 'url'>

/** An account as the shop knows it. */
export function identityOf({ url }: At, { realm, id }: Owner): { issuer: string; subject: string } {
  return { issuer: issuerOf(url, realm), subject: id }
}

/** Ends all sessions of an account, on all its devices, or on all but one, sign-ins under way, and with them the sessions of the shop. */
export async function endSessionsOf(db: Db, at: At, owner: Owner, except: string | null = null): Promise<void> {
  await db.run(endAll, [owner.realm, owner.id, except])
  await (except === null ? sessionsEnded : someSessionsEnded)(db, identityOf(at, owner))
}

/** Ends a browser session, and every token of every sign-in in it. */
export async function endSession(db: Db, at: At, owner: Owner, uid: string): Promise<void> {
  await db.run(endOne, [owner.realm, owner.id, uid])
  await someSessionsEnded(db, identityOf(at, owner))
}

/** One sign-in: the browser session, and the grants of its tokens. */
export interface SignIn {
  uid: string
  grantIds: readonly string[]
}

/** The sign-in of an ID token. */
export async function findSignInBySid({ pool }: IdentityContext, realm: Realm, sub: string, sid: string): Promise<SignIn | undefined> {
  const rows = await pool.db.rows<{ uid: string | null; grantId: string | null }>(signInBySid, [realm, sub, sid])
  const uid = rows.find((row) => row.uid !== null)?.uid
  return uid ? { uid, grantIds: [...new Set(rows.flatMap(({ grantId }) => grantId ?? []))] } : undefined
}

/** The sign-in of a refresh token, even of a consumed one. */
export async function findSignInOfToken(provider: Provider, refreshToken: string): Promise<SignIn | undefined> {
  const token = await provider.RefreshToken.find(refreshToken, { ignoreExpiration: true })
  return token?.sessionUid && token.grantId ? { uid: token.sessionUid, grantIds: [token.grantId] } : undefined
}

/** The browser must enter its password again, and the tokens of this sign-in end; those of others in the same browser continue. */
export async function endSignInOf({ pool }: IdentityContext, realm: Realm, { uid, grantIds }: SignIn): Promise<void> {
  await pool.db.run(endSignIn, [realm, uid, grantIds])
}
