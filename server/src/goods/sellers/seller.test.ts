import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { findSeller } from './find-seller.ts'
import { forgetSellers, knownSellers } from './known-sellers.ts'
import { addressLine, isTrading, sellsTo, type SellerStatus } from './seller.ts'

const database = await testDatabase({ upTo: 'sellers' })
const { db } = database
const insert = {
  name: 'test.seller',
  text: `insert into sellers.seller (id, slug, name, legal_name, country, vat_number, registration, address, email, phone, is_b2b, rating, response_hours, commission_bp, free_delivery_from, status)
    values ($1, 'slug', $2, $2, 'GB', 'VAT', 'REG', '{}', 'a@example.org', '1', false, 4.5, 24, 1200, '{"gb": 5000}', $3)`,
}
await db.run(insert, [1, 'Albion', 'active'])
await db.run(insert, [2, 'Closed', 'closed'])

test('a seller is read with all fields', async () => {
  const seller = await findSeller({ db }, 1)
  assert.deepEqual([seller?.name, seller?.rating, seller?.freeDeliveryFrom, seller?.commissionBp], ['Albion', 4.5, { gb: 5_000 }, 1_200])
})

test('a seller who may not trade is not found, and neither is an unknown id', async () => {
  for (const id of [2, 3, 0, -1, 1.5, 9_999_999_999]) assert.equal(await findSeller({ db }, id), null)
})

test('sellers are read from the database once, until they are evicted', async () => {
  let asked = 0
  const counting = { ...db, rows: ((...args: Parameters<typeof db.rows>) => (asked++, db.rows(...args))) as typeof db.rows }
  forgetSellers()
  for (let time = 0; time < 3; time += 1) assert.equal((await knownSellers({ db: counting }, [1, 2])).size, 2)
  assert.equal(asked, 1)
  await db.run({ name: 'test.rename', text: `update sellers.seller set name = 'New' where id = 1` })
  forgetSellers()
  assert.equal((await knownSellers({ db: counting }, [1])).get(1)?.name, 'New')
})

test('a seller read before a change but returned after it is not cached', async () => {
  const rename = (name: string) => db.run({ name: 'test.rename-to', text: 'update sellers.seller set name = $1 where id = 1' }, [name])
  const slow = {
    ...db,
    rows: (async (...args: Parameters<typeof db.rows>) => {
      const before = await db.rows(...args)
      await rename('Changed')
      forgetSellers()
      return before
    }) as typeof db.rows,
  }
  await rename('Before')
  forgetSellers()
  assert.equal((await knownSellers({ db: slow }, [1])).get(1)?.name, 'Before')
  assert.equal((await knownSellers({ db }, [1])).get(1)?.name, 'Changed')
})

test('which sellers may trade, and with which customers', () => {
  const statuses: SellerStatus[] = ['applied', 'kyc_pending', 'active', 'restricted', 'suspended', 'closed']
  assert.deepEqual(
    statuses.filter((status) => isTrading({ status })),
    ['active', 'restricted'],
  )
  assert.equal(sellsTo({ status: 'active', isB2b: true }, 'b2c'), false)
  assert.equal(sellsTo({ status: 'active', isB2b: true }, 'b2b'), true)
  assert.equal(sellsTo({ status: 'suspended', isB2b: false }, 'b2b'), false)
})

test('an address is one line, without missing parts and without the country, which is shown separately', () => {
  assert.equal(
    addressLine({ line1: '1 High Street', postcode: 'M1 1AE', city: 'Manchester', country: 'GB' }),
    '1 High Street, M1 1AE Manchester',
  )
  assert.equal(addressLine({}), '')
})
