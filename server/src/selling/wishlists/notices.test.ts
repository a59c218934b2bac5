import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testGuest } from '@purlin/contract/testing.ts'
import { changePrice } from '../../goods/catalogue/change-price.ts'
import { connectSearch } from '#listing'
import type { Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { runWork } from '../../edges/worker/testing.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addCustomer, signIn } from '../../people/accounts/testing.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place } from '../checkout/testing.ts'
import { addToWishlist } from './change-wishlists.ts'
import { changeNotices } from './change-notices.ts'
import { handlers, jobs } from './jobs.ts'
import { listWishlists, showWishlist } from './show-wishlist.ts'

const database = await testDatabase()
const { db, pool } = database
await fillShop(database)
connectSearch({ version: () => 1, multiSearch: () => Promise.reject(new Error('no engine')) } as never)
const gateway = await testGateway(pool)

let products = 9100
/** A customer who gets mails about a product on a list. */
async function watcher({ price = 1000, stock = 10, isWanted = true } = {}) {
  const productId = String(products++)
  await addOffer(database, { id: productId, price, stock })
  const person = await addCustomer(db)
  const overrides: Partial<Scope> = { principal: { kind: 'customer', ...person }, session: { id: 's' } }
  const does = <Value>(operation: (scope: Scope) => Promise<Value>) => database.command(overrides, operation)
  await does((scope) => addToWishlist(scope, productId, null))
  // There is no index here: the known price is recorded as the index would have.
  await pool.query('update wishlists.item set known_price = $2 where product_id = $1', [productId, stock > 0 ? price : null])
  const [list] = await listWishlists(database.scope(overrides))
  assert.ok(list)
  if (isWanted) assert.deepEqual(await does((scope) => changeNotices(scope, list.id, true)), { ok: true, id: list.id })
  const { token } = await signIn(db, { customerId: person.id })
  return {
    ...person,
    productId,
    listId: list.id,
    does,
    cookie: `__Host-purlin=${token}`,
    page: () => showWishlist(database.scope(overrides), list.id, 1),
  }
}

async function work(): Promise<void> {
  await runWork(database, handlers, jobs)
  await pool.query(`update platform.job set run_at = now() where name = 'wishlists.tell'`)
  await runWork(database, handlers, jobs)
}

async function costs(offerId: string, price: number): Promise<void> {
  const changed = await database.command({}, (scope) =>
    changePrice(scope, { offerId, market: 'gb', currency: 'GBP', price, proPrice: null }),
  )
  assert.ok(changed.ok)
  await work()
}

/** Stock as a delivery or a return changes it, with its event. */
async function hasStock(offerId: string, stock: number): Promise<void> {
  await database.command({}, async (scope) => {
    await scope.db.run({ name: 'test.stock', text: 'update catalogue.offer set stock = $2 where id = $1' }, [offerId, stock])
    scope.emit('stock.changed', { offerId, productId: offerId, market: 'gb', stock })
  })
  await work()
}

async function mailsTo(email: string): Promise<{ template: string; subject: string; text: string }[]> {
  const { rows } = await pool.query('select template, subject, body_text as text from mail.mail where recipient = $1 order by id', [email])
  return rows
}

test('R-122 R-123 a price drop is reported by mail once, with the old price, the new price and the unsubscribe link', async () => {
  const ann = await watcher()
  await costs(ann.productId, 900)
  const [mail, ...others] = await mailsTo(ann.email)
  assert.deepEqual([mail?.template, others.length], ['wishlist-price-drop', 0])
  for (const part of ['£9.00', '£10.00', `/p/drill-${ann.productId}-${ann.productId}`, '/unsubscribe?list='])
    assert.ok(mail?.text.includes(part), part)
  await costs(ann.productId, 1000)
  await costs(ann.productId, 900)
  assert.equal((await mailsTo(ann.email)).length, 1, 'a price that rose and fell back is not news')
  await costs(ann.productId, 700)
  assert.equal((await mailsTo(ann.email)).length, 1, 'a week has not passed')
  await pool.query(`update wishlists.told set at = at - interval '8 days' where product_id = $1`, [ann.productId])
  await costs(ann.productId, 690)
  assert.equal((await mailsTo(ann.email)).length, 2)
})

test('R-122 a return to stock after selling out is reported by mail once, and on the list', async () => {
  const ann = await watcher({ stock: 1 })
  const buyer = newBuyer(database)
  must(await place(buyer, await draftOrder(buyer, [{ offerId: ann.productId, quantity: 1 }])))
  await work()
  assert.deepEqual(await mailsTo(ann.email), [])
  await hasStock(ann.productId, 5)
  assert.deepEqual(
    (await mailsTo(ann.email)).map(({ template }) => template),
    ['wishlist-back-in-stock'],
  )
  await hasStock(ann.productId, 0)
  await hasStock(ann.productId, 5)
  assert.equal((await mailsTo(ann.email)).length, 1)
})

test('R-122 mails are sent only on request, and not about other markets or products', async () => {
  const ann = await watcher({ isWanted: false })
  const eve = await watcher()
  await costs(ann.productId, 500)
  assert.deepEqual([await mailsTo(ann.email), await mailsTo(eve.email)], [[], []])
  const { rows } = await pool.query(`select 1 from platform.job where name = 'wishlists.tell' and key = $1`, [`gb:${ann.productId}`])
  assert.deepEqual(rows, [], 'no job for a product that nobody watches')
})

test('R-122 many lists are notified page by page, each once', async () => {
  const ann = await watcher()
  const others: string[] = []
  while (others.length < 130) {
    const person = await addCustomer(db)
    const overrides: Partial<Scope> = { principal: { kind: 'customer', ...person }, session: { id: 's' } }
    const added = await database.command(overrides, (scope) => addToWishlist(scope, ann.productId, null))
    assert.ok(added.ok && added.id)
    const { id } = added
    await database.command(overrides, (scope) => changeNotices(scope, id, true))
    others.push(person.email)
  }
  await pool.query('update wishlists.item set known_price = 1000 where product_id = $1', [ann.productId])
  await costs(ann.productId, 500)
  const { rows } = await pool.query(
    'select recipient, count(*)::int as mails from mail.mail where recipient = any($1) group by recipient',
    [[ann.email, ...others]],
  )
  assert.equal(rows.length, 131)
  assert.ok(rows.every(({ mails }) => mails === 1))
})

test('R-123 a mail’s link unsubscribes its own list only; any other link has no effect and gets the same response', async () => {
  const [ann, eve] = [await watcher(), await watcher()]
  await costs(ann.productId, 500)
  const [mail] = await mailsTo(ann.email)
  const token = /list=([\w-]+)/.exec(mail?.text ?? '')?.[1]
  assert.ok(token)
  const end = async (link: string) =>
    (await gateway.post('mutation ($token: String!) { endWishlistNotices(token: $token) }', { token: link })).body as unknown
  for (const link of ['', 'x'.repeat(24), "' or true --", eve.listId])
    assert.deepEqual(await end(link), { data: { endWishlistNotices: true } })
  assert.equal((await ann.page())?.hasNotices, true)
  assert.deepEqual(await end(token), { data: { endWishlistNotices: true } })
  assert.deepEqual([(await ann.page())?.hasNotices, (await eve.page())?.hasNotices], [false, true])
  await pool.query('delete from wishlists.told')
  await costs(ann.productId, 300)
  assert.equal((await mailsTo(ann.email)).length, 1)
})

test('A1 A5 R-123 nobody can start or stop the mails of another customer’s list; guests get none', async () => {
  const [ann, eve] = [await watcher(), await watcher()]
  const refused = { ok: false, reason: 'unknown-wishlist' }
  for (const isWanted of [true, false]) {
    assert.deepEqual(await eve.does((scope) => changeNotices(scope, ann.listId, isWanted)), refused)
    assert.deepEqual(await eve.does((scope) => changeNotices(scope, "x' or true --", isWanted)), refused)
  }
  assert.equal((await ann.page())?.hasNotices, true)
  const guest: Partial<Scope> = { principal: testGuest({ id: 'guest' }), session: { id: 'guest' } }
  const list = await database.command(guest, (scope) => addToWishlist(scope, ann.productId, null))
  assert.ok(list.ok && list.id)
  assert.deepEqual(await database.command(guest, (scope) => changeNotices(scope, list.id ?? '', true)), refused)
})

test('R-162 a mail client unsubscribes with one POST, without cookie or page; wrong tokens get the same response', async () => {
  const ann = await watcher()
  await costs(ann.productId, 500)
  const { rows } = await pool.query<{ url: string }>('select unsubscribe_url as url from mail.mail where recipient = $1', [ann.email])
  const path = new URL(rows[0]?.url ?? '').pathname
  const post = async (address: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return (await fetch(gateway.url + address, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' })).status
  }
  for (const other of [`/api/v1/unsubscribe/${'x'.repeat(24)}`, `/api/v1/unsubscribe/${ann.listId}`, '/api/v1/unsubscribe/%27']) {
    assert.equal(await post(other), 204)
    assert.equal((await ann.page())?.hasNotices, true)
  }
  assert.equal((await fetch(gateway.url + path)).status, 404, 'a GET does not unsubscribe')
  assert.equal((await ann.page())?.hasNotices, true)
  assert.equal(await post(path), 204)
  assert.equal((await ann.page())?.hasNotices, false)
  assert.equal(await post(path), 204)
})
