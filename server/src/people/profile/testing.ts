import { customerIdOf } from '#accounts'
import type { Scope } from '#platform'
import { changeOptIns } from './change-profile.ts'
import { confirmPhone, phoneCodeOf } from './confirm-phone.ts'
import { readPhoneCode } from './phone-code-store.ts'

/** For tests: consent to text messages. */

/** The code that was sent to the customer of this scope; empty if none waits. */
export async function phoneCodeFor(scope: Scope): Promise<string> {
  const code = await readPhoneCode(scope.db, customerIdOf(scope) ?? '', scope.now)
  return code ? phoneCodeOf(code.id) : ''
}

/** Agrees to text messages to a number, and confirms it with its code. `does` runs a command as the customer. */
export async function agreeToSms(
  does: <Value>(operation: (scope: Scope) => Promise<Value>) => Promise<Value>,
  phone: string,
): Promise<void> {
  const steps = [
    (scope: Scope) => changeOptIns(scope, { email: false, sms: true, phone }),
    async (scope: Scope) => confirmPhone(scope, await phoneCodeFor(scope)),
  ]
  for (const step of steps) {
    const outcome = await does(step)
    if (!outcome.ok) throw new Error(`Refused: ${JSON.stringify(outcome)}`)
  }
}
