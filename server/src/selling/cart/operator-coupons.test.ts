import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addStaff, signIn } from '../../people/accounts/testing.ts'
import { addCoupon, addOffer, draftOrder, fillShop, must, newBuyer, place } from '../checkout/testing.ts'
import { applyCoupon } from './apply-coupon.ts'
import { loadPricedCart } from './load-cart.ts'
import { redeemCoupon } from './store.ts'

/** Coupons for everybody, as operators make, list and end them, and as carts then take them. */

useSettings({ OPERATOR_API_KEY: 'an-operator-key-of-thirty-two-bytes' })
const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '1', stock: 1000 })
const gateway = await testGateway(database.pool)
const key = { authorization: 'Bearer an-operator-key-of-thirty-two-bytes' }

async function operator(method: string, path: string, body?: unknown, headers: Record<string, string> = key) {
  const answer = await fetch(`${gateway.url}/api/v1/operator/coupons/${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: (text ? JSON.parse(text) : {}) as Record<string, unknown> }
}
const from = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const tenPercent = { kind: 'percent', value: 10, startsOn: from(-3), endsOn: from(30) }

const holding = async (code: string) => {
  const buyer = newBuyer(database)
  const orderId = await draftOrder(buyer, [{ offerId: '1', quantity: 1 }])
  return { buyer, orderId, applied: await buyer.does((scope) => applyCoupon(scope, code)) }
}

test('R-137 an operator makes a coupon, buyers use it, and the list says who made it and how often it was used', async () => {
  const made = await operator('PUT', 'gb/AUTUMN10', { ...tenPercent, totalLimit: 5 })
  assert.equal(made.status, 201)
  const { buyer, orderId, applied } = await holding('autumn10')
  must(applied)
  assert.equal((await loadPricedCart(buyer.scope())).couponDiscount, 120)
  must(await place(buyer, orderId))
  const { status, body } = await operator('GET', 'gb/AUTUMN10')
  assert.equal(status, 200)
  const { changes, ...coupon } = body as { changes: { change: string; by: string }[] }
  assert.deepEqual(coupon, {
    ...tenPercent,
    code: 'AUTUMN10',
    market: 'gb',
    minAmount: 0,
    sellerId: null,
    categoryId: null,
    endedOn: null,
    totalLimit: 5,
    perCustomerLimit: 1,
    firstOrderOnly: false,
    audience: null,
    isListed: false,
    used: 1,
    state: 'running',
  })
  assert.deepEqual(
    changes.map(({ change, by }) => [change, by]),
    [['made', 'operator-key']],
  )
})

test('the same coupon again changes nothing; another one under its code is refused, also that of a customer', async () => {
  assert.equal((await operator('PUT', 'gb/SAME', tenPercent)).status, 201)
  const again = await operator('PUT', 'gb/SAME', { ...tenPercent, minAmount: 0, totalLimit: null })
  assert.deepEqual([again.status, (again.body['changes'] as unknown[]).length], [200, 1])
  for (const [path, body] of [
    ['gb/SAME', { ...tenPercent, value: 11 }],
    ['gb/SAME', { ...tenPercent, firstOrderOnly: true }],
    ['gb/SAME', { ...tenPercent, audience: 'high-value' }],
    ['fr/SAME', tenPercent],
  ] as const)
    assert.deepEqual(await operator('PUT', path, body), { status: 409, body: { error: 'code-taken' } }, JSON.stringify(body))
  await addCoupon(database, { code: 'FORANN', customer_id: '6a0e8a54-6c5c-4e0d-8f0f-1a2b3c4d5e6f', ends_on: tenPercent.endsOn })
  assert.deepEqual(await operator('PUT', 'gb/FORANN', tenPercent), { status: 409, body: { error: 'code-taken' } })
  assert.equal((await operator('GET', 'gb/FORANN')).status, 404)
  const atOnce = await Promise.all(Array.from({ length: 6 }, () => operator('PUT', 'gb/ATONCE', tenPercent)))
  assert.deepEqual(atOnce.map(({ status }) => status).toSorted(), [200, 200, 200, 200, 200, 201])
})

test('a coupon out of bounds is refused with the field that is wrong', async () => {
  for (const [body, problem] of [
    [{ ...tenPercent, value: 91 }, /^value: at most 90/],
    [{ ...tenPercent, value: 0 }, /^value: at least 1/],
    [{ ...tenPercent, value: 1.5 }, /^value: /],
    [{ ...tenPercent, kind: 'amount', value: 1_000_001 }, /^value: at most/],
    [{ ...tenPercent, kind: 'free-delivery' }, /^value: at most/],
    [{ ...tenPercent, kind: 'gift' }, /^kind: /],
    [{ ...tenPercent, startsOn: from(31) }, /^endsOn: ends before it begins/],
    [{ ...tenPercent, startsOn: '21.11.2026' }, /^startsOn: /],
    [{ ...tenPercent, endsOn: '2027-02-29' }, /^endsOn: a day/],
    [{ ...tenPercent, endsOn: from(1_098) }, /^endsOn: at most 1100 days/],
    [{ ...tenPercent, perCustomerLimit: 2, firstOrderOnly: true }, /^perCustomerLimit: 1/],
    [{ ...tenPercent, perCustomerLimit: 0 }, /^perCustomerLimit: /],
    [{ ...tenPercent, totalLimit: 0 }, /^totalLimit: /],
    [{ ...tenPercent, audience: 'everybody' }, /^audience: /],
    [{ ...tenPercent, used: 3 }, /used/],
    [{ ...tenPercent, sellerId: 4711 }, /^unknown-seller$/],
    [{ ...tenPercent, categoryId: 4711 }, /^unknown-category$/],
    [{ ...tenPercent, endsOn: from(-2) }, /^coupon-over$/],
  ] as const) {
    const { status, body: answer } = await operator('PUT', 'gb/BOUNDS', body)
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(String(answer['error']), problem)
  }
  for (const code of ['ab', 'lower-case', 'A B C', 'X'.repeat(31), 'ÄÖÜ'])
    assert.equal((await operator('PUT', `gb/${encodeURIComponent(code)}`, tenPercent)).status, 400, code)
  assert.equal((await operator('PUT', 'us/BOUNDS', tenPercent)).status, 404)
  assert.equal((await operator('GET', 'gb/BOUNDS')).status, 404)
  assert.equal((await operator('PUT', 'gb/EDGES', { ...tenPercent, value: 90, endsOn: from(1_097) })).status, 201)
  assert.equal((await operator('PUT', 'gb/EDGE-POST', { startsOn: from(0), endsOn: from(0), kind: 'free-delivery' })).status, 201)
})

test('R-137 an ended coupon is refused in every cart that holds it, and orders placed with it keep their discount', async () => {
  assert.equal((await operator('PUT', 'gb/ENDING', tenPercent)).status, 201)
  const [placed, open] = [await holding('ENDING'), await holding('ENDING')]
  must(await place(placed.buyer, placed.orderId))
  assert.equal((await operator('POST', 'fr/ENDING/end')).status, 404)
  assert.equal((await operator('POST', 'gb/NOSUCH/end')).status, 404)
  assert.equal((await operator('POST', 'gb/ENDING/end')).status, 204)
  assert.equal((await operator('POST', 'gb/ENDING/end')).status, 204)
  assert.deepEqual(await place(open.buyer, open.orderId), { ok: false, reason: 'coupon-expired' })
  assert.deepEqual((await holding('ENDING')).applied, { ok: false, reason: 'coupon-expired' })
  // Ended between the pricing of an order and its placing.
  const redeemed = database.command({}, ({ db }) => redeemCoupon(db, 'ENDING', { key: 'x@example.com', id: null, companyId: null }, 'P1'))
  assert.equal(await redeemed, 'exhausted')
  const { rows } = await database.pool.query('select coupon_code from orders.customer_order where id = $1', [placed.orderId])
  assert.deepEqual(rows, [{ coupon_code: 'ENDING' }])
  const { body } = await operator('GET', 'gb/ENDING')
  assert.deepEqual([body['state'], body['endsOn'], body['endedOn']], ['ended', tenPercent.endsOn, from(-1)])
  assert.deepEqual(
    (body['changes'] as { change: string }[]).map(({ change }) => change),
    ['made', 'ended'],
  )
  // The same call that made it still returns it.
  assert.equal((await operator('PUT', 'gb/ENDING', tenPercent)).body['state'], 'ended')
})

test('the list has the coupons of one market by code, a hundred at a time, without those of customers', async () => {
  await Promise.all(Array.from({ length: 101 }, (_, n) => addCoupon(database, { code: `L${String(n).padStart(3, '0')}`, market: 'it' })))
  await addCoupon(database, { code: 'LMINE', market: 'it', customer_id: '6a0e8a54-6c5c-4e0d-8f0f-1a2b3c4d5e6f' })
  const page = async (after: string) => {
    const { body } = await operator('GET', `it${after && `?after=${after}`}`)
    return { codes: (body['coupons'] as { code: string }[]).map(({ code }) => code), next: body['next'] }
  }
  const first = await page('')
  assert.deepEqual([first.codes.length, first.codes.at(-1), first.next], [100, 'L099', 'L099'])
  assert.deepEqual(await page('L099'), { codes: ['L100'], next: null })
})

test('V-51 coupons are made by operators of the catalogue alone, each under their own name', async () => {
  const paths = [
    ['GET', 'gb'],
    ['GET', 'gb/RIGHTS'],
    ['PUT', 'gb/RIGHTS'],
    ['POST', 'gb/RIGHTS/end'],
  ] as const
  const as = async (roles: Parameters<typeof addStaff>[1]['roles']) => {
    const { id } = await addStaff(database.db, { roles })
    const { token } = await signIn(database.db, { staffId: id, family: 'staff' })
    return { id, headers: { cookie: `__Host-purlin-staff=${token}`, origin: gateway.url, 'sec-fetch-site': 'same-origin' } }
  }
  const support = await as([{ role: 'support', market: null }])
  const french = await as([{ role: 'catalogue', market: 'fr' }])
  for (const headers of [{}, support.headers, french.headers])
    for (const [method, path] of paths)
      assert.equal((await operator(method, path, method === 'PUT' ? tenPercent : undefined, headers)).status, 401, `${method} ${path}`)
  const british = await as([{ role: 'catalogue', market: 'gb' }])
  assert.equal((await operator('PUT', 'gb/RIGHTS', tenPercent, british.headers)).status, 201)
  const { body } = await operator('GET', 'gb/RIGHTS')
  assert.equal((body['changes'] as { by: string }[])[0]?.by, british.id)
})
