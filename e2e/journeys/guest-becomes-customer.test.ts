import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { faultsOf } from '../support/axe.ts'
import { cardFrame, expectReceipt, fillCart, goToPayment, typeCard } from '../support/buying.ts'
import { linkIn, mailsTo } from '../support/mailbox.ts'
import { startJourney } from '../support/journey.ts'
import { people } from '../support/visitor.ts'

/** Somebody buys as a guest and becomes a customer on the receipt, with one field; the order, the cart and the wishlist come along. */

const journey = startJourney({ pictures: false })
const password = 'seven quiet kettles on the hob'
const confirmation = /http:\/\/id\.localhost[^"\s<]+\/link\/[\w-]+/

for (const { market, javaScript } of [
  { market: 'gb', javaScript: true },
  { market: 'de', javaScript: false },
] satisfies { market: Market; javaScript: boolean }[])
  test(`R-315 R-415 in ${market}, ${javaScript ? 'with' : 'without'} scripts, a guest becomes a customer on the receipt with the address of the order, keeps order and cart, and signs in again`, async () => {
    const buyer = await journey.visit({ market, javaScript })
    const { page, origin, t } = buyer
    const email = `${market}.${Date.now()}@becomes.example`
    await fillCart(buyer)
    await goToPayment(buyer, email)
    await typeCard(buyer, '4000000000000002')
    // Without a script the frame ends with a link.
    if (!javaScript) await (await cardFrame(buyer)).getByRole('link', { name: t('card-payment.back') }).click()
    const id = await expectReceipt(buyer)
    const receipt = page.url()
    // Something in the cart after the order.
    await fillCart(buyer)
    await page.goto(receipt)
    const section = page.getByRole('region', { name: t('account.convert'), exact: true })
    const field = section.getByLabel(t('account.convert.email'))
    assert.equal(await field.inputValue(), email, 'the field holds the address of the order')
    if (javaScript) assert.deepEqual(await faultsOf(page.mainFrame()), [])
    await section.getByRole('button', { name: t('account.convert.do') }).click()

    // The identity provider's form knows the address; an account exists once its mail has been answered.
    assert.equal(await page.locator('[name="email"]').inputValue(), email)
    const known = await mailsTo(journey.shop.origin, email)
    await page.locator('[name="given_name"]').fill(people[market].firstName)
    await page.locator('[name="family_name"]').fill(people[market].lastName)
    await page.locator('[name="password"]').fill(password)
    await page.getByRole('button', { name: t('identity.register.submit') }).click()
    await page.getByRole('heading', { name: t('identity.mail-sent.title') }).waitFor()
    await page.goto(await linkIn(journey.shop.origin, email, confirmation, known))
    await page.getByRole('button', { name: t('identity.confirm.submit') }).click()

    // Back in the shop as a customer, whose orders are shown.
    await page.waitForURL(`${origin}/orders`)
    await page.locator('main', { hasText: id }).waitFor()
    await page.goto(`${origin}/cart`)
    assert.ok((await page.locator('main form input[name="offerId"]').count()) > 0, 'the cart has come along')
    await page.goto(receipt)
    await page.getByRole('heading', { level: 1, name: t('checkout.receipt.title') }).waitFor()
    assert.equal(await section.count(), 0, 'a customer is not asked again')
    await buyer.leave()

    const later = await journey.visit({ market, javaScript })
    await later.page.goto(`${origin}/api/auth/pre-login?callbackUrl=${encodeURIComponent('/orders')}`)
    await later.page.getByLabel(t('identity.field.email')).fill(email)
    await later.page.getByLabel(t('identity.field.password'), { exact: true }).fill(password)
    await later.page.getByRole('button', { name: t('identity.sign-in.submit'), exact: true }).click()
    await later.page.waitForURL(`${origin}/orders`)
    await later.page.locator('main', { hasText: id }).waitFor()
    assert.deepEqual(buyer.complaints, [])
    await later.leave()
  })
