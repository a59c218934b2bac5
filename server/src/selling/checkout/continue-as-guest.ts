import type { Result } from '@purlin/contract/refusals.ts'
import { isEmail } from '@purlin/contract/email.ts'
import { rememberGuest } from '#accounts'
import type { Scope } from '#platform'

/** Records a guest's e-mail address, which opens the funnel to this session. Reveals nothing about accounts (A41). */
export async function continueAsGuest(scope: Scope, typed: string): Promise<Result<object>> {
  const email = typed.trim().normalize('NFC')
  if (!isEmail(email)) return { ok: false, reason: 'email-invalid', fields: { email: 'email-format' } }
  await rememberGuest(scope, email)
  return { ok: true }
}
