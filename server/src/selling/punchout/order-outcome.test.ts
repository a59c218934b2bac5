import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkInvariants } from '../../../../e2e/invariants.ts'
import type { CreditProviderServer } from '../../../../services/src/credit-provider/index.ts'
import { forgetSwitches, setFlag } from '#flags'
import { readOrder } from '#orders'
import { testDatabase } from '#platform/testing'
import { handlers as notifyHandlers } from '../../after-sale/notify/jobs.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { decideApproval } from '../checkout/decide-approval.ts'
import { endHold, jobs as checkoutJobs } from '../checkout/jobs.ts'
import { addOffer, companiesIn, fillShop, must, stockOf } from '../checkout/testing.ts'
import { testCredit } from '../credit/testing.ts'
import * as paymentJobs from '../payments/jobs.ts'
import { readPaymentOfOrder } from '../payments/store.ts'
import { setBudget } from '../purchasing/manage-budgets.ts'
import { createCredential } from './manage-credentials.ts'
import { cxmlCaller, cxmlDocument, cxmlItem, cxmlOrder, orderIdIn } from './testing.ts'

/** What a purchasing system is told about its order until the invoice is accepted, and when it comes to nothing. */

const database = await testDatabase()
const { db, pool } = database
const gateway = await testGateway(pool)
const call = cxmlCaller(gateway)
const { newCompany, join } = companiesIn(database)
/** 100.00 without VAT, as purchasing systems name it. */
const price = 120_00
const stock = 10_000
let credit: CreditProviderServer

before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '8201', price, proPrice: price, stock })
  await database.command({}, (scope) => setFlag(scope, { market: '*', mode: 'b2b' }, 'pepePdpB2bBnpl', true))
  forgetSwitches()
  credit = await testCredit(gateway.url)
})
after(() => credit.close())

const work = () => runWork(database, [...paymentJobs.handlers, ...notifyHandlers], [...checkoutJobs, ...paymentJobs.jobs])
const eventually = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(15)) {
    await credit.tick()
    await work()
    if (await holds()) return
  }
  assert.fail(`${what} did not happen`)
}

let numbers = 0
/** A company that the provider knows by a number with this end, whose purchasing system sends orders. */
async function companyWith(end: string, perOrder: number | null = null) {
  const company = await newCompany()
  const setNumber = (to: string) =>
    pool.query('update accounts.company set vat_number = $2 where id = $1', [company.id, `GB1${String(++numbers).padStart(6, '0')}${to}`])
  await setNumber(end)
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  if (perOrder !== null)
    must(await admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: buyer.principal.id, monthly: null, perOrder })))
  const wanted = { name: 'SAP', protocol: 'cxml' as const, memberId: buyer.principal.id }
  const { identity, secret } = must(await admin.does((scope) => createCredential(scope, wanted)))
  const ip = `198.51.100.${++numbers}`
  const send = async (number: string, quantity = 1) => {
    const { code, body } = await call(cxmlDocument(identity, secret, cxmlOrder(number, cxmlItem('8201', quantity))), ip)
    return { code, id: orderIdIn(body), body }
  }
  const mails = async () => {
    const { rows } = await pool.query<{ subject: string; text: string }>(
      'select subject, body_text as text from mail.mail where recipient = $1 order by id',
      [buyer.email],
    )
    return rows
  }
  return { company, admin, buyer, send, mails, setNumber }
}

const stateOf = async (id: string) => (await readOrder(db, id))?.state
const paymentStateOf = async (id: string) => (await readPaymentOfOrder(db, id))?.state
async function holdEnds(id: string): Promise<void> {
  await pool.query(`update orders.customer_order set holds_until = now() - interval '1 hour' where id = $1`, [id])
  await database.command({}, (scope) => endHold(scope, id))
  await work()
}
const spentBy = async (companyId: string) =>
  (await pool.query('select customer_order_id as id, amount from purchasing.spend where company_id = $1', [companyId])).rows

test('yes: an order is accepted with 201 until its invoice is, and with 200 from then on; another content under its number is refused', async () => {
  const { send } = await companyWith('01')
  const first = await send('1')
  assert.deepEqual([first.code, await stateOf(first.id)], [201, 'awaiting-payment'])
  assert.match(first.body, /waits until its invoice is accepted/)
  assert.equal((await send('1', 2)).code, 409)
  await eventually('paid', async () => (await stateOf(first.id)) === 'paid')
  const again = await send('1')
  assert.deepEqual([again.code, again.id], [200, first.id])
  assert.doesNotMatch(again.body, /waits/)
  assert.equal((await send('1', 2)).code, 409)
})

test('no: the member hears of it at once; when the order is cancelled its number is free, for the same content and for another', async () => {
  const { company, send, mails, setNumber } = await companyWith('00')
  const first = await send('2')
  await eventually('declined', async () => (await paymentStateOf(first.id)) === 'failed')
  assert.deepEqual(
    (await mails()).map(({ subject }) => subject),
    ['Invoice not accepted: order 2'],
  )
  assert.match((await mails())[0]?.text ?? '', new RegExp(`/order/${first.id}/secure-payment`))
  const repeated = await send('2')
  assert.deepEqual([repeated.code, repeated.id], [201, first.id], 'a card may still pay it')
  assert.equal((await send('2', 2)).code, 409)

  await holdEnds(first.id)
  assert.equal(await stateOf(first.id), 'cancelled')
  const cancelled = (await mails()).at(-1)?.text ?? ''
  assert.match(cancelled, /purchasing system can send it again under the same number/)
  assert.doesNotMatch(cancelled, /Your basket is still there/)

  const second = await send('2')
  assert.deepEqual([second.code, await stateOf(second.id)], [201, 'awaiting-payment'])
  assert.notEqual(second.id, first.id)
  await eventually('declined', async () => (await paymentStateOf(second.id)) === 'failed')
  await holdEnds(second.id)
  await setNumber('01')
  const third = await send('2', 3)
  assert.equal(third.code, 201, third.body)
  await eventually('paid', async () => (await stateOf(third.id)) === 'paid')
  assert.deepEqual(await spentBy(company.id), [{ id: third.id, amount: 3 * price }])
  assert.equal((await send('2', 3)).code, 200)
  assert.equal((await send('2')).code, 409, 'the number is that of the order that came about')
  assert.deepEqual(await checkInvariants(pool, { settled: false }), [])
})

test('maybe: the member hears that the invoice waits for them, and the confirmed order is final', async () => {
  const { send, mails } = await companyWith('01')
  const sent = await send('3', 60)
  await eventually('asked', async () => (await paymentStateOf(sent.id)) === 'action-required')
  assert.deepEqual(
    (await mails()).map(({ subject }) => subject),
    ['Please confirm the invoice: order 3'],
  )
  assert.equal((await send('3', 60)).code, 201)
  const page = String((await readPaymentOfOrder(db, sent.id))?.frameUrl).replace('credit.localhost', '127.0.0.1')
  await fetch(page, { method: 'POST', body: new URLSearchParams({ answer: 'yes' }), redirect: 'manual' })
  await eventually('paid', async () => (await stateOf(sent.id)) === 'paid')
  assert.equal((await send('3', 60)).code, 200)
})

test('a number whose request for approval led to no order is free; one that is approved and not paid yet is not', async () => {
  const { admin, send } = await companyWith('00', 10)
  const approvalOf = async (orderId: string): Promise<string> =>
    (await pool.query('select id from purchasing.approval where customer_order_id = $1', [orderId])).rows[0]?.id
  const decide = async (orderId: string, isApproved: boolean) => {
    const id = await approvalOf(orderId)
    must(await admin.does((scope) => decideApproval(scope, id, { isApproved, comment: '', agreedTotal: price })))
  }
  const first = await send('4')
  assert.match(first.body, /code="201"[^]*waits for an approval/)
  await decide(first.id, false)
  const second = await send('4')
  assert.match(second.body, /code="201"[^]*waits for an approval/)
  assert.notEqual(second.id, first.id)

  await decide(second.id, true)
  await eventually('declined', async () => (await paymentStateOf(second.id)) === 'failed')
  await holdEnds(second.id)
  assert.equal(await stateOf(second.id), 'draft')
  const repeated = await send('4')
  assert.deepEqual([repeated.code, repeated.id], [201, second.id])
  assert.match(repeated.body, /waits until its invoice is accepted/)
  assert.equal((await send('4', 2)).code, 409)
})

test('ten repeats at once of a number that is free again become one order', async () => {
  const { company, send } = await companyWith('01')
  const before = await stockOf(database, '8201')
  const dead = await send('5')
  await holdEnds(dead.id)
  assert.equal(await stockOf(database, '8201'), before)
  const sent = await Promise.all(Array.from({ length: 10 }, () => send('5')))
  assert.deepEqual([...new Set(sent.map(({ code }) => code))], [201])
  const ids = [...new Set(sent.map(({ id }) => id))]
  assert.equal(ids.length, 1)
  assert.notEqual(ids[0], dead.id)
  assert.deepEqual(await spentBy(company.id), [{ id: ids[0], amount: price }])
  assert.equal(await stockOf(database, '8201'), before - 1)
})
