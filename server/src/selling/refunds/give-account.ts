import { authorize, companyOf, ownerOf } from '#accounts'
import { readOrderOf, type OrderSeen } from '#orders'
import { parseHolder, parseIban, type IbanFault, type Scope } from '#platform'
import type { Refund } from './refund.ts'
import { sealAccount } from './seal-account.ts'
import { holdBack } from './settle-refund.ts'
import { readRefund, writeAccount } from './store.ts'

export type AccountFault = IbanFault | 'holder-missing'
export type GaveAccount =
  | { ok: true; refund: Refund }
  | { ok: false; reason: 'unknown-refund' }
  | { ok: false; reason: 'account-not-needed' }
  | { ok: false; reason: 'account-invalid'; faults: Partial<Record<'iban' | 'holder', AccountFault>> }

/** A refund of an order that the principal may see; otherwise undefined, without revealing whether it exists (A10). */
export async function findRefund(scope: Scope, id: string): Promise<{ refund: Refund; order: OrderSeen } | undefined> {
  const owner = ownerOf(scope)
  if (owner === null || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return undefined
  const refund = await readRefund(scope.db, id)
  // As many statements for an unknown refund as for another person's.
  const order = await readOrderOf(scope.db, refund?.customerOrderId ?? '', { owner, companyId: companyOf(scope), market: scope.market })
  return refund && order && authorize(scope, 'order.see', order) ? { refund, order } : undefined
}

/**
 * Whether the principal may say where the money of an order goes: the person who placed it, and admins of the company that has bought.
 * A link to the order, which may be forwarded, is not enough (A25).
 */
export function mayGiveAccount(scope: Scope, order: OrderSeen): boolean {
  return authorize(scope, 'refund.change', order)
}

/** The bank account for a refund that the card did not take. */
export async function giveAccount(scope: Scope, id: string, { iban, holder }: { iban: string; holder: string }): Promise<GaveAccount> {
  const found = await findRefund(scope, id)
  if (!found || !mayGiveAccount(scope, found.order)) return { ok: false, reason: 'unknown-refund' }
  const parsed = parseIban(iban)
  const name = parseHolder(holder)
  if (!parsed.ok || name === null) {
    const faults = { ...(!parsed.ok && { iban: parsed.fault }), ...(name === null && { holder: 'holder-missing' as const }) }
    return { ok: false, reason: 'account-invalid', faults }
  }
  if (await holdBack(scope, found.refund, ['iban-needed'])) return { ok: true, refund: (await readRefund(scope.db, id)) ?? found.refund }
  const account = { iban: parsed.iban, holder: name }
  const transfers = await writeAccount(scope.db, id, sealAccount(id, account), account.iban.slice(-4))
  if (transfers === undefined) return { ok: false, reason: 'account-not-needed' }
  scope.emit('refund.transfer-requested', { refundId: id, customerOrderId: found.refund.customerOrderId })
  return { ok: true, refund: { ...found.refund, state: 'transferring', ibanEnd: account.iban.slice(-4) } }
}
