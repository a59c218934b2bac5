import { reachOf } from '@purlin/contract/actions.ts'
import { sellerIdOf } from '#accounts'
import type { Db, Scope } from '#platform'
import { showInvoice } from './show-invoice.ts'
import { invoiceColumns, type Invoice } from './store.ts'

const pageSize = 20
/** Page numbers nobody reaches are not looked up. */
const lastPage = 1000

const ofSeller = `invoices.invoice i where ($1::integer is null or i.seller_id = $1) and i.market = $2
    and i.kind in ('commission', 'commission-credit')`
const list = {
  name: 'invoices.of-seller',
  text: `select ${invoiceColumns} from ${ofSeller} order by i.issued_at desc, i.id desc limit ${pageSize} offset $3`,
}
const count = { name: 'invoices.count-of-seller', text: `select count(*)::int as total from ${ofSeller}` }

/** A page of the commission invoices of the principal's seller; those of all sellers for customer service. */
export async function listSellerInvoices({ db, principal, market }: Scope, page: number) {
  const reach = reachOf(principal, 'sellerInvoice.see', market)
  const sellerId = sellerIdOf({ principal })
  const asked = Math.min(Math.max(1, page), lastPage)
  if (reach === null || (reach === 'seller' && sellerId === null)) return { invoices: [], total: 0, page: asked, pages: 0 }
  const which = [reach === 'any' ? null : sellerId, market]
  const [found, total] = await Promise.all([db.rows<Invoice>(list, [...which, (asked - 1) * pageSize]), countOf(db, which)])
  const invoices = found.map((invoice) => showInvoice(invoice, market, `/api/v1/office/invoices/${invoice.market}/${invoice.id}`))
  return { invoices, total, page: asked, pages: Math.ceil(total / pageSize) }
}

async function countOf(db: Db, which: unknown[]): Promise<number> {
  return (await db.row<{ total: number }>(count, which))?.total ?? 0
}
