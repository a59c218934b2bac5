import type { Currency, Market } from '@purlin/contract/markets.ts'
import { splitGross } from '#pricing'
import type { OrderLine, SellerOrder } from '#orders'
import { sumUp, type InvoiceDocument, type Party } from './invoice.ts'
import { shareOf } from './sold-share.ts'
import { serviceCategoryOf, treatmentOf } from './tax-treatment.ts'

/** Sixteen invoices, for the tests of amounts, XML and PDF: every way to state VAT, and what makes amounts odd. */

const nothing = { line2: null, vatNumber: null, registration: null, email: null, fiscalNumber: null, sdiCode: null, pec: null }
export const party = (country: string, more: Partial<Party> = {}): Party => ({
  ...nothing,
  name: `House of ${country}`,
  legalName: `House of ${country} Ltd`,
  line1: '1 Mill Lane',
  postcode: '12345',
  city: 'Town',
  country,
  ...more,
})

export interface Sold {
  price: number
  quantity: number
  rateBp: number
  discount?: number
}

export function soldPart(sold: readonly Sold[], { delivery = 0, deliveryDiscount = 0 } = {}): SellerOrder {
  const lines = sold.map(({ price, quantity, rateBp, discount = 0 }, index): OrderLine => {
    const total = price * quantity
    const { net, vat } = splitGross(total - discount, rateBp)
    const snapshot = { title: `Drill <${index + 1}> & bits`, url: '/p/1', imageUrl: '', conditionLabel: index === 1 ? 'Used' : null }
    const ids = { offerId: String(100 + index), productId: '1' }
    return { ...ids, quantity, unitPrice: price, total, discount, net, vat, vatRateBp: rateBp, taxKey: 'with_vat', snapshot }
  })
  const goods = lines.reduce((all, { total }) => all + total, 0)
  const discount = lines.reduce((all, line) => all + line.discount, 0) + deliveryDiscount
  return {
    id: 'P0000000000000001-7',
    sellerId: 7,
    state: 'shipped',
    seller: { id: 7, slug: 'x', name: 'X', legalName: 'X Ltd', country: 'GB', vatNumber: 'GB123456789' },
    deliveryKind: 'standard',
    pickUpPoint: null,
    deliveryOptions: [],
    goods,
    delivery,
    discount,
    total: goods + delivery - discount,
    sellerDiscount: 0,
    commission: 0,
    commissionVat: 0,
    lines,
  }
}

interface Case {
  seller: string
  market: Market
  sold: readonly Sold[]
  delivery?: number
  deliveryDiscount?: number
  buyer?: Partial<Party>
  confirmed?: string
  isDeemedSupply?: boolean
  kind?: InvoiceDocument['kind']
}

function invoiceOf({
  seller,
  market,
  sold,
  delivery = 0,
  deliveryDiscount = 0,
  buyer = {},
  confirmed,
  isDeemedSupply = false,
  kind = 'sale',
}: Case): InvoiceDocument {
  const country = market.toUpperCase()
  const currency: Currency = market === 'gb' ? 'GBP' : 'EUR'
  const treatment = treatmentOf({ sellerCountry: seller, destination: country, confirmedVatNumber: confirmed ?? null, isDeemedSupply })
  const part = soldPart(sold, { delivery, deliveryDiscount })
  const now = new Map(part.lines.map(({ offerId, quantity }) => [offerId, quantity]))
  const { lines, charges } = shareOf(part, { before: new Map(), now }, treatment)
  const isCredit = kind === 'credit-note'
  return {
    kind,
    number: isCredit ? 'S7-R-2026-000001' : 'S7-2026-000001',
    issuedOn: '2026-11-22',
    suppliedOn: '2026-11-21',
    market,
    currency,
    treatment,
    byMandate: treatment !== 'deemed-supplier',
    seller: party(seller, { vatNumber: `${seller}123456789`, registration: 'R7', email: 'seller@example.com' }),
    buyer: party(country, { vatNumber: confirmed ?? null, email: 'buyer@example.com', ...buyer }),
    deliverTo: party(country),
    orderId: 'P0000000000000001',
    sellerOrderId: part.id,
    lines,
    charges,
    ...sumUp(lines, charges, true),
    credits: isCredit ? { number: 'S7-2026-000001', issuedOn: '2026-11-20' } : null,
  }
}

/** The marketplace's own service to a business, with French VAT or none. */
function serviceOf(
  market: Market,
  buyer: Party,
  treatment: 'domestic' | 'reverse-charge' | 'outside-scope',
  { issuer = market.toUpperCase(), kind = 'sale' }: { issuer?: string; kind?: 'sale' | 'commission' } = {},
): InvoiceDocument {
  const rateBp = treatment === 'domestic' ? 2000 : 0
  const vat = (9900 * rateBp) / 10_000
  const charged = { listNet: 9900, discountNet: 0, net: 9900, vat, gross: 9900 + vat, rateBp, category: serviceCategoryOf(treatment) }
  const line = { id: '1', title: kind === 'sale' ? 'Purlin Pro' : 'Commission', quantity: 1, ...charged }
  const sold = invoiceOf({ seller: issuer, market, sold: [drill] })
  const service = { kind, treatment, byMandate: false, buyer, deliverTo: null, orderId: null, sellerOrderId: null }
  return { ...sold, ...service, lines: [line], charges: [], ...sumUp([line], [], kind === 'sale') }
}

const drill: Sold = { price: 1299, quantity: 3, rateBp: 2000 }

export const goldenCases: Readonly<Record<string, InvoiceDocument>> = {
  'gb, domestic': invoiceOf({ seller: 'GB', market: 'gb', sold: [drill], delivery: 490 }),
  'gb, reduced rate beside the standard rate': invoiceOf({
    seller: 'GB',
    market: 'gb',
    sold: [drill, { price: 19_999, quantity: 1, rateBp: 500 }],
    delivery: 990,
  }),
  'gb, deemed supplier': invoiceOf({ seller: 'DE', market: 'gb', sold: [drill], delivery: 490, isDeemedSupply: true }),
  'fr, domestic with a coupon': invoiceOf({
    seller: 'FR',
    market: 'fr',
    sold: [{ ...drill, discount: 391 }],
    delivery: 490,
    deliveryDiscount: 490,
  }),
  'fr, three rates': invoiceOf({
    seller: 'FR',
    market: 'fr',
    sold: [drill, { price: 777, quantity: 2, rateBp: 550 }, { price: 1001, quantity: 1, rateBp: 1000 }],
    delivery: 1234,
  }),
  'fr, one stop shop': invoiceOf({ seller: 'DE', market: 'fr', sold: [drill], delivery: 490 }),
  'fr, reverse charge': invoiceOf({
    seller: 'DE',
    market: 'fr',
    sold: [{ ...drill, discount: 100 }],
    delivery: 490,
    confirmed: 'FR12123456789',
  }),
  'de, zero rate of solar goods': invoiceOf({
    seller: 'DE',
    market: 'de',
    sold: [{ price: 49_900, quantity: 2, rateBp: 0 }],
    delivery: 4990,
  }),
  'de, zero rate beside the standard rate': invoiceOf({
    seller: 'DE',
    market: 'de',
    sold: [
      { price: 49_900, quantity: 1, rateBp: 0 },
      { price: 3333, quantity: 3, rateBp: 1900 },
    ],
    delivery: 1990,
  }),
  'es, with a fiscal number': invoiceOf({
    seller: 'ES',
    market: 'es',
    sold: [{ ...drill, rateBp: 2100 }],
    buyer: { fiscalNumber: '12345678Z' },
  }),
  'it, with SDI code and PEC': invoiceOf({
    seller: 'IT',
    market: 'it',
    sold: [{ ...drill, rateBp: 2200 }],
    buyer: { fiscalNumber: 'RSSMRA85T10A562S', sdiCode: 'ABC1234', pec: 'rossi@pec.example.it' },
  }),
  'de, credit note': invoiceOf({ seller: 'DE', market: 'de', sold: [{ price: 1999, quantity: 1, rateBp: 1900 }], kind: 'credit-note' }),
  'de, service with reverse charge': serviceOf('de', party('FR', { vatNumber: 'FR12123456789' }), 'reverse-charge'),
  'gb, service outside the scope of VAT': serviceOf('gb', party('FR', { vatNumber: 'FR12123456789' }), 'outside-scope'),
  'de, commission of a French seller with the VAT of a French operator': serviceOf(
    'de',
    party('FR', { vatNumber: 'FR12123456789' }),
    'domestic',
    { issuer: 'FR', kind: 'commission' },
  ),
  'gb, commission of a British seller to a French operator': serviceOf('gb', party('GB', { vatNumber: 'GB123456789' }), 'outside-scope', {
    issuer: 'FR',
    kind: 'commission',
  }),
}
