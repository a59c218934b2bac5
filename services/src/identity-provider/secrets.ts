import { randomBytes } from 'node:crypto'
import type { Realm } from '@purlin/contract/identity.ts'
import type { Db } from '@purlin/server/foundation/platform/index.ts'
import { type JWK, exportJWK, generateKeyPair } from 'jose'

const keep = {
  name: 'identity.secret-keep',
  text: `with made as (insert into identity.secret (name, value) values ($1, $2) on conflict (name) do nothing returning value)
    select value from made union all select value from identity.secret where name = $1 limit 1`,
}
const keys = {
  name: 'identity.signing-keys',
  text: `select kid, jwk, signs_from <= now() as "signs" from identity.signing_key where realm = $1 order by signs_from desc`,
}
const addKey = {
  name: 'identity.signing-key-add',
  text: `insert into identity.signing_key (realm, kid, jwk, signs_from) values ($1, $2, $3, now() + make_interval(secs => $4))`,
}
const addFirstKey = {
  name: 'identity.signing-key-first',
  text: `insert into identity.signing_key (realm, kid, jwk, signs_from)
    select $1, $2, $3, now() where not exists (select 1 from identity.signing_key where realm = $1)`,
}
const isDue = {
  name: 'identity.signing-key-due',
  text: `select not exists (select 1 from identity.signing_key where realm = $1 and created_at > now() - make_interval(days => $2)) as "due"`,
}
const dropKeys = {
  name: 'identity.signing-keys-drop',
  text: `delete from identity.signing_key old where realm = $1 and exists (
    select 1 from identity.signing_key other where other.realm = $1 and other.signs_from > old.signs_from
      and other.signs_from < now() - make_interval(days => $2))`,
}

/** A random secret of this installation: created at first use, and permanent. */
export async function keptSecret(db: Db, name: string): Promise<string> {
  for (;;) {
    // A concurrent process may be first: then the retry finds its value.
    const row = await db.row<{ value: string }>(keep, [name, randomBytes(32).toString('base64url')])
    if (row) return row.value
  }
}

/** A key rotates after ninety days; a retired one stays published for another two. */
const rotationDays = 90
const retirementDays = 2
/** Other processes, and clients that cache the key set, learn of a new key before it signs. */
export const announcementSeconds = 300

/** The private keys of a realm, the signing key first. Creates the first one. */
export async function signingKeys(db: Db, realm: Realm): Promise<JWK[]> {
  const read = () => db.rows<{ kid: string; jwk: JWK; signs: boolean }>(keys, [realm])
  let found = await read()
  if (found.length === 0) {
    const { kid, jwk } = await newKey()
    await db.run(addFirstKey, [realm, kid, jwk])
    found = await read()
  }
  return [...found.filter(({ signs }) => signs), ...found.filter(({ signs }) => !signs)].map(({ jwk }) => jwk)
}

/** A new key that signs after its announcement; earlier ones stay published. */
export async function rotateSigningKey(db: Db, realm: Realm, announcement = announcementSeconds): Promise<void> {
  const { kid, jwk } = await newKey()
  await db.run(addKey, [realm, kid, jwk, announcement])
}

export async function rotateDueKeys(db: Db, realm: Realm): Promise<void> {
  const row = await db.row<{ due: boolean }>(isDue, [realm, rotationDays])
  if (row?.due) await rotateSigningKey(db, realm)
  await db.run(dropKeys, [realm, retirementDays])
}

async function newKey(): Promise<{ kid: string; jwk: JWK }> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true })
  const kid = randomBytes(12).toString('base64url')
  return { kid, jwk: { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' } }
}
