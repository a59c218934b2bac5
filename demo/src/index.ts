import { dayOf, operationsOf } from './operations.ts'
import { productTables, referenceRows, rowsOfProduct, type ProductRows, type Row } from './rows.ts'

export {
  couponsOf as demoCoupons,
  thanksOf as demoThanks,
  operationsOf as demoOperations,
  type DemoCoupon,
  type DemoOperation,
} from './operations.ts'
export { brands as demoBrands, type DemoBrand } from './brands.ts'
export { categories as demoCategories, solarCategoryId, type DemoCategory } from './categories.ts'
export { energyLabel, manualPage, type DocumentCase } from './documents.ts'
export { offersOf, type DemoOffer } from './offers.ts'
export { product, type DemoProduct } from './product.ts'
export { sellers as demoSellers, type DemoSeller } from './sellers.ts'
export { drawnAs } from './views.ts'
export { vatRules as demoVatRules, type DemoVatRule } from './vat-rules.ts'
export { productTables, type ProductRows, type Row, type Value } from './rows.ts'

/** The seed of `npm start`. */
export const defaultSeed = 42

export interface ShopSetting {
  seed?: number
  products: number
  /** The first product to generate; earlier ones exist already. */
  from?: number
  /** Promotions and price history are relative to this day. */
  now?: Date
}

export interface DemoShop {
  /** Tables that do not grow with the products, in insertion order. */
  reference: [table: string, rows: Row[]][]
  /** Products in order, each with its model, offers, prices and stock; generated lazily. */
  products(): Generator<ProductRows>
}

/** The demo shop as table rows. The same settings give the same shop, and a larger one begins like a smaller one. */
export function demoShop({ seed = defaultSeed, products, from = 0, now = new Date() }: ShopSetting): DemoShop {
  const setting = { seed, day: dayOf(now), operations: operationsOf(now) }
  return {
    reference: referenceRows(now),
    *products() {
      for (let index = from; index < products; index += 1) yield rowsOfProduct(setting, index)
    },
  }
}

/** All rows of a small shop in memory, by table: about 60 products, for tests that need no database. */
export function demoSlice({ seed, products = 60, now }: Partial<ShopSetting> = {}): Map<string, Row[]> {
  const shop = demoShop({ seed, products, now })
  const tables = new Map<string, Row[]>(shop.reference)
  for (const table of productTables) tables.set(table, [...(tables.get(table) ?? [])])
  for (const rows of shop.products()) for (const table of productTables) tables.get(table)?.push(...rows[table])
  return tables
}
