import { createHash } from 'node:crypto'
import type { Realm } from '@purlin/contract/identity.ts'
import type { Db } from '@purlin/server/foundation/platform/index.ts'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'

const upsert = {
  name: 'identity.artifact-upsert',
  text: `insert into identity.artifact (realm, model, id, payload, account_id, grant_id, uid, expires_at)
    values ($1, $2, $3, $4, $5::uuid, $6, $7, now() + make_interval(secs => $8))
    on conflict (realm, model, id) do update set payload = excluded.payload, account_id = excluded.account_id, grant_id = excluded.grant_id,
      uid = excluded.uid, expires_at = excluded.expires_at`,
}
const columns = 'id, payload, extract(epoch from consumed_at)::integer as consumed'
const find = {
  name: 'identity.artifact-find',
  text: `select ${columns} from identity.artifact where realm = $1 and model = $2 and id = $3 and expires_at > now()`,
}
const findByUid = {
  name: 'identity.artifact-by-uid',
  text: `select ${columns} from identity.artifact where realm = $1 and model = $2 and uid = $3 and expires_at > now()`,
}
const consume = {
  name: 'identity.artifact-consume',
  text: 'update identity.artifact set consumed_at = now() where realm = $1 and model = $2 and id = $3 and consumed_at is null',
}
const destroy = { name: 'identity.artifact-destroy', text: 'delete from identity.artifact where realm = $1 and model = $2 and id = $3' }
const revoke = {
  name: 'identity.artifact-revoke',
  text: 'delete from identity.artifact where realm = $1 and grant_id = $2 and model = $3',
}
const purge = {
  name: 'identity.artifact-purge',
  text: `delete from identity.artifact where ctid = any(array(
    select ctid from identity.artifact where expires_at < now() limit $1 for update skip locked))`,
}

interface Row {
  id: string
  payload: AdapterPayload
  consumed: number | null
}

/** Models whose id is not a bearer secret: they are looked up by other ids and stored in plain text. */
const known = new Set(['Client', 'Grant'])
/** Marks an id that is already hashed: of a session found by its uid, to be saved or destroyed. Never looked up. */
const hashed = '#'

/** The account it belongs to. A sign-in that somebody has finished, or has passed the first factor of, ends with their sessions. */
function accountOf({ accountId, result, lastSubmission }: AdapterPayload): string | null {
  const { login } = (result ?? {}) as { login?: { accountId?: string } }
  const { first } = (lastSubmission ?? {}) as { first?: { accountId?: string } }
  return accountId ?? login?.accountId ?? first?.accountId ?? null
}

/** oidc-provider's store in Postgres. Tokens and cookies are bearer secrets: only their hashes are stored. */
export function artifactAdapter(db: Db, realm: Realm, model: string): Adapter {
  const keyOf = (id: string) =>
    known.has(model) ? id : id.startsWith(hashed) ? id.slice(1) : createHash('sha256').update(id).digest('base64url')
  const payloadOf = (row: Row, jti: string): AdapterPayload => ({
    ...row.payload,
    jti,
    ...(row.consumed !== null && { consumed: row.consumed }),
  })
  return {
    async upsert(id, payload, expiresIn) {
      const { jti: _secret, ...kept } = payload
      // An interaction would store the cookie of the session it began in.
      if (kept.session) kept.session = { ...kept.session, cookie: '' }
      await db.run(upsert, [realm, model, keyOf(id), kept, accountOf(payload), payload.grantId ?? null, payload.uid ?? null, expiresIn])
    },
    async find(id) {
      if (id.startsWith(hashed)) return undefined
      const row = await db.row<Row>(find, [realm, model, keyOf(id)])
      return row && payloadOf(row, id)
    },
    async findByUid(uid) {
      const row = await db.row<Row>(findByUid, [realm, model, uid])
      return row && payloadOf(row, `${hashed}${row.id}`)
    },
    async findByUserCode() {
      return undefined
    },
    async consume(id) {
      // Of two concurrent requests with the same code or token, one wins.
      if ((await db.run(consume, [realm, model, keyOf(id)])) === 0) throw new errors.InvalidGrant('already used')
    },
    async destroy(id) {
      await db.run(destroy, [realm, model, keyOf(id)])
    },
    async revokeByGrantId(grantId) {
      await db.run(revoke, [realm, grantId, model])
    },
  }
}

/** Deletes expired artifacts, `most` at most, and returns their number. */
export function purgeArtifacts(db: Db, most: number): Promise<number> {
  return db.run(purge, [most])
}
