import { wordsFor } from '@purlin/words/catalogues.ts'
import { settings } from '#platform'
import { decimal } from '#pricing'
import { taxNotes } from './invoice-text.ts'
import type { InvoiceDocument, InvoiceLine } from './invoice.ts'
import type { VatCategory } from './tax-treatment.ts'

/** What both syntaxes of EN 16931, CII and UBL, have in common. */

/** UNTDID 1001. */
export function typeCodeOf({ kind }: Pick<InvoiceDocument, 'kind'>): '380' | '381' {
  return kind === 'sale' || kind === 'commission' ? '380' : '381'
}

/** "19.00", from basis points. */
export const percent = decimal

/** The net price of one piece. It may need more than two decimals, since prices are made with VAT. */
export function unitPrice({ listNet, quantity }: Pick<InvoiceLine, 'listNet' | 'quantity'>): string {
  const major = listNet / (quantity * 100)
  return listNet % quantity === 0 ? decimal(listNet / quantity) : major.toFixed(6)
}

/** Why no VAT is charged (BT-120, BT-121). */
export function exemptionOf(category: VatCategory, invoice: InvoiceDocument): { reason: string; code: string } | null {
  if (category !== 'K' && category !== 'AE') return null
  return { reason: taxNotes(invoice).join(' '), code: category === 'K' ? 'VATEX-EU-IC' : 'VATEX-EU-AE' }
}

export function notesOf(invoice: InvoiceDocument): string[] {
  const t = wordsFor(invoice.market)
  const { sdiCode, pec, fiscalNumber } = invoice.buyer
  return [
    ...(invoice.byMandate ? [t('invoice.pdf.on-behalf', { operator: settings().operator.name, seller: invoice.seller.legalName })] : []),
    ...taxNotes(invoice),
    ...(fiscalNumber ? [t('invoice.pdf.fiscal-number', { number: fiscalNumber })] : []),
    ...(sdiCode ? [t('invoice.pdf.sdi', { code: sdiCode })] : []),
    ...(pec ? [t('invoice.pdf.pec', { address: pec })] : []),
  ]
}

/** Said where something is still to be paid (BR-CO-25). */
export function paymentTerms({ market, totals }: InvoiceDocument): string | null {
  return totals.due > 0 ? wordsFor(market)('invoice.pdf.netted') : null
}

/** UNTDID 4461: bank card; nothing for amounts netted with a payout. */
export function paymentMeans({ kind }: Pick<InvoiceDocument, 'kind'>): string {
  return kind === 'sale' || kind === 'credit-note' ? '48' : '97'
}

/** UNECE Rec 20: piece. */
export const pieceUnit = 'H87'
