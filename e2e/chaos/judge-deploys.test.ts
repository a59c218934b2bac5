import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomeOf } from './buy-during-deploys.ts'
import { judgeDeploys, lostOrders } from './judge-deploys.ts'

const held = { requests: 100, failed: [], placed: ['A1', 'A2'], paid: ['A1', 'A2'], replaced: 40, wanted: 40, lost: [], violations: [] }

test('restarts that replaced every process, failed no request and lost no order hold', () => {
  assert.deepEqual(judgeDeploys(held), [])
})

test('a refused order or a failed page is a failure, told once for all alike', () => {
  assert.deepEqual(judgeDeploys({ ...held, failed: ['an order was refused: sold-out', 'an order was refused: sold-out', '/: 503'] }), [
    'failed: 2 × an order was refused: sold-out',
    'failed: 1 × /: 503',
  ])
})

test('restarts that did not happen, or fewer than there should have been, did not hold', () => {
  assert.deepEqual(judgeDeploys({ ...held, replaced: 39 }), ['39 of 40 processes were replaced'])
  assert.deepEqual(judgeDeploys({ ...held, replaced: 0, wanted: 0 }), ['0 of 0 processes were replaced'])
})

test('without an order, a request or a payment nothing was shown', () => {
  assert.deepEqual(judgeDeploys({ ...held, placed: [], paid: [] }), ['no order was placed'])
  assert.deepEqual(judgeDeploys({ ...held, requests: 0 }), ['nothing was requested'])
  assert.deepEqual(judgeDeploys({ ...held, paid: ['A1'] }), ['1 of 2 orders were not paid'])
})

test('a lost order and a broken invariant are named', () => {
  assert.deepEqual(judgeDeploys({ ...held, lost: ['A2 is not in the tables'], violations: [{ id: 'I1', what: 'x' }] }), [
    'lost: A2 is not in the tables',
    'I1: x',
  ])
})

test('an order is lost if it is missing, a draft again, or unpaid or cancelled after its buyer saw it paid', () => {
  const orders = { placed: ['A1', 'A2', 'A3'], paid: ['A1', 'A2'] }
  const row = (id: string, state: string) => ({ id, state })
  assert.deepEqual(lostOrders(orders, [row('A1', 'paid'), row('A2', 'shipped'), row('A3', 'awaiting-payment')]), [])
  assert.deepEqual(lostOrders(orders, [row('A1', 'paid'), row('A2', 'cancelled')]), ['A2 is cancelled', 'A3 is not in the tables'])
  assert.deepEqual(lostOrders(orders, [row('A1', 'awaiting-payment'), row('A2', 'paid'), row('A3', 'draft')]), [
    'A1 is awaiting-payment',
    'A3 is draft',
  ])
})

test('each kind of failure stands by itself: one alone is enough', () => {
  const bad = {
    '500': { failed: ['/cart: 500'] },
    'an order refused': { failed: ['an order was refused: too-many-attempts'] },
    'a purchase ended': { failed: ['a purchase ended: the connection was reset'] },
    'no request': { requests: 0 },
    'a process less': { replaced: 39 },
    'an order lost': { lost: ['A1 is draft'] },
    'an invariant': { violations: [{ id: 'I3' as const, what: 'x' }] },
  }
  for (const [what, changed] of Object.entries(bad)) assert.equal(judgeDeploys({ ...held, ...changed }).length, 1, what)
})

test('a page or an operation that is refused, moved, cut or answered with errors has failed', () => {
  assert.equal(outcomeOf('/', 200, '<html></html>'), null)
  assert.equal(outcomeOf('/graphql', 200, '{"data":{"listing":{"total":1}}}'), null)
  for (const status of [302, 404, 429, 500, 502, 503]) assert.equal(outcomeOf('/', status, '<html></html>'), `/: ${status}`)
  for (const text of ['', '<html>', '<html><body>']) assert.match(outcomeOf('/', 200, text) ?? '', /^\/: 200 with/)
  for (const text of ['', '{"data":null,"errors":[{}]}', '{"errors":[{}]}', '{"data":{"a":null},"errors":[{}]}'])
    assert.match(outcomeOf('/graphql', 200, text) ?? '', /^\/graphql: 200 with/)
})

test('every state in which an order seen paid is not paid is a loss', () => {
  for (const state of ['draft', 'awaiting-payment', 'authorised', 'cancelled'])
    assert.equal(lostOrders({ placed: ['A1'], paid: ['A1'] }, [{ id: 'A1', state }]).length, 1, state)
})
