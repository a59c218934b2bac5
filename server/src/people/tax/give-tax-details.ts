import { dequeue, type Db, type JobScope } from '#platform'
import { enqueueVatCheck } from './check-vat-number.ts'
import { lockRecord, moveRecordTo, readRecord, removeTaxInformationOf, saveRecord } from './store.ts'
import { companyTaxOwner, customerTaxOwner, type TaxDetails } from './tax-record.ts'

/** Stores already verified details for a customer. The register is queried now, even for a known number. */
export async function giveTaxDetails(scope: { db: Db }, customerId: string, details: TaxDetails): Promise<void> {
  const key = customerTaxOwner(customerId)
  await lockRecord(scope.db, key)
  await saveRecord(scope.db, key, details)
  if (details.vatNumber !== null) await enqueueVatCheck(scope, key)
}

/** Transfers the details a customer gave for a company to the company, with the evidence and the next check. */
export async function moveTaxDetails(
  scope: Pick<JobScope, 'db'>,
  { customerId, companyId }: { customerId: string; companyId: string },
): Promise<void> {
  const [from, to] = [customerTaxOwner(customerId), companyTaxOwner(companyId)]
  await dequeue(scope.db, 'tax.check-vat', from)
  // Details that the company's admin has entered meanwhile stay, and are checked as they are.
  if (await readRecord(scope.db, to)) return removeTaxInformationOf(scope.db, customerId)
  await moveRecordTo(scope.db, from, to)
  const nextAt = (await readRecord(scope.db, to))?.vatNextAt
  if (nextAt) await enqueueVatCheck(scope, to, nextAt)
}
