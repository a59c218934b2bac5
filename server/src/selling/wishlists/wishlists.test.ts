import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testGuest } from '@purlin/contract/testing.ts'
import { ownerOf } from '#accounts'
import { connectSearch } from '#listing'
import { newId, type Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { addCustomer } from '../../people/accounts/testing.ts'
import { addOffer, fillShop } from '../checkout/testing.ts'
import { addToWishlist, createWishlist, deleteWishlist, removeFromWishlist, renameWishlist, shareWishlist } from './change-wishlists.ts'
import { wishlistsFollowSignIn } from './index.ts'
import { moveToCart } from './move-to-cart.ts'
import { listWished, listWishlists, showSharedWishlist, showWishlist } from './show-wishlist.ts'
import { insertList } from './store.ts'
import { isWishlistId, wishlistLimits } from './wishlist.ts'

const database = await testDatabase()
await fillShop(database)
for (const id of ['9001', '9002', '9003']) await addOffer(database, { id })
// There is no index here: a product falls back to its title until the engine answers.
connectSearch({
  version: () => 1,
  multiSearch: () => Promise.reject(new Error('no engine')),
} as never)

async function someone(overrides?: Partial<Scope>) {
  const all = overrides ?? { principal: { kind: 'customer' as const, ...(await addCustomer(database.db)) }, session: { id: 's' } }
  const scope = () => database.scope(all)
  return {
    owner: ownerOf(scope()) ?? '',
    scope,
    does: <Value>(operation: (command: Scope) => Promise<Value>) => database.command(all, operation),
    lists: () => listWishlists(scope()),
    wished: async () => (await listWished(scope())).toSorted(),
  }
}
const signIn = (from: string, into: string) => ({ from, into, storefront: 'b2c', email: 'ann@example.com' }) as const
const guest = (id: string) => someone({ principal: testGuest({ id }), session: { id } })
const must = (change: { ok: boolean; id?: string | null }): string => {
  assert.ok(change.ok && change.id, JSON.stringify(change))
  return change.id
}

test('R-122 the first heart creates the default list; a product is on it once and can be removed', async () => {
  const ann = await someone()
  assert.deepEqual(await ann.lists(), [])
  await ann.does((scope) => addToWishlist(scope, '9001', null))
  await ann.does((scope) => addToWishlist(scope, '9001', null))
  await ann.does((scope) => addToWishlist(scope, '9002', null))
  const [first, ...others] = await ann.lists()
  assert.deepEqual([first?.isDefault, first?.name, first?.count, others.length], [true, null, 2, 0])
  assert.deepEqual(await ann.wished(), ['9001', '9002'])
  await ann.does((scope) => removeFromWishlist(scope, '9001', null))
  assert.deepEqual(await ann.wished(), ['9002'])
})

test('R-123 several lists with names; one is renamed, another deleted with its items', async () => {
  const ann = await someone()
  const garden = must(await ann.does((scope) => createWishlist(scope, '  Garden   shed ')))
  const bath = must(await ann.does((scope) => createWishlist(scope, 'Bath')))
  await ann.does((scope) => addToWishlist(scope, '9003', bath))
  must(await ann.does((scope) => renameWishlist(scope, garden, 'Shed')))
  const pictures = (await ann.lists()).map((list) => [list.id, list.pictures.map((address) => address.split('?')[0])])
  assert.deepEqual(Object.fromEntries(pictures), { [garden]: [], [bath]: ['/pictures/p/9003/main.svg'] })
  const page = await showWishlist(ann.scope(), bath, 1)
  assert.deepEqual(
    page?.items.map(({ productId, title, card }) => [productId, title, card]),
    [['9003', 'Drill 9003', null]],
  )
  assert.ok((await ann.does((scope) => deleteWishlist(scope, bath))).ok)
  assert.deepEqual([(await ann.lists()).map(({ name }) => name), await ann.wished()], [['Shed'], []])
  for (const name of ['', ' ', 'x'.repeat(61), 'a\u202eb', '<b>'])
    assert.deepEqual(await ann.does((scope) => createWishlist(scope, name)), { ok: false, reason: 'wishlist-name' })
})

test('A1 A5 R-525 another customer’s list cannot be read, filled, renamed, shared, emptied or deleted, and appears not to exist', async () => {
  const [ann, eve] = [await someone(), await someone()]
  const id = must(await ann.does((scope) => addToWishlist(scope, '9001', null)))
  const unknown = '00000000-0000-7000-8000-0000000000ff'
  const attempts: ((at: string) => Promise<unknown>)[] = [
    (at) => showWishlist(eve.scope(), at, 1),
    (at) => eve.does((scope) => addToWishlist(scope, '9002', at)),
    (at) => eve.does((scope) => removeFromWishlist(scope, '9001', at)),
    (at) => eve.does((scope) => renameWishlist(scope, at, 'Mine')),
    (at) => eve.does((scope) => shareWishlist(scope, at, true)),
    (at) => eve.does((scope) => deleteWishlist(scope, at)),
    (at) => eve.does((scope) => moveToCart(scope, at, '9001')),
  ]
  for (const attempt of attempts) assert.deepEqual(await attempt(id), await attempt(unknown))
  assert.deepEqual(await eve.does((scope) => moveToCart(scope, id, '9001')), { ok: false, reason: 'unknown-wishlist' })
  const [list] = await ann.lists()
  assert.deepEqual([list?.count, list?.name, list?.shareToken], [1, null, null])
  assert.equal(await showWishlist(database.scope({ ...ann.scope(), market: 'fr' }), id, 1), null, 'a list is of one market')
})

test('a list is shared by an unguessable link that does not reveal its owner and can be revoked', async () => {
  const ann = await someone()
  const id = must(await ann.does((scope) => addToWishlist(scope, '9001', null)))
  must(await ann.does((scope) => shareWishlist(scope, id, true)))
  const token = (await ann.lists())[0]?.shareToken ?? ''
  assert.match(token, /^[\w-]{24}$/)
  must(await ann.does((scope) => shareWishlist(scope, id, true)))
  assert.equal((await ann.lists())[0]?.shareToken, token, 'asked again, it is the same link')
  const seen = await showSharedWishlist(database.scope(), token, 1)
  assert.deepEqual(
    seen?.items.map(({ productId }) => productId),
    ['9001'],
  )
  assert.ok(!JSON.stringify(seen).includes(ann.owner) && seen?.shareToken === null)
  for (const wrong of ['', id, token.slice(1), `${token}'`]) assert.equal(await showSharedWishlist(database.scope(), wrong, 1), null)
  must(await ann.does((scope) => shareWishlist(scope, id, false)))
  assert.equal(await showSharedWishlist(database.scope(), token, 1), null)
})

test('a guest’s wishlist moves to the customer at sign-in: nothing is lost or duplicated, even when it runs twice', async () => {
  const [visitor, ann] = [await guest('g-1'), await someone()]
  await visitor.does((scope) => addToWishlist(scope, '9001', null))
  await visitor.does((scope) => addToWishlist(scope, '9002', null))
  await ann.does((scope) => addToWishlist(scope, '9002', null))
  await ann.does((scope) => addToWishlist(scope, '9003', null))
  await Promise.all(
    Array.from({ length: 5 }, () => database.command({}, (scope) => wishlistsFollowSignIn(scope, signIn(visitor.owner, ann.owner)))),
  )
  assert.deepEqual([await ann.wished(), (await ann.lists()).length], [['9001', '9002', '9003'], 1])
  assert.deepEqual(await visitor.lists(), [])
  const [other, newcomer] = [await guest('g-2'), await someone()]
  await other.does((scope) => addToWishlist(scope, '9001', null))
  await database.command({}, (scope) => wishlistsFollowSignIn(scope, signIn(other.owner, newcomer.owner)))
  assert.deepEqual(await newcomer.wished(), ['9001'])
})

test('an account has a maximum number of lists; a heart on an unknown product changes nothing', async () => {
  const ann = await someone()
  for (let at = 2; at < wishlistLimits.lists; at++)
    await insertList(database.db, { owner: ann.owner, market: 'gb' }, { id: newId(), name: `L${at}`, isDefault: false })
  const made = await Promise.all(Array.from({ length: 5 }, (_, at) => ann.does((scope) => createWishlist(scope, `M${at}`))))
  assert.equal(made.filter(({ ok }) => ok).length, 2)
  for (const id of ['404', '0', 'x', "1'", '9'.repeat(30)])
    assert.deepEqual(await ann.does((scope) => addToWishlist(scope, id, null)), { ok: false, reason: 'unknown-product' })
})

test('a list has a maximum number of products; one that is full takes another after one has gone', async () => {
  const ann = await someone()
  const id = must(await ann.does((scope) => addToWishlist(scope, '9001', null)))
  await database.pool.query('insert into wishlists.item (list_id, product_id) select $1, generate_series(50001, 50000 + $2)', [
    id,
    wishlistLimits.items - 1,
  ])
  assert.deepEqual(await ann.does((scope) => addToWishlist(scope, '9002', null)), { ok: false, reason: 'wishlist-full' })
  must(await ann.does((scope) => removeFromWishlist(scope, '9001', id)))
  assert.ok((await ann.does((scope) => addToWishlist(scope, '9002', null))).ok)
})

test('R-489 R-490 A5 a wishlist id has 1 to 200 characters, without quotes, slashes and braces', () => {
  for (const id of ['a', 'W-1_ä 7', 'x'.repeat(200)]) assert.ok(isWishlistId(id), id)
  for (const id of ['', 'x'.repeat(201), "a'b", 'a"b', 'a`b', 'a/b', 'a\\b', '{a', 'a}']) assert.equal(isWishlistId(id), false, id)
})
