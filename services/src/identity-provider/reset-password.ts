import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PasswordFault } from '@purlin/contract/credentials.ts'
import { asCommand } from '@purlin/server/foundation/platform/index.ts'
import * as v from 'valibot'
import { passwordGuesses } from './account-visit.ts'
import { type Account, writePassword } from './accounts.ts'
import { countAttempt, forgetAttempts, unlessBusy } from './attempts.ts'
import type { IdentityContext } from './context.ts'
import { type PasswordProblem, passwordProblem, wordsOfPerson } from './fields.ts'
import { readBody, sendText } from './http.ts'
import { hashPassword, maxPasswordLength, verifyPassword } from './password.ts'
import { endChange } from './pending-change.ts'
import { endSessionsOf, findSignInBySid } from './sessions.ts'

/**
 * Keycloak's representation of a credential with two members of our own: the current password, which Keycloak checks by a grant of
 * its own, and the session that continues.
 */
const body = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    type: v.literal('password'),
    value: v.string(),
    currentPassword: v.string(),
    sid: v.optional(v.pipe(v.string(), v.maxLength(200))),
  }),
)

const faults: Record<PasswordProblem, PasswordFault> = {
  'identity.wrong.short': 'too-short',
  'identity.wrong.own': 'personal',
  'identity.wrong.breached': 'breached',
}

/** Changes the password of somebody who knows the current one; ends all sessions of the account but the one that asks. */
export async function resetPassword(
  context: IdentityContext,
  account: Account,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { db } = context.pool
  const parsed = v.safeParse(body, await readBody(request))
  if (!parsed.success) return sendText(response, 400, 'A password representation is needed')
  const { value, currentPassword, sid } = parsed.output
  const refuse = (status: number, error: PasswordFault, more: { minutes?: number } = {}) =>
    sendText(response, status, JSON.stringify({ error, ...more }), 'application/json')
  if (!account.password) return refuse(400, 'no-password')
  const wait = await countAttempt(db, passwordGuesses(account))
  if (wait !== undefined) return refuse(429, 'locked', { minutes: Math.ceil(wait / 60) })
  const { password: stored } = account
  // The shop's server sends them for everybody: the share of the hashes is the account's.
  const share = `account ${account.id}`
  if (!(await unlessBusy(db, passwordGuesses(account), () => verifyPassword(currentPassword, stored, share))))
    return refuse(400, 'current-wrong')
  await forgetAttempts(db, passwordGuesses(account))
  if (value.length > maxPasswordLength) return refuse(400, 'too-long')
  const problem = await passwordProblem({ context }, value, wordsOfPerson(account))
  if (problem) return refuse(400, faults[problem])
  const password = await hashPassword(value, share)
  const signIn = sid === undefined ? undefined : await findSignInBySid(context, account.realm, account.id, sid)
  await asCommand(context.pool, async (unit) => {
    await endChange(unit.db, account)
    await writePassword(unit.db, account, password)
    await endSessionsOf(unit.db, context, account, signIn?.uid ?? null)
  })
  response.writeHead(204).end()
}
