import { markets, type Market, type Mode } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { customerIdOfOwner, readCustomer } from '#accounts'
import { findProduct, forgetProducts, inLanguage, productUrl, stockToSell, type ProductSheet } from '#catalogue'
import { sendMail } from '#mail'
import { enqueue, settings, type Db, type JobScope, type LongContext } from '#platform'
import { priceProduct, showMoney } from '#pricing'
import { pushTo } from '#push'
import { sendSms } from '#sms'
import { backInStockMail, noticeText, priceDropMail } from './mails.ts'
import { noticeOf, type Now } from './notice.ts'
import { isProductWatched, readWatchers, writeTold, type Watcher } from './notices-store.ts'

export interface Changed {
  productId: string
  market: Market
}

const pageSize = 100
/** Consecutive changes of a product are reported together. */
const gatherMs = 60_000

/** Puts a look at a product on the list of jobs, if anybody wants to know of it. */
export async function lookSoon(scope: JobScope, { productId, market }: Changed): Promise<void> {
  if (!(await isProductWatched(scope.db, market, productId))) return
  const runAt = new Date(scope.now.getTime() + gatherMs)
  await enqueue(scope.db, { name: 'wishlists.tell', key: `${market}:${productId}`, payload: { productId, market }, runAt })
}

/** Notifies everybody watching a product of its changes; each page of lists commits together with its mails. */
export async function tellOfProduct(context: LongContext, { productId, market }: Changed): Promise<void> {
  // Mails must not use data cached for pages.
  forgetProducts([`product:${productId}`])
  const sheet = await findProduct({ db: context.db, market }, productId)
  if (!sheet) return
  const now = { b2c: await stateOf(context, sheet, market, 'b2c'), b2b: await stateOf(context, sheet, market, 'b2b') }
  let after = typeof context.state === 'string' ? context.state : null
  for (;;) {
    const watchers = await readWatchers(context.db, market, productId, after, pageSize)
    const last = watchers.at(-1)
    if (!last) return
    after = last.listId
    await context.checkpoint(after, async (scope) => {
      for (const watcher of watchers) await tell(scope, sheet, market, watcher, now[watcher.mode])
    })
  }
}

/** The product on a storefront: the price of its best offer, and whether it is in stock. Prices include VAT. */
async function stateOf({ db, now }: { db: Db; now: Date }, sheet: ProductSheet, market: Market, mode: Mode): Promise<Now> {
  const offers = sheet.product.status === 'ended' ? [] : sheet.offers.filter((offer) => stockToSell(offer) > 0)
  const { best } = await priceProduct({ db, now, market, mode, prefersVat: true }, sheet.product, offers)
  return { price: best?.asked ?? null, isAvailable: best !== null }
}

async function tell(scope: JobScope, { product }: ProductSheet, market: Market, watcher: Watcher, now: Now): Promise<void> {
  const notice = noticeOf(watcher, now, scope.now)
  if (!notice) return
  const { listId, token, mode, mails } = watcher
  await writeTold(scope.db, { listId, productId: product.id }, notice.known, notice.kind)
  const customerId = customerIdOfOwner(watcher.owner)
  const customer = notice.kind && customerId !== null ? await readCustomer(scope.db, customerId) : undefined
  if (!customer || !notice.kind || now.price === null) return
  const { origin } = settings().hosts.site(market, mode)
  const { language } = markets[market]
  const news = {
    title: inLanguage(product.titles, language),
    price: showMoney(market, now.price).formatted,
    before: watcher.price === null ? null : showMoney(market, watcher.price).formatted,
  }
  const path = productUrl(inLanguage(product.slugs, language), product.id)
  const { subject, text } = noticeText(notice.kind, news, market)
  await pushTo(scope.db, {
    title: subject.slice(0, 80),
    body: text.slice(0, 200),
    path,
    key: `wishlist-${listId}-${product.id}-${mails + 1}`,
    customerId: customer.id,
    market,
    mode,
    topic: 'prices',
  })
  const sms = wordsFor(market)('sms.price', { title: news.title.slice(0, 60), price: news.price, url: origin + path })
  await sendSms(scope, { customerId: customer.id, market, text: sms, key: `wishlist-${listId}-${product.id}-${mails + 1}` })
  await sendMail(scope, notice.kind === 'price-drop' ? priceDropMail : backInStockMail, {
    to: customer.email,
    site: { market, mode, origin },
    payload: {
      ...news,
      productUrl: origin + path,
      token,
    },
    unsubscribeUrl: `${origin}/api/v1/unsubscribe/${token}`,
    key: `wishlist:${listId}:${product.id}:${mails + 1}`,
  })
}
