import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { markets, modes, type Mode } from '@purlin/contract/markets.ts'
import { testDatabase, useSettings } from '#platform/testing'
import { forgetSwitches } from '#flags'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addValued, type Valued } from '../segments/testing.ts'
import { decideApproval, orderApproved } from '../checkout/decide-approval.ts'
import { requestApproval } from '../checkout/request-approval.ts'
import { showApproval } from '../checkout/show-approval.ts'
import { addOffer, addresses, companiesIn, draftOrder, fillShop, must } from '../checkout/testing.ts'
import { setBudget } from '../purchasing/manage-budgets.ts'
import { writeImported } from '../segments/store.ts'
import { applyCoupon } from './apply-coupon.ts'

/** Coupons for customers of high value alone, through the gateway, on both storefronts. */

useSettings({ OPERATOR_API_KEY: 'an-operator-key-of-thirty-two-bytes' })
const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '1', stock: 1000 })
const gateway = await testGateway(database.pool)
const hosts: Record<Mode, string> = { b2c: 'gb.localhost', b2b: 'pro.gb.localhost' }

async function operator(path: string, body: object): Promise<void> {
  const authorization = 'Bearer an-operator-key-of-thirty-two-bytes'
  const answer = await fetch(`${gateway.url}/api/v1/operator/${path}`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.ok(answer.ok, await answer.text())
}
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const forHighValue = { kind: 'percent', value: 10, startsOn: day(-3), endsOn: day(30), audience: 'high-value', perCustomerLimit: 1 }
await operator('coupons/gb/DEAR10', { ...forHighValue, isListed: true })
await operator('platform-config/gb/*/welcome-offer-hvc', { value: { code: 'DEAR10', percent: 10 }, replaces: 0 })
forgetSwitches()

interface At {
  mode: Mode
  cookie: string
}
const at = ({ cookies }: Valued, mode: Mode): At => ({ mode, cookie: cookies[mode] })
async function ask<Value>({ mode, cookie }: At, document: string, variables: object = {}): Promise<Value> {
  const { body } = await gateway.post(document, variables, { cookie, host: hosts[mode] })
  const { data } = body as { data: { answer: Value } | null }
  assert.ok(data, JSON.stringify(body))
  return structuredClone(data.answer)
}
interface Answer {
  refusal: { reason: string; message: string } | null
}
const command = async (who: At, field: string, variables = '', values: object = {}) =>
  (await ask<Answer>(who, `mutation ${variables} { answer: ${field} { refusal { reason message } } }`, values)).refusal
const fill = (who: At) => command(who, 'addToCart(offerId: "1", quantity: 1)')
const apply = (who: At) => command(who, 'applyCoupon(code: "dear10")')
const cartOf = (who: At) =>
  ask<{ coupon: { note: string | null } | null; totals: { discount: { amount: number } } }>(
    who,
    '{ answer: cart { coupon { note } totals { discount { amount } } } }',
  )
async function draft(who: At): Promise<string> {
  const saved = await ask<{ order: { id: string } }>(
    who,
    'mutation ($input: AddressInput!) { answer: saveAddress(input: $input) { order { id } } }',
    {
      input: addresses.gb,
    },
  )
  return saved.order.id
}
const place = (who: At, id: string) =>
  command(
    who,
    'placeOrder(customerOrderId: $id, idempotencyKey: $key, choices: [{ sellerId: 1, kind: "standard" }])',
    '($id: ID!, $key: String!)',
    { id, key: randomUUID() },
  )
const placeExpress = (who: At) => command(who, 'placeExpressOrder(idempotencyKey: $key)', '($key: String!)', { key: randomUUID() })
const keepAddress = (who: At) =>
  command(who, 'keepAddress(input: $input)', '($input: SavedAddressInput!)', {
    input: { ...addresses.gb, country: markets.gb.country, defaults: ['delivery'] },
  })

const message = 'This code is reserved for selected customers who are signed in.'
const refused = { reason: 'coupon-not-for-you', message }

for (const mode of modes) {
  test(`A21 R-414 on ${mode} a coupon for customers of high value is refused to guests and all others, whatever is said of them`, async () => {
    const guest = await gateway.post('mutation { addToCart(offerId: "1", quantity: 1) { refusal { reason } } }', {}, { host: hosts[mode] })
    assert.deepEqual(await apply({ mode, cookie: guest.cookie }), refused)
    for (const [segments, expected] of [
      [{}, refused],
      [{ customer_value: 'low' }, refused],
      [{ customer_value: 'medium', loyalty_hvc_level: 'member' }, refused],
      [{ customer_value: 'enormous' }, refused],
      [{ customer_value: 'high', loyalty_hvc_level: 'opt-out' }, refused],
      [{ customer_value: 'high' }, null],
      [{ customer_value: 'VERY_HIGH', loyalty_hvc_level: 'top-member' }, null],
    ] as const) {
      const who = at(await addValued(database.db, segments), mode)
      await fill(who)
      assert.deepEqual(await apply(who), expected, JSON.stringify(segments))
      assert.equal((await cartOf(who)).totals.discount.amount > 0, expected === null)
    }
  })

  test(`R-414 on ${mode} a customer who loses the status reads so in the cart, and no way of ordering gives the discount or drops it silently`, async () => {
    const ann = await addValued(database.db)
    const who = at(ann, mode)
    await keepAddress(who)
    await fill(who)
    // As a quick order adds its rows, to a cart that has the coupon.
    assert.equal(await apply(who), null)
    await ask(who, 'mutation { answer: addAllToCart(items: [{ offerId: "1", quantity: 2 }]) { __typename } }')
    assert.equal((await cartOf(who)).totals.discount.amount > 0, true)
    const id = await draft(who)
    await ann.become({ customer_value: 'medium' })
    const { coupon, totals } = await cartOf(who)
    assert.deepEqual([coupon?.note, totals.discount.amount], [message, 0])
    assert.deepEqual(await place(who, id), refused)
    assert.deepEqual(await placeExpress(who), refused)
    assert.deepEqual(await apply(who), refused)
    const { rows } = await database.pool.query(
      `select 1 from orders.customer_order where owner = $1 and placed_at is not null union all select 1 from cart.coupon_redemption r where r.customer_key = $2`,
      [`c:${ann.id}`, ann.email],
    )
    assert.deepEqual(rows, [])
    await command(who, 'removeCoupon')
    assert.equal(await placeExpress(who), null)
  })

  test(`R-414 on ${mode} the offer is read by a customer of high value until it is used, and its coupon is listed for them alone`, async () => {
    const read = async (who: At) => ({
      offer: await ask(who, '{ answer: myWelcomeOffer { code percent } }'),
      listed: await ask(who, '{ answer: myCoupons { code } }'),
    })
    const [ann, ben] = [await addValued(database.db), at(await addValued(database.db, { customer_value: 'medium' }), mode)]
    const who = at(ann, mode)
    assert.deepEqual(await read(who), { offer: { code: 'DEAR10', percent: 10 }, listed: [{ code: 'DEAR10' }] })
    assert.deepEqual(await read(ben), { offer: null, listed: [] })
    await keepAddress(who)
    await fill(who)
    assert.equal(await apply(who), null)
    assert.equal(await placeExpress(who), null)
    assert.deepEqual(await read(who), { offer: null, listed: [] })
    await command(who, 'reopenOrder(customerOrderId: $id)', '($id: ID!)', { id: await placedBy(ann) })
    assert.deepEqual(await read(who), { offer: { code: 'DEAR10', percent: 10 }, listed: [{ code: 'DEAR10' }] })
    await ann.become({ customer_value: 'low' })
    assert.deepEqual(await read(who), { offer: null, listed: [] })
  })

  test(`R-414 on ${mode} a guest reads no personal offer`, async () => {
    const { body } = await gateway.post('{ myWelcomeOffer { code } }', {}, { host: hosts[mode] })
    const { data, errors } = body as { data: object | null; errors: { extensions: { code: string } }[] }
    assert.deepEqual([{ ...data }, errors[0]?.extensions.code], [{ myWelcomeOffer: null }, 'UNAUTHENTICATED'])
  })
}

async function placedBy({ id }: Valued): Promise<string> {
  const order = 'select id from orders.customer_order where owner = $1 and placed_at is not null'
  return (await database.pool.query<{ id: string }>(order, [`c:${id}`])).rows[0]?.id ?? ''
}

test('A21 R-414 a status that is lost while the order is being placed is lost before it: the order waits, and is refused', async () => {
  const ann = await addValued(database.db)
  const who = at(ann, 'b2c')
  await fill(who)
  assert.equal(await apply(who), null)
  const id = await draft(who)
  const night = await database.pool.connect()
  try {
    await night.query('begin')
    await night.query(`update segments.customer set imported = '{}', computed = '{"customer_value": "low"}' where customer_id = $1`, [
      ann.id,
    ])
    let outcome: unknown = 'waits'
    const placing = place(who, id).then((refusal) => void (outcome = refusal))
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%for share%'`
    while (outcome === 'waits' && (await database.pool.query(waiting)).rows.length === 0);
    assert.equal(outcome, 'waits')
    await night.query('commit')
    await placing
    assert.deepEqual(outcome, refused)
  } finally {
    await night.query('rollback')
    night.release()
  }
  const { rows } = await database.pool.query('select 1 from cart.coupon_redemption where customer_order_id = $1', [id])
  assert.deepEqual(rows, [])
})

test('A21 R-414 of ten orders that customers of high value and others place at once, exactly those of the former get the discount', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => addValued(database.db)))
  const drafts: { who: At; id: string; keeps: boolean }[] = []
  for (const [index, one] of people.entries()) {
    const who = at(one, index % 4 < 2 ? 'b2c' : 'b2b')
    await fill(who)
    assert.equal(await apply(who), null)
    drafts.push({ who, id: await draft(who), keeps: index % 2 === 0 })
    if (index % 2 === 1) await one.become({ customer_value: 'medium' })
  }
  const results = await Promise.all(drafts.map(async ({ who, id }) => (await place(who, id))?.reason ?? null))
  assert.deepEqual(
    results,
    drafts.map(({ keeps }) => (keeps ? null : refused.reason)),
  )
  const { rows } = await database.pool.query<{ id: string }>(
    'select customer_order_id as id from cart.coupon_redemption where customer_order_id = any($1)',
    [drafts.map(({ id }) => id)],
  )
  assert.deepEqual(
    rows.map(({ id }) => id).toSorted(),
    drafts
      .filter(({ keeps }) => keeps)
      .map(({ id }) => id)
      .toSorted(),
  )
})

test('R-414 a company’s order has the discount of its buyer, whoever approves it, until the buyer loses the status', async () => {
  const { newCompany, join } = companiesIn(database)
  const company = await newCompany()
  const admin = await join(company, 'admin')
  const requested = async () => {
    const buyer = await join(company, 'buyer')
    const become = (customer_value: string) => writeImported(database.db, buyer.principal.id, { customer_value })
    must(await admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: buyer.principal.id, monthly: null, perOrder: 1 })))
    await become('high')
    const customerOrderId = await draftOrder(buyer, [{ offerId: '1', quantity: 1 }])
    must(await buyer.does((scope) => applyCoupon(scope, 'DEAR10')))
    const { id } = must(await buyer.does((scope) => requestApproval(scope, { customerOrderId, payBy: 'card', note: '' })))
    const now = async () => (await showApproval(admin.scope(), id))?.totalNow?.amount ?? 0
    const decide = async (agreedTotal: number) =>
      admin.does((scope) => decideApproval(scope, id, { isApproved: true, comment: '', agreedTotal }))
    return { become, now, decide, order: () => buyer.does((scope) => orderApproved(scope, id, randomUUID())) }
  }
  const [kept, lost, early] = [await requested(), await requested(), await requested()]
  const total = await kept.now()
  must(await kept.decide(total))
  must(await kept.order())
  must(await lost.decide(total))
  await lost.become('medium')
  assert.deepEqual(await lost.order(), { ok: false, reason: 'coupon-not-for-you' })
  await early.become('medium')
  assert.deepEqual(await early.decide(total), { ok: false, reason: 'proposal-changed' })
})
