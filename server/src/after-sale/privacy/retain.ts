import { sealInvoices, type BilledTo } from '#invoices'
import { blankEmail, type CustomerOrder } from '#orders'
import type { Db } from '#platform'
import { seal, sealKeyId, unseal } from './seal.ts'
import {
  readInvoicesSealedOtherwise,
  readRetainedInvoices,
  readSealedOtherwise,
  readRetained,
  replaceSealed,
  replaceSealedInvoice,
  retainInvoice,
  retainOrder,
} from './retained-store.ts'

/** Invoices are retained for as long as the strictest of the five countries requires: ten years after the year of issue. */
const retentionYears = 10

function retainedUntil(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear() + retentionYears + 1, 0, 1))
}

const sealed = (id: string, value: unknown) => ({ sealed: seal(id, value), keyId: sealKeyId() })

/** Seals what invoices need of a placed order: names and addresses, without e-mail address, phone number and instructions. */
export async function retainBuyer(db: Db, { id, email, address, billingAddress, placedAt }: CustomerOrder): Promise<void> {
  if (!placedAt || email === blankEmail) return
  const [to, billed] = [address, billingAddress].map(({ phone: _phone, instructions: _instructions, ...place }) => place)
  await retainOrder(db, id, sealed(id, { address: to, billingAddress: billed }), retainedUntil(placedAt))
}

/** Seals invoices with their files; only number, goods and figures stay readable. */
export async function retainInvoices(db: Db, billedTo: BilledTo): Promise<void> {
  await sealInvoices(db, billedTo, async (invoice) => {
    const { id, customerOrderId, issuedAt } = invoice
    await retainInvoice(db, { id, customerOrderId, ...sealed(id, invoice) }, retainedUntil(issuedAt))
  })
}

/** Everything retained of an order, opened; null if there is nothing. */
export async function openRetained(db: Db, orderId: string): Promise<object | null> {
  const [order, invoices] = [await readRetained(db, orderId), await readRetainedInvoices(db, orderId)]
  if (!order && invoices.length === 0) return null
  return {
    ...(order && Object(unseal(orderId, order))),
    invoices: invoices.map((invoice) => unseal(invoice.id, invoice.sealed)),
  }
}

/** Seals data again with the current key, so that the previous key may be changed. */
export async function sealAnew({ db }: { db: Db }): Promise<void> {
  const keyId = sealKeyId()
  for (const { id, sealed: text } of await readSealedOtherwise(db, keyId)) await replaceSealed(db, id, sealed(id, unseal(id, text)))
  for (const { id, sealed: text } of await readInvoicesSealedOtherwise(db, keyId))
    await replaceSealedInvoice(db, id, sealed(id, unseal(id, text)))
}
