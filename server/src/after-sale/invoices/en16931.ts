import { wordsFor } from '@purlin/words/catalogues.ts'
import { settings } from '#platform'
import { decimal } from '#pricing'
import { taxNotes } from './invoice-text.ts'
import type { InvoiceDocument, InvoiceLine, Party } from './invoice.ts'
import type { VatCategory } from './tax-treatment.ts'

/** What both syntaxes of EN 16931, CII and UBL, have in common. */

/** UNTDID 1001. */
export function typeCodeOf({ kind }: Pick<InvoiceDocument, 'kind'>): '380' | '381' {
  return kind === 'sale' || kind === 'commission' ? '380' : '381'
}

/** "19.00", from basis points. */
const percent = decimal

/** The net price of one piece. It may need more than two decimals, since prices are made with VAT. */
export function unitPrice({ listNet, quantity }: Pick<InvoiceLine, 'listNet' | 'quantity'>): string {
  const major = listNet / (quantity * 100)
  return listNet % quantity === 0 ? decimal(listNet / quantity) : major.toFixed(6)
}

/** Why no VAT is charged (BT-120, BT-121). */
export function exemptionOf(category: VatCategory, invoice: InvoiceDocument): { reason: string; code: string } | null {
  const code = exemptions[category]
  return code === undefined ? null : { reason: taxNotes(invoice).join(' '), code }
}

const exemptions: Partial<Record<VatCategory, string>> = { K: 'VATEX-EU-IC', AE: 'VATEX-EU-AE', O: 'VATEX-EU-O' }

/** A category's rate; outside the scope of VAT there is none, not even zero (BR-O-05). */
export function rateOf(category: VatCategory, rateBp: number): string | null {
  return category === 'O' ? null : percent(rateBp)
}

/** An invoice outside the scope of VAT states the VAT number of neither party as such (BR-O-02). */
export function vatNumberOf({ treatment }: Pick<InvoiceDocument, 'treatment'>, { vatNumber }: Party): string | null {
  return treatment === 'outside-scope' ? null : vatNumber
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
