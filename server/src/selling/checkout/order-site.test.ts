import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { saveOrderReference, showOrderReference } from '../purchasing/order-reference.ts'
import { chooseSite, saveAddress } from './save-address.ts'
import { addOffer, addresses, companiesIn, draftOrder, fillShop, must } from './testing.ts'

/** The building site of an order, whose budget is charged. */

const database = await testDatabase()
const { pool } = database
const { newCompany, join } = companiesIn(database)
before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '7001', price: 100_00, stock: 500 })
})

async function draftFor() {
  const company = await newCompany()
  const buyer = await join(company, 'buyer')
  const { rows } = await pool.query<{ id: string }>(
    `insert into companies.site (id, company_id, name, address) values (gen_random_uuid(), $1, 'Roof', $2) returning id`,
    [company.id, JSON.stringify({ ...addresses.gb, country: 'GB' })],
  )
  const site = String(rows[0]?.id)
  const id = await draftOrder(buyer, [{ offerId: '7001', quantity: 1 }])
  const names = (siteId: string | null) =>
    buyer.does((scope) => saveOrderReference(scope, id, { purchaseOrder: 'PO 1', costCentre: null, siteId }))
  const siteNow = async () => (await showOrderReference(buyer.scope(), id))?.siteId
  return { buyer, site, names, siteNow }
}

test('an order keeps its building site when its address form is sent again, also once the site is archived', async () => {
  const { buyer, site, names, siteNow } = await draftFor()
  must(await names(site))
  await pool.query('update companies.site set archived_at = now() where id = $1', [site])
  // The form of an address is saved by these two.
  must(await buyer.does((scope) => saveAddress(scope, addresses.gb)))
  assert.equal(await siteNow(), site)
  must(await names(site))
  assert.equal(await siteNow(), site)
})

test('an order loses its building site when the form names none, and has the site that its address was chosen by', async () => {
  const { buyer, site, names, siteNow } = await draftFor()
  must(await names(site))
  must(await buyer.does((scope) => saveAddress(scope, addresses.gb)))
  must(await names(null))
  assert.equal(await siteNow(), null)
  must(await buyer.does((scope) => chooseSite(scope, site)))
  assert.equal(await siteNow(), site)
})
