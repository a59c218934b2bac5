import { markets } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { localDay, showMonth, vatOf, vatRules } from '#pricing'
import type { JobScope } from '#platform'
import { knownSellers, type Seller } from '#sellers'
import { closeMonth, readCorrectedCommission, readDueCommissions, readOpenMonths, type DueCommission } from './commission-store.ts'
import { sumUp, type InvoiceLine } from './invoice.ts'
import { issue } from './issue-invoice.ts'
import { platformParty, sellerParty } from './parties.ts'
import { readInvoiceFor } from './store.ts'
import { serviceCategoryOf, type TaxTreatment, type VatCategory } from './tax-treatment.ts'

const dayMs = 86_400_000
/** Invoices made in one run. */
const atOnce = 100

/**
 * Invoices the sellers for the commission on what was invoiced in their names in a month, less what was credited in it: one
 * invoice per seller, market and month, or a credit note if more was credited. What was booked with different VAT, as before and after a
 * change of rates, is invoiced separately. Some at a time; the rest at the next run. A
 * month stays open until all of it has been invoiced, so that one missed in an outage is invoiced whole.
 */
export async function invoiceCommissions(scope: JobScope): Promise<void> {
  let left = atOnce
  for (const month of await readOpenMonths(scope.db, scope.now)) {
    if (left <= 0) return
    const due = await readDueCommissions(scope.db, month, left)
    if (due.length === 0 && isSettled(month, scope.now)) await closeMonth(scope.db, month, scope.now)
    left -= due.length
    await invoiceAll(scope, due)
  }
}

/** Whether the month has been over for a day: what was issued in its last moments has been written. */
function isSettled(month: string, now: Date): boolean {
  return now.getTime() >= new Date(`${lastDayOf(month)}T00:00:00Z`).getTime() + 2 * dayMs
}

async function invoiceAll(scope: JobScope, due: readonly DueCommission[]): Promise<void> {
  const sellers = await knownSellers(
    scope,
    due.map(({ sellerId }) => sellerId),
  )
  for (const each of due) {
    const seller = sellers.get(each.sellerId)
    if (seller) await invoiceCommission(scope, each, seller)
    else scope.log.error({ sellerId: each.sellerId }, 'a seller who owes commission is not known')
  }
}

async function invoiceCommission(scope: JobScope, due: DueCommission, seller: Seller): Promise<void> {
  const { market, month, currency } = due
  const kind = due.commission < 0 || due.commissionVat < 0 ? 'commission-credit' : 'commission'
  const source = commissionSource(due)
  const day = localDay(market, scope.now)
  const rules = await vatRules(scope)
  await issue(scope, { issuer: 'platform', kind, day }, async () => {
    if (await readInvoiceFor(scope.db, source)) return undefined
    const credits = kind === 'commission-credit' ? await readCorrectedCommission(scope.db, due) : undefined
    const tax = taxOf(due, seller, vatOf(rules, market, [], scope.now).rateBp)
    const line = lineOf(due, tax)
    const { vatRows, totals } = sumUp([line], [], false)
    return {
      source,
      sellerId: seller.id,
      customerOrderId: null,
      sellerOrderId: null,
      owner: null,
      companyId: null,
      commission: 0,
      commissionVat: 0,
      document: {
        kind,
        issuedOn: day,
        suppliedOn: lastDayOf(month),
        market,
        currency,
        treatment: tax.treatment,
        byMandate: false,
        seller: platformParty(market),
        buyer: sellerParty(seller, seller),
        deliverTo: null,
        orderId: null,
        sellerOrderId: null,
        lines: [line],
        charges: [],
        vatRows,
        totals,
        credits: credits ?? null,
      },
    }
  })
}

function commissionSource({ sellerId, market, month, treatment, rateBp }: DueCommission): string {
  return `commission:${month}:${market}:${sellerId}${treatment === null ? '' : `:${treatment}:${rateBp}`}`
}

/** The VAT as it was booked with each order. Orders that do not say were booked with the VAT of their market, for sellers of its country alone. */
function taxOf(
  { commissionVat, market, ...booked }: DueCommission,
  seller: Seller,
  standardBp: number,
): { treatment: TaxTreatment; category: VatCategory; rateBp: number } {
  if (booked.treatment !== null)
    return { treatment: booked.treatment, category: serviceCategoryOf(booked.treatment), rateBp: booked.rateBp ?? 0 }
  const { country } = markets[market]
  if (seller.country !== country) return { treatment: 'reverse-charge', category: 'AE', rateBp: 0 }
  const treatment = country === 'GB' ? 'gb' : 'domestic'
  return commissionVat === 0 ? { treatment, category: 'Z', rateBp: 0 } : { treatment, category: 'S', rateBp: standardBp }
}

function lineOf(due: DueCommission, { category, rateBp }: { category: VatCategory; rateBp: number }): InvoiceLine {
  const net = Math.abs(due.commission)
  const vat = Math.abs(due.commissionVat)
  const title = wordsFor(due.market)('invoice.pdf.commission', { month: showMonth(due.market, due.month) })
  return { id: due.month, title, quantity: 1, listNet: net, discountNet: 0, net, vat, gross: net + vat, rateBp, category }
}

function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}
