import { writeRepaid, type ProviderClaim } from '#payments'
import type { JobScope } from '#platform'
import { lockStatementClaims, moveDueDate } from './statement-store.ts'
import { growClaim, lockClaim, readRepaid, type Claim } from './store.ts'

/**
 * Applies what the provider reports about a claim, and frees the company's limit by what was paid, less what its bank took back.
 * Undefined for an unknown claim.
 */
export async function followClaim(scope: Pick<JobScope, 'db'>, seen: ProviderClaim): Promise<Claim | undefined> {
  if (!(await lockClaim(scope.db, seen.claimId))) return undefined
  const claim = await growClaim(scope.db, seen)
  if (claim) await writeRepaid(scope.db, claim.paymentId, () => readRepaid(scope.db, claim.paymentId))
  return claim
}

/** Applies what the provider reports about the claims of a statement. */
export async function followClaims(scope: JobScope, statementId: string, claims: readonly ProviderClaim[]): Promise<void> {
  await lockStatementClaims(scope.db, statementId)
  for (const claim of claims) {
    await followClaim(scope, claim)
    await moveDueDate(scope.db, claim)
  }
}
