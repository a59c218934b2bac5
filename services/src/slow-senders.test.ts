import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { limitsPerNetwork } from '@purlin/server/foundation/platform/connection-limits.ts'
import { startCreditProvider } from './credit-provider/index.ts'
import { startTestIdentity } from './identity-provider/testing.ts'
import { startParcelCarrier } from './parcel-carrier/index.ts'
import { startPaymentProvider } from './payment-provider/index.ts'
import { startSmsProvider } from './sms-provider/index.ts'
import { dripInto, endless } from './test-slow.ts'
import { startVatCheck } from './vat-check/index.ts'

const secrets = { secret: 's', webhookSecret: 'w', apiKey: 'a', account: 'AC1', token: 't' }
const common = { port: 0, file: ':memory:', webhookUrl: 'http://127.0.0.1:9/', ...secrets }

test('V-15 A67 slow headers and bodies are closed within fifteen seconds at every embedded service', async () => {
  const { server: identity } = await startTestIdentity()
  const servers = {
    identity,
    payments: await startPaymentProvider(common),
    credit: await startCreditProvider(common),
    carrier: await startParcelCarrier({ ...common, speed: 0 }),
    vat: await startVatCheck(common),
    sms: await startSmsProvider(common),
  }
  after(() => Promise.all(Object.values(servers).map((server) => server.close())))
  await Promise.all(
    Object.entries(servers).flatMap(([name, { port }]) =>
      Object.entries(endless).map(async ([part, text]) => {
        const { socket, closedAfterMs } = dripInto(port, text)
        const late = setTimeout(() => socket.destroy(), 15_000)
        const took = await closedAfterMs
        clearTimeout(late)
        assert.ok(took < 15_000, `${part} at ${name}: ${took} ms`)
      }),
    ),
  )
})

test('V-15 at the identity provider a network with too many requests under way gets 429, and nobody else does', async () => {
  const identity = await startTestIdentity({ trustProxy: 'loopback' })
  const { port } = identity.server
  const slowly = endless.body
    .replace('host:', 'x-forwarded-for: 203.0.113.7\r\nhost:')
    .replace('/health', '/realms/b2c/protocol/openid-connect/token')
    .replace('application/json', 'application/x-www-form-urlencoded')
  const slow = Array.from({ length: limitsPerNetwork.requests }, () => dripInto(port, slowly))
  after(async () => {
    for (const { socket } of slow) socket.destroy()
    await identity.server.close()
  })
  const statusFor = async (client: string) =>
    (await fetch(`http://127.0.0.1:${port}/health`, { headers: { 'x-forwarded-for': client } })).status
  for (const end = Date.now() + 5000; (await statusFor('203.0.113.7')) !== 429; await sleep(20)) assert.ok(Date.now() < end)
  assert.equal(await statusFor('203.0.113.8'), 200)
  assert.equal(await statusFor('2001:db8:1:2::1'), 200)
})
