import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkCompanies } from '../../../../e2e/company-invariants.ts'
import { checkInvariants } from '../../../../e2e/invariants.ts'
import { sign, type CreditProviderServer } from '../../../../services/src/credit-provider/index.ts'
import { forgetSwitches, setFlag } from '#flags'
import { moveLines, readOrder } from '#orders'
import { requestRefund } from '#refunds'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import * as invoiceJobs from '../../after-sale/invoices/jobs.ts'
import * as checkoutJobs from '../checkout/jobs.ts'
import { choosePaymentMethod, offerInvoice } from '../checkout/choose-payment.ts'
import { reopenOrder } from '../checkout/reopen-order.ts'
import { saveAddress } from '../checkout/save-address.ts'
import { addToCart } from '#cart'
import { setCartQuantity } from '../cart/set-cart-quantity.ts'
import { addOffer, addresses, draftOrder, fillShop, must, newBuyer, place } from '../checkout/testing.ts'
import * as paymentJobs from '../payments/jobs.ts'
import { readPaymentOfOrder } from '../payments/store.ts'
import * as purchasingJobs from '../purchasing/jobs.ts'
import * as refundJobs from '../refunds/jobs.ts'
import { testProvider, type TestProvider } from '../refunds/testing.ts'
import { checkLimit } from './check-limit.ts'
import { planLookUps } from './look-up-claims.ts'
import { planReminders } from './remind.ts'
import * as creditJobs from './jobs.ts'
import { showCredit } from './show-credit.ts'
import { addBuyer, creditSecrets, testCredit } from './testing.ts'

const database = await testDatabase()
const { db } = database
let credit: CreditProviderServer
let cards: TestProvider
let shopUrl = ''
let misbehaviour: 'answer-500' | 'hang' | 'html' | undefined
let isSilent = false

before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '7001', price: 100_00, proPrice: 100_00, stock: 10_000 })
  await addOffer(database, { id: '7002', price: 50_00, proPrice: 50_00, stock: 10_000, sellerId: 2 })
  await database.command({}, (scope) => setFlag(scope, { market: '*', mode: 'b2b' }, 'pepePdpB2bBnpl', true))
  forgetSwitches()
  shopUrl = (await testGateway(database.pool)).url
  cards = await testProvider(database, shopUrl, work)
  credit = await testCredit(shopUrl, { misbehave: () => misbehaviour, isSilent: () => isSilent })
})
after(() => Promise.all([credit.close(), cards.close()]))

const handlers = [
  ...paymentJobs.handlers,
  ...refundJobs.handlers,
  ...purchasingJobs.handlers,
  ...creditJobs.handlers,
  ...invoiceJobs.handlers.filter(({ name }) => name === 'invoices.issue'),
]
const jobs = [...checkoutJobs.jobs, ...paymentJobs.jobs, ...creditJobs.jobs]
let numbers = 0
/** The provider knows a company by its number, whose last two digits decide what it may do. */
const newNumber = (end: string): string => `GB1${String(++numbers).padStart(6, '0')}${end}`
async function work(): Promise<unknown> {
  return runWork(database, handlers, jobs)
}
const eventually = async (what: string, holds: () => Promise<boolean>, ms = 6000): Promise<void> => {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(15)) {
    await credit.tick()
    await work()
    if (await holds()) return
  }
  assert.fail(`${what} did not happen within ${ms} ms`)
}
const reconcile = async (): Promise<void> => {
  await db.run({ name: 'test.due', text: `update payments.payment set next_check_at = now() - interval '1 second'` })
  await database.command({}, (scope) => Promise.all(paymentJobs.schedules.map(({ run }) => run(scope))))
  await work()
}
const paymentOf = async (id: string) => {
  const payment = await readPaymentOfOrder(db, id)
  assert.ok(payment)
  return payment
}
const stateOf = async (id: string) => (await readOrder(db, id))?.state
type Company = Awaited<ReturnType<typeof addBuyer>>

const choose = (company: Company, customerOrderId: string, method: 'card' | 'invoice', idempotencyKey: string = randomUUID()) =>
  newBuyer(database, company).does((scope) => choosePaymentMethod(scope, { customerOrderId, idempotencyKey, method }))

/** An order that awaits its card, of 100.00 per piece, delivered free. */
async function placedBy(company: Company, quantity = 1, more: { offerId: string; quantity: number }[] = []): Promise<string> {
  const buyer = newBuyer(database, company)
  const id = await draftOrder(buyer, [{ offerId: '7001', quantity }, ...more])
  must(await place(buyer, id))
  await work()
  return id
}
async function paidByInvoice(company: Company, quantity = 1, more: { offerId: string; quantity: number }[] = []): Promise<string> {
  const id = await placedBy(company, quantity, more)
  must(await choose(company, id, 'invoice'))
  await eventually('paid by invoice', async () => (await stateOf(id)) === 'paid')
  return id
}
async function ship(orderId: string, part = 1, quantity?: number): Promise<void> {
  const sold = (await readOrder(db, orderId))?.sellerOrders.find(({ id }) => id === `${orderId}-${part}`)
  assert.ok(sold)
  const lines = sold.lines.map((line) => ({ offerId: line.offerId, quantity: quantity ?? line.quantity }))
  for (const [from, to] of [
    ['pending', 'accepted'],
    ['accepted', 'shipped'],
  ] as const)
    await database.command({}, async (scope) => {
      const moves = lines.map((line) => ({ ...line, from, to }))
      const reason = to === 'shipped' ? 'handed-over' : 'accepted'
      const parcelId = to === 'shipped' ? randomUUID() : null
      return moveLines(scope, { sellerOrderId: sold.id, moves, actor: 'seller', reason, parcelId })
    })
  await work()
}
const creditOf = async (company: Company, at = new Date()) => showCredit({ ...database.scope(company), now: at })
const provider = async (path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await fetch(`http://127.0.0.1:${credit.port}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${creditSecrets.apiKey}` },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const orderAtProvider = async (id: string) => (await provider(`/v2/orders/${(await paymentOf(id)).providerReference}`)).body

test('R-079 yes: the order is paid by invoice, its card payment is voided, and the sellers are owed as with a card', async () => {
  const company = await addBuyer(db, newNumber('01'))
  const id = await placedBy(company)
  const card = await paymentOf(id)
  assert.equal((await offerInvoice(database.scope(company), id))?.reason, null)
  must(await choose(company, id, 'invoice'))
  await eventually('paid', async () => (await stateOf(id)) === 'paid')
  const payment = await paymentOf(id)
  assert.deepEqual([payment.method, payment.provider, payment.state, payment.captured], ['invoice', 'credit', 'captured', 10_000])
  const first = await db.row<{ state: string; captured: number }>(
    { name: 'test.payment', text: 'select state, captured from payments.payment where id = $1' },
    [card.id],
  )
  assert.deepEqual({ ...first }, { state: 'voided', captured: 0 })
  const accounts = await db.rows<{ account: string; amount: number }>(
    {
      name: 'test.entries',
      text: 'select e.account, e.amount from ledger.entry e join ledger.booking b on b.id = e.booking_id where b.customer_order_id = $1 order by e.position',
    },
    [id],
  )
  assert.deepEqual(accounts[0], { account: 'provider:credit', amount: 10_000 })
  assert.ok(accounts.some(({ account, amount }) => account === 'seller:1' && amount < 0))
  assert.equal((await orderAtProvider(id))['state'], 'created')
})

test('no: the order still awaits payment, the reason is shown, and a card pays it', async () => {
  const company = await addBuyer(db, newNumber('00'))
  const id = await placedBy(company)
  must(await choose(company, id, 'invoice'))
  await eventually('declined', async () => (await paymentOf(id)).state === 'failed')
  assert.deepEqual([await stateOf(id), (await paymentOf(id)).failureCode], ['awaiting-payment', 'credit-declined'])
  must(await choose(company, id, 'card'))
  await work()
  const payment = await paymentOf(id)
  assert.deepEqual([payment.method, payment.state, payment.companyId], ['card', 'initiated', null])
  assert.ok(payment.frameUrl)
})

test('maybe: a reviewed order is decided by a later message, a first large one by the buyer’s confirmation', async () => {
  const reviewed = await addBuyer(db, newNumber('09'))
  const waiting = await paidByInvoice(reviewed)
  assert.equal((await paymentOf(waiting)).state, 'captured')

  for (const [answer, state] of [
    ['yes', 'paid'],
    ['no', 'awaiting-payment'],
  ] as const) {
    const company = await addBuyer(db, newNumber('04'))
    const id = await placedBy(company, 30)
    must(await choose(company, id, 'invoice'))
    await eventually('asked', async () => (await paymentOf(id)).state === 'action-required')
    const page = String((await paymentOf(id)).frameUrl).replace('credit.localhost', '127.0.0.1')
    assert.match(await (await fetch(page)).text(), /Lee Building Ltd: £3,000.00/)
    assert.equal((await fetch(page.replace(/secret=.*/, 'secret=guessed'))).status, 404)
    const sent = await fetch(page, { method: 'POST', body: new URLSearchParams({ answer }), redirect: 'manual' })
    assert.match(String(sent.headers.get('location')), new RegExp(`/spartacux/payment\\?order=${id}$`))
    await eventually('decided', async () => (await paymentOf(id)).state === (answer === 'yes' ? 'captured' : 'failed'))
    assert.equal(await stateOf(id), state)
  }
})

test('A31 never both: an invoice chosen while the card is authorised is refused, and a card authorised after it is voided', async () => {
  const company = await addBuyer(db, newNumber('01'))
  const id = await placedBy(company)
  const card = await paymentOf(id)
  const frame = new URL(card.frameUrl ?? '')
  must(await choose(company, id, 'invoice'))
  const body = new URLSearchParams({ number: '4000000000000002', expiry: '12 / 39', code: '123', name: 'Robin Field' })
  await fetch(`http://127.0.0.1:${cards.port}${frame.pathname}${frame.search}`, { method: 'POST', body, redirect: 'manual' })
  await eventually('paid', async () => (await stateOf(id)) === 'paid')
  await eventually('voided', async () => {
    const first = await db.row<{ state: string; captured: number }>(
      { name: 'test.payment', text: 'select state, captured from payments.payment where id = $1' },
      [card.id],
    )
    return first?.state === 'voided' && first.captured === 0
  })
  for (const method of ['card', 'invoice'] as const)
    assert.deepEqual(await choose(company, id, method), { ok: false, reason: 'order-not-open' })
})

test('A28 an order is not edited upward after its approval: what was bought by invoice stays as it was approved', async () => {
  const company = await addBuyer(db, newNumber('01'))
  const buyer = newBuyer(database, company)
  const id = await paidByInvoice(company)
  assert.deepEqual(await buyer.does((scope) => reopenOrder(scope, id)), { ok: false, reason: 'order-already-paid' })
  assert.deepEqual(await place(buyer, id), { ok: false, reason: 'order-already-paid' })
  must(await buyer.does((scope) => addToCart(scope, { offerId: '7001', quantity: 50 })))
  assert.notEqual(must(await buyer.does((scope) => saveAddress(scope, addresses.gb))).orderId, id)
  assert.equal((await readOrder(db, id))?.total, 10_000)
  assert.equal((await paymentOf(id)).captured, 10_000)
})

test('A28 an order that is reopened and enlarged while its approval is awaited needs another one, of the new amount', async () => {
  const company = await addBuyer(db, newNumber('04'))
  const buyer = newBuyer(database, company)
  const id = await placedBy(company, 30)
  must(await choose(company, id, 'invoice'))
  await eventually('asked', async () => (await paymentOf(id)).state === 'action-required')
  const first = await paymentOf(id)
  must(await buyer.does((scope) => reopenOrder(scope, id)))
  must(await buyer.does((scope) => setCartQuantity(scope, '7001', 45)))
  must(await place(buyer, id))
  // The page of the first approval is confirmed all the same.
  const page = String(first.frameUrl).replace('credit.localhost', '127.0.0.1')
  await fetch(page, { method: 'POST', body: new URLSearchParams({ answer: 'yes' }), redirect: 'manual' })
  for (let turn = 0; turn < 20; turn++) {
    await credit.tick()
    await work()
  }
  const second = await paymentOf(id)
  assert.notEqual(second.id, first.id)
  assert.deepEqual([await stateOf(id), second.captured, second.amount], ['awaiting-payment', 0, 450_000])
  assert.equal((await creditOf(company))?.used.amount, 0)
})

test('A28 an order that is enlarged in the moment of its approval is paid in full or not at all', async () => {
  const company = await addBuyer(db, newNumber('01'))
  for (let round = 0; round < 6; round++) {
    const member = { ...company, principal: { ...company.principal, id: randomUUID() }, session: { id: randomUUID() } }
    const buyer = newBuyer(database, member)
    const id = await placedBy(member)
    const enlarge = async () => {
      if (!(await buyer.does((scope) => reopenOrder(scope, id))).ok) return
      await buyer.does((scope) => setCartQuantity(scope, '7001', 3))
      await place(buyer, id)
    }
    await Promise.allSettled(round % 2 ? [enlarge(), choose(member, id, 'invoice')] : [choose(member, id, 'invoice'), enlarge()])
    for (let turn = 0; turn < 10; turn++) {
      await credit.tick()
      await work()
    }
    const { state, total } = (await readOrder(db, id)) ?? assert.fail('the order is gone')
    assert.equal((await paymentOf(id)).captured, state === 'paid' ? total : 0)
  }
})

test('the same key chooses once, the same method again changes nothing, and another buyer’s order does not exist', async () => {
  const company = await addBuyer(db, newNumber('01'))
  const id = await placedBy(company)
  const key = randomUUID()
  must(await choose(company, id, 'invoice', key))
  must(await choose(company, id, 'invoice', key))
  must(await choose(company, id, 'invoice'))
  assert.equal((await paymentOf(id)).placement, 2)
  assert.deepEqual(await choose(company, id, 'card', key), { ok: false, reason: 'idempotency-key-reused' })
  const other = await addBuyer(db, newNumber('01'))
  assert.deepEqual(await choose(other, id, 'card'), { ok: false, reason: 'unknown-order' })
  assert.equal(await offerInvoice(database.scope(other), id), null)
  assert.equal((await creditOf(other))?.used.amount, 0)
  // A colleague sees the order, and does not pay for it.
  const colleague = { ...company, principal: { ...company.principal, id: randomUUID(), role: 'buyer' as const } }
  assert.equal(await offerInvoice(database.scope(colleague), id), null)
  await eventually('paid', async () => (await stateOf(id)) === 'paid')
})

test('ten orders at once never exceed the limit of their company', async () => {
  const company = await addBuyer(db, newNumber('04'))
  await database.command(company, (scope) => checkLimit(scope))
  await work()
  assert.equal((await creditOf(company))?.limit?.amount, 500_000)
  const ids: string[] = []
  // Each of 1,200.00: four fit into 5,000.00. Every member has a cart of their own.
  for (let each = 0; each < 10; each += 1) {
    const colleague = { ...company, principal: { ...company.principal, id: randomUUID() }, session: { id: randomUUID() } }
    ids.push(await placedBy(colleague, 12))
    Object.assign(colleagues, { [ids.at(-1) ?? '']: colleague })
  }
  const chosen = await Promise.all(ids.map((id) => choose(colleagues[id] ?? company, id, 'invoice')))
  assert.equal(chosen.filter(({ ok }) => ok).length, 4)
  assert.ok(chosen.every((outcome) => outcome.ok || outcome.reason === 'invoice-limit-exceeded'))
  assert.equal((await creditOf(company))?.used.amount, 480_000)
  await eventually('all paid', async () => {
    const states = await Promise.all(ids.map(stateOf))
    return states.filter((state) => state === 'paid').length === 4
  })
  assert.deepEqual((await creditOf(company))?.available?.amount, 20_000)
})
const colleagues: Record<string, Company> = {}

test('companies with one number never exceed the limit of the number together, with other goods at the same moment', async () => {
  const number = newNumber('04')
  const buyers = [await addBuyer(db, number), await addBuyer(db, number)] as const
  const orders: string[] = []
  for (const [at, company] of buyers.entries()) {
    await database.command(company, (scope) => checkLimit(scope))
    // Orders of the same goods wait for each other’s stock.
    await addOffer(database, { id: `710${at}`, price: 100_00, proPrice: 100_00, stock: 100 })
    const buyer = newBuyer(database, company)
    orders.push(await draftOrder(buyer, [{ offerId: `710${at}`, quantity: 30 }]))
    must(await place(buyer, orders[at] ?? ''))
  }
  await work()
  const [chosen, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = newBuyer(database, buyers[0]).does(async (scope) => {
    const outcome = await choosePaymentMethod(scope, { customerOrderId: orders[0] ?? '', idempotencyKey: randomUUID(), method: 'invoice' })
    chosen.resolve()
    await commit.promise
    return outcome
  })
  await chosen.promise
  let hasEnded = false
  const second = choose(buyers[1], orders[1] ?? '', 'invoice').finally(() => (hasEnded = true))
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while (!hasEnded && (await database.pool.query(waiting)).rows.length === 0) await sleep(10)
  commit.resolve()
  must(await first)
  assert.deepEqual(await second, { ok: false, reason: 'invoice-limit-exceeded' })
  for (const company of buyers) assert.equal((await creditOf(company))?.used.amount, 300_000)
})

test('parcels are captured with their invoices; cancelled and returned parts reduce what is owed, a payment frees the limit', async () => {
  const company = await addBuyer(db, newNumber('01'))
  const id = await paidByInvoice(company, 3, [{ offerId: '7002', quantity: 2 }])
  await ship(id, 1)
  const [claim] = (await creditOf(company))?.claims ?? []
  assert.ok(claim)
  assert.deepEqual([claim.amount.amount, claim.open.amount, claim.state, claim.sellerOrderId], [30_000, 30_000, 'open', `${id}-1`])

  const refund = (part: number, cause: 'return' | 'cancellation', amount: number) =>
    database.command({}, (scope) =>
      requestRefund(scope, {
        customerOrderId: id,
        sellerOrderId: `${id}-${part}`,
        cause,
        key: `${cause}:${id}`,
        extra: { offerId: null, amount },
        bornBy: 'seller',
      }),
    )
  await refund(1, 'return', 10_000)
  await refund(2, 'cancellation', 5_000)
  await eventually('credited', async () => ((await creditOf(company))?.claims[0]?.open.amount ?? 0) === 20_000)
  assert.equal((await paymentOf(id)).refunded, 15_000)
  assert.deepEqual([(await creditOf(company))?.used.amount], [30_000 + 10_490 - 15_000])

  const paid = await provider(`/sandbox/invoices/${claim.id}/pay`, {})
  assert.equal(paid.status, 200)
  await eventually('paid', async () => (await creditOf(company))?.claims[0]?.state === 'paid')
  assert.equal((await creditOf(company))?.used.amount, 10_490 - 5_000)
  // Mails about orders are not sent here.
  assert.deepEqual(
    (await checkInvariants(database.pool)).filter(({ id }) => id !== 'I5'),
    [],
  )
})

const parcels: [other: string, isShipped: boolean, isUnheard: boolean][] = [
  ['is on its way', true, false],
  ['is on its way, and no message says what came back', true, true],
  ['is still with its seller', false, false],
  ['is still with its seller, and no message says what came back', false, true],
]
for (const [other, isShipped, isUnheard] of parcels)
  test(`a parcel that was paid and comes back frees nothing of the limit for the other one of its order, which ${other}`, async () => {
    const number = newNumber('01')
    const company = await addBuyer(db, number)
    await database.command(company, (scope) => checkLimit(scope))
    await work()
    const id = await paidByInvoice(company, 3, [{ offerId: '7002', quantity: 2 }])
    const used = async () => (await creditOf(company))?.used.amount
    await ship(id, 1)
    const [claim] = (await creditOf(company))?.claims ?? []
    if (isShipped) await ship(id, 2)
    await provider(`/sandbox/invoices/${claim?.id}/pay`, {})
    await eventually('paid', async () => (await used()) === 10_490)
    isSilent = isUnheard
    await database.command({}, (scope) =>
      requestRefund(scope, {
        customerOrderId: id,
        sellerOrderId: `${id}-1`,
        cause: 'return',
        key: `return:${id}`,
        extra: { offerId: null, amount: 30_000 },
        bornBy: 'seller',
      }),
    )
    await eventually('refunded', async () => (await paymentOf(id)).refunded === 30_000)
    await credit.tick()
    isSilent = false
    assert.equal(await used(), 10_490)
    // One from before the provider reported what was never invoiced.
    if (!isUnheard) await database.pool.query('update payments.payment set reduced = null where customer_order_id = $1', [id])
    await eventually('credited', async () => isUnheard || (await used()) === 10_490)
    assert.equal((await creditOf(company))?.limit?.amount, 1_000_000)
    // Neither shop nor provider grants more than the rest.
    const more = await placedBy(company, 99)
    assert.deepEqual(await choose(company, more, 'invoice'), { ok: false, reason: 'invoice-limit-exceeded' })
    const states = []
    for (const amount of [989_511, 989_510]) {
      const debtor = { external_code: randomUUID(), name: 'Lee Building Ltd', registration_number: number, country: 'GB' }
      const wish = { external_code: randomUUID(), description: 'x', amount, currency: 'GBP', market: 'gb', return_url: shopUrl, debtor }
      states.push((await provider('/v2/orders', wish)).body['state'])
    }
    assert.deepEqual(states, ['declined', 'authorized'])
    assert.deepEqual(
      (await checkCompanies(database.pool, { settled: false })).filter(({ id: which }) => which === 'I8'),
      [],
    )
  })

test('a provider that is down, slow or answers HTML changes nothing; the order is decided once it is back', async () => {
  for (const mood of ['answer-500', 'hang', 'html'] as const) {
    const company = await addBuyer(db, newNumber('01'))
    const id = await placedBy(company)
    misbehaviour = mood
    must(await choose(company, id, 'invoice'))
    await work()
    assert.deepEqual([await stateOf(id), (await paymentOf(id)).state], ['awaiting-payment', 'initiated'], mood)
    misbehaviour = undefined
    await reconcile()
    await eventually(`paid after ${mood}`, async () => (await stateOf(id)) === 'paid')
    assert.equal((await orderAtProvider(id))['confirmed'], 10_000)
  }
})

test('A70 messages that are forged, old, replayed, out of order or about another shop’s order change nothing', async () => {
  const company = await addBuyer(db, newNumber('01'))
  const id = await paidByInvoice(company)
  await ship(id)
  const [claim] = (await creditOf(company))?.claims ?? []
  assert.ok(claim)
  const stored = await db.row<{ reference: string; due: string }>(
    { name: 'test.claim', text: 'select reference, due_on::text as due from credit.claim where id = $1' },
    [claim.id],
  )
  assert.ok(stored)
  const now = Math.floor(Date.now() / 1000)
  const send = async (body: string, signature: string) => {
    const answer = await fetch(`${shopUrl}/webhooks/credit`, { method: 'POST', body, headers: { 'x-credit-signature': signature } })
    return { status: answer.status, received: ((await answer.json()) as { received?: string }).received }
  }
  const told = (event: string, paid: number, reference = stored.reference, returned = 0) =>
    JSON.stringify({
      id: event,
      event: 'invoice',
      type: 'invoice.paid',
      invoice: { uuid: reference, external_code: claim.id, due_date: stored.due, credited: 0, paid, returned },
    })
  const open = async () => (await creditOf(company))?.claims[0]?.open.amount
  const body = told('evt-1', 5_000)
  assert.equal((await send(body, sign('another-secret', body, now))).status, 400)
  assert.equal((await send(body, sign(creditSecrets.webhookSecret, `${body} `, now))).status, 400)
  assert.equal((await send(body, sign(creditSecrets.webhookSecret, body, now - 3_600))).status, 400)
  assert.equal((await send('<html>', sign(creditSecrets.webhookSecret, '<html>', now))).status, 400)
  assert.equal(
    (await send(told('evt-0', 5_000, 'another'), sign(creditSecrets.webhookSecret, told('evt-0', 5_000, 'another'), now))).received,
    'foreign',
  )
  assert.equal(await open(), 10_000)
  assert.equal((await send(body, sign(creditSecrets.webhookSecret, body, now))).received, 'applied')
  assert.equal((await send(body, sign(creditSecrets.webhookSecret, body, now))).received, 'known')
  const older = told('evt-2', 1_000)
  await send(older, sign(creditSecrets.webhookSecret, older, now))
  assert.equal(await open(), 5_000)
  const used = async () => (await creditOf(company))?.used.amount
  const usedBefore = (await used()) ?? 0
  // The company's bank takes a payment back: it is owed again, and an older report does not undo that.
  const reversed = told('evt-4', 5_000, stored.reference, 2_000)
  await send(reversed, sign(creditSecrets.webhookSecret, reversed, now))
  assert.deepEqual([await open(), await used()], [7_000, usedBefore + 2_000])
  const again = told('evt-5', 5_000)
  await send(again, sign(creditSecrets.webhookSecret, again, now))
  assert.equal(await open(), 7_000)
  // A decision about an order that was decided long ago.
  const order = await orderAtProvider(id)
  const late = JSON.stringify({ id: 'evt-3', event: 'order', type: 'order.declined', order: { ...order, state: 'declined', confirmed: 0 } })
  assert.equal((await send(late, sign(creditSecrets.webhookSecret, late, now))).received, 'ignored')
  assert.equal(await stateOf(id), 'shipped')
})

test('R-079 a late invoice is shown as late and reminded of by mail, unless a payment was missed meanwhile', async () => {
  const company = await addBuyer(db, newNumber('01'))
  const [owes, paysUnheard] = [await paidByInvoice(company), await paidByInvoice(company)]
  for (const id of [owes, paysUnheard]) await ship(id)
  const claims = (await creditOf(company))?.claims ?? []
  assert.equal(claims.length, 2)
  const of = (id: string) => claims.find(({ customerOrderId }) => customerOrderId === id)?.id ?? ''
  isSilent = true
  await provider(`/sandbox/invoices/${of(paysUnheard)}/pay`, {})
  await credit.tick()
  isSilent = false
  const day = (days: number) => new Date(Date.now() + days * 86_400_000)
  const stand = async (at: Date) => new Map((await creditOf(company, at))?.claims.map((claim) => [claim.customerOrderId, claim.state]))
  assert.equal((await stand(day(29))).get(owes), 'open')
  assert.equal((await stand(day(32))).get(owes), 'late')

  const mails = async () =>
    db.rows<{ subject: string }>(
      {
        name: 'test.mails',
        text: `select subject from mail.mail where template = 'credit-reminder' and recipient = $1 order by created_at`,
      },
      [company.principal.email],
    )
  const subjects = async () => (await mails()).map(({ subject }) => subject.split(' ').slice(0, 2).join(' '))
  const [first, second, last] = ['Reminder: invoice', 'Second reminder:', 'Last reminder:']
  const rows: [daysLate: number, sent: (string | undefined)[]][] = [
    [2, []],
    [3, [first]],
    [3, [first]],
    [9, [first]],
    [10, [first, second]],
    [19, [first, second]],
    [20, [first, second, last]],
    [400, [first, second, last]],
  ]
  for (const [daysLate, sent] of rows) {
    await db.run({ name: 'test.late', text: 'update credit.claim set due_on = current_date - $2::integer where company_id = $1' }, [
      company.principal.company.id,
      daysLate,
    ])
    await database.command({}, (scope) => planReminders(scope))
    await work()
    assert.deepEqual(await subjects(), sent, `${daysLate} days late`)
  }
  assert.equal((await stand(new Date())).get(paysUnheard), 'paid')
})

test('an open claim is compared with the provider’s once a day, so that a payment nobody reported frees the limit before it is due', async () => {
  const company = await addBuyer(db, newNumber('13'))
  const id = await paidByInvoice(company)
  await ship(id)
  const standing = async () => {
    const shown = await creditOf(company)
    return [shown?.claims[0]?.state, shown?.used.amount]
  }
  assert.deepEqual(await standing(), ['open', 100_00])
  const lookUpIn = async (days: number) => {
    const now = new Date(Date.now() + days * 86_400_000)
    await database.command({ now }, (scope) => planLookUps(scope))
    const { rows } = await database.pool.query(`select key from platform.job where name = 'credit.look-up-claim'`)
    await work()
    return rows.length
  }
  const claim = (await creditOf(company))?.claims[0]?.id ?? ''
  isSilent = true
  await provider(`/sandbox/invoices/${claim}/pay`, {})
  await credit.tick()
  isSilent = false
  await work()
  assert.equal(await lookUpIn(0.5), 0, 'a claim of today has just been reported')
  assert.deepEqual(await standing(), ['open', 100_00])
  const seen = await lookUpIn(2.5)
  assert.ok(seen >= 1)
  assert.deepEqual(await standing(), ['paid', 0])
  assert.ok((await lookUpIn(4)) < seen, 'a paid claim is looked up no more')
})
