import { writeRepaid, type ProviderClaim } from '#payments'
import type { JobScope } from '#platform'
import { growClaim, lockClaim, readRepaid, type Claim } from './store.ts'

/** Applies what the provider reports about a claim, and frees the company's limit by what was paid. Undefined for an unknown claim. */
export async function followClaim(scope: Pick<JobScope, 'db'>, seen: ProviderClaim): Promise<Claim | undefined> {
  if (!(await lockClaim(scope.db, seen.claimId))) return undefined
  const claim = await growClaim(scope.db, seen)
  if (claim) await writeRepaid(scope.db, claim.paymentId, await readRepaid(scope.db, claim.paymentId))
  return claim
}
