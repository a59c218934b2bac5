import assert from 'node:assert/strict'
import { test } from 'node:test'
import { order } from '../testing/goods.ts'
import { pageOf, textOf } from '../testing/shop.ts'

const cookie = 'who=consumer'
const token = 'T'.repeat(43)
const base = order({ state: 'SHIPPED', isPaid: true, placedAt: '2026-11-20T10:00:00Z' })
const [part] = base.sellerOrders
const partId = part?.id ?? ''
const parcel = (more: object = {}) => ({
  id: '018f0000-0000-7000-8000-000000000001',
  token,
  carrier: 'Purlin Post',
  trackingNumber: 'PP123456789012GB',
  state: 'ON_THE_WAY',
  stateLabel: 'On its way',
  expectedBy: '2026-11-25T21:00:00Z',
  isLate: false,
  events: [{ kind: 'COLLECTED', label: 'Collected from the seller', at: '2026-11-22T10:00:00Z', place: 'Leeds' }],
  contents: [{ offerId: part?.lines[0]?.offerId ?? '', quantity: 1 }],
  ...more,
})
const shipment = (parcels: readonly object[], more: object = {}) => ({
  sellerOrderId: partId,
  due: null,
  pieces: [],
  history: [{ at: '2026-11-21T09:00:00Z', offerId: '1', quantity: 1, to: 'ACCEPTED', label: '1 item accepted by the seller' }],
  parcels,
  ...more,
})
const shown = (parcels: readonly object[], state = 'SHIPPED') => ({
  customerOrder: {
    ...base,
    sellerOrders: base.sellerOrders.map((each) => ({ ...each, state, stateLabel: 'Shipped' })),
    shipments: [shipment(parcels)],
  },
})
const details = `/orders/customer-order/${base.id}/shipment/${partId}`

for (const [ids, name, path, says] of [
  ['R-094 R-229', 'the order', details, ['On its way']],
  [
    'R-095 R-231',
    'the shipment',
    `${details}/detail`,
    ['PP123456789012GB', 'Collected from the seller', 'Leeds', '1 item accepted by the seller'],
  ],
  ['R-106 R-238', 'following the delivery', `/online-support/${partId}/follow-delivery`, ['PP123456789012GB', 'Collected from the seller']],
] as const)
  test(`${ids} ${name} is shown to its buyer with its parcels; to strangers it does not exist, and visitors sign in first`, async () => {
    const { status, body } = await pageOf(shown([parcel()]), path, { cookie })
    assert.equal(status, 200)
    for (const part of says) assert.ok(textOf(body).includes(part), part)
    assert.match(body, /name="robots" content="noindex/)
    assert.ok(body.includes(`/track-my-parcel/${token}`))
    assert.equal((await pageOf({ customerOrder: null }, path, { cookie })).status, 404)
    assert.equal((await pageOf(shown([parcel()]), path.replace(partId, `${base.id}-99`), { cookie })).status, 404)
    const stranger = await pageOf(shown([parcel()]), path)
    assert.deepEqual([stranger.status, stranger.headers['location']], [302, `/login?callbackUrl=${encodeURIComponent(path)}`])
  })

test('an order with another address than the account’s says why the list does not contain it; one in the list, and a guest’s, says nothing', async () => {
  const note = 'You placed this order with ann@buyer.example, so it is not in your list of orders yet.'
  const receipt = `/order/${base.id}/secure-payment/receipt`
  for (const path of [details, receipt])
    for (const [who, isInMyOrders, isSaid] of [
      ['who=consumer', false, true],
      ['who=consumer', true, false],
      ['who=guest', false, false],
    ] as const) {
      const { customerOrder } = shown([])
      const { body } = await pageOf({ customerOrder: { ...customerOrder, isInMyOrders } }, path, { cookie: who })
      assert.equal(textOf(body).includes(note), isSaid, `${who} ${isInMyOrders} ${path}`)
      if (isSaid) assert.ok(body.includes('href="/api/auth/account?page=email"'), path)
    }
  const { body } = await pageOf(shown([]), receipt, { cookie: 'who=guest' })
  assert.ok(body.includes(`name="callbackUrl" value="/convert-guest?order=${base.id}"`), 'whoever registers comes back to this order')
  assert.ok(textOf(body).includes('With any other address, this order is added to your account only once'))
})

test('R-095 a lost parcel among others has the one tap that leads to the money; the others have not', async () => {
  const lost = parcel({ id: '018f0000-0000-7000-8000-000000000002', state: 'LOST', stateLabel: 'Lost', expectedBy: null })
  const { body } = await pageOf(
    shown([parcel({ state: 'DELIVERED', stateLabel: 'Delivered' }), lost], 'INCIDENT_OPEN'),
    `${details}/detail`,
    {
      cookie,
    },
  )
  assert.equal(body.split(`action="/online-support/${partId}?about=delivery"`).length, 2)
  assert.ok(textOf(body).includes('Report it as not received'))
})

test('R-094 the order names its disputes and where they stand', async () => {
  const messageId = '018f0000-0000-7000-8000-000000000007'
  const disputesOfOrder = [{ orderId: partId, messageId, number: '20001', state: 'MEDIATION', isEnded: false }]
  const { body } = await pageOf({ ...shown([parcel()]), disputesOfOrder }, details, { cookie })
  assert.ok(textOf(body).includes('Dispute 20001: We are looking into it'))
  assert.ok(body.includes(`href="/online-support/${partId}/dispute/${messageId}"`))
  assert.ok(!(await pageOf(shown([parcel()]), details, { cookie })).body.includes('id="disputes"'))
})

test('R-094 what was closed without having arrived shows no stage of the delivery; what has arrived shows the last', async () => {
  for (const [to, isShown] of [
    ['INCIDENT_OPEN', false],
    ['DELIVERED', true],
  ] as const) {
    const { customerOrder } = shown([parcel()], 'CLOSED')
    const history = [to, 'CLOSED'].map((each) => ({ at: '2026-11-21T09:00:00Z', offerId: '1', quantity: 1, to: each, label: '1 item' }))
    const shipments = [shipment([parcel()], { history })]
    const { body } = await pageOf({ customerOrder: { ...customerOrder, shipments } }, details, { cookie })
    assert.equal(body.includes('aria-label="Progress of the delivery"'), isShown, to)
  }
})

test('R-094 a lost parcel promises its goods or the money until its incident has ended, not after that', async () => {
  const lost = parcel({ state: 'LOST', stateLabel: 'Lost', expectedBy: null })
  for (const [state, isPromised] of [
    ['INCIDENT_OPEN', true],
    ['DELIVERED', false],
    ['CLOSED', false],
  ] as const) {
    const text = textOf((await pageOf(shown([lost], state), details, { cookie })).body)
    assert.ok(text.includes('Lost'), state)
    assert.equal(text.includes('or you get your money back'), isPromised, state)
  }
})

test('a parcel that nobody collected says that the money comes back where the goods were bought with the order, and promises none for goods that were sent back', async () => {
  const uncollected = parcel({ state: 'RETURNED', stateLabel: 'On its way back', readyUntil: '2026-11-30T21:00:00Z' })
  const bought = shown([uncollected])
  const replaces = { customerOrderId: 'P0123456789ABCDEG', sellerOrderId: 'P0123456789ABCDEG-1' }
  const sentBack = { customerOrder: { ...bought.customerOrder, replaces } }
  for (const path of [details, `${details}/detail`, `/online-support/${partId}/follow-delivery`]) {
    assert.match(
      textOf((await pageOf(bought, path, { cookie })).body),
      /Nobody collected this parcel in time\.[^.]*, and you get your money back\./,
    )
    const { body } = await pageOf(sentBack, path, { cookie })
    assert.match(textOf(body), /Nobody collected this parcel in time\. It goes back to the seller\./)
    assert.doesNotMatch(textOf(body), /money back/)
  }
})

test('R-018 the order in the account lists its returns with their states and labels', async () => {
  const back = {
    id: '018f0000-0000-7000-8000-000000000009',
    number: '50007',
    customerOrderId: base.id,
    sellerOrderId: partId,
    state: 'LABEL_SENT',
    stateLabel: 'Ready to send back',
    reasonLabel: 'I have changed my mind',
    wish: 'refund',
    wishLabel: 'A refund',
    requestedAt: '2026-11-21T10:00:00Z',
    decisionNote: null,
    isSentBack: false,
    sellerName: 'Nordwerk',
    sellerAddress: [],
    labelUrl: '/api/v1/returns/018f0000-0000-7000-8000-000000000009/label',
    isLabelAwaited: false,
    collection: null,
    canHandOver: true,
    canGiveUp: true,
    lines: [],
  }
  const { status, body } = await pageOf({ ...shown([parcel()]), returnsOfOrder: [back] }, details, { cookie })
  assert.equal(status, 200)
  assert.ok(textOf(body).includes('Return 50007') && textOf(body).includes('Ready to send back'))
  assert.ok(body.includes(`/return-request/${base.id}/${partId}/confirmation/${back.id}`) && body.includes(back.labelUrl))

  const offersReturn = (html: string) => [
    textOf(html).includes('Withdraw from contract here'),
    textOf(html).includes('Return or report a problem'),
  ]
  assert.deepEqual(offersReturn(body), [true, true], 'some pieces can still be returned')
  const lines = base.sellerOrders.flatMap((each) => each.lines.map(({ offerId, title, quantity }) => ({ offerId, title, quantity })))
  const whole = (state: string, isSentBack = false) =>
    pageOf({ ...shown([parcel()]), returnsOfOrder: [{ ...back, lines, state, isSentBack }] }, details, { cookie })
  const settled = (await whole('REFUNDED')).body
  assert.deepEqual(offersReturn(settled), [false, false], 'a form without a piece to choose is not offered')
  assert.equal(settled.split(`/confirmation/${back.id}`).length, 3, 'the part links its return instead')
  assert.deepEqual(offersReturn((await whole('REFUSED')).body), [true, true])
  assert.deepEqual(offersReturn((await whole('REFUSED', true)).body), [false, false], 'they come back with an order of their own')
})

test('R-112 an order without payment links the withdrawal function while its goods can be withdrawn from, and returns either way', async () => {
  const { customerOrder } = shown([parcel()])
  const replaces = { customerOrderId: 'P0000000000000001', sellerOrderId: 'P0000000000000001-1' }
  for (const [reasons, isOffered] of [
    [[{ isWithdrawal: true }, { isWithdrawal: false }], true],
    [[{ isWithdrawal: false }], false],
    [[], false],
  ] as const) {
    const data = { customerOrder: { ...customerOrder, isPaid: false, replaces }, returnOptions: { reasons } }
    const { status, body } = await pageOf(data, details, { cookie })
    assert.equal(status, 200)
    assert.equal(textOf(body).includes('Withdraw from contract here'), isOffered, JSON.stringify(reasons))
    assert.equal(body.includes('reason=changed-mind'), isOffered)
    assert.ok(textOf(body).includes('Return or report a problem'))
  }
})
