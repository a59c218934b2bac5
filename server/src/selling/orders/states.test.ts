import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { marketCodes } from '@purlin/contract/markets.ts'
import { orderToken, tokenHash } from './access-token.ts'
import { isOrderId, newOrderId } from './order.ts'
import { customerOrderStates, customerOrderSteps, isPaid, sellerOrderStates, sellerOrderSteps, statesBefore } from './order-states.ts'
import { stateLabel } from './state-words.ts'

test('a customer order’s own state follows its payment; the states after it are derived from its lines', () => {
  const reached = new Set<string>(['draft'])
  for (let before = -1; before < reached.size;) {
    before = reached.size
    for (const { from, to } of customerOrderSteps) if (reached.has(from)) reached.add(to)
  }
  assert.deepEqual([...reached].sort(), ['authorised', 'awaiting-payment', 'cancelled', 'draft', 'paid', 'refunded'])
  assert.deepEqual(
    customerOrderSteps.filter(({ to }) => to === 'paid').map(({ from, actors }) => [from, actors]),
    [
      ['awaiting-payment', ['provider']],
      ['authorised', ['provider']],
      ['refunded', ['system']],
    ],
  )
})

test('every state of a seller order is reachable, and few are final', () => {
  // Payment leads to pending.
  const reached = new Set<string>(['awaiting-payment', 'pending'])
  for (let before = -1; before < reached.size;) {
    before = reached.size
    for (const { from, to } of sellerOrderSteps) if (reached.has(from)) reached.add(to)
  }
  assert.deepEqual([...reached].sort(), [...sellerOrderStates].sort())
  const ends = sellerOrderStates.filter((state) => !sellerOrderSteps.some(({ from }) => from === state))
  assert.deepEqual([...ends].sort(), ['awaiting-payment', 'cancelled', 'closed', 'refused'])
})

test('no transition is listed twice, and a buyer cannot mark an order as paid', () => {
  for (const steps of [customerOrderSteps, sellerOrderSteps]) {
    const keys = steps.map(({ from, to }) => `${from}>${to}`)
    assert.equal(new Set(keys).size, keys.length)
  }
  for (const actor of ['buyer', 'seller'] as const) assert.deepEqual(statesBefore(customerOrderSteps, 'paid', actor), [])
  assert.deepEqual(statesBefore(customerOrderSteps, 'paid', 'system'), ['refunded'], 'as a refund may fail')
})

test('every state has a label in the five markets', () => {
  for (const market of marketCodes)
    for (const state of [...customerOrderStates, ...sellerOrderStates]) assert.ok(stateLabel(market, state).length > 2)
})

test('R-491: order ids are letters and digits, and unique', () => {
  const ids = Array.from({ length: 2000 }, newOrderId)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.ok(isOrderId(id) && /^P[0-9A-HJKMNP-TV-Z]{16}$/.test(id), id)
  fc.assert(fc.property(fc.string(), (text) => assert.equal(isOrderId(text), /^[A-Za-z0-9_-]{8,40}$/.test(text))))
})

test('V-50 an order counts as paid from authorisation on, and neither before nor after cancellation', () => {
  assert.deepEqual(
    customerOrderStates.filter((state) => !isPaid(state)),
    ['draft', 'awaiting-payment', 'cancelled'],
  )
})

test('V-71 each transition of an order and of a seller order is restricted to its actors, and there are no others', () => {
  const written = (steps: readonly { from: string; to: string; actors: readonly string[] }[]) =>
    Object.entries(Object.groupBy(steps, ({ from }) => from)).map(
      ([from, own = []]) => `${from}: ${own.map(({ to, actors }) => `${to} (${actors.join(', ')})`).join(', ')}`,
    )
  assert.deepEqual(written(customerOrderSteps), [
    'draft: awaiting-payment (buyer), cancelled (system, buyer)',
    'awaiting-payment: draft (buyer, system), authorised (provider), paid (provider), cancelled (system, buyer)',
    'authorised: paid (provider), awaiting-payment (provider), cancelled (system, provider)',
    'paid: refunded (seller, system)',
    'shipped: refunded (seller, system)',
    'delivered: refunded (seller, system)',
    'part-refunded: refunded (seller, system)',
    'cancelled: refunded (system)',
    'refunded: paid (system)',
  ])
  assert.deepEqual(written(sellerOrderSteps), [
    'pending: accepted (seller, operator), refused (seller), cancelled (buyer, operator, system)',
    'accepted: preparing (seller), shipped (seller), cancelled (seller, operator, system)',
    'preparing: accepted (seller), shipped (seller, carrier), cancelled (seller, operator, system)',
    'shipped: delivered (seller, carrier, operator, system), incident-open (buyer, carrier, system)',
    'delivered: incident-open (buyer), closed (system)',
    'incident-open: delivered (seller, carrier, operator), accepted (seller, operator), closed (seller, operator, system)',
  ])
  assert.deepEqual(statesBefore(customerOrderSteps, 'cancelled', 'buyer'), ['draft', 'awaiting-payment'])
  assert.deepEqual(statesBefore(sellerOrderSteps, 'cancelled', 'buyer'), ['pending'])
})

test('V-71 A11 the secret for order links has at least 32 characters, and each order has its own token', () => {
  const secret = 'x'.repeat(32)
  assert.throws(() => orderToken('x'.repeat(31), 'P1'), /at least 32/)
  assert.match(orderToken(secret, 'P1'), /^[A-Za-z0-9_-]{43}$/)
  assert.notEqual(orderToken(secret, 'P1'), orderToken(secret, 'P2'))
  assert.notEqual(orderToken(secret, 'P1'), orderToken('y'.repeat(32), 'P1'))
  for (const wrong of [null, undefined, '', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}!`]) assert.equal(tokenHash(wrong), null)
  assert.equal(tokenHash(orderToken(secret, 'P1'))?.length, 32)
})
