import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startPaymentProvider, type PaymentProviderServer } from './index.ts'
import { challengeTries, markets } from './intent.ts'
import { challengeCode } from './demo-cards.ts'
import { testClient, testPaymentRequest } from './test-client.ts'
import { refusedCode, threeParts, ways, type Way } from './ways.ts'

const secret = 'secret-of-the-tests'
let server: PaymentProviderServer
let base = ''
before(async () => {
  server = await startPaymentProvider({ port: 0, file: ':memory:', secret, webhookSecret: secret, webhookUrl: 'http://127.0.0.1:1/' })
  base = `http://127.0.0.1:${server.port}`
})
after(() => server.close())

interface Wire {
  id: string
  status: string
  way: Way | null
  card: object | null
  failure_code: string | null
  refunded: number
  frame_url: string
}

const { api, page } = testClient<Wire>(secret, () => base)
const wish = { ...testPaymentRequest, amount: 10_000, currency: 'EUR', market: 'de', pay_label: 'Zahlungspflichtig bestellen · 100,00 €' }
const intent = async (over: object = {}): Promise<Wire> => (await api('/v1/intents', { ...wish, ways, ...over })).json
const stateOf = async ({ id }: Wire): Promise<Wire> => (await api(`/v1/intents/${id}`)).json
const confirm = (one: Wire, answer?: string) => page(one, answer === undefined ? {} : { answer }, '/challenge')

test('only the ways that the shop has named are offered, and only they can pay', async () => {
  const all = await page(await intent())
  for (const way of ways) assert.ok(all.text.includes(`name="way" value="${way}"`), way)
  const one = await intent({ ways: ['paypal'] })
  const { text } = await page(one)
  assert.deepEqual(
    [...text.matchAll(/name="way" value="([\w-]+)"/g)].map(([, way]) => way),
    ['paypal'],
  )
  assert.equal((await page(one, { way: 'klarna' })).status, 422)
  assert.equal((await stateOf(one)).status, 'requires_card')
  assert.doesNotMatch((await page(await intent({ ways: undefined }))).text, /name="way"/)
  for (const wrong of [['bitcoin'], 'paypal', ['paypal', 'paypal']])
    assert.equal((await api('/v1/intents', { ...wish, ways: wrong })).status, 400, JSON.stringify(wrong))
})

for (const way of ways)
  test(`${way} pays on a page of its own whose button names the sum, and is refunded like a card`, async () => {
    const one = await intent()
    const { text } = await page(one, { way })
    assert.ok(text.includes(`<button>${wish.pay_label}</button>`))
    assert.equal((await stateOf(one)).status, 'requires_action')
    await confirm(one, way === 'klarna' || way === 'three-parts' ? challengeCode : undefined)
    const paid = await stateOf(one)
    assert.deepEqual([paid.status, paid.way, paid.card], ['authorised', way, null])
    await api(`/v1/intents/${one.id}/capture`, {})
    assert.equal((await api(`/v1/intents/${one.id}/refund`, { amount: 4_000 })).json.status, 'part_refunded')
    assert.equal((await api(`/v1/intents/${one.id}/refund`, { amount: 6_000 })).json.refunded, 10_000)
  })

test('a credit that is refused, a wrong code and going back leave the payment open for a card', async () => {
  const one = await intent()
  await page(one, { way: 'klarna' })
  const refused = await confirm(one, refusedCode)
  assert.match(refused.text, /role="alert"/)
  assert.deepEqual([(await stateOf(one)).status, (await stateOf(one)).failure_code], ['declined', 'credit-refused'])

  await page(one, { way: 'three-parts' })
  for (let tries = 0; tries < challengeTries; tries++) await confirm(one, '999999')
  assert.equal((await stateOf(one)).failure_code, 'not-confirmed')

  await page(one, { way: 'paypal' })
  await page(one, { cancel: 'yes' }, '/challenge')
  assert.deepEqual([(await stateOf(one)).failure_code, (await stateOf(one)).way], ['not-confirmed', 'paypal'])

  await page(one, { number: '4000000000000002', expiry: '12 / 39', code: '123' })
  assert.deepEqual([(await stateOf(one)).status, (await stateOf(one)).way], ['authorised', null])
})

test('the code that shows a refusal refuses no wallet, and a credit is not granted without a code', async () => {
  const wallet = await intent()
  await page(wallet, { way: 'apple-pay' })
  await confirm(wallet, refusedCode)
  assert.equal((await stateOf(wallet)).status, 'authorised')
  const credit = await intent()
  await page(credit, { way: 'klarna' })
  await confirm(credit)
  assert.equal((await stateOf(credit)).status, 'requires_action')
})

test('three parts add up to the sum, and the first has what is left over', () => {
  assert.deepEqual(threeParts(10_000), [3_334, 3_333, 3_333])
  assert.deepEqual(threeParts(9_000), [3_000, 3_000, 3_000])
})

for (const market of markets)
  test(`the terms of a credit are in the language of ${market}, with the parts as amounts and the days they are due`, async () => {
    const one = await intent({ market, currency: market === 'gb' ? 'GBP' : 'EUR' })
    const { text } = await page(one, { way: 'three-parts' })
    assert.match(text, new RegExp(`<html lang="${market === 'gb' ? 'en' : market}"`))
    const plan = [...text.matchAll(/<li>([^<]*)<\/li>/g)].map(([, row]) => row)
    assert.equal(plan.length, 3)
    const figure = market === 'gb' ? '33.3' : '33,3'
    for (const row of plan) assert.ok(row?.includes(figure), String(row))
    assert.match(plan[2] ?? '', /\d{4}/)
  })
