import { type CreditProvider, receiveEvent } from '#payments'
import type { JobScope } from '#platform'
import { followDebit } from './collect-debits.ts'
import { followClaim } from './follow-claim.ts'
import { keepCreditMessage } from './store.ts'

/**
 * Handles a message of the credit provider: a decision about an order, what was paid of a claim, or where a direct debit stands. Verified, stored once and
 * applied, all in one transaction. @throws ForgedMessage
 */
export async function receiveMessage(
  scope: JobScope,
  provider: CreditProvider,
  rawBody: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): ReturnType<typeof receiveEvent> {
  const event = provider.verifyMessage(rawBody, headers)
  if (event.kind === 'order') return receiveEvent(scope, provider.name, event)
  if (!(await keepCreditMessage(scope.db, event.id))) return 'known'
  const known = event.kind === 'debit' ? await followDebit(scope, event.debit) : await followClaim(scope, event.claim)
  return known ? 'applied' : 'foreign'
}
