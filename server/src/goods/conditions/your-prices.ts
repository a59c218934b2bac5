import { wordsFor } from '@purlin/words/catalogues.ts'
import { reference } from '#catalogue'
import type { Beside, Scope, SiteScope } from '#platform'
import {
  categoryPath,
  differsFromPages,
  inTaxMode,
  priceBlock,
  priceDisplay,
  priceSteps,
  showMoney,
  taxKey,
  unitContent,
  vatOf,
  vatRules,
} from '#pricing'
import { knownSellers } from '#sellers'
import { companyOnPro, pricesByRules } from './agreed-prices.ts'
import { offersWithRulesBeside, readOffersWithRules } from './store.ts'

const maxOffers = 100

/** Ids of offers as a page requests their prices; the others are ignored. */
function idsIn(offerIds: readonly string[]): string[] {
  return [...new Set(offerIds)].filter((id) => /^[1-9]\d{0,17}$/.test(id)).slice(0, maxOffers)
}

/** Everything that the prices depend on, read in the statement that finds the session. */
export function yourPricesBeside(site: SiteScope, offerIds: readonly string[]): Beside | undefined {
  return site.mode === 'b2b' ? offersWithRulesBeside(site, idsIn(offerIds)) : undefined
}

/**
 * Prices of the acting company for offers shown on a page that is the same for everybody: only those that are better than the
 * price on the page, or in another tax mode. Without quotes, which count in the cart, for their quantity alone. One statement, however many
 * offers and lists.
 */
export async function showYourPrices(scope: Scope, offerIds: readonly string[]) {
  const companyId = companyOnPro(scope)
  if (companyId === null) return []
  const { offers: found, rules: agreedRules } = await readOffersWithRules(scope, companyId, idsIn(offerIds))
  const offers = found.filter(({ market }) => market === scope.market)
  const { market, now } = scope
  const display = priceDisplay(scope)
  if (agreedRules.length === 0 && !differsFromPages(display)) return []
  const t = wordsFor(market)
  const [sellers, rules, catalogue] = await Promise.all([
    knownSellers(scope, new Set(offers.map(({ sellerId }) => sellerId))),
    vatRules(scope),
    reference(scope),
  ])
  // A page is rendered for nobody in particular.
  const ofPage = priceDisplay({ market, mode: scope.mode, prefersVat: scope.prefersVat })
  const agreed = pricesByRules(catalogue, offers, agreedRules)
  return offers.flatMap((offer) => {
    const seller = sellers.get(offer.sellerId)
    const own = { ...offer, agreed: agreed.get(offer.id) }
    const steps = priceSteps(display, own)
    if (!seller) return []
    const key = taxKey(display, seller.country)
    const isBetter = steps[0]?.price !== priceSteps(display, offer)[0]?.price
    const isTaxedOtherwise = key !== taxKey(ofPage, seller.country)
    if (!isBetter && !isTaxedOtherwise) return []
    const vat = vatOf(rules, market, categoryPath(catalogue, offer.categoryId), now)
    const { main, unit, pack } = priceBlock(display, {
      ...own,
      retailPrice: null,
      sellerCountry: seller.country,
      vat,
      unit: offer.isSample ? null : unitContent(offer),
      range: null,
    })
    const tax = key === 'with_vat' ? t('goods.with-vat') : t('goods.without-vat')
    return {
      offerId: offer.id,
      price: main.asString,
      tax: isTaxedOtherwise && vat.rateBp !== 0 ? tax : null,
      lines: [
        ...(isBetter ? [t('your-price.label')] : []),
        ...(pack ? [t('goods.pack', { quantity: pack.quantity, price: pack.amount.asString })] : []),
        ...(unit ? [unit.label] : []),
      ],
      isLower: isBetter,
      quantityBreaks: steps.slice(1).map(({ from, price }) => ({
        from,
        each: t('quantity-break.each', { price: showMoney(market, inTaxMode(key, price, vat)).formatted }),
      })),
    }
  })
}
