import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { challengeCode } from './demo-cards.ts'
import { startPaymentProvider, type PaymentProviderServer } from './index.ts'
import { testClient, testPaymentRequest } from './test-client.ts'
import { offeredCards, type SavedCard } from './saved-cards.ts'

const secret = 'secret-of-the-tests'
const folder = mkdtempSync(join(tmpdir(), 'saved-cards-'))
let server: PaymentProviderServer
let base = ''
before(async () => {
  const webhookUrl = 'http://127.0.0.1:9/'
  server = await startPaymentProvider({ port: 0, file: join(folder, 'p.sqlite'), secret, webhookSecret: 'w', webhookUrl })
  base = `http://127.0.0.1:${server.port}`
})
after(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Wire {
  id: string
  status: string
  frame_url: string
  data: { id: string; brand: string; last4: string; exp_month: number; exp_year: number }[]
  failure_code: string | null
}
const client = testClient<Wire>(secret, () => base)
const { api } = client
const customer = async (reference: string) => (await api('/v1/customers', { reference })).json.id
const cardsOf = async (id: string) => (await api(`/v1/customers/${id}/cards`)).json.data
const intent = async (of?: string): Promise<Wire> => (await api('/v1/intents', { ...testPaymentRequest, ...(of && { customer: of }) })).json
const page = async (...given: Parameters<typeof client.page>) => (await client.page(...given)).text
const statusOf = async ({ id }: Wire) => (await api(`/v1/intents/${id}`)).json.status
const typed = (number: string, more: object = {}) => ({ number, expiry: '04 / 39', code: '123', name: 'Robin Field', ...more })
const approved = '4000000000000002'
const challenged = '4000000000000028'

async function withCard(reference: string, number = approved): Promise<{ of: string; card: string }> {
  const of = await customer(reference)
  const one = await intent(of)
  await page(one, typed(number, { save: 'yes' }))
  if (number === challenged) await page(one, { answer: challengeCode }, '/challenge')
  const [card] = await cardsOf(of)
  assert.ok(card)
  return { of, card: card.id }
}

test('R-130 a card is saved only when its owner ticks the box, which a guest never sees and which is never preselected', async () => {
  const of = await customer('ann')
  assert.equal(await customer('ann'), of, 'one customer per person')
  const one = await intent(of)
  const fields = await page(one)
  assert.match(fields, /<input type="checkbox" id="save" name="save"[^>]*>\s*<label for="save">Save this card/)
  assert.doesNotMatch(fields, /id="save"[^>]* checked/)
  await page(one, typed(approved))
  assert.deepEqual([await statusOf(one), await cardsOf(of)], ['authorised', []])
  await page(await intent(of), typed(approved, { save: 'yes' }))
  const [card, ...more] = await cardsOf(of)
  assert.deepEqual([card?.brand, card?.last4, card?.exp_month, card?.exp_year, more.length], ['visa', '0002', 4, 2039, 0])
  await page(await intent(of), typed(approved, { save: 'yes' }))
  assert.equal((await cardsOf(of)).length, 1, 'the same card is kept once')
  const guest = await intent()
  assert.doesNotMatch(await page(guest), /name="save"|name="saved"/)
  await page(guest, typed(approved, { save: 'yes' }))
  assert.equal(await statusOf(guest), 'authorised')
})

test('R-130 a saved card pays with one button and no input; a new card stays possible', async () => {
  const { of, card } = await withCard('beth')
  const one = await intent(of)
  const fields = await page(one)
  assert.match(
    fields,
    new RegExp(`<input type="radio" id="${card}" name="saved" value="${card}"[^>]* checked>\\s*<label for="${card}">Visa ending in 0002`),
  )
  assert.match(fields, /<details class="other"><summary>Use another card/)
  await page(one, { saved: card })
  assert.equal(await statusOf(one), 'authorised')
  const another = await intent(of)
  assert.match(await page(another, typed('4000000000000101')), /<details class="other" open>/)
  await page(another, typed('5200000000000007'))
  assert.equal(await statusOf(another), 'authorised')
})

test('R-130 the bank may challenge a saved card again, and a wrong answer pays nothing', async () => {
  const { of, card } = await withCard('cleo', challenged)
  const one = await intent(of)
  assert.match(await page(one, { saved: card }), /Confirm this payment/)
  assert.equal(await statusOf(one), 'requires_action')
  await page(one, { answer: '000000' }, '/challenge')
  assert.equal(await statusOf(one), 'requires_action')
  await page(one, { answer: challengeCode }, '/challenge')
  assert.equal(await statusOf(one), 'authorised')
})

test('a card whose authentication is cancelled is not saved', async () => {
  const of = await customer('dora')
  const one = await intent(of)
  await page(one, typed(challenged, { save: 'yes' }))
  await page(one, { cancel: 'yes' }, '/challenge')
  assert.deepEqual([await statusOf(one), await cardsOf(of)], ['declined', []])
})

test('A9 a saved card pays only for its owner: not for a guest, not for another customer, not once it is deleted', async () => {
  const { of, card } = await withCard('emma')
  for (const other of [await intent(), await intent(await customer('mallory'))]) {
    assert.match(await page(other, { saved: card }), /can no longer be used/)
    assert.equal(await statusOf(other), 'requires_card')
  }
  assert.equal((await api(`/v1/cards/${card}/detach`, {})).status, 200)
  assert.equal((await api(`/v1/cards/${card}/detach`, {})).status, 404)
  const own = await intent(of)
  assert.doesNotMatch(await page(own), /name="saved"/)
  assert.match(await page(own, { saved: card }), /can no longer be used/)
  assert.equal(await statusOf(own), 'requires_card')
})

test('the preferred card is offered first; another customer cannot prefer it; deleting the customer deletes all cards', async () => {
  const { of, card } = await withCard('fay')
  await page(await intent(of), typed('5200000000000007', { save: 'yes' }))
  const first = async () => /type="radio" id="([\w-]+)"/.exec(await page(await intent(of)))?.[1]
  assert.equal(await first(), card, 'the first card saved is the default')
  const newer = (await cardsOf(of)).find(({ id }) => id !== card)?.id ?? ''
  assert.equal((await api(`/v1/customers/${of}/prefer`, { card: newer })).status, 200)
  assert.equal(await first(), newer)
  assert.equal((await api(`/v1/customers/${await customer('mallory')}/prefer`, { card: newer })).status, 404)
  await api(`/v1/cards/${newer}/detach`, {})
  assert.equal(await first(), card)
  await api(`/v1/customers/${of}/delete`, {})
  assert.equal((await api(`/v1/customers/${of}/cards`)).status, 404)
})

test('an expired card is not offered', () => {
  const expiry = (year: number, month: number): SavedCard => ({
    id: `card_${year}_${month}`,
    customer: 'cus_1',
    brand: 'visa',
    last4: '0002',
    behaviour: { kind: 'approve', authentication: 'none' },
    expiry: { year, month },
    savedAt: year,
  })
  const offered = offeredCards(
    [expiry(2026, 10), expiry(2026, 11), expiry(2030, 1)],
    { defaultCard: 'card_2026_11' },
    new Date('2026-11-22'),
  )
  assert.deepEqual(
    offered.map(({ id }) => id),
    ['card_2026_11', 'card_2030_1'],
  )
})

test('neither card numbers nor security codes are on the provider’s disk', async () => {
  await withCard('gail', '4000000000000010')
  const disk = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join()
  assert.ok(disk.includes('"last4":"0010"'))
  for (const number of ['4000000000000010', '4000 0000 0000 0010', '000000000010']) assert.ok(!disk.includes(number), number)
})
