import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUnused, waiting } from './unused-code.ts'
import { readSources } from './walls.ts'

const shop = (more: Record<string, string>) => Object.entries(more).map(([path, text]) => ({ path, text }))

test('V-62 an exported function used only by its test and its index file is found', () => {
  const found = findUnused(
    shop({
      'server/src/selling/cart/merge.ts': 'export function mergeAll() {}\nexport async function split() {}\nexport const limit = 3',
      'server/src/selling/cart/merge.test.ts': `import { mergeAll } from './merge.ts'\nmergeAll()`,
      'server/src/selling/cart/testing.ts': `import { mergeAll } from './merge.ts'\nmergeAll()`,
      'server/src/selling/cart/index.ts': `export { mergeAll, split, limit } from './merge.ts'`,
      'server/src/selling/checkout/place.ts': `import { split } from '#cart'\nsplit()`,
    }),
    {},
  )
  assert.deepEqual(
    found.map((sentence) => sentence.split('.').slice(0, 2).join('.')),
    ['server/src/selling/cart/merge.ts: nothing but tests uses mergeAll', 'server/src/selling/cart/merge.ts: nothing but tests uses limit'],
  )
})

test('V-62 code used in its own file, by a tool or by name is not reported', () => {
  const files = {
    'server/src/goods/pricing/vat.ts': 'export const rate = 2\nexport function net() { return rate }',
    'bench/src/prices.ts': `import { net } from '@purlin/server/goods/pricing/vat.ts'\nnet()`,
    'server/src/goods/pricing/graphql.ts': 'export const resolvers = {}',
    'storefront/src/cart/cart-page.tsx': 'export function load() {}\nexport function Page() {}',
  }
  assert.deepEqual(findUnused(shop(files), {}), [])
})

test('V-62 nothing in this repository is unused except what is listed with a reason, and no reason outlives its code', () => {
  const sources = readSources()
  assert.deepEqual(findUnused(sources), [])
  const all = findUnused(sources, {}).join('\n')
  for (const name of Object.keys(waiting)) assert.match(all, new RegExp(`uses ${name}\\.`), `${name} is used now: take it off the list`)
})
