import { dequeue, type Db, type JobScope } from '#platform'
import { enqueueVatCheck } from './check-vat-number.ts'
import { confirmNumber, lockRecord, moveRecordTo, readRecord, removeTaxInformationOf, saveRecord } from './store.ts'
import { companyTaxOwner, customerTaxOwner, type TaxDetails } from './tax-record.ts'

/** Stores already verified details for a customer. The register is queried now, even for a known number. */
export async function giveTaxDetails(scope: { db: Db }, customerId: string, details: TaxDetails): Promise<void> {
  const key = customerTaxOwner(customerId)
  await lockRecord(scope.db, key)
  const isAsked = details.vatNumber !== null
  await saveRecord(scope.db, key, details, { isAsked })
  if (isAsked) await enqueueVatCheck(scope, key)
}

/**
 * Transfers the details a customer gave for a company to the company, with the evidence and the next check. The number that the company
 * was confirmed with is its own, whatever name its register has.
 */
export async function moveTaxDetails(
  scope: Pick<JobScope, 'db'>,
  { customerId, companyId, vatNumber }: { customerId: string; companyId: string; vatNumber: string | null },
): Promise<void> {
  const [from, to] = [customerTaxOwner(customerId), companyTaxOwner(companyId)]
  await dequeue(scope.db, 'tax.check-vat', from)
  // Details that the company's admin has entered meanwhile stay.
  if (await readRecord(scope.db, to)) await removeTaxInformationOf(scope.db, customerId)
  else {
    await moveRecordTo(scope.db, from, to)
    const moved = await readRecord(scope.db, to)
    // One that was never answered has no next check yet.
    if (moved?.vatNextAt || moved?.vatState === 'pending') await enqueueVatCheck(scope, to, moved.vatNextAt ?? undefined)
  }
  if (vatNumber !== null) await confirmNumber(scope.db, to, vatNumber)
}
