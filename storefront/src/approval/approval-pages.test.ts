import assert from 'node:assert/strict'
import { test } from 'node:test'
import { money, order } from '../testing/goods.ts'
import { pageOf, shopWith, textOf, unavailable } from '../testing/shop.ts'

const host = 'pro.gb.localhost'
const cookie = 'who=professional'
const id = '0199c0de-0000-7000-8000-0000000000a1'
const limits = [{ kind: 'MEMBER', limit: 'MONTH', left: money(150) }]
const approval = (more: object = {}) => ({
  id,
  state: 'PENDING',
  customerOrderId: 'P0000000000000001',
  sellerOrderId: null,
  isOrderOpen: true,
  payment: null,
  canReturn: false,
  left: [],
  buyer: 'Leah Novak',
  isYours: false,
  canDecide: true,
  canOrder: false,
  payBy: 'INVOICE',
  note: 'For the roof',
  comment: null,
  decidedBy: null,
  decidedAt: null,
  requestedAt: '2026-11-22T10:00:00Z',
  expiresAt: '2026-11-29T10:00:00Z',
  purchaseOrder: 'PO 4711',
  costCentre: 'C-100',
  site: 'School, Mill Lane',
  address: order().address,
  pickUpPoints: [],
  exchangeable: [],
  limits,
  lines: [{ title: 'Drill', url: '/p/drill-1', quantity: 2, unitPrice: money(100), total: money(200), newPrice: null, isGone: false }],
  delivery: money(0),
  discount: money(0),
  total: money(200),
  totalNow: money(200),
  isChanged: false,
  ...more,
})
const page = `/my-account/approvals/${id}`
/** The only page of a list. */
const approvalCount = { total: 1, pages: 1 }
const link = `/approval/${'A'.repeat(43)}`

test('an approver sees the goods, the limits, the site and the references, and decides with a button', async () => {
  for (const path of [page, link]) {
    const { status, body } = await pageOf({ approval: approval(), approvalByToken: approval() }, path, { cookie, host })
    assert.equal(status, 200, path)
    for (const part of [
      'Leah Novak',
      'For the roof',
      'School, Mill Lane',
      'PO 4711',
      'C-100',
      'Drill',
      '£150.00 left this month',
      'Approve £200.00',
    ])
      assert.ok(textOf(body).includes(part), `${path}: ${part}`)
    assert.match(body, /name="agreedTotal" value="20000"/)
  }
})

test('every amount that an approver sees includes VAT, as budgets do, and says so, in the list as well', async () => {
  const [line] = approval().lines
  const dearer = approval({ isChanged: true, totalNow: money(220), discount: money(10), lines: [{ ...line, newPrice: money(110) }] })
  const { body } = await pageOf({ approval: dearer }, page, { cookie, host })
  for (const part of [
    'Limits it exceeds, including VAT',
    'Price incl. VAT',
    'Total incl. VAT',
    'Delivery incl. VAT',
    'Discount incl. VAT',
    'Total including VAT',
    'Total at today’s prices, including VAT',
    'Approve £220.00 incl. VAT',
  ])
    assert.ok(textOf(body).includes(part), part)
})

test('opening the link of the mail sends nothing: only its form decides, with the total that was shown', async () => {
  const sent: unknown[] = []
  let refusal: object | null = null
  const shop = await shopWith({
    approvalByToken: approval(),
    decideApprovalByToken: ({ decision }: { decision: object }) => (sent.push({ ...decision }), { refusal }),
  })
  try {
    await shop.ask(link, { host })
    assert.deepEqual(sent, [])
    const form = { do: 'decide', decision: 'approve', comment: 'Fine', agreedTotal: '20000' }
    const decided = await shop.ask(link, { host, form })
    assert.deepEqual([decided.status, decided.headers['location']], [303, link])
    assert.deepEqual(sent, [{ isApproved: true, comment: 'Fine', agreedTotal: 20000 }])
    refusal = { reason: 'proposal-changed', message: 'Prices have changed.', fields: [] }
    const refused = await shop.ask(link, { host, form })
    assert.equal(refused.status, 409)
    assert.ok(textOf(refused.body).includes('Prices have changed.'))
  } finally {
    await shop.close()
  }
  assert.equal((await pageOf({ approvalByToken: null }, link, { host })).status, 404)
})

test('a buyer who is signed in and opens the approver’s link reads that another member decides, and finds no form', async () => {
  const see = async (more: object) =>
    textOf((await pageOf({ approvalByToken: approval({ canDecide: false, ...more }) }, link, { cookie, host })).body)
  const own = await see({ isYours: true })
  assert.match(own, /You cannot decide about your own request\. Another member of your company who approves orders has to do it\./)
  assert.doesNotMatch(own, /Your decision/)
  assert.match(await see({ isYours: false }), /it is beyond your own limit per order/)
})

test('an approver sees the pick-up point, and the buyer of an approved order may give it up', async () => {
  const point = {
    id: 'p1',
    kind: 'SHOP',
    name: 'Harrow News',
    line1: '12 Church Lane',
    postcode: 'M1 7HN',
    city: 'Manchester',
    hours: [],
    closed: [],
  }
  const { body } = await pageOf({ approval: approval({ pickUpPoints: [point] }) }, page, { cookie, host })
  assert.ok(textOf(body).includes('Harrow News, 12 Church Lane, M1 7HN Manchester'))
  const own = approval({ isYours: true, canDecide: false, canReturn: true, totalNow: null, state: 'APPROVED', payBy: 'CARD' })
  const see = async (more: object) => textOf((await pageOf({ approval: { ...own, ...more } }, page, { cookie, host })).body)
  for (const words of [/Give the order up/, /Valid until 29 November 2026/]) {
    assert.match(await see({}), words)
    assert.doesNotMatch(await see({ sellerOrderId: 'P0000000000000001-1', canReturn: false }), words)
  }
})

test('changed prices are shown beside the old ones; goods that are gone leave only the refusal', async () => {
  const [line] = approval().lines
  const dearer = approval({ isChanged: true, totalNow: money(220), lines: [{ ...line, newPrice: money(110) }] })
  const changed = textOf((await pageOf({ approval: dearer }, page, { cookie, host })).body)
  for (const part of ['Prices have changed since the request', '£110.00 (was £100.00)', 'Approve £220.00'])
    assert.ok(changed.includes(part), part)
  const gone = (await pageOf({ approval: approval({ lines: [{ ...line, isGone: true }] }) }, page, { cookie, host })).body
  assert.doesNotMatch(gone, /value="approve"/)
  assert.match(gone, /value="refuse"/)
  const rest = approval({ isChanged: true, totalNow: money(7), lines: [{ ...line, isGone: true }] })
  assert.doesNotMatch((await pageOf({ approval: rest }, page, { cookie, host })).body, /£7\.00/, 'what is left is no total of the order')
})

test('the buyer of an approved order pays by card, and takes back the goods of a refused one', async () => {
  const own = { isYours: true, canDecide: false, totalNow: null }
  const shop = await shopWith({
    approval: approval({ ...own, state: 'APPROVED', payBy: 'CARD', decidedBy: 'Owen Marsh' }),
    orderApproved: { refusal: null },
    returnApprovalToCart: { refusal: null, left: [] },
  })
  try {
    const { body } = await shop.ask(page, { cookie, host })
    assert.ok(textOf(body).includes('Order and pay now'))
    const ordered = await shop.ask(page, { cookie, host, form: { do: 'order', idempotencyKey: 'k1' } })
    assert.deepEqual([ordered.status, ordered.headers['location']], [303, '/order/P0000000000000001/secure-payment'])
    const returned = await shop.ask(page, { cookie, host, form: { do: 'return' } })
    assert.deepEqual([returned.status, returned.headers['location']], [303, '/cart'])
  } finally {
    await shop.close()
  }
  const refused = async (canReturn: boolean) =>
    textOf((await pageOf({ approval: approval({ ...own, state: 'REFUSED', canReturn }) }, page, { cookie, host })).body)
  assert.match(await refused(true), /Put the goods back into the basket/)
  assert.doesNotMatch(await refused(false), /Put the goods back into the basket/, 'which are no longer there')
})

test('a payment that came to nothing is told to the buyer of an approved order, with the way on: pay, ask for the invoice again, or take the goods', async () => {
  const own = approval({ isYours: true, canDecide: false, totalNow: null, state: 'APPROVED' })
  const see = async (more: object, market = 'gb') =>
    textOf((await pageOf({ approval: { ...own, ...more } }, page, { cookie, host: `pro.${market}.localhost` })).body)
  const part = 'P0000000000000001-1'
  for (const [payment, words] of [
    ['DECLINED', /The invoice was not accepted [^]*pay by card[^]*Continue to payment/],
    ['UNDECIDED', /The invoice is not accepted yet [^]*confirmation[^]*Continue to payment/],
  ] as const) {
    const shown = await see({ payment, sellerOrderId: part })
    assert.match(shown, words)
    assert.doesNotMatch(shown, /Order and pay now|back into the basket/)
  }
  assert.doesNotMatch(await see({ payment: 'OPEN', sellerOrderId: part }), /accepted/)
  const missed = { payment: 'MISSED', canReturn: true }
  const again = await see(missed)
  for (const words of [
    /Approved, but not ordered/,
    /place it again until 29 November 2026/,
    /Order and pay now/,
    /Order by invoice again/,
    /Give the order up/,
  ])
    assert.match(again, words)
  assert.doesNotMatch(await see({ ...missed, payBy: 'CARD' }), /Order by invoice again/)
  const ended = await see({ ...missed, isOrderOpen: false, sellerOrderId: part })
  assert.match(ended, /Put the goods back into the basket to ask again/)
  assert.doesNotMatch(ended, /place it again|Order and pay now|Give the order up/)
  assert.doesNotMatch(await see({ ...missed, isYours: false, canReturn: false }), /but not ordered/)
  for (const [market, words] of [
    ['de', /Freigegeben, aber nicht bestellt/],
    ['fr', /Approuvée, mais pas commandée/],
    ['es', /Aprobado, pero no pedido/],
    ['it', /Approvato, ma non ordinato/],
  ] as const)
    assert.match(await see(missed, market), words)

  const shop = await shopWith({ approval: { ...own, ...missed }, orderApproved: { refusal: null } })
  try {
    for (const [chosen, payBy] of [
      ['order', 'CARD'],
      ['order-by-invoice', 'INVOICE'],
    ] as const) {
      const sent = await shop.ask(page, { cookie, host, form: { do: chosen, idempotencyKey: 'k1' } })
      assert.deepEqual([sent.status, sent.headers['location']], [303, '/order/P0000000000000001/secure-payment'])
      assert.deepEqual(shop.asked.at(-1), { id, key: 'k1', payBy }, chosen)
    }
  } finally {
    await shop.close()
  }
})

test('a request whose order was placed without an approval says so, and asks for no decision', async () => {
  const unneeded = approval({
    state: 'UNNEEDED',
    canDecide: false,
    totalNow: null,
    sellerOrderId: 'P0000000000000001-1',
    isOrderOpen: false,
  })
  for (const [market, words] of [
    ['gb', /No longer needed[^]*See the order/],
    ['de', /Sie wurde ohne Freigabe aufgegeben\./],
    ['fr', /Elle a été passée sans approbation\./],
    ['es', /Se ha realizado sin aprobación\./],
    ['it', /È stato inviato senza approvazione\./],
  ] as const) {
    const text = textOf((await pageOf({ approval: unneeded }, page, { cookie, host: `pro.${market}.localhost` })).body)
    assert.match(text, words)
    assert.doesNotMatch(text, /Your decision/)
  }
  const open = { ...unneeded, isOrderOpen: true, decidedAt: '2026-11-23T10:00:00Z' }
  const see = async (more: object) => textOf((await pageOf({ approval: { ...open, ...more } }, page, { cookie, host })).body)
  assert.match(await see({ isYours: true }), /Continue to payment/)
  for (const text of [await see({ isYours: true }), await see({})]) assert.doesNotMatch(text, /Decided on/, 'nobody has')
  assert.doesNotMatch(await see({}), /Continue to payment/)
  assert.match(await see({ decidedBy: 'Arthur Poe' }), /Decided on/)
})

test('the buyer of a waiting request that the limits allow by now orders it, in five languages, and nobody else is offered that', async () => {
  const own = approval({ isYours: true, canDecide: false, canReturn: true, canOrder: true })
  const sent: object[] = []
  const shop = await shopWith({
    approval: own,
    orderApproved: (input: object) => (sent.push({ ...input }), { orderId: null, refusal: null }),
  })
  try {
    for (const [market, words] of [
      ['gb', /The limits allow this order by now\..*Order and pay now.*Withdraw/],
      ['de', /Die Grenzen lassen diese Bestellung inzwischen zu\./],
      ['fr', /Les limites permettent désormais cette commande\./],
      ['es', /Los límites ya permiten este pedido\./],
      ['it', /I limiti ora consentono questo ordine\./],
    ] as const)
      assert.match(textOf((await shop.ask(page, { cookie, host: `pro.${market}.localhost` })).body), words)
    const { status, headers } = await shop.ask(page, { cookie, host, form: { do: 'order', idempotencyKey: 'k1' } })
    assert.deepEqual([status, headers['location']], [303, `/order/${own.customerOrderId}/secure-payment`])
    assert.deepEqual(sent, [{ id, idempotencyKey: 'k1', payBy: 'CARD' }])
  } finally {
    await shop.close()
  }
  for (const more of [{ isYours: true, canDecide: false }, {}])
    assert.doesNotMatch((await pageOf({ approval: approval(more) }, page, { cookie, host })).body, /value="order"/)
})

test('goods that the basket does not take back are named on the page of their request, which still returns them', async () => {
  const left = approval({ isYours: true, canDecide: false, totalNow: null, state: 'WITHDRAWN', canReturn: true, left: ['Drill', 'Saw'] })
  const shop = await shopWith({ approval: left, returnApprovalToCart: { refusal: null, left: ['Drill', 'Saw'] } })
  try {
    const returned = await shop.ask(page, { cookie, host, form: { do: 'return' } })
    assert.deepEqual([returned.status, returned.headers['location']], [303, page])
    const flash = decodeURIComponent(String(returned.headers['set-cookie']))
    assert.match(flash, /"severity":"warning","key":"flash\.approval-returned-in-part"/)
    for (const [market, words] of [
      ['gb', /did not fit into your basket and stay here: Drill and Saw\.[^]*Put the goods back into the basket/],
      ['de', /bleiben hier: Drill und Saw\./],
      ['fr', /restent ici : Drill et Saw\./],
      ['es', /se quedan aquí: Drill y Saw\./],
      ['it', /restano qui: Drill e Saw\./],
    ] as const)
      assert.match(textOf((await shop.ask(page, { cookie, host: `pro.${market}.localhost` })).body), words)
  } finally {
    await shop.close()
  }
})

test('a page of a payment whose order is with its request again leads there', async () => {
  const draft = order({ state: 'DRAFT', isPaid: false })
  const see = (approvalId: string | null, at = host) =>
    pageOf({ customerOrder: draft, orderReference: { approvalId } }, `/order/${draft.id}/secure-payment`, { cookie, host: at })
  assert.equal((await see(id)).headers['location'], page)
  assert.equal((await see(null)).headers['location'], `/order/${draft.id}/delivery`)
})

test('the buyer sends a waiting request to another pick-up point near its address, without a script; nobody else is offered that', async () => {
  const nearby = {
    id: 'p2',
    kind: 'SHOP',
    name: 'Mill Kiosk',
    line1: '2 Mill Lane',
    postcode: 'M1 7HN',
    city: 'Manchester',
    latitude: 53.4,
    longitude: -2.2,
  }
  const points = [{ ...nearby, distance: 300, isFull: false, hours: [], closed: [] }]
  const pickUpPoints = { near: 'M1 7HN', isAvailable: true, centre: { latitude: 53.4, longitude: -2.2 }, points }
  const own = approval({ isYours: true, canDecide: false, exchangeable: [{ sellerId: 5, seller: 'Harrow Tools', pointId: 'p1' }] })
  let refusal: object | null = null
  const sent: object[] = []
  const exchangeApprovalPoints = (input: { points: object[] }) => (sent.push({ ...input.points[0] }), { refusal })
  const shop = await shopWith({ approval: own, pickUpPoints, exchangeApprovalPoints })
  try {
    const { body } = await shop.ask(page, { cookie, host })
    assert.match(body, /<details[^>]*><summary>Choose another pick-up point[^]*Mill Kiosk/)
    assert.doesNotMatch(body, /<details[^>]*open[^>]*><summary>Choose another/)
    assert.match((await shop.ask(`${page}?near=M1`, { cookie, host })).body, /<details[^>]*open=""><summary>Choose another/)
    const form = { do: 'points', 'point.5': 'p2' }
    const saved = await shop.ask(page, { cookie, host, form })
    assert.deepEqual([saved.status, saved.headers['location']], [303, page])
    assert.deepEqual(sent, [{ sellerId: 5, pointId: 'p2' }])
    refusal = { reason: 'pick-up-point-full', message: 'That point is full.', fields: [] }
    const refused = await shop.ask(page, { cookie, host, form })
    assert.equal(refused.status, 409)
    assert.match(refused.body, /That point is full[^]*<details[^>]*open=""><summary>Choose another/)
  } finally {
    await shop.close()
  }
  assert.doesNotMatch((await pageOf({ approval: approval() }, page, { cookie, host })).body, /value="points"/)
})

test('an order beyond a limit leads from the checkout to its request, in every market', async () => {
  const need = { total: money(200), limits, purchaseOrder: 'PO 4711', costCentre: null, site: 'School, Mill Lane' }
  const shop = await shopWith({
    approvalNeed: need,
    myCredit: { reason: null },
    customerOrder: order({ state: 'DRAFT', isPaid: false }),
    orderReference: { purchaseOrder: null, costCentre: null, suggestedCostCentre: 'C-1', site: null, canChange: true },
    companySites: null,
    saveOrderReference: { refusal: null },
    chooseCartDelivery: { cart: null, refusal: null },
    placeOrder: { order: null, refusal: { reason: 'approval-needed', message: 'Approval needed.', fields: [] } },
    requestApproval: { id, refusal: null },
  })
  const own = order().id
  try {
    const delivery = await shop.ask(`/order/${own}/delivery`, { cookie, host })
    assert.match(delivery.body, /name="costCentre"[^>]*value="C-1"|value="C-1"[^>]*name="costCentre"/)
    const form = { idempotencyKey: 'k1', 'delivery.7': 'standard' }
    const led = await shop.ask(`/order/${own}/delivery`, { cookie, host, form })
    assert.deepEqual([led.status, led.headers['location']], [303, `/order/${own}/approval`])
    for (const [market, words] of [
      ['gb', 'This order needs an approval'],
      ['de', 'Diese Bestellung braucht eine Freigabe'],
      ['fr', 'Cette commande doit être approuvée'],
    ] as const) {
      const shown = textOf((await shop.ask(`/order/${own}/approval`, { cookie, host: `pro.${market}.localhost` })).body)
      assert.ok(shown.includes(words), market)
    }
    const sent = await shop.ask(`/order/${own}/approval`, { cookie, host, form: { payBy: 'INVOICE', note: '' } })
    assert.deepEqual([sent.status, sent.headers['location']], [303, page])
    // A pick-up point chosen in the funnel goes along.
    const picked = { ...form, 'delivery.7': 'relay', 'point.7': 'shop-12' }
    const asked = String((await shop.ask(`/order/${own}/delivery`, { cookie, host, form: picked })).headers['location'])
    assert.equal(decodeURIComponent(asked), `/order/${own}/approval?points=7:shop-12`)
    assert.match((await shop.ask(asked, { cookie, host })).body, /name="points" value="7:shop-12"/)
    for (const [points, sentPoints] of [
      [
        '7:shop-12,9:b',
        [
          { sellerId: 7, pointId: 'shop-12' },
          { sellerId: 9, pointId: 'b' },
        ],
      ],
      ['7:../x,,:9,<b>', []],
    ] as const) {
      await shop.ask(`/order/${own}/approval`, { cookie, host, form: { payBy: 'CARD', note: '', points } })
      assert.deepEqual(JSON.parse(JSON.stringify(shop.asked.at(-1)?.['points'])), sentPoints)
    }
  } finally {
    await shop.close()
  }
})

test('pages of the checkout that were left open, and the Back button, lead to the request that was sent, or on to the order that was placed', async () => {
  let approvalId: string | null = id
  const shop = await shopWith({
    approvalNeed: null,
    myCredit: { reason: null },
    customerOrder: order({ state: 'DRAFT', isPaid: false, sellerOrders: [] }),
    orderReference: ({ customerOrderId }: { customerOrderId: string }) =>
      customerOrderId === order().id ? { approvalId, canChange: false } : null,
    saveOrderReference: { refusal: null },
    requestApproval: { id: null, refusal: { reason: 'unknown-order', message: 'We cannot find this order.', fields: [] } },
    placeOrder: { order: null, refusal: { reason: 'approval-needed', message: 'Approval needed.', fields: [] } },
  })
  const own = order().id
  const lead = async (path: string, form?: Record<string, string>) => {
    const { status, headers } = await shop.ask(path, { cookie, host, ...(form && { form }) })
    return [status, headers['location']]
  }
  try {
    const request = `/order/${own}/approval`
    assert.deepEqual(await lead(request), [302, page])
    assert.deepEqual(await lead(`/order/${own}/delivery`), [302, page], 'its goods are not in the basket')
    assert.deepEqual(await lead(`/order/${own}/delivery`, { idempotencyKey: 'k1', 'delivery.7': 'standard' }), [303, request])
    approvalId = null
    assert.deepEqual(await lead(request), [302, `/order/${own}/delivery`])
    assert.deepEqual(await lead(request, { payBy: 'CARD', note: '' }), [303, `/order/${own}/delivery`])
    assert.deepEqual(await lead(`/order/${own}/delivery`), [302, '/cart'])
    assert.deepEqual(await lead('/order/P0000000000000009/approval'), [404, undefined])
  } finally {
    await shop.close()
  }
})

test('another delivery that takes a placed order beyond a limit is refused, changes no basket and leads back to the payment', async () => {
  const changed: unknown[] = []
  const shop = await shopWith({
    customerOrder: order({ state: 'AWAITING_PAYMENT', isPaid: false }),
    orderReference: null,
    companySites: null,
    chooseCartDelivery: (input: object) => (changed.push(input), { cart: null, refusal: null }),
    placeOrder: { order: null, refusal: { reason: 'approval-needed', message: 'Approval needed.', fields: [] } },
  })
  const own = order().id
  try {
    const form = { idempotencyKey: 'k1', 'delivery.7': 'express' }
    const refused = await shop.ask(`/order/${own}/delivery`, { cookie, host, form })
    assert.equal(refused.status, 409)
    for (const [market, words] of [
      [
        'gb',
        /beyond a budget\. Choose another delivery, or pay .* To request an approval, change the order again, starting from its address\./,
      ],
      ['de', /über einem Budget\. .* Um eine Freigabe anzufragen, ändern Sie die Bestellung noch einmal ab der Lieferadresse\./],
      ['fr', /dépasse un budget\. .* Pour demander une approbation, modifiez de nouveau la commande à partir de l’adresse/],
      ['es', /supera un límite de gasto\. .* Para solicitar su aprobación, vuelve a modificar el pedido a partir de la dirección\./],
      ['it', /supera un budget\. .* Per richiederne l’approvazione, modifica di nuovo l’ordine a partire dall’indirizzo\./],
    ] as const)
      assert.match(textOf((await shop.ask(`/order/${own}/delivery`, { cookie, host: `pro.${market}.localhost`, form })).body), words)
    assert.match(refused.body, /<a href="[^"]*">Change<\/a>/, 'to the address')
    assert.match(refused.body, new RegExp(`<a href="/order/${own}/secure-payment[^"]*">Continue to payment</a>`))
    assert.deepEqual(changed, [])
  } finally {
    await shop.close()
  }
})

test('the names of a placed order are sent with its delivery, so that what refuses one saves neither, and says which', async () => {
  let refusal: object | null = { reason: 'approval-needed', message: 'Approval needed.', fields: [] }
  const saved: object[] = []
  const placed: object[] = []
  const shop = await shopWith({
    customerOrder: order({ state: 'AWAITING_PAYMENT', isPaid: false }),
    orderReference: { purchaseOrder: 'PO 1', costCentre: 'C-1', suggestedCostCentre: null, site: null, siteId: null, canChange: true },
    companySites: null,
    saveOrderReference: (input: object) => (saved.push(input), { refusal: null }),
    placeOrder: ({ reference }: { reference: object }) => (placed.push({ ...reference }), { order: null, refusal }),
  })
  const path = `/order/${order().id}/delivery`
  const form = { idempotencyKey: 'k1', 'delivery.7': 'express', purchaseOrder: 'PO 2', costCentre: 'C-2', siteId: '' }
  try {
    assert.equal((await shop.ask(path, { cookie, host, form })).status, 409)
    const message = 'With this it is beyond a budget.'
    refusal = { reason: 'approval-needed', message, fields: [{ field: 'costCentre', message }] }
    const { status, body } = await shop.ask(path, { cookie, host, form })
    assert.equal(status, 409)
    assert.match(body, /name="costCentre"[^>]*aria-invalid|aria-invalid[^>]*name="costCentre"/)
    assert.doesNotMatch(textOf(body), /With this delivery/)
    refusal = null
    assert.equal((await shop.ask(path, { cookie, host, form })).headers['location'], `/order/${order().id}/secure-payment`)
    const named = { purchaseOrder: 'PO 2', costCentre: 'C-2', siteId: null }
    assert.deepEqual(placed, [named, named, named])
    assert.deepEqual(saved, [])
  } finally {
    await shop.close()
  }
})

test('another delivery of a placed order offers the cost centre and the building site that it has, archived or not', async () => {
  const address = { firstName: 'Leah', lastName: 'Novak', phone: '', line1: '1 Mill Lane', line2: null, postcode: 'LS1 4DY', city: 'Leeds' }
  const site = (id: string, isArchived: boolean) => ({ id, name: id, ...address, country: 'GB', deliveryHours: null, isArchived })
  const centre = (code: string, isArchived: boolean) => ({ code, name: '', isArchived })
  const reference = {
    purchaseOrder: 'PO 1',
    costCentre: 'C-OLD',
    suggestedCostCentre: null,
    site: 's-old',
    siteId: 's-old',
    canChange: true,
  }
  const sites = [site('s-new', false), site('s-old', true), site('s-older', true)]
  const companySites = { sites, costCentres: [centre('C-1', false), centre('C-OLD', true), centre('C-OLDER', true)], isFree: false }
  const shown = async (more: object, name: string) => {
    const orderReference = { ...reference, ...more }
    const root = { customerOrder: order({ state: 'AWAITING_PAYMENT', isPaid: false }), orderReference, companySites, myCompanies: [] }
    const { body } = await pageOf(root, `/order/${order().id}/delivery`, { cookie, host })
    const select = new RegExp(`<select[^>]*name="${name}"[^]*?</select>`).exec(body)?.[0] ?? assert.fail(name)
    return [...select.matchAll(/<option value="([^"]*)"( selected)?/g)].map(([, value, selected]) => value + (selected ?? ''))
  }
  assert.deepEqual(await shown({}, 'costCentre'), ['', 'C-1', 'C-OLD selected'])
  assert.deepEqual(await shown({}, 'siteId'), ['', 's-new', 's-old selected'])
  assert.deepEqual(await shown({ costCentre: null }, 'costCentre'), [' selected', 'C-1'])
  assert.deepEqual(await shown({ site: null, siteId: null }, 'siteId'), [' selected', 's-new'])
})

test('requests are listed with their state; budgets and spending show figures, and forms for those who may change them', async () => {
  const row = {
    id,
    state: 'PENDING',
    buyer: 'Leah Novak',
    isYours: false,
    total: money(200),
    itemCount: 1,
    requestedAt: '2026-11-22T10:00:00Z',
    expiresAt: '2026-11-29T10:00:00Z',
  }
  const list = textOf((await pageOf({ approvals: [row], approvalCount }, '/my-account/approvals', { cookie, host })).body)
  for (const part of ['£200.00 incl. VAT', 'Waiting for approval', 'Valid until 29 November 2026']) assert.ok(list.includes(part), part)
  assert.ok(
    textOf((await pageOf({ approvals: [], approvalCount }, '/my-account/approvals', { cookie, host })).body).includes('No requests'),
  )
  const budget = {
    kind: 'MEMBER',
    subjectId: 'm1',
    name: 'Leah Novak',
    isForeign: false,
    monthly: money(500),
    perOrder: null,
    used: money(120),
    share: 0.24,
  }
  const company = {
    canManage: true,
    canSeeSpending: true,
    month: '2026-11-01',
    currency: 'GBP',
    requiresCostCentre: false,
    budgets: [budget],
  }
  const answers = { companyBudgets: company, setBudget: { refusal: null }, requireCostCentre: { refusal: null } }
  const shop = await shopWith(answers)
  const path = '/my-account/company/budgets'
  try {
    const { body } = await shop.ask(path, { cookie, host })
    assert.ok(textOf(body).includes('£120.00 of £500.00 used'))
    const form = { do: 'budget', kind: 'MEMBER', subjectId: 'm1', monthly: '', perOrder: '' }
    for (const [typed, monthly] of [
      ['1,500', 1500],
      ['1 500', 1500],
      ['250.00', 250],
      ['1.000,00', 1000],
      ['12345', 12345],
      ['', null],
    ] as const) {
      assert.equal((await shop.ask(path, { cookie, host, form: { ...form, monthly: typed } })).status, 303, typed)
      assert.deepEqual(shop.asked.at(-1), { kind: 'MEMBER', subjectId: 'm1', monthly, perOrder: null }, typed)
    }
    assert.match(textOf(body), /Cost centre on orders Optional: orders may be placed without a cost centre\..*Change to required/)
    assert.match(textOf(body), /Per month, in GBP Leave empty for no limit/)
    assert.equal((await shop.ask(path, { cookie, host, form: { do: 'rule', costCentre: 'required' } })).status, 303)
    assert.deepEqual(shop.asked.at(-1), { isRequired: true })
    for (const typed of ['a lot', '250.50', '1,50', '-5', '1e9'])
      assert.equal((await shop.ask(path, { cookie, host, form: { ...form, monthly: typed } })).status, 422, typed)
  } finally {
    await shop.close()
  }
  const reader = await pageOf({ companyBudgets: { ...company, canManage: false, canSeeSpending: false } }, path, { cookie, host })
  assert.match(textOf(reader.body), /Optional: orders may be placed without a cost centre/)
  assert.doesNotMatch(textOf(reader.body), /Change to/)
  assert.doesNotMatch(reader.body, /name="monthly"|\/my-account\/company\/spending/)
})

// Buyers do not see what their company spends.
const accountant = { cookie: 'who=accountant', host }

test('the spending report is a picture with a name, tables that say the same, and a CSV', async () => {
  const months = ['2026-10-01', '2026-11-01']
  const spending = {
    currency: 'GBP',
    years: [2026, 2025],
    total: money(300),
    months,
    monthTotals: [money(100), money(200)],
    rows: [
      { name: 'School', total: money(250), share: 0.83, amounts: [money(100), money(150)] },
      { name: null, total: money(50), share: 0.17, amounts: [money(0), money(50)] },
    ],
  }
  const path = '/my-account/company/spending'
  const { body } = await pageOf({ companySpending: spending }, `${path}?by=site`, accountant)
  assert.match(body, /<svg[^>]*role="img"[^>]*aria-label="Bar chart of 2 months"/)
  for (const part of ['School', 'Not assigned', '£250.00', 'October 2026', '£300.00 ordered']) assert.ok(textOf(body).includes(part), part)
  assert.match(body, /href="\/api\/v1\/company\/spending\.csv\?by=site"/)
  const foot = body.slice(body.lastIndexOf('<tfoot>'), body.lastIndexOf('</tfoot>'))
  assert.equal(textOf(foot.replaceAll('<td', ' <td')).replace(/\s+/g, ' ').trim(), 'Total 100% £200.00 £300.00', 'the sum of the rows')
  for (const part of ['Highest month: £200.00', 'October 2026: £100.00']) assert.ok(textOf(body).includes(part), part)
  assert.match(body, /<span>Oct<\/span>\s*<span>Nov<\/span>/, 'a label for each month')
  assert.match(body, /<a href="\/my-account\/company\/spending" aria-current="page">.*?Spending/s, 'its own entry of the menu')
  assert.match(body, /\/my-account\/company\/spending\?by=site(&amp;|&)year=2025"/)
  const ofYear = await pageOf({ companySpending: spending }, `${path}?by=member&year=2025`, accountant)
  assert.ok(textOf(ofYear.body).includes('£300.00 ordered in 2025, including VAT'))
  assert.doesNotMatch(textOf(ofYear.body), /This month/)
  assert.match(ofYear.body, /spending\.csv\?by=member(&amp;|&)year=2025"/)
  assert.equal((await pageOf({ companySpending: spending }, `${path}?year=x`, accountant)).status, 404)
  assert.equal((await pageOf({ companySpending: spending }, `${path}?by=nothing`, accountant)).status, 404)
  assert.equal((await pageOf({ companySpending: spending }, path, { cookie, host })).status, 404, 'a buyer')
  const empty = await pageOf({ companySpending: { ...spending, rows: [] } }, path, accountant)
  assert.ok(textOf(empty.body).includes('Nothing ordered yet'))
})

test('the home pages of Purlin Pro have nothing personal; a fragment for members has their orders, approvals, invoices and tier', async () => {
  const data = {
    myOrders: { total: 3 },
    approvalCount: ({ state }: { state: string }) => ({ total: state === 'PENDING' ? 1 : 7 }),
    myQuoteCount: ({ state }: { state: string }) => ({ total: state === 'ANSWERED' ? 1 : 7 }),
    loyalty: { tier: 'GOLD' },
    myCredit: { reason: null, available: money(900), claims: [{ state: 'OPEN' }, { state: 'PAID' }] },
  }
  const { body } = await pageOf(data, '/pro-at-a-glance', { cookie, host })
  const tools = ['Quick order', 'Buy again', 'Your wishlists']
  const work = ['3 open orders', '1 order waits for approval', '1 quote received', '1 open invoice', '£900.00 of credit available']
  for (const part of [...tools, ...work, 'Your tier: Gold']) assert.ok(textOf(body).includes(part), part)
  const { status, body: without } = await pageOf({ ...data, loyalty: unavailable }, '/pro-at-a-glance', { cookie, host })
  assert.equal(status, 200, 'without the system of tiers')
  for (const part of [...tools, ...work]) assert.ok(textOf(without).includes(part), part)
  assert.doesNotMatch(textOf(without), /tier/i)
  const idle = {
    ...data,
    myOrders: { total: 0 },
    approvalCount: { total: 0 },
    myQuoteCount: { total: 0 },
    myCredit: { ...data.myCredit, claims: [] },
  }
  const text = textOf((await pageOf(idle, '/pro-at-a-glance', { cookie, host })).body)
  for (const part of [...tools, 'Quotes', '£900.00 of credit available']) assert.ok(text.includes(part), part)
  assert.doesNotMatch(text, /open order|open invoice|approval|received/)
  assert.equal((await pageOf(data, '/pro-at-a-glance', { host })).status, 302)
  assert.equal((await pageOf(data, '/pro-at-a-glance', { cookie: 'who=consumer', host })).status, 302)
})

test('the list of requests goes on on further pages, and there are no pages beyond the last one', async () => {
  const see = (query: string) =>
    pageOf({ approvals: [], approvalCount: { total: 51, pages: 2 } }, `/my-account/approvals${query}`, { cookie, host })
  assert.match((await see('')).body, /href="\/my-account\/approvals\?page=2"/)
  assert.deepEqual([(await see('?page=2')).status, (await see('?page=3')).status], [200, 404])
})

test('a page for other roles says that an administrator can see it; an address that does not exist is not explained by roles', async () => {
  for (const path of ['/my-account/company/spending', '/my-account/company/punch-out', '/my-account/company/direct-debit']) {
    const { status, body } = await pageOf({ directDebit: null }, path, { cookie, host })
    assert.equal(status, 404, path)
    assert.match(textOf(body), /Your role does not include this page An administrator of your company can see it/, path)
    assert.doesNotMatch(textOf(body), /may be mistyped/, path)
  }
  const { body } = await pageOf({}, '/my-account/company/nothing', { cookie, host })
  assert.match(textOf(body), /may be mistyped/)
})
