import assert from 'node:assert/strict'
import { test } from 'node:test'
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
