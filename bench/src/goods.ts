import { queryData } from '@purlin/e2e/support/ask.ts'
import { asked } from './questions.ts'

export interface Goods {
  categories: number[]
  products: string[]
  offers: string[]
}

/** Ids of products on sale, for requests. */
export async function goodsOf(origin: string): Promise<Goods> {
  const { categoryTree } = await queryData<{ categoryTree: { id: number; children: { id: number; children: { id: number }[] }[] }[] }>(
    origin,
    asked('{ categoryTree { id children { id children { id } } } }', {}),
  )
  const categories = categoryTree.flatMap((top) => [
    top.id,
    ...top.children.flatMap((child) => [child.id, ...child.children.map(({ id }) => id)]),
  ])
  const products = new Set<string>()
  for (const id of categories.slice(0, 40)) {
    const { listing } = await queryData<{ listing: { cards: { productId: string }[] } }>(
      origin,
      asked('query ($id: Int!) { listing(input: { kind: category, id: $id }) { cards { productId } } }', { id }),
    )
    for (const { productId } of listing.cards) products.add(productId)
  }
  const offers: string[] = []
  for (const ids of groupsOf(10, [...products].slice(0, 300)))
    offers.push(...(await Promise.all(ids.map((id) => plentifulOffers(origin, id)))).flat())
  return { categories, products: [...products], offers }
}

/** EANs and part numbers in turn, as a quick order has them. */
export async function codesOf(origin: string, products: readonly string[]): Promise<string[]> {
  const found: { ean: string; mpn: string }[] = []
  for (const ids of groupsOf(10, products)) found.push(...(await Promise.all(ids.map((id) => numbersOf(origin, id)))))
  return found.map(({ ean, mpn }, at) => (at % 2 === 0 ? ean : mpn))
}

async function numbersOf(origin: string, id: string): Promise<{ ean: string; mpn: string }> {
  const document = 'query ($id: ID!) { product(id: $id) { ean mpn } }'
  return (await queryData<{ product: { ean: string; mpn: string } }>(origin, asked(document, { id }))).product
}

function groupsOf<Value>(size: number, values: readonly Value[]): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) => values.slice(at * size, (at + 1) * size))
}

interface OfferSeen {
  id: string
  stock: number
  bulk: number | null
  maxQuantity: number | null
  isSample: boolean
}

/** Offers that can be added repeatedly without a refusal: the bench measures adding, not refusing. */
async function plentifulOffers(origin: string, id: string): Promise<string[]> {
  const { product } = await queryData<{ product: { offers: OfferSeen[] } }>(
    origin,
    asked('query ($id: ID!) { product(id: $id) { offers { id stock bulk maxQuantity isSample } } }', { id }),
  )
  return product.offers
    .filter(({ stock, bulk, maxQuantity, isSample }) => stock >= 80 && !bulk && !maxQuantity && !isSample)
    .map((offer) => offer.id)
}
