import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { addCoupon, addOffer, draftOrder, fillShop, must, newBuyer, place } from '@purlin/server/selling/checkout/testing.ts'
import { applyCoupon } from '@purlin/server/selling/cart/apply-coupon.ts'
import { testGateway } from '@purlin/server/edges/gateway/testing.ts'
import { loadJobs } from '@purlin/server/edges/worker/load-jobs.ts'
import { runWork } from '@purlin/server/edges/worker/testing.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { embeddedProvider } from '@purlin/server/selling/payments/embedded-provider.ts'
import { usePaymentProvider } from '@purlin/server/selling/payments/settings.ts'
import { readPaymentOfOrder } from '@purlin/server/selling/payments/store.ts'
import { startPaymentProvider, type PaymentProviderServer } from '@purlin/services/payment-provider/index.ts'
import { checkInvariants, type InvariantOptions, type Violation } from './invariants.ts'

const secrets = { secret: 'secret-of-the-tests', webhookSecret: 'webhook-secret-of-the-tests' }
const database = await testDatabase()
let server: PaymentProviderServer
let options: InvariantOptions = {}

before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '9001', stock: 50 })
  await addCoupon(database, { code: 'TENOFF', total_limit: 5 })
  const { url } = await testGateway(database.pool)
  server = await startPaymentProvider({ port: 0, file: ':memory:', webhookUrl: `${url}/webhooks/payment`, ...secrets })
  const provider = embeddedProvider({ url: `http://127.0.0.1:${server.port}`, ...secrets })
  usePaymentProvider(provider)
  // The search index is not under test here.
  const all = await loadJobs()
  const work = () =>
    runWork(
      database,
      all.handlers.filter(({ name }) => !/^(listing|catalogue|pricing)/.test(name)),
      all.jobs,
    )
  const acknowledged: string[] = []
  for (let index = 0; index < 3; index++) {
    const buyer = newBuyer(database)
    const id = await draftOrder(buyer, [{ offerId: '9001', quantity: index + 1 }])
    if (index === 0) must(await buyer.does((scope) => applyCoupon(scope, 'TENOFF')))
    must(await place(buyer, id))
    acknowledged.push(id)
    await work()
    const frame = String((await readPaymentOfOrder(database.db, id))?.frameUrl).replace('pay.localhost', '127.0.0.1')
    await fetch(frame, {
      method: 'POST',
      body: new URLSearchParams({ number: '4000000000000002', expiry: '12/39', code: '123', name: 'Robin Field' }),
    })
    for (let round = 0; round < 200; round++) {
      await work()
      if ((await readPaymentOfOrder(database.db, id))?.state === 'captured') break
      await sleep(10)
    }
    await work()
  }
  options = { acknowledged, provider: { name: 'embedded', payments: await provider.list({ since: new Date(0) }, {}) } }
})
after(() => server.close())

test('I1 I2 I3 I4 I5 I6 I8: a shop that sold without faults breaks no invariant', async () => {
  assert.deepEqual(await checkInvariants(database.pool, options), [])
})

/** Breaks something within a transaction, runs the check, and rolls back. */
async function planted(
  break_: (client: pg.PoolClient) => Promise<unknown>,
  changed: Partial<InvariantOptions> = {},
): Promise<Violation['id'][]> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await break_(client)
    return [...new Set((await checkInvariants(client, { ...options, ...changed })).map(({ id }) => id))]
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const bugs: [string, Violation['id'], string][] = [
  [
    'a ledger entry is missing',
    'I1',
    `delete from ledger.entry where ctid in (select ctid from ledger.entry where account = 'commission' limit 1)`,
  ],
  ['a whole booking is missing', 'I1', `delete from ledger.entry where booking_id in (select id from ledger.booking limit 1)`],
  [
    'an order is charged twice',
    'I4',
    `insert into payments.payment (id, customer_order_id, placement, provider, state, amount, currency, market, mode, origin, captured, provider_reference)
    select gen_random_uuid(), customer_order_id, 2, provider, 'captured', amount, currency, market, mode, origin, captured, 'pi_second' from payments.payment limit 1`,
  ],
  [
    'more is sold than there was',
    'I2',
    `update orders.order_line set quantity = quantity + 1, total = total + unit_price, net = net + unit_price where offer_id = 9001`,
  ],
  [
    'a stock movement was skipped',
    'I2',
    `delete from catalogue.stock_movement where ctid in (select ctid from catalogue.stock_movement where reason = 'reserved' limit 1)`,
  ],
  ['a mail was lost', 'I5', `delete from mail.mail where ctid in (select ctid from mail.mail limit 1)`],
  ['a mail was noted and never sent', 'I5', `update mail.mail set state = 'queued' where ctid in (select ctid from mail.mail limit 1)`],
  [
    'an event was never handled',
    'I5',
    `update platform.outbox set done_at = null where ctid in (select ctid from platform.outbox where type = 'order.paid' limit 1)`,
  ],
  [
    'an acknowledged order is gone',
    'I3',
    `update orders.customer_order set placed_at = null where id in (select id from orders.customer_order limit 1)`,
  ],
  [
    'an order skipped a step',
    'I6',
    `update orders.customer_order set state = 'delivered' where id in (select id from orders.customer_order limit 1)`,
  ],
  ['a coupon was used without being counted', 'I8', `update cart.coupon set used = 0`],
]
for (const [what, id, sql] of bugs) {
  test(`${id}: the checker detects when ${what}`, async () => {
    const ids = await planted((client) => client.query(sql))
    assert.ok(ids.includes(id), `found ${ids.join(', ') || 'nothing'}`)
  })
}

test('I4: the checker detects a charge at the provider that the shop does not know, and a second one for the same order', async () => {
  const payments = options.provider?.payments ?? []
  const [first] = payments
  assert.ok(first)
  const nothing = () => Promise.resolve()
  const stray = [...payments, { ...first, reference: 'pi_stray', paymentId: null }]
  assert.deepEqual(await planted(nothing, { provider: { name: 'embedded', payments: stray } }), ['I4'])
  const twice = [...payments, { ...first, reference: 'pi_twice' }]
  assert.deepEqual(await planted(nothing, { provider: { name: 'embedded', payments: twice } }), ['I4'])
})
