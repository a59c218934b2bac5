import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase, webPool } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { whileTablesFail, whileTablesHang } from '../../foundation/platform/failures-for-tests.ts'
import { addOffer, addresses, fillShop } from '../checkout/testing.ts'
import { addValued } from '../segments/testing.ts'

/** A cart with a coupon for customers of high value, while nobody can tell who is one. */

const database = await testDatabase()
const pool = webPool(database)
const gateway = await testGateway(pool)
after(() => pool.end())
await fillShop(database)
await addOffer(database, { id: '1', stock: 1000 })
await database.pool.query(
  `insert into cart.coupon (code, market, kind, value, starts_on, ends_on, audience) values ('DEAR10', 'gb', 'percent', 10, '2020-01-01', '2099-12-31', 'high-value')`,
)
const { cookies } = await addValued(database.db)

async function ask<Value>(document: string, variables: object = {}): Promise<Value> {
  const { body } = await gateway.post(document, variables, { cookie: cookies.b2c, host: 'gb.localhost' })
  const { data } = body as { data: { answer: Value } | null }
  assert.ok(data, JSON.stringify(body))
  return structuredClone(data.answer)
}
interface Answer {
  refusal: { reason: string; message: string } | null
}
interface ShownCart {
  itemCount: number
  coupon: { code: string; note: string | null } | null
  totals: { discount: { amount: number } }
}
const shown = 'itemCount coupon { code note } totals { discount { amount } }'
const cart = () => ask<ShownCart>(`{ answer: cart { ${shown} } }`)
const add = () =>
  ask<Answer & { cart: ShownCart }>(
    `mutation { answer: addToCart(offerId: "1", quantity: 1) { cart { ${shown} } refusal { reason message } } }`,
  )
const place = (id: string) =>
  ask<Answer>(
    `mutation ($id: ID!, $key: String!) { answer: placeOrder(customerOrderId: $id, idempotencyKey: $key, choices: [{ sellerId: 1, kind: "standard" }]) { refusal { reason message } } }`,
    { id, key: randomUUID() },
  )
const message = 'This code cannot be checked right now. Try again in a moment, or remove it.'

await add()
await ask('mutation { answer: applyCoupon(code: "DEAR10") { refusal { reason } } }')
const { order } = await ask<{ order: { id: string } }>(
  'mutation ($input: AddressInput!) { answer: saveAddress(input: $input) { order { id } } }',
  { input: addresses.gb },
)

for (const [what, failing] of [
  ['hang', whileTablesHang],
  ['fail', whileTablesFail],
] as const)
  test(`while segments ${what}, a cart with a coupon for an audience is shown and filled, the coupon stays in it without effect, and no order drops it silently`, async () => {
    const before = await cart()
    assert.equal(before.totals.discount.amount > 0, true)
    await failing(database, ['segments'], async () => {
      const startedAt = performance.now()
      const without = { coupon: { code: 'DEAR10', note: message }, totals: { discount: { amount: 0 } } }
      assert.deepEqual(await cart(), { itemCount: before.itemCount, ...without })
      assert.deepEqual(await add(), { cart: { itemCount: before.itemCount + 1, ...without }, refusal: null })
      assert.deepEqual(await ask('{ answer: myCoupons { code } }'), [])
      assert.deepEqual(await place(order.id), { refusal: { reason: 'coupon-unavailable', message } })
      assert.ok(performance.now() - startedAt < 3_000, 'nothing waits for the segments as long as for other tables')
    })
    let later = await cart()
    for (const end = Date.now() + 5_000; later.coupon?.note && Date.now() < end; later = await cart()) await sleep(50)
    assert.equal(later.coupon?.note, null)
    assert.equal(later.totals.discount.amount > before.totals.discount.amount, true)
  })

test('once segments can be read again, the order is placed with the discount', async () => {
  assert.deepEqual(await place(order.id), { refusal: null })
})
