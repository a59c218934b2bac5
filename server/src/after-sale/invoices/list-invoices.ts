import { reachOf } from '@purlin/contract/actions.ts'
import { companyOf, ownerOf } from '#accounts'
import { readOrdersByInvoice } from '#payments'
import type { Scope } from '#platform'
import { countInvoices, invoiceFilters, readInvoicePage, readInvoiceYears, type WhichInvoices } from './list-store.ts'
import { showInvoice } from './show-invoice.ts'
import type { Invoice } from './store.ts'

export interface InvoiceQuery {
  filter?: string | null
  search?: string | null
  year?: number | null
}

const pageSize = 20
/** Page numbers nobody reaches are not looked up. */
const lastPage = 1000

/** The invoices the principal may list that fit a query; null for those who have none. The query excludes everybody else's (A1). */
export function whichInvoices(scope: Scope, { filter, search, year }: InvoiceQuery): WhichInvoices | null {
  const { principal, market } = scope
  const owner = ownerOf(scope)
  const reach = reachOf(principal, 'invoices.list', market)
  if (owner === null || reach === null) return null
  return {
    owner,
    companyId: reach === 'company' ? companyOf(scope) : null,
    memberOf: companyOf(scope),
    market,
    filter: invoiceFilters.find((each) => each === filter) ?? 'all',
    search: (search ?? '').slice(0, 100),
    year: year && year > 2000 && year < 3000 ? year : null,
  }
}

/** A page of the principal's invoices, newest first. */
export async function listInvoices(scope: Scope, { page, ...query }: InvoiceQuery & { page: number }) {
  const which = whichInvoices(scope, query)
  const asked = Math.min(Math.max(1, page), lastPage)
  if (!which) return { invoices: [], total: 0, page: asked, pages: 0, years: [] }
  const [found, total, years] = await Promise.all([
    readInvoicePage(scope.db, which, { limit: pageSize, offset: (asked - 1) * pageSize }),
    countInvoices(scope.db, which),
    readInvoiceYears(scope.db, which),
  ])
  const byInvoice = await readOrdersByInvoice(
    scope.db,
    found.flatMap(({ customerOrderId }) => customerOrderId ?? []),
  )
  // Charges of a subscription, which have no order, are invoiced once they are paid.
  const isPrepaid = ({ kind, customerOrderId }: Invoice) =>
    kind === 'sale' ? customerOrderId === null || !byInvoice.has(customerOrderId) : null
  const invoices = found.map((invoice) => ({ ...showInvoice(invoice, scope.market), isPrepaid: isPrepaid(invoice) }))
  return { invoices, total, page: asked, pages: Math.ceil(total / pageSize), years }
}
