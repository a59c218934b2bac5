import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { deliver } from '../support/after-sale.ts'
import { assertFaultless, assertFits } from '../support/axe.ts'
import { standStill } from '../support/browser.ts'
import { bought } from '../support/buyers.ts'
import { startJourney } from '../support/journey.ts'
import { signIn } from '../support/signing-in.ts'
import { variantsOf } from '../support/variants.ts'
import type { Visitor } from '../support/visitor.ts'

/** The pages that follow an order, as the people of the demo meet them. */

const journey = startJourney({ pictures: false })
const small = { width: 320, height: 700 }
/** Page kinds, by the shape of their addresses. */
const kinds = {
  order: /^\/orders\/customer-order\/[^/]+\/shipment\/[^/?]+$/,
  shipment: /\/detail$/,
  cancellation: /\/cancellation\/summary$/,
  return: /^\/return-request\/[^?]+$/,
  conversation: /^\/my-messages\/conversation\/[^?]+$/,
  support: /^\/online-support\/[^/?]+$/,
  topic: /^\/online-support\/[^/?]+\?about=delivery$/,
  follow: /\/follow-delivery$/,
  form: /\/contact-form\?/,
  invoice: /^\/online-support\/[^/]+\/invoice$/,
  dispute: /\/dispute\//,
  review: /^\/review\?item=/,
} as const
type Kind = keyof typeof kinds
const everywhere: readonly Kind[] = ['order', 'shipment', 'conversation', 'support', 'topic', 'form', 'invoice']

const linksOf = ({ page }: Visitor): Promise<string[]> =>
  page.locator('main a[href^="/"]').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))

/**
 * Follows the links of the account from its overview, to one page of each kind and three orders; to more orders while a wanted kind is
 * missing, since orders differ in what they offer and other journeys place new ones.
 */
async function walk(visitor: Visitor, wanted: readonly Kind[], see: (name: string) => Promise<void>): Promise<Set<Kind>> {
  const { page, origin } = visitor
  const found = new Set<Kind>()
  const waiting = ['/customer-area', '/orders', '/my-messages/page/1', '/help/order-selection', '/review/listing']
  const orders: string[] = []
  const known = new Set(waiting)
  for (let opened = 0; ;) {
    const path = waiting.shift() ?? (opened++ < (wanted.every((kind) => found.has(kind)) ? 3 : 8) ? orders.shift() : undefined)
    if (path === undefined) return found
    await page.goto(origin + path)
    await see(path)
    for (const link of await linksOf(visitor)) {
      const kind = (Object.keys(kinds) as Kind[]).find((each) => kinds[each].test(link))
      if (!kind || known.has(link)) continue
      known.add(link)
      if (kind === 'order') orders.push(link)
      else if (!found.has(kind)) waiting.push(link)
      found.add(kind)
    }
  }
}

for (const [market, mode, email] of variantsOf([
  ['de', 'b2c', 'jonas@example.com'],
  ['gb', 'b2c', 'grace@example.com'],
  ['fr', 'b2b', 'camille@mercier.example'],
] as const))
  test(`R-094 R-095 R-291 in ${market}.${mode} every page that follows an order can be reached by links, has no axe violations and never scrolls sideways`, async () => {
    const visitor = await journey.visit({ market, mode })
    await visitor.page.emulateMedia({ reducedMotion: 'reduce' })
    await signIn(visitor, email)
    // The past of the German customer has a page of every kind.
    const wanted = market === 'de' ? (Object.keys(kinds) as Kind[]) : everywhere
    const found = await walk(visitor, wanted, async (name) => {
      await standStill(visitor.page)
      await assertFaultless(visitor, name)
      await assertFits(visitor, name, [320, 390])
    })
    assert.deepEqual(
      wanted.filter((kind) => !found.has(kind)),
      [],
      'kinds of pages without a link',
    )
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })

/** Opens the first order page that offers a link, from the list of orders. */
async function openOrderWith(visitor: Visitor, label: string): Promise<void> {
  const { page, origin } = visitor
  await page.goto(`${origin}/orders`)
  const orders = (await linksOf(visitor)).filter((link) => kinds.order.test(link))
  for (const order of orders) {
    await page.goto(origin + order)
    const link = page.getByRole('link', { name: label, exact: true })
    if ((await link.count()) > 0) return link.first().click()
  }
  assert.fail(`no order offers “${label}”`)
}

test('R-096 R-132 without JavaScript, on the smallest phone, one of several pieces is cancelled: choice, summary, and the order says so', async () => {
  const visitor = await journey.visit({ market: 'gb', javaScript: false, viewport: small })
  const { page, t } = visitor
  await signIn(visitor, 'grace@example.com')
  await openOrderWith(visitor, t('cancellation.link'))
  await page.locator('select[name^="lines"]').first().selectOption('0')
  await page.getByRole('button', { name: t('cancellation.continue') }).click()
  await page.getByText(t('cancellation.choose')).waitFor()
  await page.locator('select[name^="lines"]').first().selectOption('1')
  await page.getByRole('button', { name: t('cancellation.continue') }).click()
  await page.getByRole('heading', { level: 1, name: t('cancellation.summary') }).waitFor()
  await page.getByRole('button', { name: t('cancellation.confirm') }).click()
  await page.getByText(t('flash.lines-cancelled')).waitFor()
  assert.match(page.url(), /\/orders\/customer-order\//)
  await visitor.leave()
})

test('R-135 without JavaScript the contract is withdrawn from in two steps, with the reason known, and acknowledged', async () => {
  // Goods of its own: those of the demo can be sent back once only.
  const { visitor, sale, openOrder } = await bought(journey, { market: 'de', javaScript: false, viewport: small }, 'customer', { lines: 1 })
  const { page, t } = visitor
  await deliver(sale)
  await openOrder()
  await page
    .getByRole('link', { name: t('returns.withdraw.link'), exact: true })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: t('returns.withdraw.title') }).waitFor()
  await page.getByRole('button', { name: t('returns.continue') }).click()
  await page.getByText(t('returns.withdraw.note')).waitFor()
  await page.getByRole('button', { name: t('returns.confirm-withdrawal') }).click()
  await page.waitForURL(/\/confirmation\//)
  await page.getByText(t('flash.withdrawal-declared')).waitFor()
  await visitor.leave()
})

test('by keyboard a message with an attachment is written, and the file can be opened', async () => {
  const visitor = await journey.visit({ market: 'de' })
  const { page, origin, t } = visitor
  await signIn(visitor, 'jonas@example.com')
  await page.goto(`${origin}/my-messages/page/1`)
  const conversation = (await linksOf(visitor)).find((link) => kinds.conversation.test(link))
  await page.goto(origin + conversation)
  await page.getByLabel(t('messages.body'), { exact: true }).focus()
  await page.keyboard.type('Hier ist das Foto vom Karton.')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => (document.activeElement as HTMLInputElement).type), 'file')
  const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')
  await page.locator('#attachment').setInputFiles({ name: 'karton.png', mimeType: 'image/png', buffer: picture })
  await page.getByRole('button', { name: t('messages.send') }).focus()
  await page.keyboard.press('Enter')
  const file = page.locator('#latest a').first()
  await file.waitFor()
  assert.match((await page.locator('#latest').textContent()) ?? '', /Foto vom Karton/)
  const type = await page.evaluate(async (url) => (await fetch(url)).headers.get('content-type'), (await file.getAttribute('href')) ?? '')
  assert.match(type ?? '', /^image\//)
  await visitor.leave()
})

test('the invoice of an order is downloaded as a PDF', async () => {
  const visitor = await journey.visit({ market: 'gb' })
  const { page, t } = visitor
  await signIn(visitor, 'grace@example.com')
  await openOrderWith(visitor, t('returns.link'))
  await page.goBack()
  await page
    .getByRole('link', { name: t('invoice.link'), exact: true })
    .first()
    .click()
  const link = page.getByRole('link', { name: /PDF/ }).first()
  await link.waitFor()
  const start = await page.evaluate(async (url) => (await (await fetch(url)).text()).slice(0, 5), (await link.getAttribute('href')) ?? '')
  assert.equal(start, '%PDF-')
  await visitor.leave()
})

test('without JavaScript a review is written from the account, and shown among the reviews of the product', async () => {
  const visitor = await journey.visit({ market: 'gb', javaScript: false, viewport: small })
  const { page, origin, t } = visitor
  await signIn(visitor, 'grace@example.com')
  await page.goto(`${origin}/review/listing`)
  const links = await linksOf(visitor)
  const write = links.find((link) => /^\/review\?item=.*product/.test(link)) ?? ''
  // Products that have been reviewed are in the list too.
  const product = links.find((link) => link.startsWith('/p/') && link.endsWith(`-${decodeURIComponent(write).split(':').at(-1)}`)) ?? ''
  await page.goto(origin + write)
  await page.locator('input[name$="stars"][value="4"]').check()
  // A text that has been sent before waits for an operator, so each run writes one of its own.
  const headline = `Does what it should, weekend ${randomInt(1_000_000)}`
  await page.getByLabel(t('review.write.headline')).fill(headline)
  await page.getByLabel(t('review.write.body')).fill(`${headline}: used in the garage for two days, and it never let me down.`)
  await page.getByRole('button', { name: t('review.write.send') }).click()
  await page.waitForURL(/\/review\/confirmation/)
  assert.doesNotMatch(page.url(), /pending/)
  await page.goto(`${origin}${product.split('?')[0]}/reviews?sort=newest`)
  await page.getByText(headline, { exact: true }).first().waitFor()
  await visitor.leave()
})
