import type { Db } from '#platform'
import { enqueueVatCheck } from './check-vat-number.ts'
import { insertRegistered, type SeatAddress } from './store.ts'
import { companyTaxOwner, customerTaxOwner } from './tax-record.ts'
import { canonicalVatNumber, isVatNumber } from './vat-number.ts'

export interface RegisteredCompany {
  companyId: string
  name: string
  country: string
  vatNumber: string | null
  /** Of its seat, if known. */
  address?: SeatAddress
}

/** The number a company is registered with is checked without anybody asking for it. A malformed one is as good as no number. */
export async function takeInCompany(scope: { db: Db }, { companyId, name, country, vatNumber, address }: RegisteredCompany): Promise<void> {
  const number = canonicalVatNumber(vatNumber ?? '', country)
  if (!isVatNumber(number)) return
  const owner = companyTaxOwner(companyId)
  if (await insertRegistered(scope.db, owner, { name, country, vatNumber: number, address })) await enqueueVatCheck(scope, owner)
}

/**
 * A number that somebody claims for their company is checked as theirs; it becomes the company's once it is confirmed
 * (`moveTaxDetails`). Answers the number as registers write it; null for a malformed one.
 */
export async function takeInClaim(
  scope: { db: Db },
  { customerId, name, country, vatNumber }: Omit<RegisteredCompany, 'companyId'> & { customerId: string },
): Promise<string | null> {
  const number = canonicalVatNumber(vatNumber ?? '', country)
  if (!isVatNumber(number)) return null
  const owner = customerTaxOwner(customerId)
  if (await insertRegistered(scope.db, owner, { name, country, vatNumber: number })) await enqueueVatCheck(scope, owner)
  return number
}
