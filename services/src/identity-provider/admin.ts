import type { IncomingMessage, ServerResponse } from 'node:http'
import { identityClientId } from '@purlin/contract/identity.ts'
import { asCommand, type Db } from '@purlin/server/foundation/platform/index.ts'
import { findAccount, normalizeEmail, type Account } from './accounts.ts'
import type { IdentityContext } from './context.ts'
import { sendText } from './http.ts'
import type { RealmServer } from './realm.ts'
import { resetPassword } from './reset-password.ts'

/** The calls of Keycloak's admin API that the shop makes: it deletes the account of an erased customer, and changes a password. */
export const adminPath = /^\/admin\/realms\/([a-z0-9]+)\/users\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/(reset-password))?$/

interface AdminCall {
  context: IdentityContext
  server: RealmServer
  id: string
  /** The path after the account, such as `reset-password`; empty for the account itself. */
  what: string
  request: IncomingMessage
  response: ServerResponse
}

/** `DELETE …/users/{id}` and `PUT …/users/{id}/reset-password`, with an access token of the shop's own, from the realm's token endpoint. */
export async function adminApi({ context, server, id, what, request, response }: AdminCall): Promise<void> {
  const method = what === 'reset-password' ? 'PUT' : 'DELETE'
  if (request.method !== method) return sendText(response, 405, `Only ${method} is known here`)
  const token = /^Bearer ([\w-]{20,200})$/.exec(request.headers.authorization ?? '')?.[1]
  const found = token && (await server.provider().ClientCredentials.find(token))
  if (!found || found.clientId !== identityClientId) return sendText(response, 401, 'An access token of the shop is needed')
  const account = await findAccount(context.pool.db, server.realm, id)
  if (!account) return sendText(response, 404, 'There is no such account')
  if (method === 'PUT') return resetPassword(context, account, request, response)
  await asCommand(context.pool, ({ db }) => removeAccount(db, account))
  response.writeHead(204).end()
}

const ofAccount = ['totp', 'recovery_code', 'passkey', 'device', 'known_network', 'artifact'].map((table) => ({
  name: `identity.remove-${table}`,
  text: `delete from identity.${table} where realm = $1 and account_id = $2`,
}))
const removeTokens = {
  name: 'identity.remove-tokens',
  text: 'delete from identity.one_time_token where realm = $1 and (account_id = $2 or email = $3)',
}
// Unfinished sign-ins name the person too: by the passed first factor, or by the address entered.
const removeInteractions = {
  name: 'identity.remove-interactions',
  text: `delete from identity.artifact where realm = $1 and model = 'Interaction'
    and (payload::text like '%' || $2::text || '%' or lower(payload -> 'params' ->> 'login_hint') = $3)`,
}
const remove = { name: 'identity.remove-account', text: 'delete from identity.account where realm = $1 and id = $2' }

/** Deletes an account with all its data; its address may be registered again. */
async function removeAccount(db: Db, { realm, id, email }: Account): Promise<void> {
  for (const statement of ofAccount) await db.run(statement, [realm, id])
  for (const statement of [removeTokens, removeInteractions]) await db.run(statement, [realm, id, normalizeEmail(email)])
  await db.run(remove, [realm, id])
}
