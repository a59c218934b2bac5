import { townLines } from '@purlin/contract/addresses.ts'
import { markets, type Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { dateFormat } from '@purlin/words/date-format.ts'
import type { DateFormat } from '@purlin/words/translate.ts'
import { showRate } from '#cart'
import { settings } from '#platform'
import { divideHalfUp, showMoney } from '#pricing'
import { countryName } from '#sellers'
import type { Sheet, TextTable } from './draw-sheet.ts'
import { seriesOf, type InvoiceDocument, type Party } from './invoice.ts'

const days = new Map<Market, DateFormat>()

/** "22 November 2026": a day in the market's words. */
export function showDay(market: Market, day: string): string {
  let format = days.get(market)
  if (!format) days.set(market, (format = dateFormat(markets[market].locale, { dateStyle: 'long', timeZone: 'UTC' })))
  return format.format(new Date(`${day}T00:00:00Z`))
}

/** Name, address and numbers of a party. */
export function partyLines(market: Market, of: Party): string[] {
  const t = wordsFor(market)
  const lines = [
    of.legalName,
    ...(of.name !== of.legalName ? [of.name] : []),
    of.line1,
    ...(of.line2 ? [of.line2] : []),
    ...(of.postcode ? townLines(of) : [of.city]),
    countryName(markets[market].locale, of.country),
    ...(of.vatNumber ? [t('invoice.pdf.vat-number', { number: of.vatNumber })] : []),
    ...(of.fiscalNumber ? [t('invoice.pdf.fiscal-number', { number: of.fiscalNumber })] : []),
    ...(of.sdiCode ? [t('invoice.pdf.sdi', { code: of.sdiCode })] : []),
    ...(of.pec ? [t('invoice.pdf.pec', { address: of.pec })] : []),
  ]
  return lines.filter(Boolean)
}

/** How a document of a series refers to an earlier one. */
const refersTo = { R: 'invoice.pdf.corrects', F: 'invoice.pdf.takes-back' } as const

/** Everything an invoice says, in the language of its market; where it stands on the page is the drawing's concern. */
export function describeInvoice(invoice: InvoiceDocument): Sheet {
  const { market, kind, number, seller, buyer, deliverTo, totals, credits } = invoice
  const t = wordsFor(market)
  const money = (amount: number): string => showMoney(market, amount).formatted
  const party = (of: Party): string[] => partyLines(market, of)
  return {
    number,
    title: t(`invoice.kind.${kind}`),
    seller: seller.name,
    onBehalf: invoice.byMandate ? t('invoice.pdf.on-behalf', { operator: settings().operator.name, seller: seller.legalName }) : '',
    parties: [
      { title: t('invoice.pdf.from'), lines: party(seller) },
      { title: t('invoice.pdf.to'), lines: party(buyer) },
      ...(deliverTo ? [{ title: t('invoice.pdf.deliver-to'), lines: party(deliverTo) }] : []),
    ],
    facts: [
      [t('invoice.pdf.number'), number],
      [t('invoice.pdf.issued'), showDay(market, invoice.issuedOn)],
      [t('invoice.pdf.supplied'), showDay(market, invoice.suppliedOn)],
      ...(invoice.orderId === null ? [] : [[t('invoice.pdf.order'), invoice.orderId] as const]),
      ...(invoice.reference?.purchaseOrder ? [[t('order-reference.purchase-order'), invoice.reference.purchaseOrder] as const] : []),
      ...(invoice.reference?.costCentre ? [[t('order-reference.cost-centre'), invoice.reference.costCentre] as const] : []),
    ] as const,
    table: {
      head: (['article', 'quantity', 'unit', 'rate', 'net'] as const).map((column) => t(`invoice.pdf.${column}`)),
      rows: [
        ...invoice.lines.map(({ title, quantity, listNet, net, discountNet, rateBp }) => ({
          cells: [title, String(quantity), money(divideHalfUp(listNet, quantity)), showRate(market, rateBp), money(net)],
          note: discountNet > 0 ? t('invoice.pdf.discount', { amount: money(-discountNet) }) : null,
        })),
        ...invoice.charges.map(({ net, rateBp }) => ({
          cells: [t('invoice.pdf.delivery'), '1', money(net), showRate(market, rateBp), money(net)],
          note: null,
        })),
      ],
    } satisfies TextTable,
    totals: [
      [t('invoice.pdf.sum-net'), money(totals.net), false],
      ...invoice.vatRows.map(
        ({ rateBp, net, vat }) => [t('invoice.pdf.vat', { rate: showRate(market, rateBp), net: money(net) }), money(vat), false] as const,
      ),
      [t('invoice.pdf.gross'), money(totals.gross), true],
      ...(totals.paid === 0 ? [] : [[t('invoice.pdf.paid'), money(totals.paid), false] as const]),
      ...(totals.due === 0 && totals.paid === 0 ? [] : [[t('invoice.pdf.due'), money(totals.due), totals.due > 0] as const]),
    ] as const,
    notes: [
      ...taxNotes(invoice),
      ...(credits ? [t(refersTo[seriesOf(kind)], { number: credits.number, date: showDay(market, credits.issuedOn) })] : []),
    ],
    footer: [seller.legalName, seller.registration, seller.vatNumber, seller.email].filter(Boolean).join(' · '),
    pageOf: (page: number, pages: number): string => t('invoice.pdf.page', { page: String(page), pages: String(pages) }),
  }
}

/** What the law wants said about the VAT. */
export function taxNotes({
  market,
  treatment,
  vatRows,
  seller,
}: Pick<InvoiceDocument, 'market' | 'treatment' | 'vatRows' | 'seller'>): string[] {
  const t = wordsFor(market)
  const isService = vatRows.some(({ category }) => category === 'AE')
  const notes: string[] = []
  if (treatment === 'reverse-charge') notes.push(t(isService ? 'invoice.pdf.service-reverse-charge' : 'invoice.pdf.reverse-charge'))
  if (treatment === 'oss') notes.push(t('invoice.pdf.oss'))
  if (treatment === 'outside-scope') notes.push(t('invoice.pdf.outside-scope', { issuer: seller.country === 'GB' ? 'GB' : 'other' }))
  if (treatment === 'deemed-supplier') notes.push(t('invoice.pdf.deemed-supplier'))
  if (vatRows.some(({ category }) => category === 'Z')) notes.push(t('invoice.pdf.zero'))
  return notes
}
