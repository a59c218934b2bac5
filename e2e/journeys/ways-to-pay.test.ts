/** Wallets and credits of the payment provider, through the funnel as a guest. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { assertFaultless, assertFits } from '../support/axe.ts'
import { cardFrame, expectReceipt, fillCart, goToPayment } from '../support/buying.ts'
import { startJourney } from '../support/journey.ts'
import { variantsOf } from '../support/variants.ts'
import type { Visitor } from '../support/visitor.ts'

const journey = startJourney({ pictures: false })

interface Paying {
  market: Market
  way: 'paypal' | 'klarna' | 'three-parts' | 'google-pay' | 'apple-pay'
  /** Tried before, and refused. */
  refused?: 'klarna' | 'paypal'
}

const payings: Paying[] = [
  { market: 'gb', way: 'paypal', refused: 'klarna' },
  { market: 'de', way: 'klarna' },
  { market: 'fr', way: 'google-pay', refused: 'paypal' },
  { market: 'es', way: 'google-pay' },
  { market: 'it', way: 'apple-pay' },
]

async function choose(buyer: Visitor, way: Paying['way']): Promise<void> {
  await (await cardFrame(buyer)).locator(`button.${way}`).click()
}

for (const { market, way, refused } of variantsOf(payings, 3))
  test(`R-130 a guest in ${market} pays with ${way}${refused ? ` after ${refused} has come to nothing` : ''}, and the order says so`, async () => {
    const buyer = await journey.visit({ market, mode: 'b2c' })
    const { page, t } = buyer
    await fillCart(buyer)
    await goToPayment(buyer, `${way}.${market}.${Date.now()}@buyer.example`)
    const frame = await cardFrame(buyer)
    if (refused) {
      await choose(buyer, refused)
      if (refused === 'paypal') await frame.getByRole('button', { name: t('card-payment.cancel') }).click()
      else {
        await frame.getByLabel(t('card-payment.way.code'), { exact: true }).fill('000000')
        await frame.locator('form button').first().click()
      }
      await frame.getByRole('alert').waitFor()
    }
    await frame.locator(`button.${way}`).waitFor()
    await assertFaultless(buyer, 'payment with other ways')
    await assertFits(buyer, 'payment with other ways', [320])
    await choose(buyer, way)
    await frame.locator('.bank').waitFor()
    await assertFaultless(buyer, way)
    if (way === 'klarna' || way === 'three-parts') await frame.getByLabel(t('card-payment.way.code'), { exact: true }).fill('123456')
    await frame.locator('.bank button:not(.plain)').click()
    await expectReceipt(buyer)
    await page.getByRole('link', { name: t('checkout.receipt.view') }).click()
    const name = {
      paypal: 'PAYPAL',
      klarna: 'KLARNA',
      'three-parts': 'THREE_PARTS',
      'google-pay': 'GOOGLE_PAY',
      'apple-pay': 'APPLE_PAY',
    } as const
    await page.getByText(t('checkout.order.paidWith', { way: name[way] })).waitFor()
    assert.deepEqual(buyer.complaints, [])
    await buyer.leave()
  })
