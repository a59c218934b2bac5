import type { Db } from '@purlin/server/foundation/platform/index.ts'
import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { type Account, findAccount } from './accounts.ts'
import { challengeMinutes, isOwnChallenge, newChallenge } from './challenges.ts'
import { useChallenge } from './tokens.ts'
import type { Visit } from './visit.ts'

export interface Passkey {
  id: string
  accountId: string
  publicKey: Buffer
  counter: string
  transports: string[]
  name: string
  createdAt: Date
}

const columns = 'id, account_id as "accountId", public_key as "publicKey", counter, transports, name, created_at as "createdAt"'
const one = { name: 'identity.passkey', text: `select ${columns} from identity.passkey where realm = $1 and id = $2` }
const all = {
  name: 'identity.passkeys',
  text: `select ${columns} from identity.passkey where realm = $1 and account_id = $2 order by created_at`,
}
const insert = {
  name: 'identity.passkey-insert',
  text: `insert into identity.passkey (realm, id, account_id, public_key, counter, transports, name) values ($1, $2, $3, $4, $5, $6, $7)
    on conflict do nothing`,
}
const used = {
  name: 'identity.passkey-used',
  text: 'update identity.passkey set counter = $3, used_at = now() where realm = $1 and id = $2',
}
const remove = { name: 'identity.passkey-remove', text: 'delete from identity.passkey where realm = $1 and account_id = $2 and id = $3' }

export function passkeysOf(db: Db, { realm, id }: Pick<Account, 'realm' | 'id'>): Promise<Passkey[]> {
  return db.rows<Passkey>(all, [realm, id])
}

export async function removePasskey(db: Db, { realm, id }: Pick<Account, 'realm' | 'id'>, passkey: string): Promise<void> {
  await db.run(remove, [realm, id, passkey])
}

const toCreate = ({ realm, id }: Pick<Account, 'realm' | 'id'>) => `create\n${realm}\n${id}`
const toSignIn = ({ realm }: Pick<Visit, 'realm'>, interaction: string) => `sign-in\n${realm}\n${interaction}`

const rpOf = ({ context }: Visit) => ({ id: new URL(context.url).hostname, origin: new URL(context.url).origin })

/** Options for creating a passkey in the browser. */
export async function creationOptions(visit: Visit, account: Account): Promise<string> {
  const known = await passkeysOf(visit.context.pool.db, account)
  const options = await generateRegistrationOptions({
    rpName: 'Purlin',
    rpID: rpOf(visit).id,
    userName: account.email,
    userDisplayName: `${account.givenName} ${account.familyName}`,
    userID: new TextEncoder().encode(account.id),
    challenge: newChallenge(visit.context, toCreate(account)),
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return JSON.stringify(options)
}

/** Stores the passkey that a browser created. False for an invalid response. */
export async function keepPasskey(visit: Visit, account: Account, answer: string, name: string): Promise<boolean> {
  const { context, realm } = visit
  const { id: expectedRPID, origin: expectedOrigin } = rpOf(visit)
  const response = parse<RegistrationResponseJSON>(answer)
  if (!response) return false
  let signed = ''
  const expectedChallenge = (challenge: string) => isOwnChallenge(context, toCreate(account), (signed = challenge))
  const result = await verifyRegistrationResponse({ response, expectedChallenge, expectedOrigin, expectedRPID }).catch(() => undefined)
  if (!result?.verified || !(await useChallenge(context.pool.db, account, signed, challengeMinutes))) return false
  const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential
  return (await context.pool.db.run(insert, [realm, id, account.id, Buffer.from(publicKey), counter, transports, name])) === 1
}

/** Options for signing in with any discoverable passkey. */
export async function requestOptions(visit: Visit, interaction: string): Promise<string> {
  const challenge = newChallenge(visit.context, toSignIn(visit, interaction))
  return JSON.stringify(await generateAuthenticationOptions({ rpID: rpOf(visit).id, challenge, userVerification: 'required' }))
}

/** The account of a passkey that signed our challenge, with user verification by the device. */
export async function accountOfPasskey(visit: Visit, interaction: string, answer: string): Promise<Account | undefined> {
  const { context, realm } = visit
  const { db } = context.pool
  const response = parse<AuthenticationResponseJSON>(answer)
  const passkey = response && (await db.row<Passkey>(one, [realm, response.id]))
  if (!passkey) return undefined
  const { id: expectedRPID, origin: expectedOrigin } = rpOf(visit)
  let signed = ''
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge: string) => isOwnChallenge(context, toSignIn(visit, interaction), (signed = challenge)),
    expectedOrigin,
    expectedRPID,
    credential: { id: passkey.id, publicKey: new Uint8Array(passkey.publicKey), counter: Number(passkey.counter) },
  }).catch(() => undefined)
  if (!result?.verified || !(await useChallenge(db, { realm, id: passkey.accountId }, signed, challengeMinutes))) return undefined
  await db.run(used, [realm, passkey.id, result.authenticationInfo.newCounter])
  return findAccount(db, realm, passkey.accountId)
}

function parse<Value extends { id: string }>(json: string): Value | undefined {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string') return value as Value
  } catch {
    // Handled like any other invalid response.
  }
  return undefined
}
