import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MemberRole } from '@purlin/contract/principal.ts'
import { connectSearch, rebuildIndex } from '#listing'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { testEngine } from '../../goods/listing/test-engine.ts'
import { addCustomer, signIn } from '../../people/accounts/testing.ts'
import { removeMember } from '../../people/companies/change-members.ts'
import { addOffer, companiesIn, fillShop, must, type Colleague } from '../checkout/testing.ts'
import { companyOwner, removeWishlistsOf } from './index.ts'
import { wishlistLimits } from './wishlist.ts'

/** Lists of a company's building sites, through the API of the professional storefront. */

const database = await testDatabase()
const { pool, db } = database
await fillShop(database)
for (const id of ['9001', '9002', '9003']) await addOffer(database, { id, stock: 100 })
await addOffer(database, { id: '9004', stock: 100, bulk: 6 })
connectSearch({ version: () => 1, multiSearch: () => Promise.reject(new Error('no engine')) } as never)
const gateway = await testGateway(pool)
const { newCompany, join } = companiesIn(database)

const address = { line1: '1 Mill Lane', line2: '', postcode: 'LS1 1UR', city: 'Leeds', country: 'GB' }
async function newSite(companyId: string, name: string, { country = 'GB', isArchived = false } = {}): Promise<string> {
  const id = newId()
  await pool.query(`insert into companies.site (id, company_id, name, address, archived_at) values ($1, $2, $3, $4, $5)`, [
    id,
    companyId,
    name,
    JSON.stringify({ ...address, country }),
    isArchived ? new Date() : null,
  ])
  return id
}

interface Seen {
  id: string
  name: string | null
  isDefault: boolean
  site: { id: string; name: string } | null
}
interface Done {
  id: string | null
  refusal: { reason: string } | null
}
async function ask<Value>({ cookie }: { cookie: string }, document: string, variables: object = {}): Promise<Value> {
  const { body } = await gateway.post(document, variables, { cookie, host: 'pro.gb.localhost:3000' })
  const { data, errors } = body as { data: { answer: Value } | null; errors?: unknown }
  assert.ok(data && !errors, JSON.stringify(body))
  return structuredClone(data.answer)
}
const listsOf = async (who: { cookie: string }) => {
  const lists = await ask<Seen[]>(who, '{ answer: wishlists { id name isDefault site { id name } } }')
  return lists.map(({ name, site }) => `${name ?? '-'}${site ? ` @ ${site.name}` : ''}`)
}
const mutation = (fields: string) => async (who: { cookie: string }, variables: object) => {
  const { id, refusal } = await ask<Done>(who, `mutation ${fields} { id refusal { reason } } }`, variables)
  return refusal?.reason ?? id
}
const create = mutation('($name: String!, $siteId: ID) { answer: createWishlist(name: $name, siteId: $siteId)')
const move = mutation('($id: ID!, $siteId: ID) { answer: setWishlistSite(id: $id, siteId: $siteId)')
const copy = mutation('($id: ID!, $intoId: ID!) { answer: copyWishlist(id: $id, intoId: $intoId)')
const add = mutation('($productId: ID!, $listId: ID) { answer: addToWishlist(productId: $productId, listId: $listId)')
const take = mutation('($productId: ID!, $listId: ID) { answer: removeFromWishlist(productId: $productId, listId: $listId)')
const rename = mutation('($id: ID!, $name: String!) { answer: renameWishlist(id: $id, name: $name)')
const share = mutation('($id: ID!) { answer: shareWishlist(id: $id, isShared: true)')
const notify = mutation('($id: ID!) { answer: changeWishlistNotices(id: $id, isWanted: true)')
const remove = mutation('($id: ID!) { answer: deleteWishlist(id: $id)')
const pageOf = (who: { cookie: string }, id: string) =>
  ask<{ name: string; canManage: boolean; site: { name: string } | null; items: { productId: string }[] } | null>(
    who,
    'query ($id: ID!) { answer: wishlist(id: $id) { name canManage site { name } items { productId } } }',
    { id },
  )
const onList = async (who: { cookie: string }, id: string) => (await pageOf(who, id))?.items.map(({ productId }) => productId).toSorted()

async function firm() {
  const company = await newCompany()
  const roles: MemberRole[] = ['admin', 'approver', 'buyer', 'accountant', 'viewer']
  const members = Object.fromEntries(await Promise.all(roles.map(async (role) => [role, await join(company, role)] as const))) as Record<
    MemberRole,
    Colleague
  >
  return { company, ...members, site: await newSite(company.id, 'School') }
}
const must1 = (id: string | null): string => {
  assert.match(id ?? '', /^[0-9a-f-]{36}$/)
  return id ?? ''
}

test('a list of a building site is seen, filled and named by everybody who orders for the company, and by nobody else', async () => {
  const one = await firm()
  const other = await firm()
  const id = must1(await create(one.buyer, { name: 'First fix', siteId: one.site }))
  for (const role of ['admin', 'approver', 'buyer'] as const) {
    assert.deepEqual(await listsOf(one[role]), ['First fix @ School'], role)
    assert.equal(await add(one[role], { productId: '9001', listId: id }), id)
    assert.equal(await rename(one[role], { id, name: 'First fix' }), id)
    assert.deepEqual(await onList(one[role], id), ['9001'])
    assert.equal(await take(one[role], { productId: '9001', listId: id }), id)
    assert.deepEqual(await onList(one[role], id), [])
  }
  const { token } = await signIn(db, { customerId: one.buyer.principal.id, family: 'b2c' })
  const privately = { cookie: `__Host-purlin=${token}` }
  const consumer = await gateway.post('{ wishlists { id } }', {}, { ...privately, host: 'gb.localhost:3000' })
  assert.deepEqual(structuredClone((consumer.body as { data: object }).data), { wishlists: [] }, 'its maker, when they shop for themselves')
  for (const [who, person] of [
    ['accountant', one.accountant],
    ['viewer', one.viewer],
    ['admin of another company', other.admin],
  ] as const) {
    assert.deepEqual(await listsOf(person), [], who)
    assert.equal(await pageOf(person, id), null, who)
    for (const refused of [
      await add(person, { productId: '9001', listId: id }),
      await take(person, { productId: '9001', listId: id }),
      await rename(person, { id, name: 'x' }),
      await move(person, { id, siteId: null }),
      await copy(person, { id, intoId: id }),
      await share(person, { id }),
      await remove(person, { id }),
    ])
      assert.equal(refused, 'unknown-wishlist', who)
    assert.equal(await create(person, { name: 'x', siteId: one.site }), 'unknown-site', who)
    assert.equal(await ask(person, 'mutation ($id: ID!) { answer: addWishlistToCart(id: $id) { added } }', { id }), null, who)
  }
})

test('those who run the sites share, move and delete a site’s list; a buyer who made it does not', async () => {
  const { admin, approver, buyer, company, site } = await firm()
  const id = must1(await create(buyer, { name: 'Roof', siteId: site }))
  for (const refused of [await share(buyer, { id }), await move(buyer, { id, siteId: null }), await remove(buyer, { id })])
    assert.equal(refused, 'unknown-wishlist')
  assert.deepEqual([(await pageOf(buyer, id))?.canManage, (await pageOf(approver, id))?.canManage], [false, true])
  const mill = await newSite(company.id, 'Mill')
  assert.equal(await move(approver, { id, siteId: mill }), id)
  assert.deepEqual(await listsOf(buyer), ['Roof @ Mill'])
  assert.equal(await share(admin, { id }), id)
  assert.equal(await move(admin, { id, siteId: null }), id)
  assert.deepEqual([await listsOf(admin), await listsOf(buyer)], [['Roof'], []], 'it is the admin’s own from then on')
  const { rows } = await pool.query('select share_token, site_id from wishlists.list where id = $1', [id])
  assert.deepEqual(rows, [{ share_token: null, site_id: null }], 'a link of the site’s list shows nothing of theirs')
  const again = must1(await create(buyer, { name: 'Roof', siteId: site }))
  assert.equal(await remove(approver, { id: again }), null)
  assert.deepEqual(await listsOf(buyer), [])
})

test('an own list becomes a site’s with its products, without its link and its mails', async () => {
  const { admin, buyer, site } = await firm()
  const id = must1(await create(buyer, { name: 'Heating' }))
  await add(buyer, { productId: '9002', listId: id })
  assert.deepEqual([await share(buyer, { id }), await notify(buyer, { id })], [id, id])
  assert.equal(await move(buyer, { id, siteId: site }), id)
  assert.deepEqual(await onList(admin, id), ['9002'])
  const { rows } = await pool.query(
    'select share_token, is_default, (select count(*)::int from wishlists.notice where list_id = l.id) as notices from wishlists.list l where id = $1',
    [id],
  )
  assert.deepEqual(rows, [{ share_token: null, is_default: false, notices: 0 }])
  assert.equal(await notify(buyer, { id }), 'unknown-wishlist', 'nobody in particular would get them')
  // The heart makes a new list of their own, and takes nothing off the site's.
  const own = must1(await add(buyer, { productId: '9002', listId: null }))
  assert.notEqual(own, id)
  await take(buyer, { productId: '9002', listId: null })
  assert.deepEqual([await onList(buyer, own), await onList(buyer, id)], [[], ['9002']])
  assert.deepEqual(await ask(buyer, '{ answer: wishedProducts }'), [])
  assert.equal(await move(buyer, { id: own, siteId: site }), 'wishlist-name', 'colleagues would not know what it is')
})

test('a site that is archived, abroad, unknown or another company’s gets no new list, and keeps those it has', async () => {
  const { buyer, company, site } = await firm()
  const kept = must1(await create(buyer, { name: 'Kept', siteId: site }))
  const abroad = await newSite(company.id, 'Lille', { country: 'FR' })
  const archived = await newSite(company.id, 'Old', { isArchived: true })
  const foreign = (await firm()).site
  const mine = must1(await create(buyer, { name: 'Mine' }))
  for (const siteId of [abroad, archived, foreign, randomUUID(), 'nonsense', '']) {
    assert.equal(await create(buyer, { name: 'x', siteId }), 'unknown-site', siteId)
    assert.equal(await move(buyer, { id: mine, siteId }), 'unknown-site', siteId)
  }
  const choices = () => ask<{ name: string }[]>(buyer, '{ answer: sitesForLists { name } }')
  assert.deepEqual(await choices(), [{ name: 'School' }])
  await pool.query('update companies.site set archived_at = now() where id = $1', [site])
  assert.deepEqual(await choices(), [])
  assert.deepEqual((await pageOf(buyer, kept))?.site, { name: 'School' })
})

test('products are copied between lists one may use, once each, as far as there is room', async () => {
  const { admin, buyer, site } = await firm()
  const mine = must1(await create(buyer, { name: 'Mine' }))
  const sites = must1(await create(admin, { name: 'Site', siteId: site }))
  for (const productId of ['9001', '9002']) await add(buyer, { productId, listId: mine })
  await add(admin, { productId: '9002', listId: sites })
  assert.equal(await copy(buyer, { id: mine, intoId: sites }), sites)
  assert.deepEqual(
    [await onList(admin, sites), await onList(buyer, mine)],
    [
      ['9001', '9002'],
      ['9001', '9002'],
    ],
  )
  assert.equal(await copy(admin, { id: mine, intoId: sites }), 'unknown-wishlist', 'a colleague’s own list')
  assert.equal(await copy(buyer, { id: mine, intoId: mine }), 'unknown-wishlist')
  await pool.query(`insert into wishlists.item (list_id, product_id) select $1, 500000 + n from generate_series(1, $2::integer - 3) n`, [
    sites,
    wishlistLimits.items,
  ])
  await add(buyer, { productId: '9003', listId: mine })
  const extra = must1(await create(buyer, { name: 'Extra' }))
  await pool.query(`insert into wishlists.item (list_id, product_id) values ($1, 700001), ($1, 700002)`, [extra])
  const count = async () => (await pool.query('select 1 from wishlists.item where list_id = $1', [sites])).rowCount
  assert.equal(await copy(buyer, { id: extra, intoId: sites }), sites)
  assert.equal(await count(), wishlistLimits.items)
  assert.equal(await copy(buyer, { id: mine, intoId: sites }), 'wishlist-full')
})

test('colleagues who fill a site’s list at once do not exceed its size', async () => {
  const { admin, buyer, approver, site } = await firm()
  const id = must1(await create(buyer, { name: 'Full', siteId: site }))
  await pool.query(`insert into wishlists.item (list_id, product_id) select $1, 500000 + n from generate_series(1, $2::integer - 1) n`, [
    id,
    wishlistLimits.items,
  ])
  // A colleague's change that has begun, and fills the list.
  const changing = await pool.connect()
  await changing.query('begin')
  await changing.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`wishlists list ${id}`])
  await changing.query('insert into wishlists.item (list_id, product_id) values ($1, 900000)', [id])
  const results = Promise.all([admin, buyer, approver].map((who, n) => add(who, { productId: `900${n + 1}`, listId: id })))
  await sleep(100)
  await changing.query('commit')
  changing.release()
  assert.deepEqual(await results, ['wishlist-full', 'wishlist-full', 'wishlist-full'])
  assert.equal((await pool.query('select 1 from wishlists.item where list_id = $1', [id])).rowCount, wishlistLimits.items)
})

test('a company has so many lists of sites, apart from its members’ own ones', async () => {
  const { buyer, company, site } = await firm()
  await pool.query(
    `insert into wishlists.list (id, owner, market, name, site_id) select gen_random_uuid(), $1, 'gb', 'L' || n, $2 from generate_series(1, $3) n`,
    [companyOwner(company.id), site, wishlistLimits.siteLists - 1],
  )
  must1(await create(buyer, { name: 'Last', siteId: site }))
  assert.equal(await create(buyer, { name: 'More', siteId: site }), 'too-many-wishlists')
  must1(await create(buyer, { name: 'Mine' }))
})

test('a company with all the lists it may have moves one from a site to another; a member’s own one finds no room', async () => {
  const { approver, company, site } = await firm()
  const other = await newSite(company.id, 'Mill')
  const own = must1(await create(approver, { name: 'Own' }))
  const id = must1(await create(approver, { name: 'Roof', siteId: site }))
  await pool.query(
    `insert into wishlists.list (id, owner, market, name, site_id) select gen_random_uuid(), $1, 'gb', 'L' || n, $2 from generate_series(1, $3) n`,
    [companyOwner(company.id), site, wishlistLimits.siteLists - 1],
  )
  await pool.query('update companies.site set archived_at = now() where id = $1', [site])
  assert.equal(await move(approver, { id, siteId: other }), id)
  assert.equal((await pageOf(approver, id))?.site?.name, 'Mill')
  assert.equal(await move(approver, { id: own, siteId: other }), 'too-many-wishlists')
})

test('whoever leaves the company loses its lists, which stay; those of a company that is erased are deleted', async () => {
  const { admin, buyer, company, site } = await firm()
  const id = must1(await create(buyer, { name: 'Stays', siteId: site }))
  must(await database.command({ principal: admin.principal, mode: 'b2b' }, (scope) => removeMember(scope, buyer.principal.id)))
  const { token } = await signIn(db, { customerId: buyer.principal.id, family: 'b2b' })
  assert.deepEqual(await listsOf({ cookie: `__Host-purlin=${token}` }), [])
  await removeWishlistsOf(db, `c:${buyer.principal.id}`)
  assert.deepEqual(await listsOf(admin), ['Stays @ School'])
  await removeWishlistsOf(db, companyOwner(company.id))
  assert.equal(await pageOf(admin, id), null)
})

test('everything on a list goes to the cart of the member who asks, by the piece or pack; what nobody sells is counted as left', async () => {
  const engine = await testEngine()
  await rebuildIndex({ db, engine })
  connectSearch(engine)
  const { buyer, approver, site } = await firm()
  const id = must1(await create(buyer, { name: 'All', siteId: site }))
  for (const productId of ['9001', '9002', '9004']) await add(buyer, { productId, listId: id })
  await pool.query(`update catalogue.offer set status = 'paused' where id = 9002`)
  await rebuildIndex({ db, engine })
  const all = (who: { cookie: string }) =>
    ask<{ added: number; left: { offerId: string }[]; refusal: { reason: string } | null }>(
      who,
      'mutation ($id: ID!) { answer: addWishlistToCart(id: $id) { added left { offerId } refusal { reason } } }',
      { id },
    )
  const cartOf = async (who: { cookie: string }) => {
    const cart = await ask<{ sellers: { lines: { offerId: string; quantity: number }[] }[] }>(
      who,
      '{ answer: cart { sellers { lines { offerId quantity } } } }',
    )
    return cart.sellers.flatMap(({ lines }) => lines.map(({ offerId, quantity }) => `${quantity} of ${offerId}`)).toSorted()
  }
  assert.deepEqual(await all(approver), { added: 2, left: [{ offerId: '9002' }], refusal: null })
  assert.deepEqual([await cartOf(approver), await cartOf(buyer)], [['1 of 9001', '6 of 9004'], []])
  assert.deepEqual(await onList(buyer, id), ['9001', '9002', '9004'], 'the list stays as it is')
  const none = must1(await create(buyer, { name: 'None', siteId: site }))
  await add(buyer, { productId: '9002', listId: none })
  const nothing = 'mutation ($id: ID!) { answer: addWishlistToCart(id: $id) { added refusal { reason } } }'
  assert.deepEqual(await ask(buyer, nothing, { id: none }), { added: 0, refusal: { reason: 'unknown-offer' } })
})

test('15.3 a list keeps quantities, which go into the cart in whole packs, with copies and with one product', async () => {
  const { buyer, approver, site } = await firm()
  const id = must1(await create(buyer, { name: 'Cables', siteId: site }))
  const put = mutation(
    '($productId: ID!, $listId: ID, $quantity: Int) { answer: addToWishlist(productId: $productId, listId: $listId, quantity: $quantity)',
  )
  const set = mutation(
    '($id: ID!, $productId: ID!, $quantity: Int!) { answer: setWishlistQuantity(id: $id, productId: $productId, quantity: $quantity)',
  )
  const quantities = async (who: { cookie: string }, listId: string) => {
    const page = await ask<{ items: { productId: string; quantity: number }[] }>(
      who,
      'query ($id: ID!) { answer: wishlist(id: $id) { items { productId quantity } } }',
      { id: listId },
    )
    return page.items.map(({ productId, quantity }) => `${quantity} of ${productId}`).toSorted()
  }
  await put(buyer, { productId: '9001', listId: id, quantity: 12 })
  await put(buyer, { productId: '9004', listId: id, quantity: 7 })
  await put(buyer, { productId: '9003', listId: id })
  await put(approver, { productId: '9001', listId: id })
  const engine = await testEngine()
  connectSearch(engine)
  await rebuildIndex({ db, engine })
  assert.deepEqual(await quantities(buyer, id), ['1 of 9003', '12 of 9001', '12 of 9004'], 'a second hand without a quantity changes none')
  assert.equal(await set(approver, { id, productId: '9001', quantity: 20 }), id)
  assert.equal(await put(approver, { productId: '9003', listId: id, quantity: 3 }), id, 'a quantity replaces the one on the list')
  for (const quantity of [0, -1, 10_000]) {
    assert.equal(await set(buyer, { id, productId: '9001', quantity }), 'wishlist-quantity')
    assert.equal(await put(buyer, { productId: '9001', listId: id, quantity }), 'wishlist-quantity')
  }
  const stranger = await firm()
  assert.equal(await set(stranger.admin, { id, productId: '9001', quantity: 1 }), 'unknown-wishlist')
  assert.equal(await set(buyer, { id, productId: '9002', quantity: 1 }), 'unknown-wishlist', 'a product that is not on it')
  const own = must1(await create(buyer, { name: 'Mine' }))
  assert.equal(await copy(buyer, { id, intoId: own }), own)
  assert.deepEqual(await quantities(buyer, own), ['12 of 9004', '20 of 9001', '3 of 9003'])
  await ask(buyer, 'mutation ($id: ID!) { answer: addWishlistToCart(id: $id) { added } }', { id })
  const lines = '{ answer: cart { siteId sellers { lines { offerId quantity } } } }'
  const cart = await ask<{ siteId: string | null; sellers: { lines: { offerId: string; quantity: number }[] }[] }>(buyer, lines)
  assert.deepEqual(cart.sellers.flatMap((seller) => seller.lines.map(({ offerId, quantity }) => `${quantity} of ${offerId}`)).toSorted(), [
    '12 of 9004',
    '20 of 9001',
    '3 of 9003',
  ])
  const moved = await ask<Done>(
    approver,
    'mutation ($listId: ID!) { answer: moveToCart(listId: $listId, productId: "9001") { id refusal { reason } } }',
    { listId: id },
  )
  assert.equal(moved.id, id)
  assert.deepEqual(
    (await ask<typeof cart>(approver, lines)).sellers.flatMap((seller) => seller.lines.map(({ quantity }) => quantity)),
    [20],
  )
})

test('15.3 the cart names the building site from whose list its goods came, as long as it is one alone and still open', async () => {
  const { buyer, company, site } = await firm()
  const mill = await newSite(company.id, 'Mill')
  const engine = await testEngine()
  connectSearch(engine)
  await rebuildIndex({ db, engine })
  const siteOf = async (who: { cookie: string } = buyer) =>
    (await ask<{ siteId: string | null }>(who, '{ answer: cart { siteId } }')).siteId
  const fill = async (listId: string) => ask(buyer, 'mutation ($id: ID!) { answer: addWishlistToCart(id: $id) { added } }', { id: listId })
  const take1 = (offerId: string) =>
    ask(buyer, 'mutation ($id: ID!) { answer: removeFromCart(offerId: $id) { refusal { reason } } }', { id: offerId })
  await ask(buyer, 'mutation { answer: addToCart(offerId: "9003", quantity: 1) { refusal { reason } } }')
  const mine = must1(await create(buyer, { name: 'Mine' }))
  await add(buyer, { productId: '9004', listId: mine })
  await fill(mine)
  assert.equal(await siteOf(), null, 'goods of no list and of one’s own name none')
  const atSchool = must1(await create(buyer, { name: 'Walls', siteId: site }))
  await add(buyer, { productId: '9001', listId: atSchool })
  await fill(atSchool)
  assert.equal(await siteOf(), site)
  const atMill = must1(await create(buyer, { name: 'Walls', siteId: mill }))
  await add(buyer, { productId: '9004', listId: atMill })
  await fill(atMill)
  assert.equal(await siteOf(), null, 'two sites')
  await take1('9004')
  assert.equal(await siteOf(), site)
  await take1('9001')
  await fill(atSchool)
  await pool.query('update companies.site set archived_at = now() where id = $1', [site])
  assert.equal(await siteOf(), null, 'nothing is ordered to an archived site')
})

test('a customer without a company has no sites to choose, and may not name one', async () => {
  const { site } = await firm()
  const { id } = await addCustomer(db)
  const { token } = await signIn(db, { customerId: id, family: 'b2b' })
  const customer = { cookie: `__Host-purlin=${token}` }
  assert.deepEqual(await ask(customer, '{ answer: sitesForLists { id } }'), [])
  assert.equal(await create(customer, { name: 'x', siteId: site }), 'unknown-site')
})
