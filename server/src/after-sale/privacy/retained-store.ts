import type { Db } from '#platform'

/** What is retained of erased buyers, sealed. */

export interface Sealed {
  sealed: Buffer
  keyId: string
}

const retain = {
  name: 'privacy.retain',
  text: `insert into privacy.retained (customer_order_id, sealed, until, key_id) values ($1, $2, $3::timestamptz, $4) on conflict do nothing`,
}
const retained = { name: 'privacy.retained', text: 'select sealed from privacy.retained where customer_order_id = $1' }
const release = [
  { name: 'privacy.release', text: 'delete from privacy.retained where until < now()' },
  { name: 'privacy.release-invoices', text: 'delete from privacy.retained_invoice where until < now()' },
]

export async function retainOrder(db: Db, orderId: string, { sealed, keyId }: Sealed, until: Date): Promise<void> {
  await db.run(retain, [orderId, sealed, until, keyId])
}

const otherKey = {
  name: 'privacy.sealed-with-another-key',
  text: `select customer_order_id as id, sealed from privacy.retained where key_id is distinct from $1 limit 200 for update skip locked`,
}
const sealAnew = { name: 'privacy.seal-anew', text: 'update privacy.retained set sealed = $2, key_id = $3 where customer_order_id = $1' }

/** Some of the texts that another key than this one has sealed. */
export function readSealedOtherwise(db: Db, keyId: string): Promise<{ id: string; sealed: Buffer }[]> {
  return db.rows(otherKey, [keyId])
}

export async function replaceSealed(db: Db, orderId: string, { sealed, keyId }: Sealed): Promise<void> {
  await db.run(sealAnew, [orderId, sealed, keyId])
}

/** Sealed buyer details retained for an order. */
export async function readRetained(db: Db, orderId: string): Promise<Buffer | undefined> {
  return (await db.row<{ sealed: Buffer }>(retained, [orderId]))?.sealed
}

/** Deletes sealed details past their retention period. */
export async function releaseRetained(db: Db): Promise<void> {
  for (const statement of release) await db.run(statement)
}

const insertInvoice = {
  name: 'privacy.retain-invoice',
  text: 'insert into privacy.retained_invoice (invoice_id, customer_order_id, sealed, key_id, until) values ($1, $2, $3, $4, $5)',
}
const invoicesOfOrder = {
  name: 'privacy.retained-invoices',
  text: 'select invoice_id as id, sealed from privacy.retained_invoice where customer_order_id = $1 order by invoice_id',
}
const invoicesWithOtherKey = {
  name: 'privacy.invoices-sealed-with-another-key',
  text: `select invoice_id as id, sealed from privacy.retained_invoice where key_id <> $1 limit 50 for update skip locked`,
}
const sealInvoiceAnew = {
  name: 'privacy.seal-invoice-anew',
  text: 'update privacy.retained_invoice set sealed = $2, key_id = $3 where invoice_id = $1',
}

export interface RetainedInvoice extends Sealed {
  id: string
  customerOrderId: string | null
}

export async function retainInvoice(db: Db, { id, customerOrderId, sealed, keyId }: RetainedInvoice, until: Date): Promise<void> {
  await db.run(insertInvoice, [id, customerOrderId, sealed, keyId, until])
}

export function readRetainedInvoices(db: Db, orderId: string): Promise<{ id: string; sealed: Buffer }[]> {
  return db.rows(invoicesOfOrder, [orderId])
}

/** Some of the invoices that another key than this one has sealed. */
export function readInvoicesSealedOtherwise(db: Db, keyId: string): Promise<{ id: string; sealed: Buffer }[]> {
  return db.rows(invoicesWithOtherKey, [keyId])
}

export async function replaceSealedInvoice(db: Db, id: string, { sealed, keyId }: Sealed): Promise<void> {
  await db.run(sealInvoiceAnew, [id, sealed, keyId])
}
