import { markets } from '@purlin/contract/markets.ts'
import { describeRefusal } from '#cart'
import { inLanguage, pictureUrl, pictureVersion, productUrl, reference } from '#catalogue'
import type { Scope } from '#platform'
import { askedPrice, categoryPath, inTaxMode, priceDisplay, showMoney, sumInTaxMode, taxKey, taxKeyOfSum, vatOf, vatRules } from '#pricing'
import { knownSellers } from '#sellers'
import { wordsFor } from '@purlin/words/catalogues.ts'
import type { CheckedRow, RowOffer, RowProblem } from './check-rows.ts'

/** Checked rows with prices as the viewer's cart will show them. */
export async function showRows(scope: Scope, rows: readonly CheckedRow[]) {
  const { market, now } = scope
  const { language, country } = markets[market]
  const [catalogue, rules] = await Promise.all([reference(scope), vatRules(scope)])
  const sellers = await knownSellers(scope, new Set(rows.flatMap(({ offer }) => offer?.sellerId ?? [])))
  const display = priceDisplay(scope)
  const taxKeyFor = ({ sellerId }: RowOffer) => taxKey(display, sellers.get(sellerId)?.country ?? country)
  const vatFor = ({ categoryId }: RowOffer) => vatOf(rules, market, categoryPath(catalogue, categoryId), now)
  const ready = rows.filter(({ problem }) => problem === null)
  // Rows of one offer are one line of the cart: the price is that of their quantity.
  const together = new Map<string, number>()
  for (const { offer, wanted } of ready) if (offer) together.set(offer.id, (together.get(offer.id) ?? 0) + wanted)
  const firstRows = new Map(rows.flatMap(({ offer }, at) => (offer ? [[offer.id, at] as const] : [])).reverse())
  const eachOf = (offer: RowOffer, wanted: number) => askedPrice(display, offer, together.get(offer.id) ?? wanted)
  const grossOf = (offer: RowOffer, wanted: number) => eachOf(offer, wanted) * wanted
  const lines = ready.flatMap(({ offer, wanted }) =>
    offer ? [{ taxKey: taxKeyFor(offer), total: grossOf(offer, wanted), vat: vatFor(offer) }] : [],
  )
  // All rows are in the mode of their sum: a column of net and gross prices adds up to nothing.
  const sumKey = taxKeyOfSum(lines.length > 0 ? lines : rows.flatMap(({ offer }) => (offer ? [{ taxKey: taxKeyFor(offer) }] : [])))
  const shown = (gross: number, offer: RowOffer) => showMoney(market, inTaxMode(sumKey, gross, vatFor(offer)))
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
        price: offer && shown(eachOf(offer, row.wanted), offer),
        total: offer && !problem ? shown(grossOf(offer, row.wanted), offer) : null,
        problem: problem && { reason: problem.reason, message: messageOf(scope, problem) },
        sameAsRow: offer && (firstRows.get(offer.id) ?? at) < at ? (firstRows.get(offer.id) ?? 0) + 1 : null,
      }
    }),
  }
}

function messageOf({ market }: Scope, problem: RowProblem): string {
  return 'ok' in problem ? describeRefusal(market, problem).message : wordsFor(market)(`quick-order.problem.${problem.reason}`)
}
