import assert from 'node:assert/strict'
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
