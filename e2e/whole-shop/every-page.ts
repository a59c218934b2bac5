import { join } from 'node:path'
import type { Mode } from '@purlin/contract/markets.ts'
import { routes, type PageName, type ShopRoute } from '@purlin/storefront/routes.ts'
import { asCommand } from '@purlin/server/foundation/platform/index.ts'
import type { TestDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { publishFiles, readEntryFiles } from '@purlin/server/goods/content/index.ts'
import { testOffer, testProduct } from '@purlin/server/goods/listing/test-shop.ts'
import { addressFor } from './route-addresses.ts'
import type { Belongings } from './visitors.ts'

/** Goods and written content for every page that is cached for everybody, and its address. */

const { entries } = readEntryFiles(join(import.meta.dirname, '../../demo/content'))

/** A paint in two colours, of which one is sold; a paint department; product types with a landing page; a product nobody sells; all entries. */
export async function fillEveryPage(database: TestDatabase): Promise<void> {
  const { db, pool } = database
  const words = (text: string) => JSON.stringify(Object.fromEntries(['en', 'fr', 'de', 'es', 'it'].map((language) => [language, text])))
  await pool.query(
    `insert into catalogue.category (id, parent_id, level, position, path, department, names, slugs) values (3, null, 0, 2, '{3}', 'paint', $1, $2)`,
    [words('Decorating'), words('decorating')],
  )
  for (const [id, color] of [
    [61, 'blue'],
    [62, 'red'],
    [63, 'blue'],
    [64, 'blue'],
  ] as const) {
    const unit = { measure: 'l', quantityMilli: 2_500 }
    const attributes = { color, volume: 2.5 + id, coverage: 10 }
    await testProduct(db, { id, modelId: 900, categoryId: 3, title: 'Wall paint', attributes, unit })
    if (id !== 62) await testOffer(db, { id: id * 10, productId: id, price: 3_000 })
  }
  for (const id of [71, 72, 73]) {
    await testProduct(db, { id, title: `Combi drill ${id} V`, attributes: { voltage: id, color: 'blue' } })
    await testOffer(db, { id: id * 10, productId: id, price: 12_000, operations: [70] })
  }
  await testProduct(db, { id: 81, title: 'Bench drill' })
  await asCommand(pool, (scope) => publishFiles({ db: scope.db, now: new Date() }, entries))
}

const idsOf: Partial<Record<PageName, string>> = {
  paint: '61',
  cataloguePaint: '62',
  catalogueProduct: '81',
  catalogueProductInformations: '81',
  categoryHub: '11',
  bestSellersFamily: '11',
  massLandingSitemapCategory: '11',
  commercialOperationListing: '70',
}
const kinds: Partial<Record<PageName, string>> = {
  landing: 'landing',
  partnerAdLanding: 'partner',
  promoSEO: 'promo',
  guide: 'guide',
  topProducts: 'comparison',
  project: 'project',
  helpArticle: 'help',
}
const queries: Partial<Record<PageName, string>> = { massLanding: 'combi-drill', inspirationalMassLanding: 'wall-paint' }

function pathOf({ name, addresses }: ShopRoute, mode: Mode, things: Belongings): string {
  const address = addresses[0] ?? '/'
  const page = name as PageName
  const kind = kinds[page]
  const entry = entries.find(({ kind: each, facts }) => each === kind && facts.modes.includes(mode) && facts.markets.includes('gb'))
  const id = idsOf[page] ?? (entry && String(entry.facts.id))
  const query = queries[page]
  const trade = entries.find(({ kind: each, facts }) => each === 'trade' && facts.modes.includes(mode))
  const said = address
    .replaceAll(/\{id\}/g, (whole) => id ?? whole)
    .replaceAll(/\{query\}/g, (whole) => query ?? whole)
    .replaceAll(/\{slug\}/g, (whole) => (page === 'proPublicPages' ? (trade?.facts.slugs?.en ?? whole) : whole))
  return addressFor(said, page, things)
}

/** Rows that are cached for everybody, with an address of each that is a page of this shop; ids are in it, slugs may differ. */
export function cachedRows(mode: Mode, things: Belongings): { name: string; path: string }[] {
  return (routes as readonly ShopRoute[])
    .filter(({ cache, page, only }) => cache !== undefined && page !== undefined && (only ?? mode) === mode)
    .map((row) => ({ name: row.name, path: pathOf(row, mode, things) }))
}
