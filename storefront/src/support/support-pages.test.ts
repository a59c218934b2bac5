import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../routes.ts'
import { money, order } from '../testing/goods.ts'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'
import { supportOffers, supportTopics } from './support-topics.ts'

const cookie = 'who=consumer'
const placed = order({ state: 'PAID', isPaid: true, placedAt: '2026-11-20T10:00:00Z' })
const [part] = placed.sellerOrders
const orderId = part?.id ?? ''
const at = `/online-support/${orderId}`

test('R-103 R-019 R-234 online support asks what it is about, then offers what can be done at once before the form', async () => {
  const first = await pageOf({ customerOrder: placed }, at, { cookie })
  assert.equal(first.status, 200)
  for (const topic of supportTopics) assert.ok(first.body.includes(`href="${at}?about=${topic}"`), topic)
  const invoice = await pageOf({ customerOrder: placed }, `${at}?about=invoice`, { cookie })
  assert.ok(invoice.body.includes(`href="${at}/invoice"`))
  assert.ok(invoice.body.includes(`href="${at}/contact-form?about=invoice"`))
  assert.ok(textOf(invoice.body).includes('What you can do now'))
})

test('V-21 support offers only what has a page, and what the state of the order allows', () => {
  const built = new Set(routes.filter((row) => 'page' in row).map(({ name }): string => name))
  const names: Record<string, string> = {
    follow: 'onlineSupportFollowDelivery',
    shipment: 'shipmentDetails',
    cancel: 'orderCancellationRecap',
    return: 'returnRequest',
    invoice: 'onlineSupportInvoice',
    order: 'orderDetails',
  }
  for (const topic of supportTopics)
    for (const state of ['PENDING', 'SHIPPED', 'DELIVERED', 'CLOSED', 'CANCELLED', 'REFUSED'] as const) {
      const offers = supportOffers(topic, { order: placed, part: { id: orderId, state }, hasAccount: true })
      for (const { action } of offers) assert.ok(built.has(names[action] ?? ''), action)
      const actions = offers.map(({ action }) => action)
      assert.ok(state === 'PENDING' || !actions.includes('cancel'), `${state} cannot be cancelled`)
      assert.ok(['SHIPPED', 'DELIVERED', 'CLOSED'].includes(state) || !actions.includes('return'), `${state} cannot be returned`)
    }
})

test('R-103 R-238 a guest who came by a link follows the delivery on a page without sign-in; a customer on the page of all parcels', async () => {
  const [shipment, all] = [`/orders/customer-order/${placed.id}/shipment/${orderId}/detail`, `${at}/follow-delivery`]
  for (const [who, state, expected] of [
    ['guest', 'PENDING', [shipment]],
    ['guest', 'SHIPPED', [shipment]],
    ['guest', 'INCIDENT_OPEN', [shipment]],
    ['consumer', 'PENDING', [all]],
    ['consumer', 'SHIPPED', [all, shipment]],
  ] as const) {
    const customerOrder = { ...placed, sellerOrders: placed.sellerOrders.map((each) => ({ ...each, state })) }
    const { status, body } = await pageOf({ customerOrder }, `${at}?about=delivery`, { cookie: `who=${who}` })
    assert.equal(status, 200)
    const offered = [shipment, all].flatMap((url) => (body.match(new RegExp(`href="${url}"`, 'g')) ?? []).map(() => url))
    assert.deepEqual(offered.toSorted(), [...expected].toSorted(), `${who} ${state}`)
    const label = who === 'guest' && state === 'INCIDENT_OPEN' ? 'See the parcels and where they are' : 'Follow the delivery'
    assert.ok(textOf(body).includes(label), textOf(body))
  }
})

test('R-103 R-104 another’s order and an unknown one have no support page; signed-out visitors sign in first', async () => {
  for (const path of [at, `${at}/contact-form`]) {
    assert.equal((await pageOf({ customerOrder: null }, path, { cookie })).status, 404)
    assert.equal((await pageOf({ customerOrder: placed }, path.replace(orderId, `${placed.id}-99`), { cookie })).status, 404)
    const reply = await pageOf({ customerOrder: placed }, path)
    assert.deepEqual([reply.status, reply.headers['location']], [302, `/login?callbackUrl=${encodeURIComponent(path)}`])
  }
})

test('R-104 R-235 R-418 the contact form sends a help request to the seller and says so with its own message', async () => {
  const shop = await shopWith({
    customerOrder: placed,
    writeMessage: ({ input }: { input: { text: string } }) =>
      input.text === 'No'
        ? { isMasked: null, refusal: { reason: 'x', message: 'Please wait.', fields: [] } }
        : { isMasked: false, refusal: null },
  })
  try {
    const path = `${at}/contact-form?about=damage`
    assert.ok(textOf((await shop.ask(path, { cookie })).body).includes('Your message'))
    const sent = await shop.ask(path, { cookie, form: { text: 'It is scratched.' } })
    assert.deepEqual([sent.status, sent.headers['location']], [303, `/my-messages/conversation/${orderId}#latest`])
    assert.match(String(sent.headers['set-cookie']), /help-request-sent/)
    assert.deepEqual(shop.asked.at(-1), { orderId, input: { text: 'It is scratched.', topic: 'damage', attachments: [] } })
    const empty = await shop.ask(path, { cookie, form: { text: ' ' } })
    assert.equal(empty.status, 422)
    const refused = await shop.ask(path, { cookie, form: { text: 'No' } })
    assert.ok(textOf(refused.body).includes('Please wait.') && refused.body.includes('>No</textarea>'))
  } finally {
    await shop.close()
  }
})

const summary = {
  id: placed.id,
  sellerOrderId: orderId,
  state: 'PAID',
  stateLabel: 'Paid',
  placedAt: '2026-11-20T10:00:00Z',
  total: money(120),
  sellerNames: ['Nordwerk'],
  lineCount: 1,
  lines: [{ title: 'Drill', imageUrl: '/pictures/p/1/main.svg', quantity: 1 }],
}

test('R-110 R-111 R-241 the order selection lists the customer’s orders by page, each leading to its support', async () => {
  const shop = await shopWith({ myOrders: ({ page }: { page: number }) => ({ orders: [summary], total: 12, page, pages: 2 }) })
  try {
    const first = await shop.ask('/help/order-selection', { cookie })
    assert.equal(first.status, 200)
    assert.ok(first.body.includes(`href="${at}"`) && first.body.includes('href="/help/order-selection/page/2"'))
    assert.equal((await shop.ask('/help/order-selection/page/2', { cookie })).status, 200)
    assert.equal((await shop.ask('/help/order-selection/page/3', { cookie })).status, 404)
  } finally {
    await shop.close()
  }
  const none = await pageOf({ myOrders: { orders: [], total: 0, page: 1, pages: 0 } }, '/help/order-selection', { cookie })
  assert.match(none.body, /href="\/contact"/)
})

test('R-103 a lost parcel leads to the dispute in one tap: the message is written and the form knows the reason', async () => {
  const messageId = '018f0000-0000-7000-8000-000000000007'
  const lost = { ...placed, sellerOrders: placed.sellerOrders.map((each) => ({ ...each, state: 'INCIDENT_OPEN' })) }
  const path = `${at}?about=delivery`
  const shop = await shopWith({ customerOrder: lost, writeMessage: { id: messageId, isMasked: false, refusal: null }, dispute: null })
  try {
    assert.ok(textOf((await shop.ask(path, { cookie })).body).includes('Report it as not received'))
    const tapped = await shop.ask(path, { cookie, form: { do: 'lost' } })
    const form = `${at}/dispute/${messageId}?reason=NOT_RECEIVED`
    assert.deepEqual([tapped.status, tapped.headers['location']], [303, form])
    const { body } = await shop.ask(form, { cookie })
    assert.match(body, /<option[^>]*value="NOT_RECEIVED"[^>]*selected/)
  } finally {
    await shop.close()
  }
  const own = { orderId, messageId, number: '20001', state: 'MEDIATION' }
  const reported = (isEnded: boolean) =>
    pageOf(
      { customerOrder: lost, disputesOfOrder: [{ ...own, isEnded }], writeMessage: { id: 'another', isMasked: false, refusal: null } },
      path,
      { cookie, form: { do: 'lost' } },
    )
  assert.equal((await reported(false)).headers['location'], `${at}/dispute/${messageId}`, 'an open dispute is shown')
  assert.equal((await reported(true)).headers['location'], `${at}/dispute/another?reason=NOT_RECEIVED`, 'after it another may be opened')
  const well = await pageOf({ customerOrder: placed }, path, { cookie })
  assert.ok(!textOf(well.body).includes('Report it as not received'))
  assert.equal((await pageOf({ customerOrder: placed }, path, { cookie, form: { do: 'lost' } })).status, 404)
})
