import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testMember } from '@purlin/contract/testing.ts'
import { connectSearch, rebuildIndex } from '#listing'
import { newId, type Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { runWork } from '../../edges/worker/testing.ts'
import { changePrice } from '../../goods/catalogue/change-price.ts'
import { testEngine } from '../../goods/listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '../../goods/listing/test-shop.ts'
import { addCompany, addCustomer, addMembership } from '../../people/accounts/testing.ts'
import { addToWishlist, createWishlist } from './change-wishlists.ts'
import { changeNotices } from './change-notices.ts'
import { handlers, jobs } from './jobs.ts'
import { showWishlist } from './show-wishlist.ts'

/** Prices of lists on a professional storefront that shows them without VAT. */

const database = await testDatabase()
const { db, pool } = database
await testReference(db)
const engine = await testEngine()
connectSearch(engine)
const company = await addCompany(db, { country: 'FR', vatNumber: 'FR123456789' })

async function member() {
  const customer = await addCustomer(db, { market: 'fr' })
  await addMembership(db, customer.id, company.id, 'admin')
  const overrides: Partial<Scope> = {
    principal: testMember({ ...customer, role: 'admin', company }),
    session: { id: customer.id },
    mode: 'b2b',
    market: 'fr',
    prefersVat: false,
  }
  const does = <Value>(operation: (scope: Scope) => Promise<Value>, more: Partial<Scope> = {}) =>
    database.command({ ...overrides, ...more }, operation)
  const dropOn = async (listId: string, more: Partial<Scope> = {}) => {
    const list = await showWishlist(database.scope({ ...overrides, ...more }), listId, 1)
    return list?.items.map(({ dropped }) => dropped?.amount ?? null)
  }
  return { ...customer, does, dropOn }
}

let products = 7001
async function product(): Promise<string> {
  const id = products++
  await testProduct(db, { id, title: `Tool ${id}`, categoryId: 11 })
  await testOffer(db, { id: id * 10, productId: id, sellerId: 4, market: 'fr', price: 12_000, proPrice: null, stock: 50 })
  await rebuildIndex({ db, engine })
  return String(id)
}

async function costs(productId: string, price: number): Promise<void> {
  const changed = await database.command({}, (scope) =>
    changePrice(scope, { offerId: `${productId}0`, market: 'fr', currency: 'EUR', price, proPrice: null }),
  )
  assert.ok(changed.ok)
  await runWork(database, handlers, jobs)
  await pool.query(`update platform.job set run_at = now() where name = 'wishlists.tell'`)
  await runWork(database, handlers, jobs)
  await rebuildIndex({ db, engine })
}

const mailsTo = async (email: string) =>
  (await pool.query<{ text: string }>('select body_text as text from mail.mail where recipient = $1 order by id', [email])).rows.map(
    ({ text }) => text.replaceAll(/\s+/gu, ' '),
  )
const must = (done: { ok: boolean; id?: string | null }): string => {
  assert.ok(done.ok && done.id)
  return done.id
}
const withVat = { prefersVat: true }

test('R-122 in whichever tax mode a product was added and is looked at, nothing has dropped until its price has, and then by that much', async () => {
  const ann = await member()
  for (const added of [{}, withVat]) {
    const productId = await product()
    const listId = must(await ann.does((scope) => createWishlist(scope, 'One')))
    await ann.does((scope) => addToWishlist(scope, productId, listId), added)
    assert.deepEqual([await ann.dropOn(listId), await ann.dropOn(listId, withVat)], [[null], [null]])
    await costs(productId, 10_800)
    assert.deepEqual([await ann.dropOn(listId), await ann.dropOn(listId, withVat)], [[1000], [1200]])
  }
})

test('a member is written to of a drop with both prices including VAT, as the mail says', async () => {
  const ann = await member()
  const productId = await product()
  const listId = must(await ann.does((scope) => addToWishlist(scope, productId, null)))
  await ann.does((scope) => changeNotices(scope, listId, true))
  await costs(productId, 11_900)
  assert.deepEqual(await mailsTo(ann.email), [])
  await costs(productId, 10_200)
  const [mail = '', ...more] = await mailsTo(ann.email)
  assert.match(mail, /102,00 € TTC au lieu de 120,00 €/)
  assert.deepEqual(more, [])
})

test('a colleague sees on the list of a site, in either tax mode, what dropped since another member added it', async () => {
  const [ann, bob] = [await member(), await member()]
  const productId = await product()
  const site = newId()
  await pool.query('insert into companies.site (id, company_id, name, address) values ($1, $2, $3, $4)', [
    site,
    company.id,
    'Lille',
    JSON.stringify({ line1: '1 rue Neuve', line2: '', postcode: '59000', city: 'Lille', country: 'FR' }),
  ])
  const listId = must(await ann.does((scope) => createWishlist(scope, 'Toit', site)))
  await ann.does((scope) => addToWishlist(scope, productId, listId), withVat)
  assert.deepEqual([await bob.dropOn(listId), await bob.dropOn(listId, withVat)], [[null], [null]])
  await costs(productId, 9_600)
  assert.deepEqual([await bob.dropOn(listId), await bob.dropOn(listId, withVat)], [[2000], [2400]])
})

test('a price of one storefront is not compared with that of the other, and one of unknown tax mode with no professional one', async () => {
  const ann = await member()
  const productId = await product()
  const listId = must(await ann.does((scope) => addToWishlist(scope, productId, null)))
  await ann.does((scope) => changeNotices(scope, listId, true))
  for (const mode of ['b2c', null]) {
    await pool.query('update wishlists.item set known_price = 20000, known_mode = $2 where list_id = $1', [listId, mode])
    assert.deepEqual(await ann.dropOn(listId), [null])
  }
  await costs(productId, 11_900)
  assert.deepEqual(await mailsTo(ann.email), [], 'neither cheaper nor back in stock')
  await costs(productId, 9_000)
  assert.match((await mailsTo(ann.email))[0] ?? '', /90,00 € TTC au lieu de 119,00 €/)
})
