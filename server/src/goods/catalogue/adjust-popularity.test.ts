import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testProduct, testReference } from '../listing/test-shop.ts'
import { pictureVersion } from './product.ts'
import { adjustPopularity } from './adjust-popularity.ts'
import { readProducts } from './store.ts'

const database = await testDatabase({ upTo: 'pricing' })
const { db } = database
await testReference(db)
await testProduct(db, { id: 1, popularity: 100 })
await testProduct(db, { id: 2, popularity: 999_990 })
await testProduct(db, { id: 3, popularity: 7 })
await testProduct(db, { id: 4, popularity: 9 })
await testProduct(db, { id: 5, popularity: 2 })
await db.run({ name: 'test.age', text: `update catalogue.product set updated_at = now() - interval '90 days'` })

test('popularity changes by the weight, between zero and a million, and the products affected are reindexed', async () => {
  const [before] = await readProducts(db, ['1'])
  const weights = [
    { productId: '1', weight: 25 },
    { productId: '2', weight: 25 },
    { productId: '3', weight: 0 },
    { productId: '4', weight: -3 },
    { productId: '5', weight: -3 },
    { productId: '999', weight: 25 },
  ]
  await database.command({}, (scope) => adjustPopularity(scope, weights))
  const after = await readProducts(db, ['1', '2', '3', '4', '5'])
  assert.deepEqual(Object.fromEntries(after.map(({ id, popularity }) => [id, popularity])), { 1: 125, 2: 1_000_000, 3: 7, 4: 6, 5: 0 })
  const told = (await database.events()).map(({ type, payload }) => [type, (payload as { productId: string }).productId])
  assert.deepEqual(told.toSorted(), [
    ['product.changed', '1'],
    ['product.changed', '2'],
    ['product.changed', '4'],
    ['product.changed', '5'],
  ])
  // Orders do not change pictures: their addresses stay, and so do copies cached by browsers.
  assert.equal(pictureVersion(after.find(({ id }) => id === '1')!), pictureVersion(before!))
})

test('an empty list causes no query', async () => {
  await adjustPopularity({ db: undefined as never, emit: () => assert.fail('told') }, [])
})
