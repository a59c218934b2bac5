import type { PlainKey } from '@purlin/words/catalogues.ts'
import assert from 'node:assert/strict'
import pg from 'pg'
import { writePrice } from '@purlin/server/goods/catalogue/write-price.ts'
import { paths } from '@purlin/storefront/paths.ts'
import { cardFrame, expectReceipt, fillAddress, fillCart, goToAddress, typeCard } from './buying.ts'
import type { Visitor } from './visitor.ts'

/** The stops of the tour, in order. */
export const tourStops = [
  'register',
  'register-refused',
  'address',
  'address-refused',
  'delivery',
  'cart-price-changed',
  'cart-stock-gone',
  'delivery-coupon-refused',
  'payment-preparing',
  'payment',
  'payment-challenge',
  'payment-declined',
  'payment-failed',
  'payment-return',
  'order-awaiting-payment',
  'receipt',
  'receipt-authorised',
  'order-paid',
  'order-authorised',
  'order-part-shipped',
  'order-delivered',
  'order-part-refunded',
  'payment-expired',
  'order-expired',
  'order-link-unknown',
] as const
export type TourStop = (typeof tourStops)[number]

/**
 * Walks through the funnel and the order pages, stopping at each possible state. States that no buyer can cause
 * (a price increase, an expired hold, a shipment) are written directly into the shop's tables.
 */
export async function tourFunnel(visitor: Visitor, databaseUrl: string, show: (stop: TourStop) => Promise<void>): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  try {
    const change = (text: string, values: unknown[] = []) => database.query<Record<string, unknown>>(text, values)
    await toDelivery(visitor, show)
    await changesAtCheckout(visitor, change, show)
    const id = await pay(visitor, change, show)
    await afterPayment(visitor, change, id, show)
    await letExpire(visitor, change, show)
  } finally {
    await database.end()
  }
}

type Show = (stop: TourStop) => Promise<void>
type Change = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>

async function toDelivery(visitor: Visitor, show: Show): Promise<void> {
  const { page, t } = visitor
  await fillCart(visitor)
  await page.goto(`${visitor.origin}${paths.funnelLogin()}`)
  await heading(visitor, 'checkout.register.title')
  await show('register')
  await page.locator('main form').evaluateAll((forms: HTMLFormElement[]) => forms.forEach((form) => (form.noValidate = true)))
  await page.getByLabel(t('checkout.register.email')).fill('nobody')
  await page.getByRole('button', { name: t('checkout.register.continue') }).click()
  await page.getByText(t('checkout.error.title')).waitFor()
  await show('register-refused')
  await page.goto(`${visitor.origin}/cart`)
  const email = `pictures.${Date.now()}@buyer.example`
  await goToAddress(visitor, email)
  await show('address')
  await page.locator('main form').evaluateAll((forms: HTMLFormElement[]) => forms.forEach((form) => (form.noValidate = true)))
  await page.getByRole('button', { name: t('checkout.address.continue') }).click()
  await page.getByText(t('checkout.error.title')).waitFor()
  await show('address-refused')
  await page.goto(`${visitor.origin}/cart`)
  await goToAddress(visitor, email)
  await fillAddress(visitor)
  await page.getByRole('link', { name: t('checkout.payment.edit') }).click()
  await heading(visitor, 'checkout.delivery.title')
  await show('delivery')
}

/** Prices and stock change between the delivery page and the order, which the cart reports; an expired code is reported at its field. */
async function changesAtCheckout(visitor: Visitor, change: Change, show: Show): Promise<void> {
  const { page, t, market } = visitor
  const delivery = page.url()
  const id = orderIn(delivery)
  const { rows } = await change(
    `select offer.id, offer.price, offer.pro_price as "proPrice", offer.stock from orders.customer_order
       join cart.line using (cart_id) join catalogue.offer on offer.id = line.offer_id
      where customer_order.id = $1 order by offer.id`,
    [id],
  )
  const offer = rows[0] ?? {}
  // A draft again: prices of an order that was placed are held.
  await page.evaluate(async (order) => {
    const query = `mutation { reopenOrder(customerOrderId: "${order}") { refusal { reason } } }`
    await fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })
  }, id)
  const put = async (to: Record<string, unknown>) => {
    await change(writePrice.text, [[offer.id], [to.price], [to.proPrice]])
    await change('update catalogue.offer set stock = $2 where id = $1', [offer.id, to.stock])
  }
  const order = page.getByRole('button', { name: t('checkout.delivery.continue') })
  for (const [stop, changed] of [
    ['cart-price-changed', { price: Number(offer.price) * 2, proPrice: null, stock: Number(offer.stock) }],
    ['cart-stock-gone', { ...offer, stock: 0 }],
  ] as const) {
    await page.goto(delivery)
    await put(changed)
    await order.click()
    await page
      .getByText(t(stop === 'cart-stock-gone' ? 'cart.sold-out' : 'cart.changed'))
      .first()
      .waitFor()
    await show(stop)
    await put(offer)
  }

  const code = `TOUR${Date.now()}`
  const coupon = `insert into cart.coupon (code, market, kind, value, starts_on, ends_on) values ($1, $2, 'percent', 10, '2020-01-01', '2099-12-31')`
  await change(coupon, [code, market])
  const cartOf = '(select cart_id from orders.customer_order where id = $1)'
  await change(`update cart.cart set coupon_code = $2 where id = ${cartOf}`, [id, code])
  await page.goto(delivery)
  await change(`update cart.coupon set ends_on = '2020-01-02' where code = $1`, [code])
  await order.click()
  await page.getByRole('alert').waitFor()
  await show('delivery-coupon-refused')
  await change(`update cart.cart set coupon_code = null where id = ${cartOf}`, [id])
  await page.goto(delivery)
}

async function pay(visitor: Visitor, change: Change, show: Show): Promise<string> {
  const { page, origin, t } = visitor
  await page.getByRole('button', { name: t('checkout.delivery.continue') }).click()
  await (await cardFrame(visitor)).locator('input[name=number]').waitFor()
  const payment = page.url()
  const id = orderIn(payment)

  const { rows } = await change('select frame_url from payments.payment where customer_order_id = $1', [id])
  await change('update payments.payment set frame_url = null where customer_order_id = $1', [id])
  await page.goto(payment, { waitUntil: 'commit' })
  await page.getByText(t('checkout.payment.preparing')).waitFor()
  await page.evaluate(() => stop())
  await show('payment-preparing')
  await change('update payments.payment set frame_url = $2 where customer_order_id = $1', [id, rows[0]?.['frame_url']])

  await page.goto(payment)
  await (await cardFrame(visitor)).locator('input[name=number]').waitFor()
  await show('payment')
  await page.goto(`${origin}${await orderPath(change, id)}`)
  await show('order-awaiting-payment')
  await page.goto(payment)
  await typeCard(visitor, '4000000000000028')
  await (await cardFrame(visitor)).locator('input[name=answer]').waitFor()
  await show('payment-challenge')
  await page.goto(payment)
  await typeCard(visitor, '4000000000000101')
  await (await cardFrame(visitor)).getByRole('alert').waitFor()
  await show('payment-declined')
  await page.goto(payment)
  await page.getByText(t('checkout.payment.failed.title')).waitFor()
  await show('payment-failed')
  await change('update payments.payment set failure_code = null where customer_order_id = $1', [id])
  await page.goto(`${origin}${paths.spartacuxPayment({}, { order: id })}`, { waitUntil: 'commit' })
  await page.getByText(t('checkout.return.text')).waitFor()
  await page.evaluate(() => stop())
  await show('payment-return')
  await page.goto(payment)
  await typeCard(visitor, '4000000000000002')
  await expectReceipt(visitor)
  await show('receipt')
  return id
}

/** The later states of an order, caused by sellers and banks. */
async function afterPayment(visitor: Visitor, change: Change, id: string, show: Show): Promise<void> {
  const { page, origin } = visitor
  const order = `${origin}${await orderPath(change, id)}`
  const states: [TourStop, string, string[]][] = [
    ['order-paid', 'paid', ['pending', 'pending']],
    ['order-part-shipped', 'part-shipped', ['shipped', 'preparing']],
    ['order-delivered', 'delivered', ['delivered', 'delivered']],
    ['order-part-refunded', 'part-refunded', ['delivered', 'refused']],
    ['order-authorised', 'authorised', ['awaiting-payment', 'awaiting-payment']],
  ]
  for (const [stop, state, parts] of states) {
    await change('update orders.customer_order set state = $2 where id = $1', [id, state])
    await change(
      `update orders.seller_order set state = ($2::text[])[place.number] from
         (select id, row_number() over (order by id) as number from orders.seller_order where customer_order_id = $1) place
        where place.id = seller_order.id`,
      [id, parts],
    )
    await page.goto(order)
    await show(stop)
  }
  await page.goto(`${origin}${paths.orderRecap({ customerOrderId: id })}`)
  await show('receipt-authorised')
  await change(`update orders.customer_order set state = 'paid' where id = $1`, [id])
  await change(`update orders.seller_order set state = 'pending' where customer_order_id = $1`, [id])
}

/** A second order, unpaid; the shop itself expires its hold. */
async function letExpire(visitor: Visitor, change: Change, show: Show): Promise<void> {
  const { page, origin, t } = visitor
  await fillCart(visitor)
  await page.goto(`${origin}${paths.firstOrder()}`)
  await fillAddress(visitor)
  const payment = page.url()
  const id = orderIn(payment)
  await change(`update orders.customer_order set holds_until = now() - interval '1 second' where id = $1`, [id])
  for (const end = Date.now() + 30_000; Date.now() < end; await page.waitForTimeout(250)) {
    const { rows } = await change('select state from orders.customer_order where id = $1', [id])
    if (rows[0]?.['state'] === 'cancelled') break
  }
  await page.goto(payment)
  await page.getByText(t('checkout.payment.expired.title')).waitFor()
  await show('payment-expired')
  const path = await orderPath(change, id)
  await page.goto(`${origin}${path}`)
  await show('order-expired')
  await page.goto(`${origin}${path}?access=there-is-no-such-token`)
  await show('order-link-unknown')
}

function heading({ page, t }: Visitor, key: PlainKey): Promise<void> {
  return page.getByRole('heading', { level: 1, name: t(key) }).waitFor()
}

function orderIn(url: string): string {
  const id = /\/order\/([\w-]+)\//.exec(url)?.[1]
  assert.ok(id, `${url} is the address of an order`)
  return id
}

async function orderPath(change: Change, customerOrderId: string): Promise<string> {
  const { rows } = await change('select id from orders.seller_order where customer_order_id = $1 order by id limit 1', [customerOrderId])
  return paths.orderDetails({ customerOrderId, sellerOrderId: String(rows[0]?.['id']) })
}
