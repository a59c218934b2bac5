import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { faultsOf } from '../support/axe.ts'
import { arriveAtReceipt, cardFrame, fillAddress, fillCart, typeCard } from '../support/buying.ts'
import { startJourney } from '../support/journey.ts'
import { patient } from '../support/patience.ts'
import { signIn } from '../support/signing-in.ts'
import { people, type Visitor, type VisitorOptions } from '../support/visitor.ts'

/** A customer with a saved address and a saved card buys what is in the cart with two clicks. */

const journey = startJourney({ pictures: false })
const approved = '4000 0000 0000 0002'
const challenged = '4000 0000 0000 0028'

async function emptyWallet({ page, origin, t }: Visitor, isScripted: boolean): Promise<void> {
  await page.goto(`${origin}/my-wallet`)
  const drop = page.locator('main').getByRole('button', { name: t('cards.drop'), exact: false })
  for (let left = await drop.count(); left > 0; left -= 1) {
    const isDropped = page.waitForEvent('load')
    await drop.first().click()
    // With a script the page asks first.
    if (isScripted) await page.locator('dialog[data-saved-card][open] button[value="drop"]').click()
    await isDropped
  }
  await page.getByText(t('cards.none'), { exact: true }).waitFor()
}

async function ensureAddress({ page, origin, t, market, mode }: Visitor): Promise<void> {
  await page.goto(`${origin}/my-account/addresses`)
  if ((await page.locator('main address').count()) > 0) return
  await page.goto(`${origin}/my-account/addresses?add=1`)
  // Name and phone are known already, or entered here.
  const field = (name: string) => page.locator(`main [name="${name}"]`)
  assert.notEqual(await field('firstName').inputValue(), '')
  for (const name of ['line1', 'postcode', 'city', 'phone'] as const) await field(name).fill(people[market][name])
  if (mode === 'b2b') await field('company').fill('Example Building')
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: t('account.addresses.keep') }).click()])
  await page.locator('main address').first().waitFor()
}

/** The long way, once: step by step, with a new card that is saved. */
async function payAndSave(visitor: Visitor, number: string): Promise<void> {
  const { page, origin, t } = visitor
  await fillCart(visitor)
  await page.goto(`${origin}/checkout/address`)
  const choose = page.locator('main button[value="choose"]')
  if ((await choose.count()) > 0) {
    await choose.first().click()
    await page.getByRole('heading', { level: 1, name: t('checkout.delivery.title') }).waitFor()
    await page.getByRole('button', { name: t('checkout.delivery.continue') }).click()
  } else await fillAddress(visitor)
  await page.getByRole('heading', { level: 1, name: t('checkout.payment.title') }).waitFor()
  const frame = await cardFrame(visitor)
  const save = frame.getByLabel(t('card-payment.save'))
  await save.waitFor()
  assert.equal(await save.isChecked(), false, 'saving is the buyer’s own choice')
  await save.check()
  await typeCard(visitor, number)
  if (number === challenged) await answerBank(visitor)
  await arriveAtReceipt(visitor)
}

async function answerBank(visitor: Visitor): Promise<void> {
  const frame = await cardFrame(visitor)
  await frame.locator('input[name=answer]').fill('123456')
  await frame.getByRole('button', { name: visitor.t('card-payment.confirm') }).click()
}

/** The saved-card modal names the card, and closing it deletes nothing. */
async function keepsTheCard({ page, t }: Visitor, last4: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: t('cards.confirm.title') })
  for (const close of [() => dialog.getByRole('button', { name: t('cards.confirm.keep') }).click(), () => page.keyboard.press('Escape')]) {
    await page
      .locator('main')
      .getByRole('button', { name: t('cards.drop') })
      .first()
      .click()
    await dialog.waitFor()
    assert.ok((await dialog.innerText()).includes(last4))
    assert.deepEqual(await faultsOf(page.mainFrame()), [])
    await close()
    await dialog.waitFor({ state: 'hidden' })
  }
  // A sign-out in another tab ends the question, too.
  await page
    .locator('main')
    .getByRole('button', { name: t('cards.drop') })
    .first()
    .click()
  await dialog.waitFor()
  await page.route('**/api/auth/session', (route) => route.fulfill({ json: {} }), { times: 1 })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await dialog.waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByText(last4).first().waitFor()
}

async function buysInTwoClicks(options: VisitorOptions, email: string, number: string): Promise<void> {
  const visitor = await journey.visit(options)
  const { page, origin, t } = visitor
  // The first-visit notes for professionals are covered elsewhere.
  await page.addLocatorHandler(page.locator('dialog[data-modal][open]'), () => page.keyboard.press('Escape'))
  await signIn(visitor, email)
  // From here on it is the shop's pages that are watched.
  visitor.complaints.length = 0
  const isScripted = options.javaScript !== false
  await emptyWallet(visitor, isScripted)
  await ensureAddress(visitor)
  await payAndSave(visitor, number)
  await page.goto(`${origin}/my-wallet`)
  // The worker reads the provider's list within a moment.
  for (let looks = 0; looks < patient(20) && (await page.getByText(number.slice(-4)).count()) === 0; looks += 1) {
    await page.waitForTimeout(250)
    await page.reload()
  }
  if (isScripted) await keepsTheCard(visitor, number.slice(-4))
  await fillCart(visitor)
  const titles = await page.locator('main h3 a, main li a[href^="/p/"]').allInnerTexts()
  const total = await page.locator('main dd').last().innerText()

  let clicks = 0
  const click = async (what: Locator) => {
    clicks += 1
    await what.click()
  }
  await click(page.getByRole('button', { name: t('express.go') }))
  await page.getByRole('heading', { level: 1, name: t('checkout.payment.title') }).waitFor()
  const frame = await cardFrame(visitor)
  const pay = frame.locator('form').first().getByRole('button')
  await pay.waitFor()
  // Goods, total and legal text are on the page, the legal text directly above the card and its button.
  const shown = await page.locator('main').innerText()
  for (const part of [total, ...titles.filter((title) => title.trim() !== '').slice(0, 1)]) assert.ok(shown.includes(part.trim()), part)
  const law = await page.locator('[data-legal]').boundingBox()
  const card = await page.locator('iframe').boundingBox()
  assert.ok(law && card && law.y + law.height <= card.y, 'the law stands above the button')
  assert.ok((await frame.locator('fieldset').innerText()).includes(number.slice(-4)))
  await click(pay)
  if (number === challenged) await answerBank(visitor)
  await arriveAtReceipt(visitor)
  assert.equal(clicks, 2)
  const uncaught = visitor.complaints.filter((line) => line.startsWith('error:'))
  assert.deepEqual(uncaught, [])
  await visitor.leave()
}

test('R-015 R-128 R-130 R-428 in gb: two clicks from the cart to the receipt; a saved card is deleted after a confirmation alone', () =>
  buysInTwoClicks({ market: 'gb' }, 'grace@example.com', approved))

test('R-128 R-130 in de without script: two clicks pay; a link returns from the provider’s frame', () =>
  buysInTwoClicks({ market: 'de', javaScript: false }, 'jonas@example.com', approved))

test('R-130 on a professional’s phone in fr: two clicks, and the answer to the bank’s challenge', () =>
  buysInTwoClicks({ market: 'fr', mode: 'b2b', viewport: { width: 390, height: 844 } }, 'camille@mercier.example', challenged))
