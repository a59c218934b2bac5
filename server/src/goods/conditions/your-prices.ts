import { wordsFor } from '@purlin/words/catalogues.ts'
import { offersForSale, reference } from '#catalogue'
import type { Scope } from '#platform'
import { categoryPath, inTaxMode, priceBlock, priceDisplay, priceSteps, showMoney, taxKey, unitContent, vatOf, vatRules } from '#pricing'
import { knownSellers } from '#sellers'
import { agreedPrices } from './agreed-prices.ts'

const maxOffers = 100

/**
 * Prices of the acting company for offers shown on a page that is the same for everybody: only those that are better than the
 * price on the page. Two statements, however many offers.
 */
export async function showYourPrices(scope: Scope, offerIds: readonly string[]) {
  const ids = [...new Set(offerIds)].filter((id) => /^[1-9]\d{0,17}$/.test(id)).slice(0, maxOffers)
  const offers = [...(await offersForSale(scope.db, ids)).values()].filter(({ market }) => market === scope.market)
  const agreed = await agreedPrices(scope, offers)
  if (agreed.size === 0) return []
  const { market, now } = scope
  const display = priceDisplay(scope)
  const t = wordsFor(market)
  const [sellers, rules, catalogue] = await Promise.all([
    knownSellers(scope, new Set(offers.map(({ sellerId }) => sellerId))),
    vatRules(scope),
    reference(scope),
  ])
  return offers.flatMap((offer) => {
    const seller = sellers.get(offer.sellerId)
    // A quote counts in the cart, for its quantity alone.
    const { quoted: _quoted, ...contract } = agreed.get(offer.id) ?? { price: null, percentBp: null }
    const own = { ...offer, agreed: contract }
    const steps = priceSteps(display, own)
    if (!seller || steps[0]?.price === priceSteps(display, offer)[0]?.price) return []
    const vat = vatOf(rules, market, categoryPath(catalogue, offer.categoryId), now)
    const { main, unit, pack } = priceBlock(display, {
      ...own,
      retailPrice: null,
      sellerCountry: seller.country,
      vat,
      unit: offer.isSample ? null : unitContent(offer),
      range: null,
    })
    const key = taxKey(display, seller.country)
    return {
      offerId: offer.id,
      price: main.asString,
      lines: [
        t('your-price.label'),
        ...(pack ? [t('goods.pack', { quantity: pack.quantity, price: pack.amount.asString })] : []),
        ...(unit ? [unit.label] : []),
      ],
      quantityBreaks: steps.slice(1).map(({ from, price }) => ({ from, price: showMoney(market, inTaxMode(key, price, vat)) })),
    }
  })
}
