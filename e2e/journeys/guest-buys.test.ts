import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import { cardFrame, expectReceipt, fillCart, goToPayment, typeCard } from '../support/buying.ts'
import { mailTo } from '../support/mailbox.ts'
import { startJourney } from '../support/journey.ts'
import { patient } from '../support/patience.ts'
import { variantsOf } from '../support/variants.ts'

const journey = startJourney({ pictures: false })

const cards = {
  approved: '4000000000000002',
  challenge: '4000000000000028',
  frictionless: '4000000000000010',
  declined: '4000000000000101',
}

interface Buying {
  market: Market
  mode: Mode
  card: keyof typeof cards
}

const buyings: Buying[] = [
  { market: 'gb', mode: 'b2c', card: 'challenge' },
  { market: 'fr', mode: 'b2b', card: 'declined' },
  { market: 'de', mode: 'b2c', card: 'approved' },
  { market: 'gb', mode: 'b2b', card: 'approved' },
  { market: 'fr', mode: 'b2c', card: 'frictionless' },
  { market: 'de', mode: 'b2b', card: 'challenge' },
]

for (const { market, mode, card } of variantsOf(buyings, 3)) {
  test(`R-001 R-010 R-011 R-054 R-082 R-097 R-099 R-100 a guest buys from two sellers in ${market} ${mode}, card ${card}, and receives the order and its mail`, async () => {
    const buyer = await journey.visit({ market, mode, hasTransitions: mode === 'b2c' })
    const path: string[] = []
    buyer.page.on('framenavigated', (frame) => {
      if (frame === buyer.page.mainFrame()) path.push(new URL(frame.url()).pathname)
    })
    const email = `${market}.${mode}.${Date.now()}@buyer.example`
    const countries = await fillCart(buyer)
    assert.equal(new Set(countries).size, 2, `sellers of two countries: ${countries}`)
    const sellers = buyer.page
      .locator('main h2', { hasText: buyer.t.rich('cart.from', { seller: String }, { name: '' }) })
      .getByRole('link')
    assert.equal(await sellers.count(), 2)
    const [firstSeller = '', secondSeller = ''] = await sellers.allInnerTexts()
    assert.equal(await buyer.page.getByRole('link', { name: buyer.t('cart.order') }).count(), 1)
    await goToPayment(buyer, email)
    if (card === 'declined') {
      await typeCard(buyer, cards.declined)
      await (await cardFrame(buyer)).getByRole('alert').waitFor()
      await typeCard(buyer, cards.approved)
    } else await typeCard(buyer, cards[card])
    if (card === 'challenge') {
      const frame = await cardFrame(buyer)
      await frame.locator('input[name=answer]').fill('123456')
      await frame.locator('form button').first().click()
    }
    const id = await expectReceipt(buyer)
    const shown = ['/cart', '/checkout/address', ...['secure-payment', 'secure-payment/receipt'].map((step) => `/order/${id}/${step}`)]
    assert.deepEqual(
      shown.filter((page) => !path.includes(page)),
      [],
      `the funnel led through ${path.join(' ')}`,
    )
    await buyer.page.goto(`${buyer.origin}/order`)
    assert.doesNotMatch(buyer.page.url(), /\/order$/, 'the gateway of the funnel leads on')
    const mail = await mailTo(journey.shop.origin, email)
    assert.ok(mail.includes(id), 'the mail names the order')
    const link = /https?:\/\/[^\s"<>]+access=[\w-]+/.exec(mail.replaceAll('&amp;', '&'))?.[0]
    assert.ok(link, 'the mail has a link to the order')

    const elsewhere = await journey.visit({ market, mode })
    await elsewhere.page.goto(link)
    await elsewhere.page.getByRole('heading', { level: 1, name: elsewhere.t('checkout.order.title', { id }) }).waitFor()
    assert.doesNotMatch(elsewhere.page.url(), /access=/, 'the token does not stay in the address')
    for (const seller of [firstSeller, secondSeller])
      assert.equal(await elsewhere.page.getByRole('heading', { level: 2, name: seller }).count(), 1, `${seller} has a part of the order`)
    await elsewhere.leave()

    const stranger = await journey.visit({ market, mode })
    const answer = await stranger.page.goto(elsewhere.page.url())
    assert.doesNotMatch(stranger.page.url(), new RegExp(`${id}/shipment/[^?]*$`), `a stranger is sent away (${answer?.status()})`)
    await stranger.leave()
    assert.deepEqual(buyer.complaints, [])
    await buyer.leave()
  })
}

test('without JavaScript a guest reaches the card fields', async () => {
  const buyer = await journey.visit({ market: 'gb', javaScript: false })
  await fillCart(buyer)
  await goToPayment(buyer, `nojs.${Date.now()}@buyer.example`)
  for (let tries = 0; tries < patient(10) && (await buyer.page.locator('iframe').count()) === 0; tries++) {
    await buyer.page.waitForTimeout(500)
    await buyer.page.reload()
  }
  await (await cardFrame(buyer)).locator('input[name=number]').waitFor()
  await buyer.leave()
})

test('V-24: a guest on bare localhost pays there, and the mail links back there', async () => {
  const buyer = await journey.visit({ market: 'gb', host: 'localhost' })
  const email = `localhost.${Date.now()}@buyer.example`
  await fillCart(buyer)
  await goToPayment(buyer, email)
  assert.ok(await buyer.page.getByText(email).first().isVisible(), 'the e-mail address of the order is shown before paying')
  await typeCard(buyer, cards.challenge)
  const frame = await cardFrame(buyer)
  await frame.locator('input[name=answer]').fill('123456')
  await frame.locator('form button').first().click()
  const id = await expectReceipt(buyer)
  assert.equal(new URL(buyer.page.url()).origin, buyer.origin)
  const mail = await mailTo(journey.shop.origin, email)
  assert.ok(mail.includes(`${buyer.origin}/orders/customer-order/${id}/`), 'the link of the mail has the host the order was made on')
  assert.deepEqual(buyer.complaints, [])
  await buyer.leave()
})
