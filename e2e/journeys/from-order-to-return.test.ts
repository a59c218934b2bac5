import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask } from '../support/ask.ts'
import { accept, collect, deliver, handleReturn, pickupOf, returnOf, saleOf, ship, type Pickup } from '../support/after-sale.ts'
import { bought, shows, type AfterPurchase, type Bought } from '../support/buyers.ts'
import { startJourney } from '../support/journey.ts'
import { mailAbout } from '../support/mailbox.ts'
import { lookUntil } from '../support/professionals.ts'
import { variantsOf } from '../support/variants.ts'

/** Goods that go back: with a label and for a replacement, or with a driver who comes to the door. */

const journey = startJourney({ pictures: false })
const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')

const seeState = ({ visitor }: Bought, text: string) => lookUntil(visitor.page, async () => (await shows(visitor, text).count()) > 0)

interface Asking {
  reason: 'changed-mind' | 'damaged' | 'defective'
  wish: 'refund' | 'replacement'
}

/** From the order in two steps: what and why, then the wish, with photos if something is wrong with the goods. */
async function askReturn({ visitor, openOrder, look }: Bought, { reason, wish }: Asking): Promise<void> {
  const { page, t } = visitor
  await openOrder()
  await page.getByRole('link', { name: t('returns.link'), exact: true }).click()
  await page.getByLabel(t(`returns.reason.${reason}`), { exact: true }).check()
  await page.getByRole('button', { name: t('returns.continue') }).click()
  await page.getByRole('heading', { level: 2, name: t('returns.summary') }).waitFor()
  const isWithdrawal = reason === 'changed-mind'
  if (!isWithdrawal) {
    await page.locator('#wish').selectOption(wish)
    await page.locator('#description').fill('The switch does not lock, see the pictures.')
    const photos = ['front', 'switch'].map((name) => ({ name: `${name}.png`, mimeType: 'image/png', buffer: picture }))
    await page.locator('#photos').setInputFiles(photos)
  }
  await look(`return of goods: ${reason}`)
  await page.getByRole('button', { name: t(isWithdrawal ? 'returns.confirm-withdrawal' : 'returns.send') }).click()
  await page.waitForURL(/\/confirmation\//)
}

/** Opens a photo as the seller's program would, by its link. */
async function typeOf(link: string): Promise<string> {
  const { host, port, pathname, search } = new URL(link)
  const { status, headers } = await ask(`http://localhost:${port}`, { path: pathname + search, headers: { host } })
  assert.equal(status, 200, link)
  return String(headers['content-type'])
}

const replacings: readonly AfterPurchase[] = [
  { market: 'fr', mode: 'b2c', who: 'guest by link', javaScript: true },
  { market: 'de', mode: 'b2b', who: 'guest by link', javaScript: false },
  { market: 'es', mode: 'b2c', who: 'customer', javaScript: true },
]

for (const { market, mode, who, javaScript } of variantsOf(replacings))
  test(`R-484 in ${market}.${mode} a ${who}, ${javaScript ? 'with' : 'without'} scripts, returns something defective with photos, and the replacement is on its way`, async () => {
    const order = await bought(journey, { market, mode, javaScript }, who, { lines: 1 })
    const { visitor, email, sale, look } = order
    const { page, t } = visitor
    const { origin } = journey.shop
    await deliver(sale)
    await askReturn(order, { reason: 'defective', wish: 'replacement' })
    await shows(visitor, t('returns.state.requested')).waitFor()
    const request = await returnOf(sale)
    const { number } = request
    assert.equal(request.wish, 'replacement')
    assert.deepEqual(await Promise.all(request.photos.map(typeOf)), ['image/png', 'image/png'])
    await mailAbout(origin, email, t('returns.mail.requested.subject', { number }))

    await handleReturn(sale, request, 'accept')
    const label = page.getByRole('link', { name: t('returns.label.pdf') })
    await lookUntil(page, async () => (await label.count()) > 0)
    await mailAbout(origin, email, t('returns.mail.label.subject', { number }))
    await look('return with a label')
    await page.getByRole('button', { name: t('returns.handed-over') }).click()
    await seeState(order, t('returns.state.in-transit'))

    await handleReturn(sale, request, 'receive', 'inspect', 'exchange')
    await seeState(order, t('returns.state.exchanged'))
    await mailAbout(origin, email, t('returns.mail.settled.subject', { number }))
    await look('return with a replacement')
    await page.locator('main section a[href*="/orders/customer-order/"]').click()
    await page.waitForURL((url) => url.pathname.startsWith('/orders/customer-order/') && !url.pathname.includes(sale.orderId))
    const [replacementId = ''] = /(?<=\/customer-order\/)[\w-]+/.exec(page.url()) ?? []
    assert.doesNotMatch(page.url(), /access=/)
    await page.getByRole('heading', { level: 1, name: t('checkout.order.title', { id: replacementId }) }).waitFor()
    await shows(visitor, t('order.state.pending')).waitFor()

    const replacement = await saleOf(journey.shop, market, replacementId)
    await accept(replacement)
    await ship(replacement)
    await page.reload()
    await shows(visitor, t('order.state.shipped')).waitFor()
    await shows(visitor, t('shipment.state.on-the-way')).waitFor()
    assert.equal(await page.getByRole('link', { name: t('cancellation.link'), exact: true }).count(), 0, 'it is no new contract')
    await look('replacement on its way')
    await mailAbout(origin, email, t('shipment-mail.shipped.subject', { id: replacementId }))
    await page.locator('main').getByRole('link', { name: sale.orderId }).click()
    await page.getByRole('heading', { level: 1, name: t('checkout.order.title', { id: sale.orderId }) }).waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })

/** Chooses one of the appointments, and waits until the carrier has confirmed it. Returns the carrier's own record. */
async function book(order: Bought, returnId: string, { choice, round }: { choice: number; round: number }): Promise<Pickup> {
  const { page, t } = order.visitor
  await page.locator('input[name="appointment"]').nth(choice).check()
  // The confirmation of the previous form stays on the page until the next one replaces it.
  const isSent = page.waitForEvent('load')
  await page.getByRole('button', { name: t(round === 1 ? 'collection.accept.do' : 'collection.accept.again') }).click()
  await isSent
  await seeState(order, t('collection.state.booked'))
  const pickup = await pickupOf(journey.shop, returnId, round)
  assert.equal(pickup.status, 'scheduled')
  await shows(order.visitor, whenOf(order, pickup)).waitFor()
  return pickup
}

const whenOf = ({ visitor: { t } }: Bought, { min_datetime: from, max_datetime: to }: Pickup) =>
  t('collection.when', { from: new Date(from), to: new Date(to) })

const collectings: readonly AfterPurchase[] = [
  { market: 'de', mode: 'b2c', who: 'customer', javaScript: true },
  { market: 'it', mode: 'b2b', who: 'guest', javaScript: false },
  { market: 'gb', mode: 'b2c', who: 'guest by link', javaScript: true },
]

for (const { market, mode, who, javaScript } of variantsOf(collectings))
  test(`R-117 in ${market}.${mode} a ${who}, ${javaScript ? 'with' : 'without'} scripts, has something bulky collected at home at another time than first agreed, and gets the money back`, async () => {
    const order = await bought(journey, { market, mode, javaScript }, who, { lines: 1, isBulky: true })
    const { visitor, email, sale, openOrder, look } = order
    const { page, t } = visitor
    const { origin } = journey.shop
    await deliver(sale)
    const isConsumer = mode === 'b2c'
    await askReturn(order, { reason: isConsumer ? 'changed-mind' : 'damaged', wish: 'refund' })
    const request = await returnOf(sale)
    const { id, number } = request
    // A withdrawal needs nobody's consent.
    if (!isConsumer) await handleReturn(sale, request, 'accept')
    await seeState(order, t('collection.state.offered'))
    await mailAbout(origin, email, t('collection-mail.offered.subject', { number }))
    const confirmation = page.url()

    await page.getByRole('link', { name: t('returns.collection.open') }).click()
    await page.getByRole('heading', { level: 1, name: t('collection.title') }).waitFor()
    const first = await book(order, id, { choice: 0, round: 1 })
    await mailAbout(origin, email, t('collection-mail.booked.subject', { number }))
    await look('collection booked')
    const second = await book(order, id, { choice: 3, round: 2 })
    assert.notEqual(second.min_datetime, first.min_datetime)
    assert.equal((await pickupOf(journey.shop, id, 1)).status, 'canceled')
    assert.equal(await shows(visitor, whenOf(order, first)).count(), 0)
    await look('collection rescheduled')
    await page.goto(confirmation)
    await shows(visitor, whenOf(order, second)).waitFor()
    await look('return with a collection')

    await collect(journey.shop, id, 2)
    await seeState(order, t('returns.state.in-transit'))
    await shows(visitor, t('collection.state.collected')).waitFor()
    await handleReturn(sale, request, 'receive', 'inspect', 'refund')
    await seeState(order, t('returns.state.refunded'))
    await mailAbout(origin, email, t('returns.mail.settled.subject', { number }))
    await openOrder()
    await lookUntil(page, async () => (await page.locator('#refunds').getByText(t('refund.state.done'), { exact: true }).count()) > 0)
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })
