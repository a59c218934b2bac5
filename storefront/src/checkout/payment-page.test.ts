import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markets } from '@purlin/contract/markets.ts'
import { money, order, payment, sellerOrder } from '../testing/goods.ts'
import { pageOf } from '../testing/shop.ts'

const see = async (host: string) => {
  const parts = [
    sellerOrder(),
    sellerOrder({
      id: 'O1-8',
      deliveryLabel: 'To the kerb',
      delivery: money(39),
      lines: [
        {
          offerId: 'o2',
          productId: '2',
          title: 'Paving',
          url: '/p/p-2',
          imageUrl: '/x.svg',
          quantity: 12,
          total: money(60),
          totalWithVat: money(60),
        },
      ],
    }),
  ]
  const customerOrder = order({ sellerOrders: parts, payment: payment({ frameUrl: 'http://pay.localhost:3001/f' }) })
  const { body } = await pageOf({ customerOrder, invoiceOffer: { reason: null, settlement: 'EACH' } }, '/order/ORDER123/secure-payment', {
    cookie: 'who=guest',
    host,
  })
  return body.slice(body.indexOf('<main'))
}

for (const market of Object.keys(markets))
  for (const mode of ['', 'pro.'])
    test(`V-20 goods, quantities, delivery costs, total and legal text come before the card fields, in this order (${mode}${market})`, async () => {
      const page = await see(`${mode}${market}.localhost`)
      const places = [
        '>Drill<',
        '£20.00',
        '£4.90',
        '>Paving<',
        '>12<',
        '£60.00',
        'To the kerb',
        '£39.00',
        '£24.90',
        'data-legal',
        '<iframe',
      ]
      const found = places.map((words) => page.indexOf(words === '>12<' ? '12</p>' : words))
      assert.ok(
        found.every((place) => place > 0),
        `all are there: ${found}`,
      )
      assert.deepEqual(
        found,
        found.toSorted((one, other) => one - other),
      )
      const between = page.slice(page.indexOf('</p>', page.indexOf('data-legal')), page.indexOf('<iframe'))
      assert.doesNotMatch(between, /<(a|button|form|input)\b/, 'nothing to press between the legal text and the frame')
      assert.doesNotMatch(page.slice(page.indexOf('</iframe>')), /data-legal|£/, 'nothing of it comes after the button')
    })

test('a payment that is being prepared is looked at again: by a script, and without scripts by the browser', async () => {
  for (const [seconds, more] of [
    [1, {}],
    [2, { method: 'invoice' }],
  ] as const) {
    const customerOrder = order({ payment: payment(more) })
    const { body } = await pageOf({ customerOrder, invoiceOffer: { reason: null, settlement: 'EACH' } }, '/order/ORDER123/secure-payment', {
      cookie: 'who=guest',
    })
    assert.match(body, new RegExp(`data-seconds="${seconds}"`))
    assert.deepEqual(body.match(/(?:<noscript>)?<meta http-equiv="refresh"[^>]*>/gi), [
      `<noscript><meta http-equiv="refresh" content="${seconds}"/>`,
    ])
  }
})

const returned = (more: Record<string, unknown>, query = 'order=ORDER123') =>
  pageOf({ customerOrder: Object.keys(more).length > 0 ? order(more) : null }, `/spartacux/payment?${query}`, { cookie: 'who=guest' })

test('R-064 R-077 the page to which the provider returns waits for our own order, whatever its address claims, and is in no index', async () => {
  const { status, body, headers } = await returned({ state: 'AWAITING_PAYMENT' }, 'order=ORDER123&redirect_status=succeeded&paid=1')
  assert.equal(status, 200)
  assert.match(`${headers['x-robots-tag'] ?? ''} ${/<meta name="robots"[^>]*>/.exec(body)?.[0] ?? ''}`, /noindex/)
  assert.match(body, /data-seconds="1" data-at="\/spartacux\/payment\?order=ORDER123&amp;look=1"/)
  assert.match(body, /<noscript><meta http-equiv="refresh" content="1;url=\/spartacux\/payment\?order=ORDER123&amp;look=1"\/><\/noscript>/i)
})

for (const [what, more, query, to] of [
  ['a paid order leads to its receipt', { state: 'PAID', isPaid: true }, 'order=ORDER123', '/order/ORDER123/secure-payment/receipt'],
  [
    'a refused card leads back to the payment page',
    { payment: payment({ failure: 'card_declined' }) },
    'order=ORDER123&redirect_status=succeeded',
    '/order/ORDER123/secure-payment',
  ],
  ['after six looks the payment page shows the state', {}, 'order=ORDER123&look=6', '/order/ORDER123/secure-payment'],
] as const)
  test(`R-077 returning from the provider: ${what}`, async () => {
    const { status, headers } = await returned({ state: 'AWAITING_PAYMENT', ...more }, query)
    assert.deepEqual([status, headers['location']], [302, to])
  })

test('R-077 an order of somebody else, or none, is not found on return', async () => {
  for (const query of ['order=ORDER999', 'order=../x', '']) assert.equal((await returned({}, query)).status, 404, query)
})
