import { markets } from '@purlin/contract/markets.ts'
import { describeRefusal } from '#cart'
import { inLanguage, pictureUrl, pictureVersion, productUrl, reference, type OfferForSale } from '#catalogue'
import type { Scope } from '#platform'
import { categoryPath, inTaxMode, priceDisplay, showMoney, sumInTaxMode, taxKey, taxKeyOfSum, vatOf, vatRules } from '#pricing'
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
  const taxKeyFor = ({ sellerId }: OfferForSale) => taxKey(display, sellers.get(sellerId)?.country ?? country)
  const vatFor = ({ categoryId }: OfferForSale) => vatOf(rules, market, categoryPath(catalogue, categoryId), now)
  const ready = rows.filter(({ problem }) => problem === null)
  const firstRows = new Map(rows.flatMap(({ offer }, at) => (offer ? [[offer.id, at] as const] : [])).reverse())
  const lines = ready.flatMap(({ offer, wanted, price }) =>
    offer ? [{ taxKey: taxKeyFor(offer), total: price * wanted, vat: vatFor(offer) }] : [],
  )
  // All rows are in the mode of their sum: a column of net and gross prices adds up to nothing.
  const sumKey = taxKeyOfSum(lines.length > 0 ? lines : rows.flatMap(({ offer }) => (offer ? [{ taxKey: taxKeyFor(offer) }] : [])))
  const shown = (gross: number, offer: OfferForSale) => showMoney(market, inTaxMode(sumKey, gross, vatFor(offer)))
  return {
    ready: ready.length,
    total: showMoney(market, sumInTaxMode(sumKey, lines)),
    taxKey: sumKey,
    rows: rows.map((row, at) => {
      const { code, quantity, offer, problem } = row
      return {
        code,
        quantity,
        offerId: offer?.id ?? null,
        productId: offer?.productId ?? null,
        title: offer && inLanguage(offer.titles, language),
        url: offer && productUrl(inLanguage(offer.slugs, language), offer.productId),
        imageUrl: offer && pictureUrl(offer.productId, offer.pictures[0], pictureVersion(offer)),
        price: offer && shown(row.price, offer),
        total: offer && !problem ? shown(row.price * row.wanted, offer) : null,
        problem: problem && { reason: problem.reason, message: messageOf(scope, problem) },
        sameAsRow: offer && (firstRows.get(offer.id) ?? at) < at ? (firstRows.get(offer.id) ?? 0) + 1 : null,
      }
    }),
  }
}

function messageOf({ market }: Scope, problem: RowProblem): string {
  return 'ok' in problem ? describeRefusal(market, problem).message : wordsFor(market)(`quick-order.problem.${problem.reason}`)
}
