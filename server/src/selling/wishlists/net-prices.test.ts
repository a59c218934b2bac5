/** Lists of professionals who see prices without VAT: what is remembered and told is with VAT, what is shown as they see it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testMember } from '@purlin/contract/testing.ts'
import { connectSearch, rebuildIndex } from '#listing'
import type { Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { runWork } from '../../edges/worker/testing.ts'
import { changePrice } from '../../goods/catalogue/change-price.ts'
import { testEngine } from '../../goods/listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '../../goods/listing/test-shop.ts'
import { addCompany, addCustomer, addMembership } from '../../people/accounts/testing.ts'
import { changeNotices } from './change-notices.ts'
import { addToWishlist } from './change-wishlists.ts'
import { handlers, jobs } from './jobs.ts'
import { listWishlists, showWishlist } from './show-wishlist.ts'

const database = await testDatabase()
const { db, pool } = database
await testReference(db)
await testProduct(db, { id: 7001, title: 'Cordless drill', categoryId: 11 })
await testOffer(db, { id: 70010, productId: 7001, sellerId: 4, market: 'fr', price: 12_000, proPrice: null, stock: 50 })
const engine = await testEngine()
connectSearch(engine)

test('R-122 in fr a member hears of a reduction in prices with VAT, and sees how far it went in their own tax mode', async () => {
  const company = await addCompany(db, { country: 'FR', vatNumber: 'FR123456789' })
  const customer = await addCustomer(db, { market: 'fr' })
  await addMembership(db, customer.id, company.id, 'admin')
  const member: Partial<Scope> = { principal: testMember({ ...customer, role: 'admin', company }), mode: 'b2b', market: 'fr' }
  const viewer = (prefersVat: boolean) => ({ ...member, prefersVat })
  const costs = async (price: number) => {
    await database.command({}, (scope) => changePrice(scope, { offerId: '70010', market: 'fr', currency: 'EUR', price, proPrice: null }))
    await runWork(database, handlers, jobs)
    await pool.query(`update platform.job set run_at = now() where name = 'wishlists.tell'`)
    await runWork(database, handlers, jobs)
    await rebuildIndex({ db, engine })
  }
  await rebuildIndex({ db, engine })
  await database.command(viewer(false), (scope) => addToWishlist(scope, '7001', null))
  const [list] = await listWishlists(database.scope(viewer(false)))
  await database.command(viewer(false), (scope) => changeNotices(scope, list!.id, true))
  const dropped = async (prefersVat: boolean) =>
    (await showWishlist(database.scope(viewer(prefersVat)), list!.id, 1))?.items[0]?.dropped?.amount ?? null
  assert.deepEqual([await dropped(false), await dropped(true)], [null, null], 'nothing has changed')
  await costs(10_200)
  assert.deepEqual([await dropped(false), await dropped(true)], [1500, 1800])
  const { rows } = await pool.query<{ text: string }>(`select body_text as text from mail.mail where recipient = $1`, [customer.email])
  assert.equal(rows.length, 1)
  assert.match(rows[0]!.text.replaceAll(/\s/g, ' '), /102,00 € TTC au lieu de 120,00 €/)
})
