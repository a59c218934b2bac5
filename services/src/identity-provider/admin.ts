import type { IncomingMessage, ServerResponse } from 'node:http'
import { identityClientId } from '@purlin/contract/identity.ts'
import { forgetMailsAbout } from '@purlin/server/foundation/mail/index.ts'
import { asCommand, type Db } from '@purlin/server/foundation/platform/index.ts'
import { findAccount, normalizeEmail, type Account } from './accounts.ts'
import type { IdentityContext } from './context.ts'
import { devicesOf } from './devices.ts'
import { sendText } from './http.ts'
import { passkeysOf } from './passkeys.ts'
import type { RealmServer } from './realm.ts'
import { resetPassword } from './reset-password.ts'
import { hasSecondFactor } from './second-factor.ts'
import { secondStepRemoval } from './second-step-removal.ts'

/**
 * The calls of Keycloak's admin API that the shop makes: it deletes the account of an erased customer, changes a password, and lists devices
 * and credentials. One is our own: staff have a second step removed.
 */
export const adminPath =
  /^\/admin\/realms\/([a-z0-9]+)\/users\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/(reset-password|sessions|credentials|second-step-removal))?$/

interface AdminCall {
  context: IdentityContext
  server: RealmServer
  id: string
  /** The path after the account, such as `reset-password`; empty for the account itself. */
  what: string
  request: IncomingMessage
  response: ServerResponse
}

const methods: Record<string, readonly string[]> = {
  '': ['DELETE'],
  'reset-password': ['PUT'],
  sessions: ['GET'],
  credentials: ['GET'],
  'second-step-removal': ['GET', 'PUT', 'DELETE'],
}

/** `DELETE …/users/{id}`, `PUT …/reset-password`, `GET …/sessions` and `GET …/credentials` of it, with an access token of the shop's own, from the realm's token endpoint. */
export async function adminApi({ context, server, id, what, request, response }: AdminCall): Promise<void> {
  const { method = '' } = request
  const known = methods[what] ?? []
  if (!known.includes(method)) return sendText(response, 405, `Only ${known.join(', ')} is known here`)
  const token = /^Bearer ([\w-]{20,200})$/.exec(request.headers.authorization ?? '')?.[1]
  const found = token && (await server.provider().ClientCredentials.find(token))
  if (!found || found.clientId !== identityClientId) return sendText(response, 401, 'An access token of the shop is needed')
  const account = await findAccount(context.pool.db, server.realm, id)
  if (!account) return sendText(response, 404, 'There is no such account')
  if (what === 'second-step-removal') return secondStepRemoval(context, account, request, response)
  if (method === 'PUT') return resetPassword(context, account, request, response)
  if (method === 'GET') {
    const listed = what === 'sessions' ? await listDevices(context.pool.db, account) : await listCredentials(context.pool.db, account)
    return sendText(response, 200, JSON.stringify(listed), 'application/json')
  }
  await asCommand(context.pool, ({ db }) => removeAccount(db, account))
  response.writeHead(204).end()
}

/** In the form of Keycloak's sessions, with the name of the device. */
async function listDevices(db: Db, account: Account): Promise<object[]> {
  return (await devicesOf(db, account)).map(({ name, at }) => ({ start: at.getTime(), device: name }))
}

/** In the form of Keycloak's credentials, without their contents. */
async function listCredentials(db: Db, account: Account): Promise<object[]> {
  const passkeys = (await passkeysOf(db, account)).map(({ name, createdAt }) => ({
    type: 'webauthn',
    userLabel: name,
    createdDate: createdAt.getTime(),
  }))
  return [
    ...(account.password ? [{ type: 'password' }] : []),
    ...((await hasSecondFactor(db, account)) ? [{ type: 'otp' }] : []),
    ...passkeys,
  ]
}

const ofAccount = ['email_change', 'totp', 'recovery_code', 'second_step_removal', 'passkey', 'device', 'known_network', 'artifact'].map(
  (table) => ({
    name: `identity.remove-${table}`,
    text: `delete from identity.${table} where realm = $1 and account_id = $2`,
  }),
)
// Where no account has the address, a registration that nobody has confirmed goes with it in every realm.
const inEveryRealm = (table: string) =>
  `(realm = $1 or not exists (select 1 from identity.account a where a.realm = ${table}.realm and a.email = $3))`
const removeTokens = {
  name: 'identity.remove-tokens',
  text: `delete from identity.one_time_token t where realm = $1 and account_id = $2 or email = $3 and ${inEveryRealm('t')}`,
}
// Unfinished sign-ins name the person too: by the passed first factor, or by the address entered.
const removeInteractions = {
  name: 'identity.remove-interactions',
  text: `delete from identity.artifact i where model = 'Interaction' and (realm = $1 and payload::text like '%' || $2::text || '%'
    or lower(payload -> 'params' ->> 'login_hint') = $3 and ${inEveryRealm('i')})`,
}
const remove = { name: 'identity.remove-account', text: 'delete from identity.account where realm = $1 and id = $2' }

/** Deletes an account with all its data, and its mails, of which one may wait for an address that was never confirmed. The address may be registered again. */
async function removeAccount(db: Db, { realm, id, email }: Account): Promise<void> {
  for (const statement of ofAccount) await db.run(statement, [realm, id])
  for (const statement of [removeTokens, removeInteractions]) await db.run(statement, [realm, id, normalizeEmail(email)])
  await forgetMailsAbout(db, [`${realm}/${id}`])
  await db.run(remove, [realm, id])
}
