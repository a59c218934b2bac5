import { reachOf } from '@purlin/contract/actions.ts'
import { companyOf } from '#accounts'
import { directDebitCreditor } from '#payments'
import type { Scope } from '#platform'
import { isOffered } from './give-mandate.ts'
import { hasDirectDebit, noticeDays, type Mandate } from './mandate.ts'
import { readLatestMandate } from './mandate-store.ts'

function endOf({ endedBy }: Mandate): 'revoked' | 'rejected' | 'bank' | null {
  if (endedBy === null || endedBy === 'revoked' || endedBy === 'rejected') return endedBy
  return 'bank'
}

/** Direct debit for the statements of the viewer's company; null for its buyers, and in markets that have none. */
export async function showDirectDebit(scope: Scope) {
  const { db, market, principal } = scope
  const companyId = companyOf(scope)
  if (companyId === null || reachOf(principal, 'statement.see', market) !== 'company') return null
  const [mandate, canBeGiven] = await Promise.all([readLatestMandate(db, companyId, market), isOffered(scope, companyId)])
  const creditor = directDebitCreditor()
  if (!mandate && (!hasDirectDebit(market) || creditor === null)) return null
  return {
    creditorName: creditor?.name ?? mandate?.creditorName ?? '',
    creditorId: creditor?.identifier ?? mandate?.creditorId ?? '',
    noticeDays,
    isOffered: canBeGiven,
    canChange: reachOf(principal, 'mandate.change', market) !== null,
    mandate: mandate ? { ...mandate, endedBy: endOf(mandate) } : null,
  }
}
