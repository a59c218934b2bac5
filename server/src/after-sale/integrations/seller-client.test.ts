import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { generate } from 'openapi-typescript-codegen'
import { transform } from 'oxc-transform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import * as checkoutJobs from '../../selling/checkout/jobs.ts'
import { addOffer, fillShop, must, newBuyer } from '../../selling/checkout/testing.ts'
import * as paymentJobs from '../../selling/payments/jobs.ts'
import * as refundJobs from '../../selling/refunds/jobs.ts'
import { testProvider } from '../../selling/refunds/testing.ts'
import { moveDispute, openDispute } from '../disputes/index.ts'
import { handlers as fulfilmentHandlers } from '../fulfilment/jobs.ts'
import { writeMessage } from '../messages/index.ts'
import { cancelLines, requestReturn } from '../returns/index.ts'
import { handlers as returnHandlers } from '../returns/jobs.ts'
import * as integrationJobs from './jobs.ts'
import { startReceiver, type ApiDocument } from './test-receiver.ts'
import { addKey } from './testing.ts'

/** A client that a public generator writes from the document works a seller's day: what the document says is what the API does. */

const database = await testDatabase()
await fillShop(database)
const [drill, saw, lamp] = ['9001', '9002', '9003'] as const
const delivery = [{ kind: 'standard', fee: 0, daysMin: 2, daysMax: 4 }]
for (const [id, price] of [
  [drill, 2000],
  [saw, 3000],
  [lamp, 1500],
] as const)
  await addOffer(database, { id, price, sellerId: 3, market: 'fr', delivery })
const gateway = await testGateway(database.pool)
const work = () =>
  runWork(
    database,
    [paymentJobs, refundJobs, { handlers: fulfilmentHandlers }, { handlers: returnHandlers }, integrationJobs].flatMap(
      ({ handlers }) => handlers,
    ),
    [...checkoutJobs.jobs, ...paymentJobs.jobs, ...integrationJobs.jobs],
  )
const provider = await testProvider(database, gateway.url, work)
const folder = await mkdtemp(join(tmpdir(), 'purlin-client-'))
after(async () => {
  await provider.close()
  await rm(folder, { recursive: true })
})

type Call<Input, Result> = (input: Input) => Promise<Result>
interface Keyed {
  idempotencyKey: string
}
/** A call that changes something. */
type Change<Input, Result> = Call<Keyed & Input, Result>
interface OfOrder<Body = object> {
  orderId: string
  requestBody: Body
}
interface Pieces {
  offerId: string
  quantity: number
}
interface Amount {
  amount: number
  currency: string
}
interface Client {
  orders: {
    listWork: Call<{ kind: string }, { work: { orderId: string }[] }>
    readOrder: Call<
      { orderId: string },
      { market: string; state: string; lines: Pieces[]; parcels: { state: string; contents: Pieces[] }[] }
    >
    acceptOrder: Change<OfOrder, { state: string }>
    refuseOrder: Change<OfOrder<{ reason: string; lines: Pieces[] }>, { state: string }>
    cancelOrder: Change<OfOrder<{ reason: string; lines: Pieces[] }>, { state: string }>
    shipOrder: Change<OfOrder, { state: string; parcelId: string }>
    reportParcel: Change<{ parcelId: string; requestBody: object }, { state: string }>
  }
  messages: {
    readMessages: Call<{ orderId: string }, { messages: { author: string; body: string }[] }>
    writeMessage: Change<OfOrder<{ text: string }>, { seq: number }>
  }
  returns: {
    listCancellationRequests: Call<{ market: string }, { requests: { id: string; orderId: string; lines: Pieces[] }[] }>
    decideCancellation: Change<{ requestId: string; requestBody: { market: string; grant: boolean } }, { state: string }>
    readReturn: Call<{ returnId: string }, { orderId: string; market: string; state: string; reason: string; lines: Pieces[] }>
    handleReturn: Change<{ returnId: string; requestBody: { market: string; do: string; finding?: string } }, { state: string }>
  }
  disputes: {
    readDispute: Call<
      { disputeId: string },
      { state: string; market: string; wanted: Amount; moves: string[]; steps: { action: string }[] }
    >
    answerDispute: Change<{ disputeId: string; requestBody: object }, { id: string }>
  }
  refunds: { giveRefund: Change<OfOrder<{ amount: number }>, { refundId: string }> }
  webhooks: {
    createWebhook: Call<{ requestBody: { url: string; events: string[] } }, { id: string; secret: string }>
    listDeliveries: Call<{ webhookId: string }, { deliveries: { id: string; event: string; state: string; status: number }[] }>
    replayDelivery: Change<{ deliveryId: string }, { state: string }>
  }
}

/** The generated client, as JavaScript. */
async function clientFrom(document: Record<string, unknown>, options: { BASE: string; TOKEN: string }): Promise<Client> {
  const [source, built] = [join(folder, 'source'), join(folder, 'built')]
  await generate({ input: document, output: source, httpClient: 'fetch', clientName: 'Sellers', useOptions: true })
  for (const file of (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.ts'))) {
    const { code } = await transform(file, await readFile(join(source, file), 'utf8'))
    const to = join(built, file.replace(/\.ts$/, '.mjs'))
    await mkdir(dirname(to), { recursive: true })
    await writeFile(to, code.replaceAll(/from (['"])(\.[^'"]+)\1/g, "from '$2.mjs'"))
  }
  const { Sellers } = (await import(pathToFileURL(join(built, 'Sellers.mjs')).href)) as { Sellers: new (given: object) => Client }
  return new Sellers(options)
}

test('a client generated from the OpenAPI document works a whole day: orders, cancellations, returns, disputes, refunds, and messages it can trust', async () => {
  const document = (await (await fetch(`${gateway.url}/api/seller/v1/openapi.json`)).json()) as ApiDocument & Record<string, unknown>
  const { key } = await addKey(database.db, 3)
  const client = await clientFrom(document, { BASE: `${gateway.url}/api/seller/v1`, TOKEN: key })
  const keyed = (): Keyed => ({ idempotencyKey: randomUUID() })
  const program = await startReceiver(document)
  after(() => program.close())
  const events = Object.keys(document.webhooks)
  const { id: webhookId, secret } = await client.webhooks.createWebhook({ requestBody: { url: program.url, events } })
  program.trust(secret)

  const buyer = newBuyer(database, { market: 'fr' })
  const customerOrderId = await provider.paidOrder(buyer, [
    { offerId: drill, quantity: 4 },
    { offerId: saw, quantity: 1 },
    { offerId: lamp, quantity: 1 },
  ])
  await work()
  const orderId = String(program.last('order.paid')['orderId'])
  assert.ok((await client.orders.listWork({ kind: 'accept' })).work.some((each) => each.orderId === orderId))
  const { market, lines } = await client.orders.readOrder({ orderId })
  assert.deepEqual([market, lines.length], ['fr', 3])

  const one = (offerId: string) => [{ offerId, quantity: 1 }]
  await client.orders.refuseOrder({ ...keyed(), orderId, requestBody: { reason: 'out-of-stock', lines: one(saw) } })
  assert.equal((await client.orders.acceptOrder({ ...keyed(), orderId, requestBody: {} })).state, 'accepted')

  const about = { customerOrderId, sellerOrderId: orderId }
  must(await buyer.does((scope) => cancelLines(scope, { ...about, lines: one(lamp), reason: 'changed-mind' })))
  const { requests } = await client.returns.listCancellationRequests({ market })
  assert.deepEqual(
    requests.map(({ orderId: of, lines: wished }) => [of, wished]),
    [[orderId, one(lamp)]],
  )
  const decision = { market, grant: true }
  const decided = await client.returns.decideCancellation({ ...keyed(), requestId: requests[0]?.id ?? '', requestBody: decision })
  assert.equal(decided.state, 'granted')
  await client.orders.cancelOrder({ ...keyed(), orderId, requestBody: { reason: 'damaged-in-stock', lines: one(drill) } })

  const ship = (trackingNumber: string, some?: Pieces[]) =>
    client.orders.shipOrder({
      ...keyed(),
      orderId,
      requestBody: { carrier: { name: 'Colissimo', trackingNumber }, ...(some && { lines: some }) },
    })
  const [first, rest] = [await ship('FR12345678', one(drill)), await ship('FR87654321')]
  for (const { parcelId } of [first, rest])
    await client.orders.reportParcel({ ...keyed(), parcelId, requestBody: { kind: 'delivered', place: 'Lyon' } })
  const { state, parcels } = await client.orders.readOrder({ orderId })
  assert.equal(state, 'delivered')
  assert.deepEqual(parcels.map(({ contents }) => contents[0]?.quantity).toSorted(), [1, 2])

  const question = { text: 'Une pièce manque dans la boîte.', topic: 'product' as const }
  const written = must(await buyer.does((scope) => writeMessage(scope, 'conversation.write', orderId, question)))
  await work()
  assert.deepEqual(program.last('message.written'), { orderId, author: 'buyer', seq: 1 })
  const { messages } = await client.messages.readMessages({ orderId })
  assert.deepEqual([messages[0]?.author, messages[0]?.body], ['buyer', question.text])
  assert.equal((await client.messages.writeMessage({ ...keyed(), orderId, requestBody: { text: 'Nous regardons.' } })).seq, 2)

  const wish = { ...about, lines: one(drill), reason: 'missing-part', wish: 'refund', method: 'label', description: '', photos: [] }
  must(await buyer.does((scope) => requestReturn(scope, wish)))
  await work()
  const returnId = String(program.last('return.changed')['returnId'])
  const asked = await client.returns.readReturn({ returnId })
  assert.deepEqual([asked.orderId, asked.state, asked.lines], [orderId, 'requested', one(drill)])
  const reached: string[] = []
  for (const step of [{ do: 'accept' }, { do: 'receive' }, { do: 'inspect', finding: 'incomplete' }, { do: 'refund' }])
    reached.push((await client.returns.handleReturn({ ...keyed(), returnId, requestBody: { market: asked.market, ...step } })).state)
  assert.deepEqual(reached, ['label-sent', 'received', 'inspected', 'refunded'])
  assert.equal((await client.returns.readReturn({ returnId })).state, 'refunded')

  const claim = { reason: 'not-as-described', wish: 'part-refund', amount: 900, note: 'Le second est rayé.' } as const
  must(await buyer.does((scope) => openDispute(scope, { orderId, messageId: written.id, ...claim })))
  await work()
  const disputeId = String(program.last('dispute.changed')['disputeId'])
  const opened = await client.disputes.readDispute({ disputeId })
  assert.deepEqual([opened.state, opened.wanted.amount, opened.moves.includes('offer')], ['open', 900, true])
  const offer = { market: opened.market, action: 'offer', amount: 500, note: 'Nous proposons 5 €.' }
  await client.disputes.answerDispute({ ...keyed(), disputeId, requestBody: offer })
  must(await buyer.does((scope) => moveDispute(scope, 'dispute.open', { id: disputeId, action: 'accept' })))
  const settled = await client.disputes.readDispute({ disputeId })
  assert.deepEqual([settled.state, settled.steps.map(({ action }) => action)], ['settled', ['open', 'offer', 'accept']])

  assert.ok((await client.refunds.giveRefund({ ...keyed(), orderId, requestBody: { amount: 100 } })).refundId)
  await work()
  assert.equal(await provider.refundedOf(customerOrderId), 3000 + 1500 + 2000 + 2000 + 500 + 100)

  // The program took each message: its signature is valid, and its body is what the document describes.
  assert.deepEqual(program.refused, [])
  const { deliveries } = await client.webhooks.listDeliveries({ webhookId })
  assert.ok(deliveries.every((each) => each.state === 'delivered' && each.status === 200))
  const counts = Object.entries(Object.groupBy(program.received, ({ type }) => type)).map(([type, all]) => `${type} ${all?.length}`)
  assert.deepEqual(counts.toSorted(), [
    'dispute.changed 3',
    'message.written 1',
    'order.accepted 1',
    'order.cancelled 2',
    'order.delivered 2',
    'order.paid 1',
    'order.refused 1',
    'order.shipped 2',
    'refund.requested 6',
    'return.changed 5',
  ])
  const [again] = program.received
  assert.ok(again)
  const forged = again.body.replace('"fr"', '"de"')
  assert.notEqual(forged, again.body)
  const headers = Object.fromEntries(Object.entries(again.headers).filter(([name]) => name.startsWith('webhook-'))) as Record<
    string,
    string
  >
  assert.equal((await fetch(program.url, { method: 'POST', headers, body: forged })).status, 401)

  assert.equal((await client.webhooks.replayDelivery({ ...keyed(), deliveryId: again.id })).state, 'waiting')
  await work()
  const copies = program.received.filter(({ id }) => id === again.id)
  assert.deepEqual(
    copies.map(({ body }) => body),
    [again.body, again.body],
  )
  await assert.rejects(() => client.orders.readOrder({ orderId: 'P0000000000000000-1' }), { status: 404 })
})
