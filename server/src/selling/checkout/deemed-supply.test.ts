import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeemedSupply, withheldVatOf, type Consignment } from './deemed-supply.ts'

const of = (sellerCountry: string, destination: string, more: Partial<Consignment> = {}): boolean =>
  isDeemedSupply({ sellerCountry, destination, value: 5_000, buyer: 'consumer', ...more })

test('the marketplace is the supplier of what consumers import, not of what stays within a customs territory', () => {
  assert.deepEqual([of('DE', 'GB'), of('US', 'GB'), of('GB', 'DE'), of('US', 'FR')], [true, true, true, true])
  assert.deepEqual([of('GB', 'GB'), of('FR', 'FR'), of('DE', 'FR')], [false, false, false])
})

test('businesses account for what they import themselves', () => {
  assert.deepEqual([of('DE', 'GB', { buyer: 'business' }), of('GB', 'DE', { buyer: 'business' })], [false, false])
})

test('consignments above £135 or €150 are imported by their sellers', () => {
  assert.deepEqual([of('DE', 'GB', { value: 13_500 }), of('DE', 'GB', { value: 13_501 })], [true, false])
  assert.deepEqual([of('GB', 'DE', { value: 15_000 }), of('GB', 'DE', { value: 15_001 })], [true, false])
})

type Part = Parameters<typeof withheldVatOf>[0]
const part = (sellerCountry: string, net: number, vatAmount: number, deliveryByRate: Part['deliveryByRate'] = []) =>
  ({ seller: { country: sellerCountry }, lines: [{ net, vatAmount }], deliveryByRate }) as Part
const order = (country: string, companyId: string | null = null) =>
  ({ address: { country }, companyId }) as Parameters<typeof withheldVatOf>[1]

test('withheld is the VAT of goods and delivery; delivery does not count towards the value of the consignment', () => {
  assert.equal(withheldVatOf(part('DE', 13_500, 2_700, [[2_000, 1_200]]), order('GB')), 2_900)
  assert.equal(withheldVatOf(part('DE', 13_501, 2_700), order('GB')), null)
  assert.equal(withheldVatOf(part('DE', 5_000, 1_000), order('GB', 'a company')), null)
  assert.equal(withheldVatOf(part('GB', 5_000, 1_000), order('GB')), null)
  assert.equal(withheldVatOf(part('GB', 5_000, 0), order('DE')), 0, 'also of goods at the zero rate')
})
