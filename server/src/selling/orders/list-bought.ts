import type { ProductCard } from '@purlin/contract/product-card.ts'
import { reachOf } from '@purlin/contract/actions.ts'
import { companyOf, ownerOf } from '#accounts'
import { ownOffers, type Wanted } from '#cart'
import { findProduct } from '#catalogue'
import { alternativesOf, cardsOf, withOwnPrices } from '#listing'
import type { Scope } from '#platform'
import { countBought, readBought } from './bought-store.ts'
import { inPacks } from './order-again.ts'

const pageSize = 24
const lastPage = 100
/** Each costs a query to the search engine. */
const mostReplaced = 4

/**
 * Products the principal, or anybody of their company, has paid for, with today's best offer or, for some of those gone, a
 * replacement. Source: R-139.
 */
export async function listBought(scope: Scope, asked: number) {
  const { db, market, principal, now } = scope
  const page = Math.min(Math.max(1, asked), lastPage)
  const owner = ownerOf(scope)
  if (owner === null) return { products: [], total: 0, page, pages: 0 }
  const memberOf = companyOf(scope)
  const buyer = { owner, market, memberOf, companyId: reachOf(principal, 'bought.list', market) === 'company' ? memberOf : null }
  const [bought, total] = await Promise.all([
    readBought(db, buyer, { now, limit: pageSize, offset: (page - 1) * pageSize }),
    countBought(db, buyer),
  ])
  const ids = bought.map(({ productId }) => productId)
  const quantities = new Map(bought.map(({ productId, quantity }) => [productId, quantity]))
  const wanted: Wanted = ({ productId, bulk }) => [inPacks(quantities.get(productId) ?? 1, bulk)]
  const idsOf = (isDue: boolean) => bought.filter((product) => product.isDue === isDue).map(({ productId }) => productId)
  // The page ticks what is due, to be bought together; the rest is anybody's guess.
  const chosen = await Promise.all([ownOffers(scope, idsOf(true), wanted), ownOffers(scope, idsOf(false), wanted, 'singly')])
  const own = await withOwnPrices(scope, await cardsOf(scope, ids), new Map(chosen.flatMap((offers) => [...offers])))
  const cards = new Map(own.map((card) => [card.productId, card]))
  const gone = ids.filter((id) => !cards.has(id)).slice(0, mostReplaced)
  const instead = new Map(await Promise.all(gone.map(async (id) => [id, await replacementOf(scope, id)] as const)))
  return {
    products: bought.map((product) => {
      const [card, replacement] = [cards, instead].map((each) => each.get(product.productId) ?? null)
      return { ...product, card, instead: replacement }
    }),
    total,
    page,
    pages: Math.ceil(total / pageSize),
  }
}

/** The product most like one that nobody sells any more. */
async function replacementOf(scope: Scope, productId: string): Promise<ProductCard | null> {
  const sheet = await findProduct(scope, productId)
  return sheet ? ((await alternativesOf(scope, sheet.product))[0] ?? null) : null
}
