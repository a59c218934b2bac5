import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import { showMoney } from '@purlin/server/goods/pricing/index.ts'
import {
  accept,
  answerDispute,
  arrive,
  decideDispute,
  disputeOf,
  loseParcel,
  passAppeal,
  readSale,
  ship,
  shipByPost,
  type SellerDispute,
} from '../support/after-sale.ts'
import { bought, shows, type AfterPurchase, type Bought, type Who } from '../support/buyers.ts'
import { amountOf } from '../support/finding.ts'
import { startJourney } from '../support/journey.ts'
import { mailAbout } from '../support/mailbox.ts'
import { lookUntil } from '../support/professionals.ts'
import { variantsOf } from '../support/variants.ts'

/** Goods that do not arrive, and goods that are no longer wanted: from the order to the money, on the buyer's pages. */

const journey = startJourney({ pictures: false })

/** The refund on the page of the order, once the provider has made it. */
async function seeRefund({ visitor, email, sale, openOrder }: Bought, amount: number): Promise<void> {
  const { page, t, market } = visitor
  const { formatted } = showMoney(market, amount)
  await openOrder()
  const refunds = page.locator('#refunds')
  await lookUntil(page, async () => (await refunds.getByText(t('refund.state.done'), { exact: true }).count()) > 0)
  assert.equal(await refunds.getByRole('heading', { level: 3 }).count(), 1, 'one refund')
  await refunds.getByRole('link', { name: formatted, exact: true }).waitFor()
  const mail = await mailAbout(journey.shop.origin, email, t('refund.mail.done.subject', { amount: formatted, id: sale.orderId }))
  assert.ok(mail.includes('access='), 'the mail leads back to the order')
}

/** One tap on the page of the order, and a form that knows the reason. */
async function openDispute({ visitor, openOrder, look }: Bought, amount: number): Promise<void> {
  const { page, t } = visitor
  await openOrder()
  await shows(visitor, t('order.state.incident-open')).waitFor()
  await shows(visitor, t('shipment.lost')).waitFor()
  await look('order with a lost parcel')
  await page.getByRole('button', { name: t('support.lost.do') }).click()
  await page.getByRole('heading', { level: 1, name: t('dispute.open.title') }).waitFor()
  assert.equal(await page.locator('#reason').inputValue(), 'NOT_RECEIVED')
  await page.getByLabel(t('dispute.wish.PART_REFUND'), { exact: true }).check()
  await page.locator('#amount').fill((amount / 100).toFixed(2))
  await page.locator('#note').fill('One of the two parcels has not arrived.')
  await look('dispute form')
  await page.getByRole('button', { name: t('dispute.open.send') }).click()
  await page.getByRole('heading', { level: 1, name: t('dispute.opened.title') }).waitFor()
  await look('dispute opened')
  await page.getByRole('link', { name: t('dispute.opened.see') }).click()
  await shows(visitor, t('dispute.state.OPEN')).waitFor()
}

/** How the two of them come to an end: the seller agrees, the operator decides, or decides once more. */
const endings = {
  agreed: async ({ sale }: Bought, dispute: SellerDispute) => {
    await answerDispute(sale, dispute, 'agree')
    return 'SETTLED' as const
  },
  decided: async ({ visitor, sale, look }: Bought, dispute: SellerDispute, amount: number) => {
    const { page, t, market } = visitor
    await answerDispute(sale, dispute, 'contest')
    await page.reload()
    await shows(visitor, t('dispute.state.MEDIATION')).waitFor()
    await decideDispute(journey.shop, dispute, amount)
    await page.reload()
    await shows(visitor, t('dispute.state.DECIDED')).waitFor()
    await shows(visitor, showMoney(market, amount).formatted).waitFor()
    await look('dispute decided')
    await passAppeal(journey.shop, dispute)
    return 'CLOSED' as const
  },
  appealed: async ({ visitor, sale, look }: Bought, dispute: SellerDispute, amount: number) => {
    const { page, t } = visitor
    await answerDispute(sale, dispute, 'contest')
    await decideDispute(journey.shop, dispute, 0)
    await page.reload()
    await shows(visitor, t('dispute.state.DECIDED')).waitFor()
    await page.locator('#note').fill('The carrier itself says that it is lost.')
    await page.getByRole('button', { name: t('dispute.move.APPEAL') }).click()
    await shows(visitor, t('dispute.state.APPEALED')).waitFor()
    await look('dispute appealed')
    await decideDispute(journey.shop, dispute, amount)
    return 'CLOSED' as const
  },
}

interface Losing {
  market: Market
  mode: Mode
  who: Who
  ending: keyof typeof endings
}

const losings: readonly Losing[] = [
  { market: 'it', mode: 'b2c', who: 'guest by link', ending: 'decided' },
  { market: 'gb', mode: 'b2b', who: 'customer', ending: 'appealed' },
  { market: 'de', mode: 'b2c', who: 'customer', ending: 'agreed' },
]

for (const { market, mode, who, ending } of variantsOf(losings))
  test(`R-134 in ${market}.${mode} one of two parcels of a ${who} is lost: the buyer opens a dispute, it is ${ending}, and the order says that the money is back`, async () => {
    const order = await bought(journey, { market, mode }, who, { lines: 2 })
    const { visitor, email, sale, openOrder, look } = order
    const { page, t } = visitor
    const [kept, lost] = (await readSale(sale)).lines
    assert.ok(kept && lost)
    const amount = lost.total.amount
    await accept(sale)
    await arrive(sale, await ship(sale, [kept]))
    await loseParcel(journey.shop, await shipByPost(journey.shop, sale, [lost]))
    await mailAbout(journey.shop.origin, email, t('shipment-mail.incident.subject', { id: sale.orderId }))

    await openDispute(order, amount)
    const dispute = await disputeOf(sale)
    const ended = await endings[ending](order, dispute, amount)
    await lookUntil(page, async () => (await shows(visitor, t(`dispute.state.${ended}`)).count()) > 0)
    const { number } = dispute
    await mailAbout(journey.shop.origin, email, t('dispute-mail.subject', { number, id: sale.sellerOrderId }))
    await page.getByRole('link', { name: t('dispute.refund') }).click()
    await page.getByRole('heading', { level: 1, name: t('refund.page.title') }).waitFor()
    await look('refund of a dispute')

    await seeRefund(order, amount)
    assert.equal(await shows(visitor, t('order.state.incident-open')).count(), 0, 'nothing is being looked into any more')
    assert.equal(await page.getByRole('button', { name: t('support.lost.do') }).count(), 0)
    const state = t(`dispute.state.${ended}`)
    await page.getByRole('link', { name: t('dispute.list.item', { number, state }), exact: true }).waitFor()
    await look('order after a dispute')
    await page.getByRole('link', { name: t('shipment.details') }).click()
    await page
      .locator('main')
      .getByText(t('shipment.reason.refunded-in-dispute', { count: 1 }))
      .waitFor()
    await openOrder()
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })

const cancellings: readonly AfterPurchase[] = [
  { market: 'es', mode: 'b2c', who: 'guest', javaScript: false },
  { market: 'fr', mode: 'b2b', who: 'guest', javaScript: true },
  { market: 'gb', mode: 'b2c', who: 'customer', javaScript: true },
]

for (const { market, mode, who, javaScript } of variantsOf(cancellings))
  test(`R-132 in ${market}.${mode} a ${who}, ${javaScript ? 'with' : 'without'} scripts, cancels one of three lines: the summary states the sum, the order repeats it, and the others arrive`, async () => {
    const order = await bought(journey, { market, mode, javaScript }, who, { lines: 3 })
    const { visitor, sale, openOrder, look } = order
    const { page, t } = visitor
    const { lines, total } = await readSale(sale)
    const [, dropped] = lines
    assert.ok(dropped)
    await openOrder()
    await page.getByRole('link', { name: t('cancellation.link'), exact: true }).click()
    await page.locator(`select[name="lines[o${dropped.offerId}]"]`).selectOption('1')
    await page.getByRole('button', { name: t('cancellation.continue') }).click()
    await page.getByRole('heading', { level: 1, name: t('cancellation.summary') }).waitFor()
    await page.getByText(t('cancellation.line-now', { count: 1, title: dropped.title })).waitFor()
    await look('summary of a cancellation')
    const amount = Math.round(amountOf(await page.locator('main form strong').innerText()) * 100)
    const goods = lines.reduce((sum, line) => sum + line.total.amount, 0)
    const share = ((total.amount - goods) * dropped.total.amount) / goods
    assert.ok(Math.abs(amount - dropped.total.amount - share) <= 1, `${amount} for ${dropped.total.amount} and its delivery, ${share}`)
    await page.getByRole('button', { name: t('cancellation.confirm') }).click()
    await page.getByText(t('flash.lines-cancelled')).first().waitFor()

    await seeRefund(order, amount)
    await page
      .locator('#refunds')
      .getByText(t('refund.line', { count: 1, title: dropped.title }))
      .waitFor()
    await shows(visitor, t('shipment.pieces', { count: 1, state: t('order.state.cancelled') })).waitFor()
    await shows(visitor, t('shipment.pieces', { count: 2, state: t('order.state.pending') })).waitFor()
    await look('order with a cancelled line')

    await accept(sale)
    await arrive(sale, await ship(sale))
    await openOrder()
    await shows(visitor, t('shipment.pieces', { count: 2, state: t('order.state.delivered') })).waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })
