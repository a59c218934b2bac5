import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPaymentOfOrder } from '#payments'
import { connectWaking, wake, type Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { readAtMoment } from './await-moment.ts'
import { reopenOrder } from './reopen-order.ts'
import { showOrderAt } from './show-order.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place } from './testing.ts'

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '401', stock: 1000 })

async function placedOrder() {
  const buyer = newBuyer(database)
  const id = await draftOrder(buyer, [{ offerId: '401', quantity: 1 }])
  must(await place(buyer, id))
  const payment = await readPaymentOfOrder(database.db, id)
  assert.ok(payment)
  return { buyer, id, paymentId: payment.id }
}

const statement = (text: string) => ({ name: `test.${text}`, text })
const frame = statement(`update payments.payment set frame_url = 'https://pay.example/1', provider_reference = id::text where id = $1`)
const capture = statement(`update payments.payment set state = 'captured' where id = $1`)
const fail = statement(`update payments.payment set state = 'failed', failure_code = 'declined' where id = $1`)

async function timed<Value>(work: Promise<Value>): Promise<[Value, number]> {
  const from = performance.now()
  return [await work, performance.now() - from]
}

test('a request waiting for an order to become payable is answered once the card fields can be shown', async () => {
  const { buyer, id, paymentId } = await placedOrder()
  let isAnswered = false
  const waiting = timed(showOrderAt(buyer.scope(), id, 'payable')).finally(() => (isAnswered = true))
  await sleep(300)
  assert.equal(isAnswered, false)
  await database.db.run(frame, [paymentId])
  const [order, ms] = await waiting
  assert.equal(order?.payment?.frameUrl, 'https://pay.example/1')
  assert.ok(ms < 2500, `${ms} ms`)
  const [, again] = await timed(showOrderAt(buyer.scope(), id, 'payable'))
  assert.ok(again < 500, `${again} ms`)
})

test('a refused card settles nothing: a request waiting for settlement is answered by the payment or by the end of the order', async () => {
  const first = await placedOrder()
  let isAnswered = false
  const waiting = showOrderAt(first.buyer.scope(), first.id, 'settled').finally(() => (isAnswered = true))
  await database.db.run(fail, [first.paymentId])
  await sleep(300)
  assert.equal(isAnswered, false)
  await database.db.run(capture, [first.paymentId])
  assert.equal((await waiting)?.payment?.state, 'captured')

  const second = await placedOrder()
  const other = showOrderAt(second.buyer.scope(), second.id, 'settled')
  must(await second.buyer.does((scope) => reopenOrder(scope, second.id)))
  const [order, ms] = await timed(other)
  assert.equal(order?.state, 'draft')
  assert.ok(ms < 2000, `${ms} ms`)
})

test('V-103 an order that moved while it was read beside the session is read again at once', async (context) => {
  context.after(connectWaking(() => undefined))
  const { id } = await placedOrder()
  const payment = await readPaymentOfOrder(database.db, id)
  assert.ok(payment)
  let reads = 0
  const seen = async () => ({ payment: ++reads > 1 ? null : payment })
  const since = performance.now()
  wake({ topic: 'order', id })
  const [, ms] = await timed(readAtMoment(database.db, id, 'payable', seen, { since }))
  assert.equal(reads, 2)
  assert.ok(ms < 200, `${ms} ms`)
})

test('no request waits longer than three seconds, and the answer is the order’s current state', async () => {
  const { buyer, id } = await placedOrder()
  const [order, ms] = await timed(showOrderAt(buyer.scope(), id, 'payable'))
  assert.equal(order?.payment?.frameUrl, null)
  assert.ok(ms > 2800 && ms < 4500, `${ms} ms`)
})

test('V-12 a request that waits gives its turn to others, and one that has its answer keeps it', async () => {
  const { buyer, id, paymentId } = await placedOrder()
  let left = 0
  const scope = (): Scope => ({ ...buyer.scope(), leaveTurn: () => left++ })
  const waiting = showOrderAt(scope(), id, 'payable')
  await sleep(300)
  assert.ok(left > 0)
  await database.db.run(frame, [paymentId])
  await waiting
  left = 0
  await showOrderAt(scope(), id, 'payable')
  assert.equal(left, 0)
})

test('many waiting requests cost one query at a time, and beyond two hundred none is kept waiting', async () => {
  const orders = []
  for (let made = 0; made < 20; made++) orders.push(await placedOrder())
  let asked = 0
  let found = 0
  const [first] = orders
  const scope = first!.buyer.scope()
  const db: Scope['db'] = {
    ...scope.db,
    row: async (asking, values) => {
      const row = await scope.db.row(asking, values)
      found++
      return row as never
    },
    rows: (asking, values) => {
      if (asking.name === 'payments.standing-of-orders') asked++
      return scope.db.rows(asking, values)
    },
  }
  const waiting: ReturnType<typeof showOrderAt>[] = []
  for (const { buyer, id } of orders) {
    waiting.push(...Array.from({ length: 10 }, () => showOrderAt({ ...buyer.scope(), db }, id, 'payable')))
    while (found < waiting.length) await sleep(5)
  }
  await sleep(50)
  const last = await placedOrder()
  const [order, ms] = await timed(showOrderAt(last.buyer.scope(), last.id, 'payable'))
  assert.equal(order?.payment?.frameUrl, null)
  assert.ok(ms < 1000, `${ms} ms`)
  for (const { paymentId } of orders) await database.db.run(frame, [paymentId])
  const all = await Promise.all(waiting)
  assert.ok(all.every((each) => each?.payment?.frameUrl))
  assert.ok(asked > 0 && asked < 60, `${asked} questions`)
})

test('beyond ten waiting requests for one order no more are held, while those for other orders are', async () => {
  const [{ buyer, id, paymentId }, other] = [await placedOrder(), await placedOrder()]
  const waiting = Array.from({ length: 10 }, () => showOrderAt(buyer.scope(), id, 'payable'))
  await sleep(200)
  const [order, ms] = await timed(showOrderAt(buyer.scope(), id, 'payable'))
  assert.equal(order?.payment?.frameUrl, null)
  assert.ok(ms < 1000, `${ms} ms`)
  let isAnswered = false
  const patient = showOrderAt(other.buyer.scope(), other.id, 'payable').finally(() => (isAnswered = true))
  await sleep(200)
  assert.equal(isAnswered, false)
  for (const each of [paymentId, other.paymentId]) await database.db.run(frame, [each])
  assert.ok((await Promise.all([...waiting, patient])).every((each) => each?.payment?.frameUrl))
})

test('a request that arrives during a poll waits like the others', async () => {
  const first = await placedOrder()
  const second = await placedOrder()
  const scope = first.buyer.scope()
  const slow: Scope['db'] = {
    ...scope.db,
    rows: async (asking, values) => {
      const rows = await scope.db.rows(asking, values)
      if (asking.name === 'payments.standing-of-orders') await sleep(150)
      return rows as never
    },
  }
  const waiting = [showOrderAt({ ...scope, db: slow }, first.id, 'payable')]
  await sleep(50)
  let isAnswered = false
  waiting.push(showOrderAt(second.buyer.scope(), second.id, 'payable').finally(() => (isAnswered = true)))
  await sleep(400)
  assert.equal(isAnswered, false)
  for (const { paymentId } of [first, second]) await database.db.run(frame, [paymentId])
  assert.ok((await Promise.all(waiting)).every((each) => each?.payment?.frameUrl))
})

test('A1: a stranger is answered at once and learns nothing', async () => {
  const { id } = await placedOrder()
  const [order, ms] = await timed(showOrderAt(newBuyer(database).scope(), id, 'payable'))
  assert.equal(order, null)
  assert.ok(ms < 1000, `${ms} ms`)
})

test('V-102 an order that moves while it is read is read again at once', async (context) => {
  context.after(connectWaking(() => undefined))
  const { buyer, id, paymentId } = await placedOrder()
  const scope = buyer.scope()
  let reads = 0
  let polls = 0
  const db: Scope['db'] = {
    ...scope.db,
    row: async (asking, values) => {
      const row = await scope.db.row(asking, values)
      if (++reads > 1) return row as never
      await database.db.run(frame, [paymentId])
      wake({ topic: 'order', id })
      return row as never
    },
    rows: () => {
      polls++
      return Promise.resolve([])
    },
  }
  const order = await showOrderAt({ ...scope, db }, id, 'payable')
  assert.equal(order?.payment?.frameUrl, 'https://pay.example/1')
  // One at most: the round of an earlier test may end with it.
  assert.ok(reads === 2 && polls <= 1, `${reads} reads, ${polls} polls`)
})
