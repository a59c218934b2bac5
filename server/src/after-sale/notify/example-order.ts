import { markets, type Market } from '@purlin/contract/markets.ts'
import { findText } from '#content'
import type { MailSite } from '#mail'
import type { Address, CustomerOrder } from '#orders'
import { deliveryKindLabel } from '#pricing'
import type { OrderMail } from './order-mail.ts'

const goods: Record<Market, { title: string; first: string; last: string; line: string; postcode: string; city: string }> = {
  gb: {
    title: 'Cordless drill 18 V, two batteries',
    first: 'Ann',
    last: 'Lee',
    line: '1 High Street',
    postcode: 'M1 1AE',
    city: 'Manchester',
  },
  fr: {
    title: 'Perceuse-visseuse sans fil 18 V, deux batteries',
    first: 'Anne',
    last: 'Leroy',
    line: '12 rue des Lilas',
    postcode: '69003',
    city: 'Lyon',
  },
  de: {
    title: 'Akku-Bohrschrauber 18 V, zwei Akkus',
    first: 'Anna',
    last: 'Lehmann',
    line: 'Lindenstraße 4',
    postcode: '50674',
    city: 'Köln',
  },
  es: {
    title: 'Taladro atornillador 18 V, dos baterías',
    first: 'Ana',
    last: 'León',
    line: 'Calle Mayor 3',
    postcode: '28013',
    city: 'Madrid',
  },
  it: {
    title: 'Trapano avvitatore 18 V, due batterie',
    first: 'Anna',
    last: 'Leone',
    line: 'Via Roma 8',
    postcode: '20121',
    city: 'Milano',
  },
}

const rates: Record<Market, number> = { gb: 2000, fr: 2000, de: 1900, es: 2100, it: 2200 }

/** A made-up order, for previews. */
export function exampleOrder({ market, mode }: MailSite): OrderMail {
  const { title, first, last, line, postcode, city } = goods[market]
  const at = new Date('2026-12-01T10:30:00Z')
  const address: Address = {
    firstName: first,
    lastName: last,
    company: mode === 'b2b' ? 'Example Ltd' : null,
    vatNumber: null,
    line1: line,
    line2: null,
    postcode,
    city,
    country: market.toUpperCase(),
    phone: '',
    instructions: null,
  }
  const id = 'P0000EXAMPLE00000'
  const rateBp = rates[market]
  const net = Math.round((22_290 * 10_000) / (10_000 + rateBp))
  const vat = { rateBp, net, vat: 22_290 - net }
  const order: CustomerOrder = {
    id,
    owner: 'example',
    companyId: null,
    cartId: 'example',
    cartVersion: 1,
    market,
    mode,
    origin: null,
    currency: markets[market].currency,
    taxKey: 'with_vat',
    email: 'ann@example.org',
    state: 'paid',
    address,
    billingAddress: address,
    couponCode: 'TOOLS10',
    total: 22_290,
    totals: {
      taxKey: 'with_vat',
      goods: 23_800,
      delivery: 490,
      discount: 2000,
      net: vat.net,
      vat: vat.vat,
      total: 22_290,
      vatLines: [vat],
    },
    placement: 1,
    createdAt: at,
    placedAt: at,
    paidAt: at,
    holdsUntil: new Date(at.getTime() + 1_800_000),
    sellerOrders: [
      {
        id: `${id}-7`,
        sellerId: 7,
        state: 'pending',
        seller: {
          id: 7,
          slug: 'rhein-werkzeug',
          name: 'Rhein Werkzeug',
          legalName: 'Rhein Werkzeug GmbH',
          country: 'DE',
          vatNumber: 'DE100000007',
        },
        deliveryKind: 'standard',
        pickUpPoint: null,
        deliveryOptions: [
          { kind: 'standard', label: deliveryKindLabel(market, 'standard'), promise: '', fee: 490, daysMin: 1, daysMax: 3 },
        ],
        goods: 23_800,
        delivery: 490,
        discount: 2000,
        total: 22_290,
        sellerDiscount: 0,
        commission: 0,
        commissionVat: 0,
        lines: [
          {
            offerId: '1',
            productId: '1',
            quantity: 2,
            unitPrice: 11_900,
            total: 23_800,
            discount: 2000,
            net: vat.net,
            vat: vat.vat,
            vatRateBp: rateBp,
            taxKey: 'with_vat',
            snapshot: { title, url: '/', imageUrl: '/pictures/p/1/main.svg', conditionLabel: null },
          },
        ],
      },
    ],
  }
  const texts = (['withdrawal', 'terms'] as const).flatMap((name) => findText({ market, mode, now: at }, name) ?? [])
  return {
    order,
    token: 'EXAMPLE',
    names:
      mode === 'b2b'
        ? { purchaseOrder: 'PO 4711', costCentre: 'C-100', site: 'Mill Lane 4' }
        : { purchaseOrder: null, costCentre: null, site: null },
    sellerAddresses: new Map([[7, 'Hafenstraße 7, 50667 Köln, DE, service@rhein-werkzeug.example']]),
    texts,
  }
}
