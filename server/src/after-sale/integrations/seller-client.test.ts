import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { generate } from 'openapi-typescript-codegen'
import { transform } from 'oxc-transform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { fillShop } from '../../selling/checkout/testing.ts'
import { handlers as fulfilmentHandlers } from '../fulfilment/jobs.ts'
import { paidOrder } from '../fulfilment/testing.ts'
import { handlers, jobs } from './jobs.ts'
import { addKey } from './testing.ts'

/** A client that a public generator writes from the document works a seller's day: what the document says is what the API does. */

const database = await testDatabase()
await fillShop(database)
const gateway = await testGateway(database.pool)
const folder = await mkdtemp(join(tmpdir(), 'purlin-client-'))
after(() => rm(folder, { recursive: true }))

type Call<Input, Result> = (input: Input) => Promise<Result>
interface Keyed {
  idempotencyKey: string
}
interface Client {
  orders: {
    listWork: Call<{ kind: string }, { work: { orderId: string }[] }>
    readOrder: Call<{ orderId: string }, { state: string; lines: { offerId: string; quantity: number }[]; total: { amount: number } }>
    acceptOrder: Call<Keyed & { orderId: string; requestBody: object }, { state: string }>
    shipOrder: Call<Keyed & { orderId: string; requestBody: object }, { state: string; parcelId: string }>
    reportParcel: Call<Keyed & { parcelId: string; requestBody: object }, { state: string }>
  }
  messages: { writeMessage: Call<Keyed & { orderId: string; requestBody: { text: string } }, { seq: number }> }
  refunds: { giveRefund: Call<Keyed & { orderId: string; requestBody: { amount: number } }, { refundId: string }> }
  webhooks: {
    createWebhook: Call<{ requestBody: { url: string; events: string[] } }, { id: string; secret: string }>
    listDeliveries: Call<{ webhookId: string }, { deliveries: { event: string; state: string }[] }>
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

test('a client generated from the OpenAPI document accepts, ships, answers, refunds and reads its webhooks', async () => {
  const arrived: string[] = []
  const program = createServer((request, response) => {
    arrived.push(String(request.headers['webhook-id']))
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
  after(() => program.close())
  const document = (await (await fetch(`${gateway.url}/api/seller/v1/openapi.json`)).json()) as Record<string, unknown>
  const { key } = await addKey(database.db, 1)
  const client = await clientFrom(document, { BASE: `${gateway.url}/api/seller/v1`, TOKEN: key })
  const keyed = (): Keyed => ({ idempotencyKey: randomUUID() })

  const url = `http://127.0.0.1:${(program.address() as AddressInfo).port}/`
  const { id: webhookId, secret } = await client.webhooks.createWebhook({ requestBody: { url, events: ['order.paid', 'order.delivered'] } })
  assert.match(secret, /^whsec_/)
  const { part } = await paidOrder(database, [[1, 2]], { market: 'fr' })
  await runWork(database, [...fulfilmentHandlers, ...handlers], jobs)

  const { work } = await client.orders.listWork({ kind: 'accept' })
  const orderId = work.find((each) => each.orderId === part(1))?.orderId ?? ''
  assert.equal((await client.orders.acceptOrder({ ...keyed(), orderId, requestBody: {} })).state, 'accepted')
  const carrier = { name: 'Colissimo', trackingNumber: 'FR12345678' }
  const { parcelId } = await client.orders.shipOrder({ ...keyed(), orderId, requestBody: { carrier } })
  const { state } = await client.orders.reportParcel({ ...keyed(), parcelId, requestBody: { kind: 'delivered', place: 'Lyon' } })
  assert.equal(state, 'delivered')
  assert.equal((await client.messages.writeMessage({ ...keyed(), orderId, requestBody: { text: 'Bonne réception.' } })).seq, 1)
  assert.ok((await client.refunds.giveRefund({ ...keyed(), orderId, requestBody: { amount: 100 } })).refundId)
  assert.equal((await client.orders.readOrder({ orderId })).state, 'delivered')

  await runWork(database, handlers, jobs)
  const { deliveries } = await client.webhooks.listDeliveries({ webhookId })
  assert.deepEqual(deliveries.map(({ event, state: sent }) => `${event} ${sent}`).toSorted(), [
    'order.delivered delivered',
    'order.paid delivered',
  ])
  assert.equal(arrived.length, 2)
  await assert.rejects(() => client.orders.readOrder({ orderId: 'P0000000000000000-1' }), { status: 404 })
})
