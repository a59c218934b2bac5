import { markets } from '@purlin/contract/markets.ts'
import { describeRefusal } from '#cart'
import { inLanguage, pictureUrl, pictureVersion, productUrl, reference, type OfferForSale } from '#catalogue'
import { agreedPrices } from '#conditions'
import type { Scope } from '#platform'
import { askedPrice, categoryPath, inTaxMode, priceDisplay, showMoney, taxKey, vatOf, vatRules } from '#pricing'
import { knownSellers } from '#sellers'
import { wordsFor } from '@purlin/words/catalogues.ts'
import type { CheckedRow, RowProblem } from './check-rows.ts'

/** Checked rows with prices as the viewer's cart will show them. */
export async function showRows(scope: Scope, rows: readonly CheckedRow[]) {
  const { market, now } = scope
  const { language, country } = markets[market]
  const [catalogue, rules] = await Promise.all([reference(scope), vatRules(scope)])
  const sellers = await knownSellers(scope, new Set(rows.flatMap(({ offer }) => offer?.sellerId ?? [])))
  const display = priceDisplay(scope)
  const agreed = await agreedPrices(
    scope,
    rows.flatMap(({ offer }) => offer ?? []),
  )
  const own = (offer: OfferForSale) => ({ ...offer, agreed: agreed.get(offer.id) })
  const countryOf = (sellerId: number) => sellers.get(sellerId)?.country ?? country
  const inMode = (gross: number, { offer }: CheckedRow) =>
    offer
      ? inTaxMode(taxKey(display, countryOf(offer.sellerId)), gross, vatOf(rules, market, categoryPath(catalogue, offer.categoryId), now))
      : 0
  const ready = rows.filter(({ problem }) => problem === null)
  const totalOf = (row: CheckedRow) => (row.offer ? inMode(askedPrice(display, own(row.offer), row.wanted) * row.wanted, row) : 0)
  return {
    ready: ready.length,
    total: showMoney(
      market,
      ready.reduce((sum, row) => sum + totalOf(row), 0),
    ),
    taxKey: taxKey(display, countryOf(ready[0]?.offer?.sellerId ?? 0)),
    rows: rows.map((row) => {
      const { code, quantity, offer, problem } = row
      return {
        code,
        quantity,
        offerId: offer?.id ?? null,
        title: offer && inLanguage(offer.titles, language),
        url: offer && productUrl(inLanguage(offer.slugs, language), offer.productId),
        imageUrl: offer && pictureUrl(offer.productId, offer.pictures[0], pictureVersion(offer)),
        price: offer && showMoney(market, inMode(askedPrice(display, own(offer), row.wanted), row)),
        total: offer && !problem ? showMoney(market, totalOf(row)) : null,
        problem: problem && { reason: problem.reason, message: messageOf(scope, problem) },
      }
    }),
  }
}

function messageOf({ market }: Scope, problem: RowProblem): string {
  return 'ok' in problem ? describeRefusal(market, problem).message : wordsFor(market)(`quick-order.problem.${problem.reason}`)
}
