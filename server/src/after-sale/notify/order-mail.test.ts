import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { marketCodes, markets, type Market } from '@purlin/contract/markets.ts'
import type { Address, CustomerOrder } from '#orders'
import { escapeHtml } from '#mail'
import { findText } from '#content'
import { mails, orderMails } from './mails.ts'
import { mailKinds, type MailKind, type OrderMail } from './order-mail.ts'

const address: Address = {
  firstName: 'Ann',
  lastName: 'Lee',
  company: null,
  vatNumber: null,
  line1: '1 High Street',
  line2: null,
  postcode: 'M1 1AE',
  city: 'Manchester',
  country: 'GB',
  phone: '1',
  instructions: null,
}

function order(market: Market, more: Partial<CustomerOrder> = {}): CustomerOrder {
  const taxKey = more.taxKey ?? 'with_vat'
  return {
    id: 'P0123456789ABCDEF',
    owner: 'o',
    cartId: 'c',
    cartVersion: 1,
    market,
    mode: 'b2c',
    currency: markets[market].currency,
    taxKey,
    email: 'ann@example.org',
    state: 'paid',
    address,
    billingAddress: { ...address, company: 'Lee Ltd', vatNumber: 'GB123456789' },
    couponCode: 'TOOLS10',
    total: 22_290,
    totals: {
      taxKey,
      goods: 23_800,
      delivery: 490,
      discount: 2_000,
      net: 18_731,
      vat: 3_559,
      total: 22_290,
      vatLines: [
        { rateBp: 1_900, net: 18_731, vat: 3_559 },
        { rateBp: 0, net: 0, vat: 0 },
      ],
    },
    placement: 1,
    createdAt: new Date('2026-07-01T20:00:00Z'),
    placedAt: new Date('2026-07-01T22:30:00Z'),
    paidAt: null,
    holdsUntil: new Date('2026-07-01T23:00:00Z'),
    sellerOrders: [
      {
        id: 'P0123456789ABCDEF-7',
        sellerId: 7,
        state: 'paid',
        seller: { id: 7, slug: 'rhein', name: 'Rhein Werkzeug', legalName: 'Rhein Werkzeug GmbH', country: 'DE', vatNumber: 'DE1' },
        deliveryKind: 'standard',
        deliveryOptions: [
          { kind: 'standard', label: 'Home delivery', promise: 'Arrives Mon 6 Jul', fee: 490, daysMin: 1, daysMax: 3 },
          { kind: 'express', label: 'Express', promise: 'tomorrow', fee: 990, daysMin: 1, daysMax: 1 },
        ],
        goods: 23_800,
        delivery: 490,
        discount: 2_000,
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
            discount: 2_000,
            net: 18_319,
            vat: 3_481,
            vatRateBp: 1_900,
            taxKey,
            snapshot: { title: 'Drill 18 V', url: '/p/drill-1', imageUrl: '/x', conditionLabel: 'Used - good condition' },
          },
        ],
      },
    ],
    ...more,
  } as CustomerOrder
}
const site = (market: Market) => ({ market, mode: 'b2c' as const, origin: 'https://shop.example' })
const unnamed = { purchaseOrder: null, costCentre: null, site: null }
const mail = (kind: MailKind, of: CustomerOrder, texts: OrderMail['texts'] = [], names: OrderMail['names'] = unnamed) =>
  orderMails[kind].render(
    { order: of, token: 'TOKEN', names, sellerAddresses: new Map([[7, 'Hafenstraße 7, 50667 Köln, DE']]), texts },
    site(of.market),
  )
const plainBlanks = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ')

for (const market of marketCodes) {
  for (const kind of mailKinds) {
    test(`the ${kind} mail of ${market}: every placeholder filled, with the same figures as text and as HTML`, () => {
      const { subject, text, html } = mail(kind, order(market))
      assert.ok(subject.includes('P0123456789ABCDEF'))
      for (const part of [subject, text]) assert.doesNotMatch(part, /[{}]|\b(?:undefined|null|NaN|Invalid)\b/)
      assert.doesNotMatch(html.replace(/style="[^"]*"/g, ''), /[{}]|\b(?:undefined|null|NaN|Invalid)\b/)
      const money = (amount: number) =>
        new Intl.NumberFormat(markets[market].locale, { style: 'currency', currency: markets[market].currency }).format(amount)
      for (const amount of [238, 4.9, -20, 187.31, 35.59, 222.9]) {
        assert.ok(text.includes(money(amount)), `${amount} in ${text}`)
        assert.ok(html.includes(escapeHtml(money(amount))), `${amount} in the page`)
      }
      for (const part of ['Rhein Werkzeug', 'Drill 18 V [Used - good condition]', 'Home delivery, Arrives Mon 6 Jul', 'Lee Ltd']) {
        assert.ok(text.includes(part), part)
        assert.ok(html.includes(part), part)
      }
      assert.doesNotMatch(text, /Express/)
    })
  }
}

test('a company finds its purchase order, cost centre and building site in the mail; other buyers find none', () => {
  const names = { purchaseOrder: 'PO 4711', costCentre: 'C-100', site: 'School, Mill Lane' }
  for (const [market, lines] of [
    ['gb', ['Purchase order number: PO 4711', 'Cost centre: C-100', 'Building site: School, Mill Lane']],
    ['de', ['Ihre interne Bestellnummer: PO 4711', 'Kostenstelle: C-100', 'Baustelle: School, Mill Lane']],
  ] as const) {
    const { text, html } = mail('confirmation', order(market), [], names)
    for (const line of lines) {
      assert.ok(text.includes(line), line)
      assert.ok(html.includes(line), line)
    }
  }
  assert.doesNotMatch(mail('confirmation', order('gb')).text, /Purchase order|Cost centre|Building site/)
})

test('each kind of mail links to the page that helps', () => {
  const links = mailKinds.map((kind) => /https:\/\/\S+/.exec(mail(kind, order('gb')).text)?.[0])
  assert.deepEqual(links, [
    'https://shop.example/orders/customer-order/P0123456789ABCDEF/shipment/P0123456789ABCDEF-7?access=TOKEN',
    'https://shop.example/order/P0123456789ABCDEF/secure-payment',
    'https://shop.example/cart',
  ])
})

test('dates and times are in the market’s time zone', () => {
  const said = (market: Market) => plainBlanks(mail('payment-failed', order(market)).text)
  assert.match(said('gb'), /kept until 00:00/)
  assert.match(said('gb'), /Ordered on 1 July 2026/)
  assert.match(said('de'), /bleibt bis 01:00 reserviert/)
  assert.match(said('de'), /Bestellt am 2\. Juli 2026/)
})

test('a buyer who sees net prices gets net prices per line, and both totals', () => {
  const text = plainBlanks(mail('confirmation', order('de', { taxKey: 'without_vat' })).text)
  assert.match(text, /2 × Drill 18 V \[Used - good condition\]: 200,00 €/)
  assert.match(text, /Summe ohne MwSt\.: 187,31 €[\s\S]*Summe mit MwSt\.: 222,90 €/)
})

test('without a discount there is no discount line; each VAT rate has its own line', () => {
  const { totals } = order('gb')
  const text = mail('confirmation', order('gb', { totals: { ...totals!, discount: 0 } })).text
  assert.doesNotMatch(text, /Discount/)
  assert.match(text, /VAT 19%: £35\.59\nVAT 0%: £0\.00/)
})

test('an address is formatted for its country', () => {
  const lines = (market: Market, country: string) =>
    plainBlanks(mail('confirmation', order(market, { address: { ...address, country } })).text)
  assert.match(lines('gb', 'GB'), /1 High Street\n {2}Manchester\n {2}M1 1AE\n {2}United Kingdom/)
  assert.match(lines('de', 'DE'), /1 High Street\n {2}M1 1AE Manchester\n {2}Deutschland/)
})

test('A55 A57 A62 text typed by people is escaped in the HTML, and no name can fill another placeholder', () => {
  const nasty = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom(
      '<script>x</script>',
      '"><img src=x>',
      "' onload='x",
      '{id}',
      '{until}',
      '$&',
      '&lt;',
      '</title>',
      '</td></tr></table>',
      '\r\nBcc: x@y.example',
      '\u2028Bcc: x@y.example\0',
    ),
  )
  const tags = (html: string) => [...html.matchAll(/<\/?([a-z!]+)/gi)].map(([, name]) => name).join()
  const wanted = tags(mail('confirmation', order('gb')).html)
  fc.assert(
    fc.property(nasty, nasty, nasty, nasty, (firstName, line1, title, seller) => {
      const base = order('gb')
      const [part] = base.sellerOrders
      const made = order('gb', {
        address: { ...address, firstName, line1: `x${line1}` },
        sellerOrders: [
          {
            ...part!,
            seller: { ...part!.seller, name: seller },
            lines: [{ ...part!.lines[0]!, snapshot: { ...part!.lines[0]!.snapshot, title } }],
          },
        ],
      })
      const { subject, html, text } = mail('confirmation', made)
      assert.match(subject, /^[^\p{Cc}\p{Zl}\p{Zp}]+$/u)
      assert.equal(tags(html), wanted)
      assert.ok(text.includes(`Hello ${firstName},`))
      assert.ok(text.includes(seller))
    }),
  )
})

for (const market of marketCodes) {
  test(`V-34 the confirmation of ${market} carries pictures, the seller’s address, withdrawal and terms in full, in both forms`, () => {
    const texts = (['withdrawal', 'terms'] as const).flatMap(
      (name) => findText({ market, mode: 'b2c', now: new Date('2026-12-01') }, name) ?? [],
    )
    assert.equal(texts.length, 2)
    const { text, html } = mail('confirmation', order(market), texts)
    assert.match(html, /<img src="https:\/\/shop\.example\/x" width="56" height="56" alt=""/)
    for (const part of [
      'Rhein Werkzeug GmbH, Hafenstraße 7, 50667 Köln, DE, DE1',
      'https://shop.example/withdrawal',
      'https://shop.example/cgu',
    ]) {
      assert.ok(text.includes(part), part)
      assert.ok(html.includes(escapeHtml(part)), part)
    }
    for (const { title, blocks } of texts) {
      const words = blocks.flatMap(({ lines, rows }) => [...lines, ...rows.flatMap(({ cells }) => cells)]).flatMap(({ spans }) => spans)
      for (const said of [title, ...words.map(({ text: word }) => word)]) {
        assert.ok(text.includes(said), said)
        assert.ok(html.includes(escapeHtml(said)), said)
      }
    }
    assert.ok(Buffer.byteLength(html) < 100_000, 'mail readers cut a page of 100 KB')
    assert.doesNotMatch(mail('cancelled', order(market), texts).text, /https:\/\/shop\.example\/cgu/)
  })
}

test('V-57 every mail can be previewed with example data, in five languages', () => {
  for (const { name, preview } of mails) {
    const subjects = new Set(marketCodes.map((market) => preview(site(market)).subject))
    assert.equal(subjects.size, marketCodes.length, name)
  }
})
