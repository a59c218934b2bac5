import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes, markets } from '@purlin/contract/markets.ts'
import { product } from '@purlin/demo/index.ts'
import { documents } from '@purlin/server/goods/catalogue/ports.ts'
import { connectDemoDocuments } from './demo.ts'

connectDemoDocuments()
const drill = product(42, 0)
const row = { ...drill, family: drill.family.key, brand: drill.brand.name }

test('the demo shop generates the manual of its products in every language', () => {
  for (const { language } of marketCodes.map((market) => markets[market]))
    assert.ok(documents()?.manual(row, language)?.includes(`<html lang="${language}">`), language)
})

test('products with missing legal details, or of an unknown family, have no documents', () => {
  assert.equal(documents()?.manual({ ...row, safety: {} }, 'en'), null)
  assert.equal(documents()?.manual({ ...row, family: 'unheard-of' }, 'en'), null)
})
