import assert from 'node:assert/strict'
import type { FrameLocator } from 'playwright-core'
import { queryShop } from './finding.ts'
import { patient } from './patience.ts'
import { people, type Visitor } from './visitor.ts'

interface Card {
  url: string
  title: string
  sellerId: number
  sellerCountryId: string
  bulk: number | null
}

/** Offers of two sellers, from two countries if possible, sold singly to anybody: found as a page would find them. */
export async function offersOfTwoSellers(visitor: Visitor): Promise<Card[]> {
  const cards = '{ cards { url title sellerId sellerCountryId bulk } }'
  const { drills, deals } = await queryShop<Record<'drills' | 'deals', { cards: Card[] }>>(
    visitor,
    `{ drills: listing(input: { kind: search, query: "drill", pageSize: 100 }) ${cards} deals: listing(input: { kind: deals, pageSize: 100 }) ${cards} }`,
  )
  const single = [...drills.cards, ...deals.cards].filter(({ bulk }) => bulk === null)
  const first = single[0]
  const other =
    single.find(({ sellerCountryId }) => sellerCountryId !== first?.sellerCountryId) ??
    single.find(({ sellerId }) => sellerId !== first?.sellerId)
  assert.ok(first && other, 'the demo shop has goods of two sellers')
  return [first, other]
}

/** Adds one product of each of two sellers to the cart, from their product pages. Returns the sellers' countries. */
export async function fillCart(visitor: Visitor): Promise<string[]> {
  const { page, origin, t } = visitor
  const offers = await offersOfTwoSellers(visitor)
  for (const { url } of offers) {
    await page.goto(origin + url)
    const add = page.getByRole('button', { name: t('goods.add'), exact: true }).first()
    await Promise.all([page.waitForResponse((response) => /"offerId"|do=add/.test(response.request().postData() ?? '')), add.click()])
    await page.waitForLoadState()
  }
  await page.goto(`${origin}/cart`)
  await page.getByRole('heading', { level: 1, name: t('cart.title'), exact: true }).waitFor()
  return offers.map(({ sellerCountryId }) => sellerCountryId)
}

/** From the cart to the page with all details, as a guest, with the e-mail address filled in. */
export async function goToAddress({ page, t }: Visitor, email: string): Promise<void> {
  await page.getByRole('link', { name: t('cart.order') }).click()
  await page.getByRole('heading', { level: 1, name: t('checkout.address.title') }).waitFor()
  await page.getByLabel(t('checkout.register.email')).fill(email)
}

/** Fills in name and address, and the phone number where it is asked for. */
export async function typeAddress({ page, t, market, mode }: Visitor): Promise<void> {
  const { firstName, lastName, phone, ...place } = people[market]
  const field = (key: 'name' | 'line1' | 'postcode' | 'city' | 'phone' | 'company') =>
    page.getByLabel(t(`checkout.address.${key}`), { exact: true }).first()
  await field('name').fill(`${firstName} ${lastName}`)
  for (const key of ['line1', 'postcode', 'city'] as const) await field(key).fill(place[key])
  if ((await field('phone').count()) > 0) await field('phone').fill(phone)
  if (mode === 'b2b') await field('company').fill('Example Building Ltd')
}

/** Fills in the details and continues to the payment. */
export async function fillAddress(visitor: Visitor): Promise<void> {
  const { page, t } = visitor
  await typeAddress(visitor)
  await page.getByRole('button', { name: t('checkout.address.continue') }).click()
  await page.getByRole('heading', { level: 1, name: t('checkout.payment.title') }).waitFor()
}

/** From the cart to the payment page, as a guest. */
export async function goToPayment(visitor: Visitor, email: string): Promise<void> {
  await goToAddress(visitor, email)
  await fillAddress(visitor)
}

/** The provider's own fields, in their frame. */
export async function cardFrame({ page }: Visitor): Promise<FrameLocator> {
  const frame = page.locator('iframe')
  await frame.waitFor()
  return frame.contentFrame()
}

export async function typeCard(visitor: Visitor, number: string): Promise<void> {
  const frame = await cardFrame(visitor)
  await frame.locator('input[name=number]').fill(number)
  await frame.locator('input[name=expiry]').fill('12 / 32')
  await frame.locator('input[name=code]').fill('123')
  await frame.locator('form button').first().click()
}

/** Waits for the receipt and returns the order number shown. */
export async function expectReceipt({ page, t }: Visitor): Promise<string> {
  await page.getByRole('heading', { level: 1, name: t('checkout.receipt.title') }).waitFor({ timeout: patient(30_000) })
  const id = /\/order\/([\w-]+)\//.exec(page.url())?.[1]
  assert.ok(id, `the receipt of an order has its address, not ${page.url()}`)
  return id
}

/** Pays with a card, by default one that the bank approves at once. Returns the order number. */
export async function payByCard(visitor: Visitor, card = '4000000000000002'): Promise<string> {
  await typeCard(visitor, card)
  return arriveAtReceipt(visitor)
}

/** Without scripts the provider returns through a link in its frame, which is gone once the receipt is there. Returns the order number. */
export async function arriveAtReceipt(visitor: Visitor): Promise<string> {
  const { page, t } = visitor
  const back = page
    .locator('iframe')
    .contentFrame()
    .getByRole('link', { name: t('card-payment.back') })
  const receipt = page.getByRole('heading', { level: 1, name: t('checkout.receipt.title') })
  const isLink = await Promise.race([back.waitFor().then(() => true), receipt.waitFor().then(() => false)])
  // With a script the page may leave before the click.
  if (isLink) await back.click().catch(() => undefined)
  return expectReceipt(visitor)
}
