/** Who may read a feed, through the real gateway's idea of a network. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testGateway } from '@purlin/server/edges/gateway/testing.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { testStorefront } from './testing.ts'

const database = await testDatabase()
const gateway = await testGateway(database.pool, { trustProxy: '127.0.0.1' })
after(() => gateway.close())

const item = {
  id: '1',
  title: 'Drill',
  description: 'A drill. '.repeat(500),
  ean: '',
  mpn: '',
  card: {
    url: '/p/drill-1',
    imageFullpath: '/drill.jpg',
    brandName: null,
    modelId: null,
    condition: 'new',
    hasFreeDelivery: true,
    prices: { main: { asFloat: 10 }, retail: null },
    deliveryOffers: { minFee: 0 },
    categories: { L0: null, L1: null, last: { name: 'Drills' } },
  },
}
let held: Promise<void> | undefined
let asked = 0
/** The feed of Germany has no end; those of others are empty. */
const { server } = await testStorefront({
  door: gateway,
  gateway: async ({ headers }) => {
    const isEndless = headers?.host?.startsWith('de.') ?? false
    if (isEndless) asked++
    if (isEndless) await held
    return { data: { feedGoods: isEndless ? { goods: Array.from({ length: 200 }, () => item), next: '1' } : { goods: [], next: null } } }
  },
})

const open: Socket[] = []
after(() => {
  for (const socket of open) socket.destroy()
})
/** A reader of the endless feed who takes nothing yet. */
async function begin(address: string): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1')
  open.push(socket)
  socket.on('error', () => undefined)
  socket.write(`GET /feeds/google.xml HTTP/1.1\r\nhost: de.localhost\r\nx-forwarded-for: ${address}\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}
const statusFor = async (address: string) => {
  const { status, headers } = await server.ask('/feeds/google.xml', { host: 'gb.localhost', headers: { 'x-forwarded-for': address } })
  return status === 503 ? `503 ${headers['retry-after']}` : String(status)
}

test('V-11 a network reads one feed at a time, however many addresses it has; others are served', async () => {
  const reader = await begin('2001:db8:1:2::1')
  for (const address of ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:ffff::3']) assert.equal(await statusFor(address), '503 60')
  for (const address of ['2001:db8:1:3::1', '198.51.100.7']) assert.equal(await statusFor(address), '200')
  reader.destroy()
  while ((await statusFor('2001:db8:1:2::2')) !== '200') await sleep(10)
})

test('A67 a reader who takes a feed slower than any program in a data centre does loses its place, although it never stops', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.now() })
  const reader = await begin('2001:db8:2:1::1')
  let windows = 0
  // At first the buffers between the two take a few megabytes.
  while ((await statusFor('2001:db8:2:1::2')) !== '200') {
    assert.ok(++windows < 500, 'the place is still taken')
    reader.read(10_000)
    await sleep(10)
    t.mock.timers.tick(10_000)
  }
})

test('A67 a reader who takes what comes keeps its place, also while the shop is slow', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.now() })
  const reader = await begin('2001:db8:3:1::1')
  reader.resume()
  /** A page is requested once the one before has been taken; each has more bytes than a window needs. */
  const takeAPage = async () => {
    for (const before = asked; asked < before + 2; await sleep(1)) assert.equal(reader.closed, false, 'cut off')
  }
  for (let window = 0; window < 5; window++) {
    await takeAPage()
    t.mock.timers.tick(10_000)
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  for (const before = asked; asked === before;) await sleep(1)
  for (let window = 0; window < 5; window++) t.mock.timers.tick(10_000)
  held = undefined
  resolve()
  await takeAPage()
  reader.destroy()
})
