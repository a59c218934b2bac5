import { wordsFor } from '@purlin/words/catalogues.ts'
import { readCompany } from '#accounts'
import { allocate, showRate } from '#cart'
import { readAddresses } from '#addresses'
import { asRegistered, itemColumns, noDetails, partyLines, sellerParty, sheetPdf, showDay, type Party, type Sheet } from '#invoices'
import type { Db } from '#platform'
import { divideHalfUp, inTaxMode, localDay, showMoney } from '#pricing'
import type { Seller } from '#sellers'
import { companyTaxOwner, readTaxRecord } from '#tax'
import type { Quote, QuoteLine } from './quote.ts'

type Amount = [gross: number, rateBp: number]

/** Delivery is ancillary to the goods: it takes their VAT rates, in proportion to their value, as in the cart. */
export function deliveryByRate({ lines, delivery }: { lines: readonly QuoteLine[]; delivery: number | null }): Amount[] {
  if (!delivery) return []
  const rates = [...new Set(lines.map(({ vatRateBp }) => vatRateBp))].toSorted((one, other) => one - other)
  const goodsAt = (rateBp: number): number =>
    lines.reduce((sum, { price, listPrice, quantity, vatRateBp }) => sum + (vatRateBp === rateBp ? (price ?? listPrice) * quantity : 0), 0)
  const shares = allocate(delivery, rates.map(goodsAt))
  return rates.flatMap((rateBp, index): Amount[] => ((shares[index] ?? 0) > 0 ? [[shares[index] ?? 0, rateBp]] : []))
}

/** Whether the seller has named every price, so that the quote can be printed. */
export function isPriced({ lines, delivery }: { lines: readonly QuoteLine[]; delivery: number | null }): boolean {
  return delivery !== null && lines.every(({ price }) => price !== null)
}

/** A quote that the seller has answered, in the language of its market: net prices, VAT by rate, and what the order will cost. */
export function describeQuote(quote: Quote, seller: Seller, buyer: Party): Sheet {
  const { market, number, lines, createdAt, validUntil, wantedOn, note } = quote
  const t = wordsFor(market)
  const money = (amount: number): string => showMoney(market, amount).formatted
  const net = ([gross, rateBp]: Amount): number => inTaxMode('without_vat', gross, { rateBp, hasNoVATForDE: false })
  const day = (at: Date): string => showDay(market, localDay(market, at))
  const goods = lines.map(({ price, listPrice, quantity, vatRateBp }): Amount => [(price ?? listPrice) * quantity, vatRateBp])
  const freight = deliveryByRate(quote)
  const amounts = [...goods, ...freight]
  const rates = [...new Set(amounts.map(([, rateBp]) => rateBp))].toSorted((one, other) => other - one)
  const sum = (of: readonly Amount[], figure: (amount: Amount) => number): number => of.reduce((all, amount) => all + figure(amount), 0)
  const from = sellerParty(seller, seller)
  const row = (title: string, quantity: number, amount: Amount, details: string | null = null) => ({
    cells: [title, String(quantity), money(divideHalfUp(net(amount), quantity)), showRate(market, amount[1]), money(net(amount))],
    note: details,
  })
  return {
    number,
    title: t('quote.pdf.title'),
    seller: seller.name,
    onBehalf: '',
    parties: [
      { title: t('invoice.pdf.from'), lines: partyLines(market, from) },
      { title: t('quote.pdf.to'), lines: partyLines(market, buyer) },
    ],
    facts: [
      [t('quote.number'), number],
      [t('quote.pdf.requested'), day(createdAt)],
      ...(validUntil === null ? [] : [[t('quote.pdf.valid-until'), day(validUntil)] as const]),
      ...(wantedOn === null ? [] : [[t('quote.pdf.wanted'), showDay(market, wantedOn)] as const]),
    ],
    table: {
      head: (['article', 'quantity', 'unit', 'rate', 'net'] as const).map((column) => t(`invoice.pdf.${column}`)),
      rows: [
        ...lines.map(({ title, quantity, price, listPrice }, index) => {
          const amount = goods[index] ?? [0, 0]
          const before: Amount = [listPrice, amount[1]]
          const isLess = price !== null && price < listPrice
          return row(title, quantity, amount, isLess ? t('quote.pdf.list-price', { amount: money(net(before)) }) : null)
        }),
        ...freight.map((share) => row(t('invoice.pdf.delivery'), 1, share)),
      ],
    },
    totals: [
      [t('invoice.pdf.sum-net'), money(sum(amounts, net)), false],
      ...rates.map((rateBp) => {
        const taxed = amounts.filter(([, rate]) => rate === rateBp)
        const untaxed = sum(taxed, net)
        const label = t('invoice.pdf.vat', { rate: showRate(market, rateBp), net: money(untaxed) })
        return [label, money(sum(taxed, ([gross]) => gross) - untaxed), false] as const
      }),
      [t('invoice.pdf.gross'), money(sum(amounts, ([gross]) => gross)), true],
    ],
    notes: [...(note === '' ? [] : [t('quote.note', { note })]), t('quote.pdf.exactly'), t('quote.pdf.no-invoice')],
    footer: [from.legalName, from.registration, from.vatNumber, from.email].filter(Boolean).join(' · '),
    pageOf: (page, pages) => t('invoice.pdf.page', { page: String(page), pages: String(pages) }),
  }
}

/** The quote as PDF; null until the seller has named its prices. */
export async function quotePdf(db: Db, quote: Quote, seller: Seller): Promise<Buffer | null> {
  const buyer = isPriced(quote) ? await buyerOf(db, quote) : null
  if (!buyer) return null
  const { market, createdAt } = quote
  return sheetPdf(describeQuote(quote, seller, buyer), itemColumns, { market, issuedOn: localDay(market, createdAt) })
}

/** The company at the seat of its tax information, otherwise at the business address of the member who requested the quote. */
async function buyerOf(db: Db, { companyId, customerId }: Quote): Promise<Party | null> {
  const [company, record, addresses] = await Promise.all([
    readCompany(db, companyId),
    readTaxRecord(db, companyTaxOwner(companyId)),
    readAddresses(db, customerId),
  ])
  if (!company) return null
  const { name, country, vatNumber } = company
  // Colleagues read the quote: an address without a company may be the member's home.
  const [seat] = addresses.filter((each) => each.company).toSorted((a, b) => Number(b.isBillingDefault) - Number(a.isBillingDefault))
  const { line1 = '', line2 = null, postcode = '', city = '' } = seat ?? {}
  return asRegistered({ ...noDetails, name, legalName: name, line1, line2, postcode, city, country, vatNumber }, record)
}
