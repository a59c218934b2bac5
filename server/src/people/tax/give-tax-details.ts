import { dequeue, type Db, type JobScope } from '#platform'
import { enqueueVatCheck } from './check-vat-number.ts'
import { lockRecord, moveRecordTo, readRecord, saveRecord } from './store.ts'
import { companyTaxOwner, customerTaxOwner, type TaxDetails } from './tax-record.ts'

/** Details that are checked already, for a customer. The register is asked now, even about a number it knows. */
export async function giveTaxDetails(scope: { db: Db }, customerId: string, details: TaxDetails): Promise<void> {
  const key = customerTaxOwner(customerId)
  await lockRecord(scope.db, key)
  await saveRecord(scope.db, key, details)
  if (details.vatNumber !== null) await enqueueVatCheck(scope, key)
}

/** What a customer gave for a company becomes the company's, with the proof; its next check goes along. */
export async function moveTaxDetails(
  scope: Pick<JobScope, 'db'>,
  { customerId, companyId }: { customerId: string; companyId: string },
): Promise<void> {
  const [from, to] = [customerTaxOwner(customerId), companyTaxOwner(companyId)]
  await moveRecordTo(scope.db, from, to)
  await dequeue(scope.db, 'tax.check-vat', from)
  const nextAt = (await readRecord(scope.db, to))?.vatNextAt
  if (nextAt) await enqueueVatCheck(scope, to, nextAt)
}
