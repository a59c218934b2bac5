import { companyOf } from '#accounts'
import type { JobScope, Scope } from '#platform'
import { endMandate } from './end-mandate.ts'
import { mailMandate } from './give-mandate.ts'
import { blankMandates, lockOpenMandate, readOpenMandatesOf } from './mandate-store.ts'

/** Revokes the mandate of the principal's company at once. A debit that the provider has already is collected all the same. */
export async function revokeMandate(scope: Scope): Promise<{ ok: boolean }> {
  const companyId = companyOf(scope)
  const mandate = companyId === null ? undefined : await lockOpenMandate(scope.db, companyId, scope.market)
  if (!mandate) return { ok: false }
  await endMandate(scope, mandate, 'revoked')
  await mailMandate(scope, mandate, 'revoked')
  return { ok: true }
}

/** Ends the mandates of companies that are closed with a customer's account, and removes what they say about account and signer. */
export async function forgetMandatesOf(scope: JobScope, customerId: string, companyIds: readonly string[]): Promise<void> {
  for (const { companyId, market } of await readOpenMandatesOf(scope.db, companyIds)) {
    const mandate = await lockOpenMandate(scope.db, companyId, market)
    if (mandate) await endMandate(scope, mandate, 'revoked')
  }
  await blankMandates(scope.db, customerId, companyIds)
}
