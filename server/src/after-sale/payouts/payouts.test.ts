import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connectObjectStore, folderStore } from '#files'
import { accountBalances, balanceOf, unbalancedBookings } from '#ledger'
import { moveLines } from '#orders'
import { requestRefund } from '#refunds'
import { testDatabase, useSettings } from '#platform/testing'
import { startPaymentProvider, type PaymentProviderServer } from '../../../../services/src/payment-provider/index.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addStaff, signIn } from '../../people/accounts/testing.ts'
import { fillShop } from '../../selling/checkout/testing.ts'
import { embeddedProvider } from '../../selling/payments/embedded-provider.ts'
import { usePaymentProvider } from '../../selling/payments/settings.ts'
import * as payoutJobs from './jobs.ts'
import { payableAt } from './payable-rule.ts'
import { startRun } from './run-payouts.ts'
import { payable, setBank, sold } from './testing.ts'

const operatorKey = 'an-operator-key-of-the-tests-with-32-bytes'
useSettings({ OPERATOR_API_KEY: operatorKey })
connectObjectStore(folderStore(await mkdtemp(join(tmpdir(), 'payouts-'))))
const database = await testDatabase()
const { db, pool } = database
await fillShop(database)
const gateway = await testGateway(pool)
const secrets = { secret: 'secret-of-the-tests', webhookSecret: 'webhook-secret-of-the-tests' }
let server: PaymentProviderServer
before(async () => {
  server = await startPaymentProvider({ port: 0, file: ':memory:', webhookUrl: `${gateway.url}/webhooks/payment`, payoutMs: 0, ...secrets })
  usePaymentProvider(embeddedProvider({ url: `http://127.0.0.1:${server.port}`, timeoutMs: 2_000, ...secrets }))
})
after(async () => {
  await server.close()
  await gateway.close()
})

const work = () => runWork(database, payoutJobs.handlers, payoutJobs.jobs)
const later = (days: number): Date => new Date(Date.now() + days * 86_400_000)
let runs = 0
async function run(currency: 'EUR' | 'GBP', now = later(60)): Promise<string> {
  runs += 1
  const started = await database.command({ now }, (scope) =>
    startRun(scope, { key: `operator:${currency}:run-${runs}`, currency, cause: 'operator' }),
  )
  await work()
  return started?.id ?? ''
}
const deliver = (sellerOrderId: string, now = new Date()) =>
  database.command({ now }, async (scope) => {
    for (const [from, to] of [
      ['pending', 'accepted'],
      ['accepted', 'shipped'],
      ['shipped', 'delivered'],
    ] as const) {
      const moved = await moveLines(scope, {
        sellerOrderId,
        actor: to === 'delivered' ? 'carrier' : 'seller',
        reason: 'test',
        moves: [{ offerId: '1', quantity: 1, from, to }],
      })
      assert.ok(moved.ok, JSON.stringify(moved))
    }
    return { ok: true }
  })
const payoutsOf = async (sellerId: number) =>
  (
    await pool.query(
      'select id, state, amount::int, opening::int, settled::int, closing::int, carry_reason from payouts.payout where seller_id = $1 order by number',
      [sellerId],
    )
  ).rows
const refund = (order: { customerOrderId: string; sellerOrderId: string }, amount: number, key: string) =>
  database.command({}, (scope) =>
    requestRefund(scope, { ...order, cause: 'goodwill', key, extra: { offerId: null, amount } }).then((id) => ({ ok: id !== undefined })),
  )
/** 100.00 less 12 % commission and the VAT on it. */
const earned = 10_000 - 1_200 - 240

test('money becomes payable after delivery, the return period of the market, and working days', () => {
  // Fourteen days from Tuesday 24 November: Tuesday 8 December, an Italian holiday; then working days of each market.
  const delivered = new Date('2026-11-24T10:00:00Z')
  assert.equal(payableAt('gb', delivered, 14).toISOString(), '2026-12-10T21:00:00.000Z')
  assert.equal(payableAt('de', delivered, 14).toISOString(), '2026-12-10T21:00:00.000Z')
  assert.equal(payableAt('it', delivered, 14).toISOString(), '2026-12-14T21:00:00.000Z')
  // Thirty days: Thursday 24 December, before Christmas, Boxing Day and a weekend. Fourteen are the least.
  assert.equal(payableAt('gb', delivered, 30).toISOString(), '2026-12-30T21:00:00.000Z')
  assert.equal(payableAt('gb', delivered, 0).toISOString(), '2026-12-10T21:00:00.000Z')
})

test('a delivered order is paid once the return period is over, and not before; pounds go through the provider and arrive', async () => {
  const order = await sold(database, { sellerId: 11 })
  await setBank(database, 11, 'GBP', { holder: 'Toolyard Ltd', sortCode: '089999', accountNumber: '66374958' })
  await run('GBP')
  assert.deepEqual(await payoutsOf(11), [], 'nothing has been delivered')
  await deliver(order.sellerOrderId)
  await work()
  await run('GBP', later(10))
  assert.deepEqual(await payoutsOf(11), [], 'the buyer may still withdraw')
  await run('GBP')
  await work()
  const [payout] = await payoutsOf(11)
  assert.deepEqual(
    { ...payout, id: '' },
    { id: '', state: 'paid', amount: earned, opening: 0, settled: earned, closing: 0, carry_reason: null },
  )
  await run('GBP')
  assert.equal((await payoutsOf(11)).length, 1, 'a second run pays nothing')
  assert.equal(await balanceOf(db, 'seller:11', 'GBP'), 0)
  assert.equal(await balanceOf(db, 'payable:11', 'GBP'), 0)
})

test('a company that may send goods back for thirty days, or for a year, has its seller paid after that', async () => {
  await setBank(database, 19, 'GBP', { holder: 'Toolyard Ltd', sortCode: '089999', accountNumber: '66374958' })
  for (const [days, early, late] of [
    [30, 31, 40],
    [365, 366, 380],
  ] as const) {
    const order = await sold(database, { sellerId: 19 })
    await pool.query(`update orders.customer_order set mode = 'b2b', free_return_days = $2 where id = $1`, [order.customerOrderId, days])
    const before = (await payoutsOf(19)).length
    await deliver(order.sellerOrderId)
    await work()
    await run('GBP', later(early))
    assert.equal((await payoutsOf(19)).length, before, 'the company may still send the goods back')
    await run('GBP', later(late))
    assert.equal((await payoutsOf(19)).length, before + 1)
  }
})

test('a refund after the payout is carried forward and deducted from the next sale', async () => {
  const first = await payable(database, { sellerId: 12 })
  await setBank(database, 12, 'GBP', { holder: 'Toolyard Ltd', sortCode: '089999', accountNumber: '66374958' })
  await run('GBP')
  assert.ok((await refund(first, 5_000, 'late')).ok)
  await work()
  await run('GBP')
  await payable(database, { sellerId: 12 })
  await run('GBP')
  // Half of the sale went back, and half of its commission.
  const back = earned / 2
  assert.deepEqual(
    (await payoutsOf(12)).map(({ state, amount, opening, closing, carry_reason: reason }) => ({ state, amount, opening, closing, reason })),
    [
      { state: 'paid', amount: earned, opening: 0, closing: 0, reason: null },
      { state: 'carried', amount: 0, opening: 0, closing: -back, reason: 'negative' },
      { state: 'paid', amount: earned - back, opening: -back, closing: 0, reason: null },
    ],
  )
})

test('small amounts, missing and changed bank details wait for a later run', async () => {
  await payable(database, { sellerId: 13, price: 1_000 })
  await run('GBP')
  await payable(database, { sellerId: 13 })
  await run('GBP')
  await setBank(database, 13, 'GBP', { holder: 'Toolyard Ltd', sortCode: '089999', accountNumber: '66374958' }, later(90))
  await run('GBP')
  await setBank(database, 13, 'GBP', { holder: 'Toolyard Ltd', sortCode: '089999', accountNumber: '66374958' })
  await run('GBP')
  assert.deepEqual(
    (await payoutsOf(13)).map(({ state, carry_reason: reason }) => reason ?? state),
    ['below-minimum', 'no-account', 'account-changed', 'paid'],
  )
})

test('a dispute, a return and a declared withdrawal hold what they concern, and nothing else', async () => {
  const [disputed, returned, declared, free] = [
    await payable(database, { sellerId: 14 }),
    await payable(database, { sellerId: 14 }),
    await payable(database, { sellerId: 14 }),
    await payable(database, { sellerId: 14 }),
  ]
  await setBank(database, 14, 'GBP', { holder: 'Toolyard Ltd', sortCode: '089999', accountNumber: '66374958' })
  await pool.query(
    `insert into disputes.dispute (id, number, message_id, seller_order_id, customer_order_id, seller_id, market, reason, wish, state, wanted, opened_at)
     values (gen_random_uuid(), 1, gen_random_uuid(), $1, $2, 14, 'gb', 'damaged', 'refund', 'open', 100, now())`,
    [disputed.sellerOrderId, disputed.customerOrderId],
  )
  await pool.query(
    `insert into returns.request (id, number, customer_order_id, seller_order_id, seller_id, market, reason, basis, wish, method, state, lines, token_hash)
     values (gen_random_uuid(), 1, $1, $2, 14, 'gb', 'wrong', 'guarantee', 'refund', 'label', 'in-transit', '[]', '\\x01')`,
    [returned.customerOrderId, returned.sellerOrderId],
  )
  await pool.query('insert into contact.passed_on (seller_order_id, message_id, at) values ($1, gen_random_uuid(), now())', [
    declared.sellerOrderId,
  ])
  await run('GBP')
  const lines = await pool.query('select seller_order_id as id from payouts.line where seller_id = 14')
  assert.deepEqual(lines.rows, [{ id: free.sellerOrderId }])
  await pool.query(`update disputes.dispute set state = 'closed', ended_at = now() where seller_order_id = $1`, [disputed.sellerOrderId])
  await pool.query(`update returns.request set state = 'refused' where seller_order_id = $1`, [returned.sellerOrderId])
  await pool.query('update contact.passed_on set ended_at = now() where seller_order_id = $1', [declared.sellerOrderId])
  await run('GBP')
  assert.deepEqual(
    (await payoutsOf(14)).map(({ amount }) => amount),
    [earned, 3 * earned],
  )
})

test('what is open about goods in place of others, at any remove, holds the money of the order that was paid', async () => {
  const sellerId = 25
  const [disputed, returned, declared, free] = [
    await payable(database, { sellerId }),
    await payable(database, { sellerId }),
    await payable(database, { sellerId }),
    await payable(database, { sellerId }),
  ]
  await setBank(database, sellerId, 'GBP', { holder: 'Toolyard Ltd', sortCode: '089999', accountNumber: '66374958' })
  let count = 100
  const addReturn = (orderId: string, state: string, replacement: string | null) =>
    pool.query(
      `insert into returns.request (id, number, customer_order_id, seller_order_id, seller_id, market, reason, basis, wish, method, state, lines, token_hash,
         replacement_order)
       values (gen_random_uuid(), $1::text::bigint, $2, $2 || '-1', 25, 'gb', 'wrong', 'guarantee', 'replacement', 'label', $3, '[]', $1::text::bytea, $4)`,
      [(count += 1), orderId, state, replacement],
    )
  const replacementOf = async ({ customerOrderId }: { customerOrderId: string }): Promise<string> => {
    await addReturn(customerOrderId, 'closed', `${customerOrderId}R`)
    return `${customerOrderId}R`
  }
  const [ofDisputed, ofReturned, ofDeclared] = [await replacementOf(disputed), await replacementOf(returned), await replacementOf(declared)]
  const second = await replacementOf({ customerOrderId: ofReturned })
  await replacementOf(free)
  await addReturn(second, 'in-transit', null)
  await pool.query(
    `insert into disputes.dispute (id, number, message_id, seller_order_id, customer_order_id, seller_id, market, reason, wish, state, wanted, opened_at)
     values (gen_random_uuid(), 100, gen_random_uuid(), $1 || '-1', $1::text, 25, 'gb', 'damaged', 'refund', 'open', 100, now())`,
    [ofDisputed],
  )
  await pool.query(`insert into contact.passed_on (seller_order_id, message_id, at) values ($1 || '-1', gen_random_uuid(), now())`, [
    ofDeclared,
  ])
  await run('GBP')
  const lines = await pool.query('select seller_order_id as id from payouts.line where seller_id = 25')
  assert.deepEqual(lines.rows, [{ id: free.sellerOrderId }])
  await pool.query('update disputes.dispute set ended_at = now() where seller_id = 25')
  await pool.query(`update returns.request set state = 'refused' where seller_id = 25 and state = 'in-transit'`)
  await pool.query(`update contact.passed_on set ended_at = now() where seller_order_id = $1 || '-1'`, [ofDeclared])
  await run('GBP')
  assert.deepEqual(
    (await payoutsOf(25)).map(({ amount }) => amount),
    [earned, 3 * earned],
  )
})

for (const [end, state] of [
  ['0001', 'failed'],
  ['0002', 'returned'],
] as const)
  test(`a payout that has ${state} is in the balance again, is paid by the next run, and the seller reads a mail`, async () => {
    const sellerId = 1
    await payable(database, { sellerId })
    await setBank(database, sellerId, 'GBP', { holder: 'Toolyard Ltd', sortCode: '089999', accountNumber: `6637${end}` })
    await run('GBP')
    assert.equal((await payoutsOf(sellerId)).at(-1)?.state, state)
    assert.equal(await balanceOf(db, `payable:${sellerId}`, 'GBP'), -earned)
    const mails = await pool.query<{ subject: string; recipient: string }>(
      `select subject, recipient from mail.mail where template = 'payout' order by id desc limit 1`,
    )
    assert.match(mails.rows[0]?.subject ?? '', state === 'failed' ? /could not be made/ : /was returned/)
    assert.equal(mails.rows[0]?.recipient, 'seller1@example.com')
    await setBank(database, sellerId, 'GBP', { holder: 'Toolyard Ltd', sortCode: '089999', accountNumber: '66374958' })
    await run('GBP')
    assert.equal((await payoutsOf(sellerId)).at(-1)?.state, 'paid')
    assert.equal(await balanceOf(db, `payable:${sellerId}`, 'GBP'), 0)
  })

interface Shown {
  data?: {
    sellerBalance?: { payable: { amount: number }; mayChangeAccount: boolean; account: { end: string; usableFrom: string | null } | null }
    sellerPayouts?: { payouts: { id: string; pdfUrl: string | null }[] }
    sellerPayout?: { number: string } | null
    changePayoutAccount?: { isChanged: boolean; refusal: { fields: { field: string }[] } | null }
  }
  errors?: { extensions: { status: number } }[]
}
async function cookieOf(sellerId: number, roles: readonly ('seller' | 'owner')[]): Promise<string> {
  const { id: staffId } = await addStaff(db, { sellerId, roles: roles.map((role) => ({ role, market: null })) })
  return `__Host-purlin-staff=${(await signIn(db, { staffId, family: 'staff' })).token}`
}
const ask = async (cookie: string, query: string, host = 'localhost'): Promise<Shown> =>
  (await gateway.post(query, {}, { cookie, host })).body
const listed =
  '{ sellerBalance { payable { amount } mayChangeAccount account { end usableFrom } } sellerPayouts { payouts { id pdfUrl } } }'
const get = (path: string, headers: Record<string, string>) =>
  fetch(`${gateway.url}${path}`, { headers: { 'sec-fetch-site': 'same-origin', ...headers } })

test('staff of the seller see balance and payouts and open statements; another seller finds nothing, buyers are refused', async () => {
  const [clerk, other] = [await cookieOf(12, ['seller']), await cookieOf(13, ['seller', 'owner'])]
  const { sellerBalance, sellerPayouts } = (await ask(clerk, listed)).data ?? {}
  assert.deepEqual([sellerBalance?.mayChangeAccount, sellerBalance?.account?.end], [false, '4958'])
  assert.deepEqual(
    sellerPayouts?.payouts.map(({ pdfUrl }) => pdfUrl !== null),
    [true, true, true],
  )
  const id = sellerPayouts?.payouts[0]?.id ?? ''
  assert.ok((await ask(clerk, `{ sellerPayout(id: "${id}") { number } }`)).data?.sellerPayout)
  assert.equal((await ask(other, `{ sellerPayout(id: "${id}") { number } }`)).data?.sellerPayout, null)
  assert.equal((await ask('', '{ sellerBalance { takesIban } }')).errors?.[0]?.extensions.status, 401)
  const pdf = await get(`/api/v1/seller/payouts/${id}/pdf`, { cookie: clerk })
  assert.equal(pdf.headers.get('content-type'), 'application/pdf')
  assert.equal((await pdf.text()).slice(0, 5), '%PDF-')
  const csv = (await (await get(`/api/v1/seller/payouts/${id}/csv`, { cookie: clerk })).text()).trim().split('\r\n')
  assert.equal(csv.length, 2, 'a heading and the one sale of this run')
  assert.match(csv[1] ?? '', /,gb,GBP,100\.00,12\.00,2\.40,0\.00,85\.60,0\.00$/)
  assert.equal((await get(`/api/v1/seller/payouts/${id}/pdf`, { cookie: other })).status, 404)
  assert.equal((await get(`/api/v1/seller/payouts/${id}/pdf`, {})).status, 401)
})

test('owners alone change the bank details; a change is announced by mail and waits before it is used', async () => {
  const change = (account: string) =>
    `mutation { changePayoutAccount(input: { holder: "Toolyard Ltd", sortCode: "08-99-99", accountNumber: "${account}" }) { isChanged refusal { fields { field } } } }`
  assert.equal((await ask(await cookieOf(2, ['seller']), change('66374958'))).errors?.[0]?.extensions.status, 403)
  const owner = await cookieOf(2, ['owner'])
  const refused = (await ask(owner, change('123'))).data?.changePayoutAccount
  assert.deepEqual(
    refused?.refusal?.fields.map(({ field }) => field),
    ['accountNumber'],
  )
  assert.equal((await ask(owner, change('66374958'))).data?.changePayoutAccount?.isChanged, true)
  assert.equal((await ask(owner, listed)).data?.sellerBalance?.account?.usableFrom, null, 'the first one is used at once')
  assert.equal((await ask(owner, change('66374959'))).data?.changePayoutAccount?.isChanged, true)
  assert.notEqual((await ask(owner, listed)).data?.sellerBalance?.account?.usableFrom, null)
  const iban = (text: string) =>
    `mutation { changePayoutAccount(input: { holder: "Toolyard Ltd", iban: "${text}" }) { isChanged refusal { fields { field } } } }`
  assert.equal((await ask(owner, iban('DE88 3704 0044 0532 0130 00'), 'de.localhost')).data?.changePayoutAccount?.isChanged, false)
  assert.equal((await ask(owner, iban('DE89 3704 0044 0532 0130 00'), 'de.localhost')).data?.changePayoutAccount?.isChanged, true)
  const { rows } = await pool.query(`select 1 from mail.mail where template = 'payout-account' and recipient = 'seller2@example.com'`)
  assert.equal(rows.length, 3)
  const { rows: stored } = await pool.query<{ bank: Buffer }>('select bank from payouts.account where seller_id = 2')
  assert.ok(
    stored.every(({ bank }) => !bank.toString('latin1').includes('6637')),
    'the account is sealed',
  )
})

test('euros go to the bank in one file; what the bank pays or returns is booked once, by the operator alone', async () => {
  for (const sellerId of [21, 22]) {
    await payable(database, { sellerId, market: sellerId === 21 ? 'fr' : 'de' })
    await setBank(database, sellerId, 'EUR', { holder: `Händler & Söhne ${sellerId}`, iban: 'DE89370400440532013000' })
  }
  const authorization = `Bearer ${operatorKey}`
  const started = await fetch(`${gateway.url}/api/v1/operator/payout-runs`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ currency: 'EUR', key: 'november-1' }),
  })
  assert.equal(started.status, 202)
  const { run: made } = (await started.json()) as { run: { id: string } }
  await work()
  const xml = await (await get(`/api/v1/operator/payout-runs/${made.id}/sepa`, { authorization })).text()
  assert.equal((await get(`/api/v1/operator/payout-runs/${made.id}/sepa`, {})).status, 401)
  assert.match(xml, /<NbOfTxs>2<\/NbOfTxs><CtrlSum>171\.20<\/CtrlSum>/)
  assert.match(xml, /<Cdtr><Nm>Handler \+ Sohne 21<\/Nm><\/Cdtr>/)
  const [payout] = await payoutsOf(21)
  assert.equal(payout.state, 'sent')
  const news = (status: string) =>
    fetch(`${gateway.url}/api/v1/operator/payouts/${payout.id}/news`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ status }),
    }).then((response) => response.status)
  assert.deepEqual([await news('paid'), await news('paid'), await news('returned'), await news('returned')], [200, 409, 200, 409])
  assert.equal(await balanceOf(db, 'payable:21', 'EUR'), -earned)
  assert.equal(await balanceOf(db, 'bank', 'EUR'), 0)
})

test('every account of the ledger sums to zero, whatever has happened above', async () => {
  assert.deepEqual(await unbalancedBookings(db), [])
  assert.equal(
    (await accountBalances(db)).reduce((all, { balance }) => all + BigInt(balance), 0n),
    0n,
  )
})
