import { markets } from '@purlin/contract/markets.ts'
import { priceStoredCart, readCart, type PricedCart } from '#cart'
import { inLanguage, pictureUrl, pictureVersion } from '#catalogue'
import type { Scope } from '#platform'
import { inTaxMode, showMoney } from '#pricing'
import type { LeftGoods } from './mails.ts'

/** Lines that the mail lists. */
const shownLines = 5

/** What is still sold, at the prices its owner would pay now. */
export async function goodsLeft(scope: Scope, owner: string): Promise<LeftGoods> {
  const priced = await priceStoredCart(scope, await readCart(scope.db, owner, scope.market))
  const sellers: LeftGoods['sellers'] = []
  let left = shownLines
  let more = 0
  for (const { seller, lines } of priced.sellers) {
    const sold = lines.filter(({ counted, state }) => counted > 0 && state !== 'offer-gone' && state !== 'out-of-stock')
    const items = sold.slice(0, left).map((line) => shown(scope, line))
    left -= items.length
    more += sold.length - items.length
    if (items.length > 0) sellers.push({ name: seller.name, items })
  }
  return { sellers, more, isWithVat: priced.totals.taxKey === 'with_vat' }
}

type Line = PricedCart['sellers'][number]['lines'][number]

function shown({ market, origin }: Scope, { offer, counted, total, taxKey, vat }: Line) {
  const picture = pictureUrl(offer.productId, offer.pictures[0], pictureVersion(offer))
  return {
    title: inLanguage(offer.titles, markets[market].language),
    quantity: counted,
    amount: showMoney(market, inTaxMode(taxKey, total, vat)).formatted,
    picture: picture ? new URL(picture, origin).href : null,
  }
}
