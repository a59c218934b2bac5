import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import { paths } from '@purlin/storefront/paths.ts'
import type { Locator } from 'playwright-core'
import { enter } from './account-states.ts'
import { saleOf, type Sale } from './after-sale.ts'
import { assertFaultless, assertFits } from './axe.ts'
import { standStill } from './browser.ts'
import { payByCard, typeAddress } from './buying.ts'
import { queryShop } from './finding.ts'
import type { Journey } from './journey.ts'
import { linkIn } from './mailbox.ts'
import { addToBasket, withDatabase } from './professionals.ts'
import type { Shop } from './shop.ts'
import type { Visitor, VisitorOptions } from './visitor.ts'

/** Buyers of goods of one seller, and how they come back to their order. */

/** A guest in the browser that bought, a guest who comes back by the link of a mail, or somebody who is signed in. */
export type Who = 'guest' | 'guest by link' | 'customer'

/** A variant of a journey after a purchase. */
export interface AfterPurchase {
  market: Market
  mode: Mode
  who: Who
  javaScript: boolean
}

interface Wanted {
  /** Different products, all of one seller. */
  lines: number
  /** Freight, brought by appointment; parcels by default. */
  isBulky?: boolean
  /** The card that pays; one that the bank approves by default. */
  card?: string
}

export interface Bought {
  /** The visitor who opens the order's pages after the purchase. */
  visitor: Visitor
  email: string
  sale: Sale
  /** Opens the order, from whatever page. */
  openOrder(): Promise<void>
  /** Checks a page with axe and on phones, if scripts run. */
  look(name: string): Promise<void>
}

/** A text of the page, as a whole. */
export const shows = ({ page }: Visitor, text: string): Locator => page.locator('main').getByText(text, { exact: true }).first()

interface Card {
  url: string
  productId: string
  sellerId: number
  bulk: number | null
  prices: { main: { asFloat: number } }
}

/** Products that are sold singly, by one seller. */
async function goodsOfOneSeller(shop: Shop, visitor: Visitor, { lines, isBulky = false }: Wanted): Promise<Card[]> {
  const fields = '{ cards { url productId sellerId bulk prices { main { asFloat } } } }'
  const lists = isBulky ? ['kind: category, id: 2000', 'kind: category, id: 1900'] : ['kind: deals', 'kind: category, id: 1000']
  const query = lists.map((input, at) => `l${at}: listing(input: { ${input}, pageSize: 100 }) ${fields}`).join(' ')
  const found = await queryShop<Record<string, { cards: Card[] }>>(visitor, `{ ${query} }`)
  const freight = await freightIn(shop, visitor)
  const cards = Object.values(found)
    .flatMap((list) => list.cards)
    .filter(({ bulk, productId, prices }) => bulk === null && freight.has(productId) === isBulky && prices.main.asFloat > 5)
  const unique = [...new Map(cards.map((card) => [card.productId, card])).values()]
  const bySeller = Map.groupBy(unique, ({ sellerId }) => sellerId)
  const goods = [...bySeller.values()].find((own) => own.length >= lines)?.slice(0, lines)
  return goods ?? assert.fail(`no seller has ${lines} of these goods in ${visitor.market}`)
}

/** Products that sellers of the market bring by appointment. */
async function freightIn({ databaseUrl }: Shop, { market }: Visitor): Promise<Set<string>> {
  return withDatabase(databaseUrl(), async (pool) => {
    const { rows } = await pool.query<{ id: string }>(
      `select distinct product_id::text as id from catalogue.offer where market = $1 and delivery @> '[{"kind": "appointment"}]'`,
      [market],
    )
    return new Set(rows.map(({ id }) => id))
  })
}

/** The first hour of the carrier's calendar that is free. */
async function chooseTime({ page, t }: Visitor): Promise<void> {
  await page.getByRole('heading', { level: 1, name: t('checkout.delivery.title') }).waitFor()
  await page.locator('main label:has(input[name^="slot"]:not([disabled]))').first().click()
  await page.getByRole('button', { name: t('checkout.delivery.continue') }).click()
}

/** From product pages to the receipt. Guests give an e-mail address. Returns the order number. */
async function buy(visitor: Visitor, goods: readonly Card[], email: string | null, { isBulky, card }: Wanted): Promise<string> {
  const { page, origin, t } = visitor
  for (const each of goods) await addToBasket(visitor, each)
  await page.goto(`${origin}/cart`)
  await page.getByRole('link', { name: t('cart.order') }).click()
  await page.getByRole('heading', { level: 1, name: t('checkout.address.title') }).waitFor()
  if (email !== null) await page.getByLabel(t('checkout.register.email')).fill(email)
  await typeAddress(visitor)
  if (isBulky) await page.locator('form[data-details] input[type="radio"][value="appointment"]').check()
  await page.getByRole('button', { name: t('checkout.address.continue') }).click()
  if (isBulky) await chooseTime(visitor)
  await page.getByRole('heading', { level: 1, name: t('checkout.payment.title') }).waitFor()
  return payByCard(visitor, card)
}

/** Buys through the pages, and comes back to the order as the buyer would: a guest by link in another browser. */
export async function bought(journey: Journey, options: VisitorOptions, who: Who, wanted: Wanted): Promise<Bought> {
  const { shop } = journey
  const buyer = await journey.visit(options)
  const isSignedIn = who === 'customer'
  const email = isSignedIn
    ? `${(await enter(shop.databaseUrl(), buyer)).customerId}@example.com`
    : `${options.market}.${randomUUID().slice(0, 8)}@buyer.example`
  const goods = await goodsOfOneSeller(shop, buyer, wanted)
  const orderId = await buy(buyer, goods, isSignedIn ? null : email, wanted)
  const sale = await saleOf(shop, options.market, orderId)
  assert.deepEqual(buyer.complaints, [])
  const visitor = who === 'guest by link' ? await journey.visit(options) : buyer
  const { page, origin, t } = visitor
  const title = page.getByRole('heading', { level: 1, name: t('checkout.order.title', { id: orderId }) })
  if (visitor !== buyer) {
    await buyer.leave()
    await page.goto(await linkIn(shop.origin, email, /https?:\/\/[^\s"<>]+\/orders\/customer-order\/[^\s"<>]+access=[\w-]+/))
    await title.waitFor()
  }
  return {
    visitor,
    email,
    sale,
    openOrder: async () => {
      await page.goto(origin + paths.orderDetails({ customerOrderId: orderId, sellerOrderId: sale.sellerOrderId }))
      await title.waitFor()
    },
    look: async (name) => {
      if (options.javaScript !== false) {
        await standStill(page)
        await assertFaultless(visitor, name)
      }
      await assertFits(visitor, name, [320, 390])
    },
  }
}
