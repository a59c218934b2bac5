import type { PriceBlock } from '@purlin/contract/price.ts'
import type { ProductCard } from '@purlin/contract/product-card.ts'
import { ownerOf } from '#accounts'
import { inLanguage, pictureUrl, pictureVersion, readProducts, reference } from '#catalogue'
import { readSites } from '#companies'
import { companyOnPro } from '#conditions'
import { cardsOf, withOwnPrices } from '#listing'
import { markets } from '@purlin/contract/markets.ts'
import type { Scope, SiteScope } from '#platform'
import { categoryPath, inTaxMode, priceWithVat, showMoney, vatOf, vatRules, type Vat } from '#pricing'
import { ownOffersOfList } from './own-offers-of-list.ts'
import { readItems, readLatest, readList, readLists, readSharedList, readWished } from './store.ts'
import { companyOfLists, own, within } from './whose.ts'
import { isWishlistId, piecesOf, wishlistLimits, type WishedItem, type Wishlist } from './wishlist.ts'

const pageSize = 24

const picturesShown = 4

/** The viewer's lists and those of their company's building sites, with the pictures of what was added last, the default list first. */
export async function listWishlists(scope: Scope): Promise<(Wishlist & { site: NamedSite | null; pictures: string[] })[]> {
  const owner = ownerOf(scope)
  if (owner === null) return []
  const mine = within(scope)
  const [lists, latest] = await Promise.all([readLists(scope.db, mine), readLatest(scope.db, mine, picturesShown)])
  const siteOf = await sitesOf(scope, lists)
  const products = await readProducts(scope.db, [...new Set(latest.map(({ productId }) => productId))])
  const pictureOf = new Map(products.map((product) => [product.id, pictureUrl(product.id, product.pictures[0], pictureVersion(product))]))
  return lists.map((list) => ({
    ...list,
    site: siteOf(list),
    pictures: latest.filter(({ listId }) => listId === list.id).flatMap(({ productId }) => pictureOf.get(productId) ?? []),
  }))
}

/** A list of the viewer or of a building site of their company, paginated; null for anybody else's. */
export async function showWishlist(scope: Scope, id: string, page: number) {
  const list = isWishlistId(id) ? await readList(scope.db, within(scope), id) : undefined
  if (!list) return null
  const site = (await sitesOf(scope, [list]))(list)
  const shown = await show(scope, list, page, async (cards, onPage) => {
    if (companyOnPro(scope) === null) return cards
    const items = list.count > onPage.length ? await readItems(scope.db, list.id, { limit: wishlistLimits.items, offset: 0 }) : onPage
    return withOwnPrices(scope, cards, await ownOffersOfList(scope, items))
  })
  return { ...shown, site, canManage: list.siteId === null || companyOfLists(scope, 'site-list.manage') !== null }
}

interface NamedSite {
  id: string
  name: string
}

/** Building sites of the viewer's company in this market that may have lists; none for everybody who does not order for one. */
export async function sitesForLists(scope: Scope): Promise<NamedSite[]> {
  const companyId = companyOfLists(scope)
  if (companyId === null) return []
  const { country } = markets[scope.market]
  const sites = await readSites(scope.db, companyId)
  return sites.filter(({ isArchived, address }) => !isArchived && address.country === country).map(({ id, name }) => ({ id, name }))
}

/** The building sites of lists, archived ones included. */
async function sitesOf(scope: Scope, lists: readonly Wishlist[]): Promise<(list: Wishlist) => NamedSite | null> {
  const companyId = companyOfLists(scope)
  if (companyId === null || lists.every(({ siteId }) => siteId === null)) return () => null
  const named = new Map((await readSites(scope.db, companyId)).map(({ id, name }) => [id, { id, name }]))
  return ({ siteId }) => (siteId === null ? null : (named.get(siteId) ?? null))
}

/** The list behind a share link, as every holder of the link sees it. */
export async function showSharedWishlist(scope: SiteScope, token: string, page: number) {
  const list = /^[\w-]{24}$/.test(token) ? await readSharedList(scope.db, scope.market, token) : undefined
  return list ? { ...(await show(scope, { ...list, shareToken: null, hasNotices: false }, page)), site: null, canManage: false } : null
}

export async function listWished(scope: Scope): Promise<string[]> {
  const owner = ownerOf(scope)
  return owner === null ? [] : readWished(scope.db, own(scope))
}

type ForViewer = (cards: readonly ProductCard[], items: readonly WishedItem[]) => Promise<readonly ProductCard[]>

async function show(scope: SiteScope, list: Wishlist, asked: number, forViewer: ForViewer = (cards) => Promise.resolve(cards)) {
  const page = Math.min(Math.max(1, asked), 1000)
  const items = await readItems(scope.db, list.id, { limit: pageSize, offset: (page - 1) * pageSize })
  const ids = items.map(({ productId }) => productId)
  const [cards, products, vat] = await Promise.all([cardsOf(scope, ids), readProducts(scope.db, ids), vatFor(scope)])
  const shown = await forViewer(cards, items)
  const publicCardOf = new Map(cards.map((card) => [card.productId, card]))
  const cardOf = new Map(shown.map((card) => [card.productId, card]))
  const productOf = new Map(products.map((product) => [product.id, product]))
  return {
    ...list,
    page,
    pages: Math.max(1, Math.ceil(list.count / pageSize)),
    items: items.map((item) => {
      const { productId, addedAt, isBack, quantity } = item
      const card = cardOf.get(productId) ?? null
      const publicCard = publicCardOf.get(productId)
      const product = productOf.get(productId)
      return {
        productId,
        addedAt,
        quantity: piecesOf(quantity, card?.bulk ?? null),
        title: card?.title ?? (product ? inLanguage(product.titles, markets[scope.market].language) : ''),
        card,
        isBack: isBack && list.hasNotices && card !== null,
        // Public prices are remembered: an agreed one has not dropped.
        dropped: card && card === publicCard && product ? dropped(scope, item, card.prices, vat(product.categoryId)) : null,
      }
    }),
  }
}

/** The VAT of categories in the viewer's market now. */
async function vatFor(scope: SiteScope): Promise<(categoryId: number) => Vat> {
  const [rules, catalogue] = await Promise.all([vatRules(scope), reference(scope)])
  return (categoryId) => vatOf(rules, scope.market, categoryPath(catalogue, categoryId), scope.now)
}

/**
 * How far the price on this storefront has dropped since the product was added to the list there, in the viewer's tax mode. Prices with
 * VAT are compared: whoever added it may see prices in another one.
 */
function dropped({ market, mode }: SiteScope, { knownPrice, knownMode }: WishedItem, prices: PriceBlock, vat: Vat) {
  if (knownPrice === null || knownMode !== mode) return null
  const inMode = (gross: number) => inTaxMode(prices.taxKey, gross, vat)
  const less = inMode(knownPrice) - inMode(priceWithVat(prices))
  return less > 0 ? showMoney(market, less) : null
}
