import { buffer } from 'node:stream/consumers'
import { openFile, removeFile } from '#files'
import type { Db } from '#platform'
import { searchText, type InvoiceDocument, type Party } from './invoice.ts'
import { noDetails } from './parties.ts'
import { invoiceColumns, readInvoice, type FileForm, type Invoice } from './store.ts'

/** Invoices to a person, except those of orders that are not finished, or all invoices to a company. */
export type BilledTo = { owner: string; orderIds: readonly string[]; except: readonly string[] } | { companyId: string }

/** An invoice as it was, with its archived files in base64. */
export interface OpenInvoice extends Pick<Invoice, 'id' | 'number' | 'issuedAt' | 'customerOrderId' | 'document'> {
  files: Partial<Record<FileForm, string>>
}

const toPerson = `i.kind in ('sale', 'credit-note') and i.company_id is null and (i.owner = $1 or i.customer_order_id = any($2))`
const ofPerson = {
  name: 'invoices.to-person',
  text: `select ${invoiceColumns} from invoices.invoice i where ${toPerson} and i.sealed_at is null order by i.issued_at, i.id`,
}
const openOfPerson = {
  name: 'invoices.open-to-person',
  text: `select i.id from invoices.invoice i where ${toPerson} and i.sealed_at is null
    and (i.customer_order_id is null or i.customer_order_id <> all($3)) order by i.id for update`,
}
const openOfCompany = {
  name: 'invoices.open-to-company',
  text: `select i.id from invoices.invoice i where i.company_id = $1 and i.sealed_at is null order by i.id for update`,
}
const blank = {
  name: 'invoices.blank',
  text: `update invoices.invoice set owner = null, email_hash = null, search = lower($2), document = $3, sealed_at = now() where id = $1`,
}
const dropFiles = { name: 'invoices.drop-files', text: 'delete from invoices.file where invoice_id = $1 returning key' }
const disown = {
  name: 'invoices.disown',
  text: 'update invoices.invoice set owner = null, email_hash = null where owner = $1 and company_id is not null',
}

/** A person's own invoices, and those of these orders: for their data export. */
export function readInvoicesTo(db: Db, owner: string, orderIds: readonly string[]): Promise<Invoice[]> {
  return db.rows<Invoice>(ofPerson, [owner, orderIds])
}

/**
 * Takes the buyer out of invoices and deletes their files. Number, goods and figures stay. Each invoice is passed to `retain` as
 * it was, since the law requires it to be kept.
 */
export async function sealInvoices(db: Db, billedTo: BilledTo, retain: (invoice: OpenInvoice) => Promise<void>): Promise<void> {
  const locked =
    'companyId' in billedTo
      ? await db.rows<{ id: string }>(openOfCompany, [billedTo.companyId])
      : await db.rows<{ id: string }>(openOfPerson, [billedTo.owner, billedTo.orderIds, billedTo.except])
  for (const { id } of locked) {
    const invoice = await readInvoice(db, id)
    if (!invoice) continue
    const { number, issuedAt, customerOrderId, document } = invoice
    await retain({ id, number, issuedAt, customerOrderId, document, files: await contentsOf(db, invoice.files) })
    const blanked = withoutBuyer(document)
    await db.run(blank, [id, searchText(blanked), JSON.stringify(blanked)])
    for (const { key } of await db.rows<{ key: string }>(dropFiles, [id])) await removeFile(db, key)
  }
}

/** Invoices to a company that goes on are the company's; nothing leads from them to the member who ordered. */
export async function disownInvoices(db: Db, owner: string): Promise<void> {
  await db.run(disown, [owner])
}

async function contentsOf(db: Db, files: Invoice['files']): Promise<OpenInvoice['files']> {
  const contents: OpenInvoice['files'] = {}
  for (const form of ['pdf', 'ubl'] as const) {
    const opened = files[form] === undefined ? null : await openFile(db, files[form])
    if (opened) contents[form] = (await buffer(opened.stream)).toString('base64')
  }
  return contents
}

function withoutBuyer({ reference: _, buyer, deliverTo, ...facts }: InvoiceDocument): InvoiceDocument {
  return { ...facts, buyer: nobodyIn(buyer), deliverTo: deliverTo && nobodyIn(deliverTo) }
}

/** The country decides the VAT. */
function nobodyIn({ country }: Party): Party {
  return { ...noDetails, name: '', legalName: '', line1: '', postcode: '', city: '', country }
}
