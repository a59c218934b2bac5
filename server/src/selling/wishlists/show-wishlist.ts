import type { Market } from '@purlin/contract/markets.ts'
import { ownerOf } from '#accounts'
import { inLanguage, pictureUrl, pictureVersion, readProducts } from '#catalogue'
import { readSites } from '#companies'
import { cardsOf } from '#listing'
import { markets } from '@purlin/contract/markets.ts'
import type { Scope, SiteScope } from '#platform'
import { showMoney } from '#pricing'
import { pricesWithVat } from './prices-with-vat.ts'
import { readItems, readLatest, readList, readLists, readSharedList, readWished } from './store.ts'
import { companyOfLists, own, within } from './whose.ts'
import { isWishlistId, type Wishlist } from './wishlist.ts'

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
  return { ...(await show(scope, list, page)), site, canManage: list.siteId === null || companyOfLists(scope, 'site-list.manage') !== null }
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

async function show(scope: SiteScope, list: Wishlist, asked: number) {
  const page = Math.min(Math.max(1, asked), 1000)
  const items = await readItems(scope.db, list.id, { limit: pageSize, offset: (page - 1) * pageSize })
  const ids = items.map(({ productId }) => productId)
  const [cards, products, withVat] = await Promise.all([cardsOf(scope, ids), readProducts(scope.db, ids), pricesWithVat(scope, ids)])
  const cardOf = new Map(cards.map((card) => [card.productId, card]))
  const titles = new Map(products.map(({ id, titles: each }) => [id, inLanguage(each, markets[scope.market].language)]))
  return {
    ...list,
    page,
    pages: Math.max(1, Math.ceil(list.count / pageSize)),
    items: items.map(({ productId, knownPrice, addedAt, isBack }) => {
      const card = cardOf.get(productId) ?? null
      return {
        productId,
        addedAt,
        title: card?.title ?? titles.get(productId) ?? '',
        card,
        isBack: isBack && list.hasNotices && card !== null,
        dropped: dropped(scope.market, { knownPrice, withVat: withVat.get(productId) }, card),
      }
    }),
  }
}

/** How far the price has dropped since the product was added to the list, in the tax mode of the card. */
function dropped(
  market: Market,
  { knownPrice, withVat }: { knownPrice: number | null; withVat: number | undefined },
  card: { prices: { main: { asFloat: number } } } | null,
) {
  if (!card || knownPrice === null || !withVat || withVat >= knownPrice) return null
  return showMoney(market, Math.round(((knownPrice - withVat) * card.prices.main.asFloat * 100) / withVat))
}
