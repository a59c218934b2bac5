import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { brandOf, hasExpired, passesLuhn, readExpiry } from './card-number.ts'
import { startPaymentProvider, type PaymentProviderServer } from './index.ts'
import { markets } from './intent.ts'
import { sign } from './messages.ts'
import { testClient, testPaymentRequest } from './test-client.ts'
import { challengeCode, testCards } from './demo-cards.ts'

const secret = 'secret-of-the-tests'
const webhookSecret = 'webhook-secret-of-the-tests'
let server: PaymentProviderServer
let base = ''
const heard: { type: string; id: string; intent: string; signed: boolean }[] = []
const shop = createServer((request, response) => {
  let body = ''
  request.on('data', (part) => (body += String(part)))
  request.on('end', () => {
    const given = String(request.headers['x-payment-signature'])
    const seconds = Number(/^t=(\d+)/.exec(given)?.[1])
    const { type, id, intent } = JSON.parse(body) as { type: string; id: string; intent: { id: string } }
    heard.push({ type, id, intent: intent.id, signed: given === sign(webhookSecret, body, seconds) })
    response.end('{}')
  })
})

before(async () => {
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  server = await startPaymentProvider({
    port: 0,
    file: ':memory:',
    secret,
    webhookSecret,
    webhookUrl: `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`,
  })
  base = `http://127.0.0.1:${server.port}`
})
after(async () => {
  await server.close()
  shop.closeAllConnections()
  shop.close()
})

interface Wire {
  id: string
  status: string
  captured: number
  refunded: number
  frame_url: string
  error?: { code: string }
}
const { api, page } = testClient<Wire>(secret, () => base)
const wish = testPaymentRequest
const intent = async (over: object = {}): Promise<Wire> => (await api('/v1/intents', { ...wish, ...over })).json
const card = (number: string) => ({ number, expiry: '12 / 39', code: '123', name: 'Robin Field' })
const statusOf = async ({ id }: Wire) => (await api(`/v1/intents/${id}`)).json.status

test('the test cards are valid, distinct card numbers', () => {
  assert.equal(new Set(testCards.map(({ number }) => number)).size, testCards.length)
  for (const { number, brand } of testCards) assert.ok(passesLuhn(number) && brandOf(number) === brand, number)
})

test('one wrong digit, or two adjacent digits swapped, is not a card number', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...testCards.map(({ number }) => number)),
      fc.nat(15),
      fc.integer({ min: 1, max: 9 }),
      (number, at, more) => {
        const wrong = number.slice(0, at) + String((Number(number[at]) + more) % 10) + number.slice(at + 1)
        assert.equal(passesLuhn(wrong), false)
      },
    ),
  )
  for (const text of ['', '4', 'abcd', '4000-0000', '4'.repeat(20)]) assert.equal(passesLuhn(text), false)
})

test('a card is valid until the end of its month', () => {
  const at = (text: string, now: string) => {
    const expiry = readExpiry(text)
    return expiry && hasExpired(expiry, new Date(now))
  }
  assert.equal(at('11/26', '2026-11-30T23:59:00Z'), false)
  assert.equal(at('11 / 2026', '2026-12-01T12:00:00Z'), true)
  assert.equal(at('10/26', '2026-11-21T00:00:00Z'), true)
  for (const text of ['13/26', '0/26', '1126x', '', '11/2']) assert.equal(readExpiry(text), null, text)
})

test('the API requires its secret, an idempotency key on every write, and integer amounts', async () => {
  assert.equal((await api('/v1/intents', wish, { authorization: 'Bearer wrong' })).status, 401)
  assert.equal((await api('/v1/intents', wish, { authorization: '' })).status, 401)
  assert.equal((await api('/v1/intents', wish, { 'idempotency-key': '' })).status, 400)
  for (const over of [
    { amount: 0 },
    { amount: -5 },
    { amount: 1.5 },
    { amount: '12' },
    { market: 'us' },
    { return_url: 'javascript:alert(1)' },
    { return_url: 'http://elsewhere.example/back' },
    { frame_origin: 'http://gb.localhost:3000/path' },
  ]) {
    assert.equal((await api('/v1/intents', { ...wish, ...over })).status, 400, JSON.stringify(over))
  }
  assert.equal((await api('/v1/intents/pi_unknown')).status, 404)
})

test('the same key runs a command once, and is refused for another', async () => {
  const key = { 'idempotency-key': 'order-1-intent' }
  const [first, second] = [await api('/v1/intents', wish, key), await api('/v1/intents', wish, key)]
  assert.deepEqual(second.json, first.json)
  assert.equal((await api('/v1/intents', { ...wish, amount: 1 }, key)).status, 409)
})

test('a payment is authorised, captured, refunded in parts, and never for more than was captured', async () => {
  const one = await intent()
  assert.equal((await api(`/v1/intents/${one.id}/capture`, {})).status, 409)
  await page(one, card('4000000000000002'))
  assert.equal(await statusOf(one), 'authorised')
  assert.equal((await api(`/v1/intents/${one.id}/capture`, {})).json.captured, 1234)
  assert.equal((await api(`/v1/intents/${one.id}/refund`, { amount: 1000 })).json.status, 'part_refunded')
  assert.equal((await api(`/v1/intents/${one.id}/refund`, { amount: 235 })).status, 400)
  assert.equal((await api(`/v1/intents/${one.id}/refund`, { amount: 234 })).json.status, 'refunded')
  assert.equal((await api(`/v1/intents/${one.id}/void`, {})).json.status, 'refunded')
})

for (const market of markets) {
  test(`the card fields are in the language of ${market}, have the requested button, and can only be framed by their shop`, async () => {
    const one = await intent({ market, pay_label: 'The <button> · 12,34 €' })
    const { text, headers } = await page(one)
    assert.match(text, new RegExp(`<html lang="${market === 'gb' ? 'en' : market}"`))
    assert.ok(text.includes('<button>The &#60;button&#62; · 12,34 €</button>'))
    for (const name of ['number', 'expiry', 'code'])
      assert.match(text, new RegExp(`<label for="${name}">[^<]{3}.*<input id="${name}"`, 's'))
    for (const complete of ['cc-number', 'cc-exp', 'cc-csc']) assert.ok(text.includes(`autocomplete="${complete}"`))
    const policy = headers.get('content-security-policy') ?? ''
    assert.ok(
      policy.includes('frame-ancestors http://gb.localhost:3000;') && policy.includes("script-src 'self'") && !policy.includes('unsafe'),
    )
  })
}

test('errors are shown at their fields; number and code are never sent back', async () => {
  const one = await intent()
  const { status, text } = await page(one, { number: '4000 0000 0000 0001', expiry: '01/20', code: 'x', name: 'Robin Field' })
  assert.equal(status, 422)
  for (const name of ['number', 'expiry', 'code'])
    assert.match(text, new RegExp(`<input id="${name}"[^>]*aria-describedby="[^"]*${name}-problem"[^>]*aria-invalid="true"`))
  assert.ok(!text.includes('0000 0001'))
  const unknown = await page(one, card('4242424242424242'))
  assert.match(unknown.text, /takes test cards only/)
  assert.equal(await statusOf(one), 'requires_card')
})

test('the card fields are in the typeface of the shop, served by the provider itself', async () => {
  const { headers } = await page(await intent())
  assert.match(String(headers.get('content-security-policy')), /font-src 'self'/)
  const css = await (await fetch(`${base}/frame.css`)).text()
  const [, path = ''] = /font-family: Archivo;[^}]*url\('([^']+)'\)/.exec(css) ?? []
  const font = await fetch(base + path)
  assert.deepEqual([font.status, font.headers.get('content-type')], [200, 'font/woff2'])
  assert.equal(Buffer.from(await font.arrayBuffer()).toString('latin1', 0, 4), 'wOF2')
})

test('in a full window the last page redirects to the shop; in a frame it uses a link and a script', async () => {
  const [one, two] = [await intent(), await intent()]
  const whole = await page(one, card('4000000000000002'), '', { 'sec-fetch-dest': 'document' })
  assert.deepEqual([whole.status, whole.headers.get('location')], [303, wish.return_url])
  const framed = await page(two, card('4000000000000002'), '', { 'sec-fetch-dest': 'iframe' })
  assert.match(
    framed.text,
    /<body data-done>.*<a href="http:&#47;&#47;gb|<body data-done>.*<a href="http:\/\/gb\.localhost:3000\/back" target="_top">/s,
  )
})

test('3-D Secure: three wrong codes, or cancelling, end it; with a silent bank there is a way back', async () => {
  const one = await intent()
  await page(one, card('4000000000000028'))
  for (let index = 0; index < 2; index++) assert.match((await page(one, { answer: '1' }, '/challenge')).text, /not the code/)
  assert.match((await page(one, { answer: '1' }, '/challenge')).text, /could not confirm that it is you/)
  assert.equal(await statusOf(one), 'declined')
  await page(one, card('4000000000000028'))
  assert.match((await page(one, { cancel: 'yes' }, '/challenge')).text, /could not confirm/)
  const silent = await page(one, card('4000000000000044'))
  assert.match(silent.text, /not answering.*target="_top"/s)
  await page(one, card('5200000000000023'))
  await page(one, { answer: challengeCode }, '/challenge')
  assert.equal(await statusOf(one), 'authorised')
})

test('a wrong secret opens nothing, and an abandoned payment accepts no card', async () => {
  const one = await intent()
  assert.equal((await page({ ...one, frame_url: one.frame_url.replace(/secret=.*/, 'secret=guess') })).status, 404)
  await api(`/v1/intents/${one.id}/void`, {})
  assert.match((await page(one, card('4000000000000002'))).text, /This payment is closed/)
  assert.equal(await statusOf(one), 'voided')
})

test('every message is signed and has a unique id', async () => {
  const one = await intent()
  await page(one, card('4000000000000218'))
  // Messages about other payments may still be in flight.
  const own = () => heard.filter((message) => message.intent === one.id)
  for (let round = 0; round < 200 && own().length < 3; round++) await sleep(10)
  assert.equal(own().length, 3)
  assert.equal(new Set(own().map(({ id }) => id)).size, 1)
  assert.ok(own().every(({ signed, type }) => signed && type === 'intent.authorised'))
})

test('after kill -9 right after its response, it still has the payment and reports it after the next start; no card number is on its disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payment-provider-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const source = `import { startPaymentProvider } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))}
    const server = await startPaymentProvider({ port: 0, file: process.argv[1] + '/p.sqlite', secret: '${secret}', webhookSecret: 'w', webhookUrl: 'http://127.0.0.1:9/' })
    console.log(server.port)`
  const run = async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', source, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
    const port = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text).trim())))
    return { child, at: `http://127.0.0.1:${port}` }
  }
  const first = await run()
  const made: Wire[] = []
  for (let index = 0; index < 20; index++) made.push((await api('/v1/intents', wish, {}, first.at)).json)
  const paid = made[7]
  assert.ok(paid)
  const { pathname, search } = new URL(paid.frame_url)
  const body = new URLSearchParams(card('4000000000000010'))
  await (await fetch(first.at + pathname + search, { method: 'POST', body, headers: { connection: 'close' } })).text()
  first.child.kill('SIGKILL')
  await new Promise((resolve) => first.child.once('exit', resolve))
  const second = await run()
  const list = (await (
    await fetch(`${second.at}/v1/intents?since=2020-01-01T00:00:00Z`, {
      headers: { connection: 'close', authorization: `Bearer ${secret}` },
    })
  ).json()) as { data: Wire[] }
  second.child.kill('SIGKILL')
  assert.deepEqual(
    list.data.map(({ id }) => id),
    made.map(({ id }) => id),
  )
  assert.equal(list.data[7]?.status, 'authorised')
  const disk = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join()
  assert.ok(!disk.includes('4000000000000010') && disk.includes('"last4":"0010"'))
  assert.ok(disk.includes('intent.authorised'))
})
