import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sumInTaxMode, taxKeyOfSum, type LineOfSum } from './sum-of-lines.ts'

const line = (taxKey: LineOfSum['taxKey'], total: number): LineOfSum => ({ taxKey, total, vat: { rateBp: 1900, hasNoVATForDE: false } })

test('a sum has one tax mode: without VAT only if every line is, with VAT for all of them otherwise', () => {
  const sumOf = (lines: LineOfSum[]) => [taxKeyOfSum(lines), sumInTaxMode(taxKeyOfSum(lines), lines)]
  assert.deepEqual(sumOf([line('without_vat', 11_900), line('without_vat', 2380)]), ['without_vat', 12_000])
  assert.deepEqual(sumOf([line('without_vat', 11_900), line('with_vat', 2380)]), ['with_vat', 14_280])
  assert.deepEqual(sumOf([]), ['with_vat', 0])
})
