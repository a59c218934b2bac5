import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testOperator, testSellerMember } from '@purlin/contract/testing.ts'
import { checkInvariants } from '../../../../e2e/invariants.ts'
import { book, unbalancedBookings } from '#ledger'
import { readOrder } from '#orders'
import { codeOf, mailboxOf, quotas, takeQuota, TooManyError, type Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import * as checkoutJobs from '../checkout/jobs.ts'
import { addOffer, fillShop, newBuyer, type Buyer } from '../checkout/testing.ts'
import * as paymentJobs from '../payments/jobs.ts'
import { ProviderRefusal } from '../payments/provider.ts'
import { paymentProvider, usePaymentProvider } from '../payments/settings.ts'
import { returnTransfer, settleAtProvider } from './correct-refund.ts'
import { dropRefund } from './drop-refund.ts'
import { confirmTransfer, giveRefund, listOpenRefunds } from './give-refund.ts'
import { giveAccount } from './give-account.ts'
import { handlers } from './jobs.ts'
import { requestRefund, type RequestRefund } from './request-refund.ts'
import { listRefunds, showRefund } from './show-refund.ts'
import { readRefund, readRefundsOf } from './store.ts'
import { cards, testProvider } from './testing.ts'

const lockNotAvailable = '55P03'
const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '7001', stock: 1000, price: 1200 })
await addOffer(database, { id: '7002', stock: 1000, sellerId: 2, price: 3333 })
const work = () => runWork(database, [...paymentJobs.handlers, ...handlers], [...checkoutJobs.jobs, ...paymentJobs.jobs])
const gateway = await testGateway(database.pool)
const provider = await testProvider(database, gateway.url, work)
after(() => provider.close())

const lines = [
  { offerId: '7001', quantity: 3 },
  { offerId: '7002', quantity: 1 },
]
/** 3 × 12.00 + 4.90 of seller 1, 33.33 + 4.90 of seller 2. */
const [ofSeller1, ofSeller2] = [4090, 3823]
async function paid(card = cards.approved): Promise<{ id: string; buyer: Buyer }> {
  const buyer = newBuyer(database)
  return { buyer, id: await provider.paidOrder(buyer, lines, card) }
}
const ask = (customerOrderId: string, key: string, more: Partial<RequestRefund> = {}) =>
  database.command({}, async (scope) =>
    requestRefund(scope, {
      customerOrderId,
      sellerOrderId: `${customerOrderId}-1`,
      cause: 'cancellation',
      key: `${customerOrderId}:${key}`,
      units: [{ offerId: '7001', quantity: 1 }],
      ...more,
    }).then((refundId) => ({ ok: true, refundId })),
  )
const mailsTo = (email: string) =>
  database.db.rows<{ subject: string; text: string }>(
    {
      name: 'test.refund-mails',
      text: `select subject, body_text as text from mail.mail where recipient = $1 and template = 'refund' order by id`,
    },
    [email],
  )
const balances = async (orderId: string) =>
  Object.fromEntries(
    (
      await database.db.rows<{ account: string; amount: number }>(
        {
          name: 'test.balances',
          text: `select e.account, sum(e.amount)::int as amount from ledger.entry e join ledger.booking b on b.id = e.booking_id
            where b.customer_order_id = $1 group by 1 having sum(e.amount) <> 0 order by 1`,
        },
        [orderId],
      )
    ).map(({ account, amount }) => [account, amount]),
  )
const seller = (sellerId: number): Partial<Scope> => ({ principal: testSellerMember({ sellerId }) })
const operator: Partial<Scope> = { principal: testOperator({ roles: [{ role: 'support', market: null }] }) }

test('I1 A25 A29: pieces are refunded one by one to the card, each once, told by mail, and commission and VAT go back with them', async () => {
  const { id, buyer } = await paid()
  const { refundId } = await ask(id, 'a')
  assert.equal((await ask(id, 'a')).refundId, refundId, 'the same key is the same refund')
  await work()
  assert.equal(await provider.refundedOf(id), 1200 + 163)
  const refund = await readRefund(database.db, refundId ?? '')
  assert.deepEqual([refund?.state, refund?.amount, refund?.lines.length], ['done', 1363, 1])
  const [mail] = await mailsTo(buyer.email)
  assert.match(mail?.text ?? '', /£13\.63.*\n[^]*1 × Drill 7001/)
  await ask(id, 'b')
  await ask(id, 'c')
  await ask(id, 'd', { units: [{ offerId: '7001', quantity: 1 }] })
  await work()
  assert.equal(await provider.refundedOf(id), ofSeller1)
  assert.deepEqual(await balances(id), {
    commission: -382,
    'provider:embedded': ofSeller2,
    'seller:2': -(ofSeller2 - 382 - 637),
    'vat-on-sales': -637,
  })
  assert.equal((await readOrder(database.db, id))?.state, 'paid', 'the other seller’s part is still to be delivered')
  await ask(id, 'e', { sellerOrderId: `${id}-2`, units: [{ offerId: '7002', quantity: 1 }] })
  await work()
  assert.equal((await readOrder(database.db, id))?.state, 'refunded')
  assert.deepEqual(await balances(id), {})
})

test('A25 parallel refunds of the same pieces never exceed what was captured, whatever their keys', async () => {
  const { id } = await paid()
  const race = (index: number): ReturnType<typeof ask> =>
    ask(id, `race-${index}`, {
      units: [{ offerId: '7001', quantity: 1 + (index % 3) }],
      ...(index % 4 === 0 && { units: [], extra: { offerId: null, amount: 2_000 } }),
      // A request that times out waiting for the payment's row is retried with the same key.
    }).catch((error: unknown) => (codeOf(error) === lockNotAvailable ? race(index) : Promise.reject(error)))
  const outcomes = await Promise.all(Array.from({ length: 12 }, (_, index) => race(index)))
  assert.ok(outcomes.filter(({ refundId }) => refundId !== undefined).length >= 2)
  await work()
  const refunds = await readRefundsOf(database.db, id)
  assert.equal(
    refunds.reduce((all, { amount }) => all + amount, 0),
    ofSeller1,
  )
  assert.ok(refunds.every(({ state }) => state === 'done'))
  assert.equal(await provider.refundedOf(id), ofSeller1)
  assert.deepEqual(await unbalancedBookings(database.db), [])
})

test('R-115 R-248 a card that takes no refund: the buyer is asked for an IBAN, which is checked, and the money is transferred', async () => {
  const { id, buyer } = await paid(cards.refusesRefunds)
  const { refundId = '' } = await ask(id, 'x')
  await work()
  assert.equal((await readRefund(database.db, refundId))?.state, 'iban-needed')
  assert.match((await mailsTo(buyer.email))[0]?.text ?? '', new RegExp(`/refund/form/${refundId}`))
  const give = (who: Buyer, iban: string, holder = 'Robin Field') => who.does((scope) => giveAccount(scope, refundId, { iban, holder }))
  const stranger = newBuyer(database)
  assert.deepEqual(await give(stranger, 'DE89370400440532013000'), { ok: false, reason: 'unknown-refund' })
  assert.equal(await showRefund(stranger.scope(), refundId), null)
  assert.equal(await listRefunds(stranger.scope(), id), null)
  for (const [iban, fault] of [
    ['DE89370400440532013001', 'iban-invalid'],
    ['', 'iban-invalid'],
    ['SA0380000000608010167519', 'iban-not-sepa'],
  ] as const)
    assert.deepEqual(await give(buyer, iban), { ok: false, reason: 'account-invalid', faults: { iban: fault } }, iban)
  assert.equal((await give(buyer, 'de89 3704 0044 0532 0130 00')).ok, true)
  const { account } = (await database.db.row<{ account: Buffer }>(
    { name: 'test.account', text: 'select account from refunds.refund where id = $1' },
    [refundId],
  ))!
  assert.ok(!account.toString('latin1').includes('37040044'), 'stored sealed')
  assert.deepEqual(await give(buyer, 'DE89370400440532013000'), { ok: false, reason: 'account-not-needed' })
  const confirm = () => database.command(operator, (scope) => confirmTransfer(scope, refundId))
  assert.equal(await confirm(), false, 'the provider may be transferring it at this moment: it must not be paid twice')
  await work()
  const done = await showRefund(buyer.scope(), refundId)
  assert.deepEqual([done?.state, done?.ibanEnd], ['done', '3000'])
  assert.equal((await balances(id))['bank'], -1363)
  assert.equal((await balances(id))['refunds-due'], undefined)
  const kept = await database.db.row<{ account: Buffer | null }>(
    { name: 'test.account', text: 'select account from refunds.refund where id = $1' },
    [refundId],
  )
  assert.equal(kept?.account, null, 'deleted once the money has been sent')
})

test('A25 a refund after a chargeback waits for the operator, who is told; the buyer, whose bank paid it back, is asked for no account', async () => {
  const { id, buyer } = await paid(cards.chargedBack)
  const { refundId = '' } = await ask(id, 'charged-back', { cause: 'withdrawal' })
  await work()
  assert.equal((await readRefund(database.db, refundId))?.state, 'on-hold')
  assert.equal(await provider.refundedOf(id), 0)
  assert.deepEqual(await mailsTo(buyer.email), [])
  const account = { iban: 'DE89370400440532013000', holder: 'Robin Field' }
  assert.deepEqual(await buyer.does((scope) => giveAccount(scope, refundId, account)), { ok: false, reason: 'account-not-needed' })
  assert.ok((await listOpenRefunds(database.scope(operator))).some((refund) => refund.id === refundId))
  const { rows } = await database.pool.query<{ text: string }>(
    `select body_text as text from mail.mail where template = 'refund-failed' and body_text like '%' || $1 || '%'`,
    [id],
  )
  assert.match(rows.map(({ text }) => text).join(), /charge_disputed/)
})

test('A13 a seller refunds within their own part alone; goodwill of the operator costs the seller nothing', async () => {
  const { id, buyer } = await paid()
  const give = (who: Partial<Scope>, amount: number, key: string, offerId: string | null = '7001') =>
    database.command(who, (scope) =>
      giveRefund(scope, { customerOrderId: id, sellerOrderId: `${id}-1`, offerId, amount, idempotencyKey: key }),
    )
  assert.deepEqual(await give(seller(2), 500, 'key-00001'), { ok: false, reason: 'unknown-order' })
  assert.deepEqual(await give(buyer.overrides, 500, 'key-00002'), { ok: false, reason: 'unknown-order' })
  for (const amount of [-1, 0, 1.5, Number.NaN, 2 ** 53])
    assert.deepEqual(await give(seller(1), amount, 'key-00003'), { ok: false, reason: 'input-invalid' })
  const before = (await balances(id))['seller:1'] ?? 0
  assert.equal((await give(operator, 300, 'key-00004', null)).ok, true)
  assert.equal((await balances(id))['seller:1'], before)
  assert.equal((await balances(id))['goodwill'], 300)
  assert.equal((await give(seller(1), 99_999_999, 'key-00005')).ok, true)
  assert.ok(((await balances(id))['seller:1'] ?? 0) > before)
  await work()
  assert.equal(await provider.refundedOf(id), 300 + 3_600)
  await ask(id, 'after', { units: [{ offerId: '7001', quantity: 3 }] })
  await work()
  assert.equal(await provider.refundedOf(id), ofSeller1, 'what was refunded before is not refunded again')
  assert.equal(await database.command(operator, (scope) => confirmTransfer(scope, '018f0000-0000-7000-8000-000000000000')), false)
})

test('A30 R-534 the same key with another amount or line is refused and gives nothing more; the same request gives the first refund', async () => {
  const { id } = await paid()
  const give = (amount: number, offerId: string | null = '7001', key = 'one-key-0001') =>
    database.command(seller(1), (scope) =>
      giveRefund(scope, { customerOrderId: id, sellerOrderId: `${id}-1`, offerId, amount, idempotencyKey: key }),
    )
  const first = await give(500)
  assert.ok(first.ok)
  assert.deepEqual(await give(500), first)
  for (const done of [await give(501), await give(500, null)]) assert.deepEqual(done, { ok: false, reason: 'idempotency-key-reused' })
  const raced = await Promise.all([600, 601, 602].map((amount) => give(amount, '7001', 'raced-key-01')))
  assert.equal(raced.filter(({ ok }) => ok).length, 1)
  await work()
  const paidBack = await provider.refundedOf(id)
  assert.ok(paidBack >= 1100 && paidBack <= 1102, String(paidBack))
})

test('A30 R-534 an operator’s refund is not taken for a seller’s with the same key, and a forgotten key still gives nothing more', async () => {
  const { id } = await paid()
  const give = (who: Partial<Scope>, amount: number) =>
    database.command(who, (scope) =>
      giveRefund(scope, { customerOrderId: id, sellerOrderId: `${id}-1`, offerId: null, amount, idempotencyKey: 'same-key-0001' }),
    )
  const [bySeller, byOperator] = [await give(seller(1), 100), await give(operator, 2500)]
  assert.ok(bySeller.ok && byOperator.ok)
  assert.notEqual(byOperator.refundId, bySeller.refundId)
  await work()
  assert.equal(await provider.refundedOf(id), 2600)
  await database.pool.query('delete from platform.idempotency')
  assert.deepEqual(await give(operator, 2600), { ok: false, reason: 'idempotency-key-reused' })
  assert.deepEqual(await give(operator, 2500), byOperator)
})

test('a seller refunds an order line by line, each line twice a day, and a small order twenty times; then programs have to wait', async () => {
  const sold = Array.from({ length: 12 }, (_, index) => ({ offerId: String(7100 + index), quantity: 1 }))
  for (const { offerId } of sold) await addOffer(database, { id: offerId, stock: 10, price: 1200 })
  for (const [bought, most] of [
    [sold, 24],
    [sold.slice(0, 1), 20],
  ] as const) {
    const id = await provider.paidOrder(newBuyer(database), bought, cards.approved)
    const give = (index: number) =>
      database.command(seller(1), (scope) =>
        giveRefund(scope, {
          customerOrderId: id,
          sellerOrderId: `${id}-1`,
          offerId: bought[index % bought.length]?.offerId ?? null,
          amount: 10 + index,
          idempotencyKey: `line-by-line-${index}`,
        }),
      )
    for (let index = 0; index < most; index++) assert.equal((await give(index)).ok, true, `refund ${index + 1} of ${most}`)
    await assert.rejects(give(most), TooManyError)
  }
  await work()
})

test('refunds of an order of which nothing is left use up none of those that its seller may give on a day', async () => {
  const { id } = await paid()
  const give = (index: number) =>
    database.command(seller(1), (scope) =>
      giveRefund(scope, {
        customerOrderId: id,
        sellerOrderId: `${id}-1`,
        offerId: null,
        amount: ofSeller1,
        idempotencyKey: `all-of-it-${index}`,
      }),
    )
  assert.equal((await give(0)).ok, true)
  for (let index = 1; index < 30; index++) assert.deepEqual(await give(index), { ok: false, reason: 'nothing-left' }, `attempt ${index}`)
  await work()
})

test('of very many refunds that a seller gives one recipient only some are mailed; what the shop owes is mailed all the same', async () => {
  const { id, buyer } = await paid()
  const give = (key: string, by: Partial<Scope>) =>
    database.command(by, (scope) =>
      giveRefund(scope, { customerOrderId: id, sellerOrderId: `${id}-1`, offerId: null, amount: 10, idempotencyKey: `given-${key}` }),
    )
  const { units } = quotas['seller-mail'].key
  await takeQuota('seller-mail', { key: `1 ${mailboxOf(buyer.email)}` }, units - 1)
  for (const key of ['the-last', 'one-more']) assert.equal((await give(key, seller(1))).ok, true)
  await work()
  assert.equal((await mailsTo(buyer.email)).length, 1)
  assert.equal(await provider.refundedOf(id), 20)
  assert.equal((await give('by-the-shop', operator)).ok, true)
  await ask(id, 'owed')
  await work()
  assert.equal((await mailsTo(buyer.email)).length, 3)
})

test('a provider without transfers leaves the refund to the operator, who confirms it once', async () => {
  const { id, buyer } = await paid(cards.refusesRefunds)
  const { refundId = '' } = await ask(id, 'by-hand')
  await work()
  const own = paymentProvider()
  usePaymentProvider({ ...own, transfer: () => Promise.reject(new ProviderRefusal('transfers_unsupported', 'No transfers')) })
  const given = await buyer.does((scope) => giveAccount(scope, refundId, { iban: 'DE89370400440532013000', holder: 'Robin Field' }))
  assert.equal(given.ok, true)
  await work()
  usePaymentProvider(own)
  assert.equal((await readRefund(database.db, refundId))?.state, 'transferring')
  const confirm = () => database.command(operator, (scope) => confirmTransfer(scope, refundId))
  assert.deepEqual((await Promise.all([confirm(), confirm()])).toSorted(), [false, true])
  assert.equal((await balances(id))['bank'], -1363)
})

test('a transfer that the bank returns is due again: the buyer names another account, and the money leaves the bank once', async () => {
  const { id, buyer } = await paid(cards.refusesRefunds)
  const { refundId = '' } = await ask(id, 'returned')
  await work()
  const give = (iban: string) => buyer.does((scope) => giveAccount(scope, refundId, { iban, holder: 'Robin Field' }))
  const report = (who: Partial<Scope>) => database.command(who, (scope) => returnTransfer(scope, refundId))
  assert.equal(await report(operator), false, 'nothing was transferred yet')
  assert.ok((await give('DE89370400440532013000')).ok)
  await work()
  assert.deepEqual([(await readRefund(database.db, refundId))?.state, (await balances(id))['bank']], ['done', -1363])
  assert.equal(await report(seller(1)), false)
  assert.deepEqual((await Promise.all([report(operator), report(operator)])).toSorted(), [false, true])
  assert.equal((await readRefund(database.db, refundId))?.state, 'iban-needed')
  assert.deepEqual([(await balances(id))['bank'], (await balances(id))['refunds-due']], [undefined, -1363])
  await work()
  assert.deepEqual(
    (await mailsTo(buyer.email)).map(({ text }) => text.includes(`/refund/form/${refundId}`)),
    [true, false, true],
    'asked, sent, asked again',
  )
  assert.ok((await give('FR1420041010050500013M02606')).ok)
  await work()
  assert.equal((await readRefund(database.db, refundId))?.state, 'done')
  assert.deepEqual([(await balances(id))['bank'], (await balances(id))['refunds-due']], [-1363, undefined])
  assert.equal((await mailsTo(buyer.email)).length, 4)
})

test('a refund on hold whose money the buyer has from a chargeback is settled at the provider, and nothing leaves the bank', async () => {
  const { id } = await paid(cards.chargedBack)
  const [first, second] = [(await ask(id, 'one')).refundId ?? '', (await ask(id, 'two')).refundId ?? '']
  await work()
  const settle = (who: Partial<Scope>, refundId: string) => database.command(who, (scope) => settleAtProvider(scope, refundId))
  assert.equal(await settle(seller(1), first), false)
  const before = await balances(id)
  assert.deepEqual((await Promise.all([settle(operator, first), settle(operator, first)])).toSorted(), [false, true])
  const after = await balances(id)
  assert.equal((await readRefund(database.db, first))?.state, 'done')
  assert.equal(after['provider:embedded'], (before['provider:embedded'] ?? 0) - 1363)
  assert.equal(after['refunds-due'], (before['refunds-due'] ?? 0) + 1363)
  assert.equal(after['bank'], undefined)

  // The operator has made the other one at the provider, who has reported it.
  await database.command({}, async (scope) => {
    const entries = [
      { account: 'provider:embedded' as const, amount: -1363 },
      { account: 'refunds-due' as const, amount: 1363 },
    ]
    return { ok: await book(scope.db, { key: `reported:${id}`, kind: 'refund', customerOrderId: id, currency: 'GBP', entries }) }
  })
  const reported = await balances(id)
  assert.equal(await settle(operator, second), true)
  assert.deepEqual(await balances(id), reported)
})

test('a refund on hold that is not owed is booked back to the cent, its money can be refunded again, and nobody else may say so', async () => {
  const { id, buyer } = await paid(cards.chargedBack)
  const before = await balances(id)
  const goods = { cause: 'return', units: [{ offerId: '7001', quantity: 1 }] } as const
  const [first, second] = [(await ask(id, 'one', goods)).refundId ?? '', (await ask(id, 'two', goods)).refundId ?? '']
  const cancelled = (await ask(id, 'cancelled')).refundId ?? ''
  await work()
  const drop = (who: Partial<Scope>, refundId: string) =>
    database.command(who, async (scope) => ({ ok: await dropRefund(scope, refundId) }))
  assert.equal((await drop(seller(1), first)).ok, false)
  assert.equal((await drop(operator, cancelled)).ok, false, 'cancelled pieces never come: their price is owed')
  const setTo = (cause: string, key: string) =>
    database.pool.query('update refunds.refund set cause = $2, key = $3 where id = $1', [cancelled, cause, key])
  await setTo('lost', `lost:${id}`)
  assert.equal((await drop(operator, cancelled)).ok, false, 'lost pieces do not come either')
  await setTo('return', `cancellation:${id}`)
  assert.equal((await drop(operator, cancelled)).ok, false, 'nor those of a cancelled replacement')
  await setTo('cancellation', `cancellation:${id}`)
  assert.deepEqual((await Promise.all([drop(operator, first), drop(operator, first)])).map(({ ok }) => ok).toSorted(), [false, true])
  assert.equal((await drop(operator, second)).ok, true)
  const told = await mailsTo(buyer.email)
  assert.equal(told.length, 2, 'one mail for each')
  for (const { text } of told) assert.match(text, /it is not owed/)
  assert.deepEqual(
    (await listRefunds(buyer.scope(), id))?.map(({ state }) => state),
    ['not-owed', 'not-owed', 'on-hold'],
  )
  assert.equal((await readRefundsOf(database.db, id)).length, 1)
  assert.ok(await database.command(operator, async (scope) => ({ ok: await settleAtProvider(scope, cancelled) })))
  // Two pieces and the delivery are left to be given back.
  const rest = await ask(id, 'rest', { ...goods, units: [{ offerId: '7001', quantity: 2 }] })
  const amountOf = async (refundId: string) => (await readRefund(database.db, refundId))?.amount ?? 0
  assert.equal((await amountOf(rest.refundId ?? '')) + (await amountOf(cancelled)), ofSeller1)
  assert.deepEqual(
    Object.keys(await balances(id)).filter((account) => account === 'seller:1'),
    [],
    'the seller is owed nothing',
  )
  assert.equal((await balances(id))['seller:2'], before['seller:2'])
  assert.deepEqual(await unbalancedBookings(database.db), [])
})

test('the operator sees a refund that the provider has not answered for an hour', async () => {
  const { id } = await paid()
  const { refundId = '' } = await ask(id, 'stuck')
  const listed = async () => (await listOpenRefunds(database.scope(operator))).some((refund) => refund.id === refundId)
  assert.equal(await listed(), false)
  await database.pool.query(`update refunds.refund set requested_at = now() - interval '2 hours' where id = $1`, [refundId])
  assert.equal(await listed(), true)
  await work()
  assert.equal(await listed(), false)
})

test('I1 the tables and the provider’s own list agree after all of this', async () => {
  assert.deepEqual(await checkInvariants({ query: (text, values) => database.pool.query(text, values) }, { settled: false }), [])
})
