import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '@purlin/contract/principal.ts'
import { marketCodes } from '@purlin/contract/markets.ts'
import { newId } from '#platform'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { fillShop, newBuyer } from '../../selling/checkout/testing.ts'
import { paidOrder } from '../fulfilment/testing.ts'
import { cancelLines } from '../returns/index.ts'
import { findDeclared } from './index.ts'
import { handlers, jobs } from './jobs.ts'
import { sendMessage } from './send-message.ts'

const operatorKey = 'an-operator-key-of-the-tests-with-32-bytes'
useSettings({ OPERATOR_API_KEY: operatorKey })
const database = await testDatabase()
await fillShop(database)
const gateway = await testGateway(database.pool)
test.after(() => gateway.close())

let people = 0
const someone = () => `declarer${++people}@buyer.example`
const work = () => runWork(database, handlers, jobs)
async function declare(more: object, overrides: Parameters<typeof database.command>[0] = {}) {
  const sent = await database.command(overrides, (scope) =>
    sendMessage(scope, { kind: 'withdrawal', name: 'Ada Beam', text: 'the saw', ...more }),
  )
  await work()
  assert.ok(sent.ok)
  return sent
}
const messagesAbout = (orderId: string) =>
  database.db.rows<{ part: string; author: string; body: string }>(
    {
      name: 'test.passed-on',
      text: `select c.seller_order_id as part, m.author, m.body from messages.conversation c
        join messages.message m on m.conversation_id = c.id where c.customer_order_id = $1 order by c.seller_order_id, m.seq`,
    },
    [orderId],
  )
const mailsAbout = (part: string) =>
  database.db.rows<{ template: string; recipient: string; text: string }>(
    {
      name: 'test.passed-on-mails',
      text: `select template, recipient, body_text as text from mail.mail
        where template in ('message-to-seller', 'message-to-buyer') and subject like '%' || $1 || '%' order by template`,
    },
    [part],
  )
const heldOf = async (...parts: string[]) => [...(await findDeclared(database.db, parts))].toSorted()
const guest = (): Principal & { email: string } => ({ kind: 'guest', id: newId(), email: someone() })

test('a withdrawal declared with the form reaches every seller of the order in every language, and their money waits', async () => {
  for (const market of marketCodes) {
    const buyer = guest()
    const { orderId, part } = await paidOrder(
      database,
      [
        [1, 1],
        [2, 1],
      ],
      { market, principal: buyer },
    )
    await declare({ email: buyer.email, orderId }, { market })
    const messages = await messagesAbout(orderId)
    assert.deepEqual(
      messages.map((each) => [each.part, each.author]),
      [
        [part(1), 'operator'],
        [part(2), 'operator'],
      ],
      market,
    )
    assert.match(messages[0]?.body ?? '', /Ada Beam[^]*the saw/)
    assert.deepEqual(await heldOf(part(1), part(2)), [part(1), part(2)])
    const mails = await mailsAbout(part(1))
    assert.deepEqual(
      mails.map(({ template }) => template),
      ['message-to-buyer', 'message-to-seller'],
      market,
    )
    assert.equal(mails[0]?.recipient, buyer.email)
    assert.match(mails[0]?.text ?? '', /access=[\w-]{43}/, 'the buyer can complete it without an account')
  }
})

test('a declaration without goods covers the whole order; a number typed with spaces, in small letters or with its seller’s is found', async () => {
  const buyer = guest()
  const { orderId, part } = await paidOrder(database, [[1, 1]], { principal: buyer })
  const typed = [` ${orderId.slice(0, 5)} ${orderId.slice(5)}`, orderId.toLowerCase(), part(1)]
  for (const each of typed) await declare({ email: buyer.email, orderId: each, text: '' })
  const messages = await messagesAbout(orderId)
  assert.equal(messages.length, 3)
  for (const { body } of messages) assert.match(body, new RegExp(`the whole order ${part(1)}`))
})

test('a customer signed in declares it for their own order with another address; strangers, drafts and businesses reach no seller', async () => {
  const owner = guest()
  const { orderId, part } = await paidOrder(database, [[1, 1]], { principal: owner })
  const pro = guest()
  const business = await paidOrder(database, [[1, 1]], { principal: pro, mode: 'b2b' })
  await declare({ email: someone(), orderId })
  await declare({ email: someone(), orderId }, { principal: guest() })
  await declare({ email: pro.email, orderId: business.orderId })
  await declare({ email: owner.email, orderId: 'unknown order' })
  assert.deepEqual(await messagesAbout(orderId), [])
  assert.deepEqual(await messagesAbout(business.orderId), [])
  assert.deepEqual(await heldOf(part(1), business.part(1)), [])
  await declare({ email: someone(), orderId }, { principal: owner })
  assert.equal((await messagesAbout(orderId)).length, 1)
})

test('declarations that somebody repeats reach the seller five times a day', async () => {
  const buyer = guest()
  const { orderId, part } = await paidOrder(database, [[1, 1]], { principal: buyer })
  for (let n = 0; n < 8; n++) await declare({ email: buyer.email, orderId, text: `piece ${n}` })
  assert.equal((await messagesAbout(orderId)).length, 5)
  assert.deepEqual(await heldOf(part(1)), [part(1)])
})

test('the money waits until the buyer has cancelled or returned something, or the operator ends it', async () => {
  const principal = guest()
  const buyer = newBuyer(database, { principal })
  const { orderId, part, offers } = await paidOrder(database, [[1, 2]], { principal })
  await declare({ email: principal.email, orderId })
  const cancelled = await buyer.does((scope) =>
    cancelLines(scope, {
      customerOrderId: orderId,
      sellerOrderId: part(1),
      lines: [{ offerId: offers[0] ?? '', quantity: 1 }],
      reason: 'changed-mind',
    }),
  )
  assert.ok(cancelled.ok)
  await work()
  assert.deepEqual(await heldOf(part(1)), [])

  await declare({ email: principal.email, orderId, text: 'the other one' })
  assert.deepEqual(await heldOf(part(1)), [part(1)])
  await database.command({}, async (scope) => {
    scope.emit('return.changed', { returnId: newId(), customerOrderId: orderId, sellerOrderId: part(1), state: 'requested' })
    return { ok: true }
  })
  await work()
  assert.deepEqual(await heldOf(part(1)), [])

  await declare({ email: principal.email, orderId, text: 'and the rest' })
  const end = (key: string) =>
    fetch(`${gateway.url}/api/v1/operator/withdrawals/${part(1)}/end`, { method: 'POST', headers: { authorization: `Bearer ${key}` } })
  assert.notEqual((await end('wrong')).status, 200)
  assert.deepEqual(await heldOf(part(1)), [part(1)])
  assert.equal((await end(operatorKey)).status, 200)
  assert.deepEqual(await heldOf(part(1)), [])
  assert.equal((await end(operatorKey)).status, 409)
})
