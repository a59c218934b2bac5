import type { Visitor } from './visitor.ts'
import { queryShop } from './finding.ts'

interface Category {
  name: string
  url: string
  children?: Category[]
}
interface Card {
  title: string
  url: string
  brandName: string
  sellerId: number
  sellerName: string
}
interface Catalogue {
  categoryTree: Category[]
  deals: { cards: Card[] }
  home: { brands: { name: string; url: string }[] }
}

const maxWordLength = (text: string): number => Math.max(...text.split(/[\s-]+/).map((word) => word.length))

/** The `count` for which the measure is greatest. */
function greatest<Item>(items: readonly Item[], measure: (item: Item) => number, count: number): Item[] {
  return items.toSorted((one, other) => measure(other) - measure(one)).slice(0, count)
}

/**
 * Pages of each kind with the longest words and titles of a market, where overflow on small screens or with large
 * text would show. `each` is the number per kind.
 */
export async function widestPages({ origin }: Pick<Visitor, 'origin'>, each: number): Promise<string[]> {
  const card = '{ cards { title url brandName sellerId sellerName } }'
  const { categoryTree, deals, home } = await queryShop<Catalogue>(
    { origin },
    `{
      categoryTree { name url children { name url children { name url } } }
      deals: listing(input: { kind: deals, pageSize: 500 }) ${card}
      home { brands { name url } }
    }`,
  )
  const categories = categoryTree.flatMap((one) => [one, ...(one.children ?? []).flatMap((child) => [child, ...(child.children ?? [])])])
  const ids = greatest(categoryTree, ({ name }) => name.length, 2).map(({ url }) => Number(/(\d+)$/.exec(url)?.[1]))
  const lists = await Promise.all(
    ids.map((id) =>
      queryShop<{ listing: { cards: Card[] } }>({ origin }, `{ listing(input: { kind: category, id: ${id}, pageSize: 500 }) ${card} }`),
    ),
  )
  const cards = [...deals.cards, ...lists.flatMap(({ listing }) => listing.cards)]
  const products = [
    ...greatest(cards, ({ title }) => maxWordLength(title), each),
    ...greatest(cards, ({ title }) => title.length, each),
  ].map(({ url }) => url)
  const [longest] = greatest(cards, ({ title }) => maxWordLength(title), 1)
  const words = longest?.title.split(' ').slice(0, 6).join(' ') ?? ''
  return [
    ...new Set([
      '/',
      '/great-deals',
      '/cart',
      `/search/${encodeURIComponent(words)}`,
      `/search/${encodeURIComponent(words.replaceAll(/\s/g, 'x'))}`,
      '/there-is-nothing-here',
      ...greatest(categories, ({ name }) => maxWordLength(name), each).map(({ url }) => url),
      ...greatest(categoryTree, ({ name }) => name.length, each).map(({ url }) => url),
      ...products,
      ...products.slice(0, 1).map((url) => `${url}/informations`),
      ...greatest(cards, ({ sellerName }) => maxWordLength(sellerName), each).map(({ sellerId }) => `/seller-${sellerId}`),
      ...greatest(home.brands, ({ name }) => name.length, each).map(({ url }) => url),
    ]),
  ]
}
