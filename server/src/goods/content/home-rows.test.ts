import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { connectSearch, rebuildIndex } from '#listing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { testEngine } from '../listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '../listing/test-shop.ts'

/** The rows of the home page, as the API answers them. */

const database = await testDatabase()
const { db, pool } = database
await testReference(db)
for (let id = 1; id <= 20; id += 1) {
  await testProduct(db, { id, popularity: id * 10, flags: ['top_sale'] })
  await testOffer(db, { id, productId: id, price: 1_000 * id, was: 2_000 * id, stock: 5 })
}
const engine = await testEngine()
connectSearch(engine)
const gateway = await testGateway(pool)

interface Home {
  data: { home: Record<'deals' | 'topSales' | 'highlights', { productId: string }[]> }
}

/** Products up to this id are eight days old and more, the others a little less than seven. */
async function rowsWhenNewFrom(id: number) {
  await pool.query(
    `update catalogue.product set created_at = now() - case when id < $1 then interval '8 days 1 hour' else interval '6 days 23 hours' end`,
    [id],
  )
  await rebuildIndex({ db, engine, markets: ['gb'] })
  const fields = '{ productId }'
  const { body }: { body: Home } = await gateway.post(`{ home { deals ${fields} topSales ${fields} highlights ${fields} } }`)
  const { deals, topSales, highlights } = body.data.home
  return {
    deals: deals.length,
    topSales: topSales.length,
    highlights: highlights.map(({ productId }) => Number(productId)).toSorted((a, b) => a - b),
  }
}

test('R-662 a row holds 9 deals, 8 top sales, and products of the last 7 days if there are at least 4 of them', async () => {
  assert.deepEqual(await rowsWhenNewFrom(17), { deals: 9, topSales: 8, highlights: [17, 18, 19, 20] })
})

test('R-662 with 3 new products the row shows the 8 latest, however old', async () => {
  const { highlights } = await rowsWhenNewFrom(18)
  assert.equal(highlights.length, 8)
  assert.deepEqual(highlights.slice(-3), [18, 19, 20])
})
