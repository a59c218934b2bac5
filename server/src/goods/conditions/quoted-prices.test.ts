import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { claimQuotedPrices, quotesOfOrder, releaseQuotedPrices, writeQuotedPrices } from './quoted-prices.ts'

const { db } = await testDatabase()

test('a quote is claimed by one order alone, until that order gives it back', async () => {
  const quoteId = newId()
  const lines = [
    { offerId: '1', quantity: 40, price: 8852 },
    { offerId: '2', quantity: 5, price: 100 },
  ]
  const validUntil = new Date(Date.now() + 86_400_000)
  await writeQuotedPrices(db, {
    quoteId,
    sellerId: 1,
    customerId: newId(),
    companyId: newId(),
    market: 'gb',
    delivery: 0,
    validUntil,
    lines,
  })
  assert.equal(await claimQuotedPrices(db, [quoteId], 'P0000000000000001'), true)
  assert.equal(await claimQuotedPrices(db, [quoteId], 'P0000000000000002'), false)
  assert.deepEqual([await quotesOfOrder(db, 'P0000000000000001'), await quotesOfOrder(db, 'P0000000000000002')], [[quoteId], []])
  await releaseQuotedPrices(db, 'P0000000000000001')
  assert.equal(await claimQuotedPrices(db, [quoteId], 'P0000000000000002'), true)
})
