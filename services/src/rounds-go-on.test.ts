import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { startCreditProvider } from './credit-provider/index.ts'
import { startParcelCarrier } from './parcel-carrier/index.ts'

const settings = { port: 0, file: ':memory:', apiKey: 'an-api-key', webhookSecret: 'a-webhook-secret', webhookUrl: 'http://127.0.0.1:9/' }

for (const [name, start] of [
  ['carrier', (now: () => number) => startParcelCarrier({ ...settings, speed: 1, now })],
  ['credit provider', (now: () => number) => startCreditProvider({ ...settings, now })],
] as const)
  test(`F11 the ${name} goes on after a round that failed, as on a full disk, and does not end`, async () => {
    let isFull = true
    let rounds = 0
    const server = await start(() => {
      if (isFull) throw new Error('database or disk is full')
      rounds++
      return Date.now()
    })
    try {
      await server.tick()
      isFull = false
      await server.tick()
      assert.ok(rounds > 0)
    } finally {
      await server.close()
    }
  })

const pickup = { id: 'pickup_1', reference: 'r-1', status: 'scheduled', told: 'unknown', endsAt: null }
for (const [name, start, damage, message] of [
  [
    'parcel carrier',
    (file: string, webhookUrl: string) => startParcelCarrier({ ...settings, file, webhookUrl, speed: 1 }),
    `insert into shipment (id, reference, body, next_at) values ('broken', 'broken', '{}', 1);
      insert into pickup (id, reference, body, next_at) values ('pickup_1', 'r-1', '${JSON.stringify(pickup)}', 2)`,
    /pickup\.updated/,
  ],
  [
    'credit provider',
    (file: string, webhookUrl: string) => startCreditProvider({ ...settings, file, webhookUrl }),
    `insert into message (id, body, at) values ('broken', '{', 1), ('fine', '{"event":"order"}', 2)`,
    /"id":"fine"/,
  ],
] as const)
  test(`a record that always fails is logged by the ${name} and holds up no message behind it`, async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'rounds-'))
    const received: string[] = []
    const shop = createServer((request, response) => void text(request).then((body) => (received.push(body), response.end())))
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    const logged: string[] = []
    context.mock.method(process.stderr, 'write', (line: string) => (logged.push(line), true))
    const server = await start(join(folder, 'data.db'), `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`)
    try {
      const file = new DatabaseSync(join(folder, 'data.db'))
      file.exec(damage)
      file.close()
      await server.tick()
      await server.tick()
      assert.deepEqual(received.length, 1)
      assert.match(received[0] ?? '', message)
      // Postponed, so the second round has not tried it again.
      assert.equal(logged.length, 1, logged.join(''))
      assert.match(logged[0] ?? '', new RegExp(`"msg":"${name}"`))
    } finally {
      await server.close()
      shop.closeAllConnections()
      shop.close()
      rmSync(folder, { recursive: true })
    }
  })
