import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes, markets } from '@purlin/contract/markets.ts'
import { catalogues } from '@purlin/words/catalogues.ts'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

const cookie = 'who=consumer'
const card = (id: string, more: object = {}) => ({
  id,
  brand: 'Visa',
  last4: '0002',
  expires: '04/29',
  state: 'valid',
  isDefault: false,
  savedAt: '2026-03-02T10:00:00Z',
  ...more,
})

test('R-086 R-253 the wallet shows saved cards by their last digits, marking the default, expiring and expired ones', async () => {
  const mySavedCards = [
    card('k1', { isDefault: true }),
    card('k2', { brand: 'Mastercard', last4: '0007', state: 'expiring', expires: '12/26' }),
    card('k3', { state: 'expired', expires: '10/26' }),
  ]
  const { status, body } = await pageOf({ mySavedCards }, '/my-wallet', { cookie })
  assert.equal(status, 200)
  const text = textOf(body)
  for (const part of [
    'Your saved cards',
    'Default card Visa ending in 0002 Expires 04/29 Saved on 2 March 2026',
    'Expires soon Mastercard ending in 0007',
    'Expired Visa ending in 0002',
    'One of your cards has expired',
    'One of your cards expires soon',
  ])
    assert.ok(text.includes(part), part)
  // Neither the default card nor an expired one can be made the default.
  assert.equal(body.match(/value="prefer"/g)?.length, 1)
  assert.equal(body.match(/name="do" value="drop"/g)?.length, 3)
  assert.match(body, /name="robots" content="noindex"/)
  assert.match(body, /aria-label="Delete: Mastercard ending in 0007"/)
})

test('R-428 deleting a card is confirmed in a modal, in five languages; its form works without a script', async () => {
  for (const market of marketCodes) {
    const { body } = await pageOf({ mySavedCards: [card('k1')] }, '/my-wallet', { cookie, host: `${market}.localhost` })
    const words = catalogues[markets[market].language]
    const dialog = /<dialog[^>]*data-saved-card.*?<\/dialog>/s.exec(body)?.[0] ?? ''
    for (const part of ['title', 'drop', 'keep'] as const)
      assert.ok(textOf(dialog).includes(String(words[`cards.confirm.${part}`]).replaceAll(/\s+/g, ' ')), market)
    assert.doesNotMatch(dialog, /<dialog[^>]* open/)
    const form = /<form[^>]*data-saved="[^"]*0002".*?<\/form>/s.exec(body)?.[0] ?? ''
    for (const part of ['method="post"', 'name="id" value="k1"', 'name="do" value="drop"']) assert.ok(form.includes(part), part)
  }
})

test('R-086 an empty wallet explains how to add a card', async () => {
  const { body } = await pageOf({ mySavedCards: [] }, '/my-wallet', { cookie })
  const text = textOf(body)
  assert.ok(text.includes('No saved cards yet') && text.includes('Save this card for my next orders'))
})

test('R-416 the page confirms each change to a card, and shows a refusal', async () => {
  const done = { refusal: null }
  const shop = await shopWith({ mySavedCards: [card('k1')], preferSavedCard: done, dropSavedCard: done })
  try {
    for (const [what, flash] of [
      ['prefer', 'flash.card-preferred'],
      ['drop', 'flash.card-dropped'],
    ] as const) {
      const reply = await shop.ask('/my-wallet', { cookie, form: { do: what, id: 'k1' } })
      assert.deepEqual([reply.status, reply.headers['location']], [303, '/my-wallet'])
      assert.ok(String(reply.headers['set-cookie']).includes(flash), flash)
      assert.deepEqual(shop.asked.at(-1), { id: 'k1' })
    }
    assert.equal((await shop.ask('/my-wallet', { cookie, form: { do: 'charge', id: 'k1' } })).status, 422)
  } finally {
    await shop.close()
  }
  const gone = { refusal: { reason: 'unknown-card', message: 'This card is not saved any more.', fields: [] } }
  const refused = await pageOf({ mySavedCards: [], dropSavedCard: gone }, '/my-wallet', { cookie, form: { do: 'drop', id: 'k1' } })
  assert.ok(refused.status === 422 && textOf(refused.body).includes('This card is not saved any more.'))
})

test('R-478 the wallet is for signed-in customers', async () => {
  const reply = await pageOf({ mySavedCards: [] }, '/my-wallet', { cookie: 'who=guest' })
  assert.deepEqual([reply.status, reply.headers['location']], [302, '/login?callbackUrl=%2Fmy-wallet'])
})
