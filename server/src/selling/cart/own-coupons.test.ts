import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway, type TestGateway } from '../../edges/gateway/testing.ts'
import { addCustomer, signIn } from '../../people/accounts/testing.ts'
import { addCoupon, addOffer, addresses, fillShop } from '../checkout/testing.ts'

const database = await testDatabase()
let gateway: TestGateway
before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '1', stock: 1000 })
  gateway = await testGateway(database.pool)
})

interface Person {
  id: string
  cookie: string
}
async function customer(): Promise<Person> {
  const { id } = await addCustomer(database.db)
  const { token } = await signIn(database.db, { customerId: id })
  return { id, cookie: `__Host-purlin=${token}` }
}
async function ask<Value>({ cookie }: { cookie: string }, document: string, variables: object = {}): Promise<Value> {
  const { body } = await gateway.post(document, variables, { cookie })
  const { data } = body as { data: { answer: Value } | null }
  assert.ok(data, JSON.stringify(body))
  return data.answer
}
interface Coupon {
  code: string
  label: string
  isPersonal: boolean
  minimum: { formatted: string } | null
  category: string | null
  seller: string | null
  endsOn: string
  usesLeft: number
  isScarce: boolean
}
const fields = 'code label isPersonal minimum { formatted } category seller endsOn usesLeft isScarce'
const couponsOf = (person: Person) => ask<Coupon[]>(person, `{ answer: myCoupons { ${fields} } }`)
const codesOf = async (person: Person) => (await couponsOf(person)).map(({ code }) => code)
const reasonOf = async (person: { cookie: string }, mutation: string, variables: object = {}) =>
  (await ask<{ refusal: { reason: string } | null }>(person, mutation, variables)).refusal?.reason ?? null
const fill = (person: { cookie: string }) => ask(person, 'mutation { answer: addToCart(offerId: "1", quantity: 5) { refusal { reason } } }')
const apply = (person: { cookie: string }, code: string) =>
  reasonOf(person, 'mutation ($code: String!) { answer: applyCoupon(code: $code) { refusal { reason } } }', { code })

async function order(person: Person): Promise<string | null> {
  const saved = await ask<{ order: { id: string } }>(
    person,
    'mutation ($input: AddressInput!) { answer: saveAddress(input: $input) { order { id } } }',
    { input: addresses.gb },
  )
  return reasonOf(
    person,
    'mutation ($id: ID!, $key: String!) { answer: placeOrder(customerOrderId: $id, idempotencyKey: $key, choices: [{ sellerId: 1, kind: "standard" }]) { refusal { reason } } }',
    { id: saved.order.id, key: randomUUID() },
  )
}
const reset = () => database.pool.query('delete from cart.coupon_redemption; delete from cart.coupon')

test('R-137 a customer sees the coupons shown to everybody, with their benefit, conditions, remaining uses and last day', async () => {
  await reset()
  const ends = '2099-12-31'
  await addCoupon(database, { code: 'ALL10', is_listed: true, per_customer_limit: 3 })
  await addCoupon(database, {
    code: 'DRILLS',
    kind: 'amount',
    value: 500,
    min_amount: 3000,
    category_id: 2,
    seller_id: 1,
    is_listed: true,
    total_limit: 2,
    per_customer_limit: 5,
    ends_on: '2099-06-30',
  })
  const ann = await customer()
  assert.deepEqual(await couponsOf(ann), [
    {
      code: 'DRILLS',
      label: '-£5.00',
      isPersonal: false,
      minimum: { formatted: '£30.00' },
      category: 'Drills',
      seller: 'Seller 1',
      endsOn: '2099-06-30',
      usesLeft: 2,
      isScarce: true,
    },
    {
      code: 'ALL10',
      label: '-10%',
      isPersonal: false,
      minimum: null,
      category: null,
      seller: null,
      endsOn: ends,
      usesLeft: 3,
      isScarce: false,
    },
  ])
})

test('codes that are handed out otherwise, of other markets, not begun, ended or used up are not shown', async () => {
  await reset()
  const today = new Date().toISOString().slice(0, 10)
  await addCoupon(database, { code: 'SECRET' })
  await addCoupon(database, { code: 'ABROAD', market: 'fr', is_listed: true })
  await addCoupon(database, { code: 'LATER', is_listed: true, starts_on: '2090-01-01' })
  await addCoupon(database, { code: 'ENDED', is_listed: true, ends_on: '2020-02-01' })
  await addCoupon(database, { code: 'GONE', is_listed: true, total_limit: 1, used: 1 })
  await addCoupon(database, { code: 'TODAY', is_listed: true, starts_on: today, ends_on: today })
  const ann = await customer()
  assert.deepEqual(await codesOf(ann), ['TODAY'])
})

test('R-137 a used-up coupon disappears from the page, and returns when the order is abandoned', async () => {
  await reset()
  await addCoupon(database, { code: 'ONCE', is_listed: true })
  const [ann, ben] = [await customer(), await customer()]
  await fill(ann)
  assert.equal(await apply(ann, 'ONCE'), null)
  assert.deepEqual(await codesOf(ann), ['ONCE'])
  assert.equal(await order(ann), null)
  assert.deepEqual([await codesOf(ann), await codesOf(ben)], [[], ['ONCE']])
  await database.pool.query('delete from cart.coupon_redemption')
  assert.deepEqual(await codesOf(ann), ['ONCE'])
})

test('A22 a personal coupon is seen and used by its customer alone; for everybody else its code does not exist', async () => {
  await reset()
  const [ann, mallory] = [await customer(), await customer()]
  await addCoupon(database, { code: 'FORANN', customer_id: ann.id })
  await addCoupon(database, { code: 'ALL10', is_listed: true })
  assert.deepEqual(
    (await couponsOf(ann)).map(({ code, isPersonal }) => [code, isPersonal]),
    [
      ['FORANN', true],
      ['ALL10', false],
    ],
  )
  assert.deepEqual(await codesOf(mallory), ['ALL10'])
  await fill(mallory)
  assert.equal(await apply(mallory, 'FORANN'), 'coupon-unknown')
  assert.equal(await apply(mallory, 'NOSUCH'), 'coupon-unknown')
  const guest = await gateway.post('mutation { addToCart(offerId: "1", quantity: 5) { refusal { reason } } }', {}, {})
  assert.equal(await apply({ cookie: guest.cookie }, 'FORANN'), 'coupon-unknown')
  // Even on somebody else's cart it pays nothing.
  await database.pool.query(`update cart.cart set coupon_code = 'FORANN' where owner = $1`, [`c:${mallory.id}`])
  assert.equal(await order(mallory), 'coupon-exhausted')
  assert.equal((await database.pool.query('select 1 from cart.coupon_redemption')).rowCount, 0)
  await fill(ann)
  assert.equal(await apply(ann, 'forann'), null)
  assert.equal(await order(ann), null)
  assert.deepEqual(await codesOf(ann), ['ALL10'])
})

test('R-137 a guest has no page of advantages', async () => {
  const { body } = await gateway.post('{ myCoupons { code } }', {}, {})
  assert.equal((body as { errors: { extensions: { code: string } }[] }).errors[0]?.extensions.code, 'UNAUTHENTICATED')
})
