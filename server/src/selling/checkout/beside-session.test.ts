import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mode } from '@purlin/contract/markets.ts'
import { companyOf, findSession, newSessionToken, ownerOf, sessionIdOf, sessionInsert, type SessionFamily } from '#accounts'
import { checkAddress } from '#addresses'
import { cartBeside, cartOwnerIn } from '#cart'
import { countBeside } from '../cart/cart-reads.ts'
import { orderBeside, readOrderOf } from '#orders'
import { newId, type Beside } from '#platform'
import { testDatabase } from '#platform/testing'
import { addCompany, addCustomer, addMembership, addStaff, signIn } from '../../people/accounts/testing.ts'
import { startPunchOutSession } from '../../people/accounts/punch-out-session.ts'
import { saveDraft } from '../orders/store.ts'
import { addresses } from './testing.ts'

const database = await testDatabase()
const { db, pool } = database

async function guest(): Promise<string> {
  const id = sessionIdOf(newSessionToken()) ?? ''
  const { statement, values } = sessionInsert(id, 'gb', 'b2c')
  await db.run(statement, values)
  return id
}
const [one, other] = [await addCustomer(db), await addCustomer(db)]
const [company, rival] = [await addCompany(db), await addCompany(db)]
await addMembership(db, one.id, company.id, 'buyer')
await addMembership(db, other.id, rival.id, 'admin')
const staff = await addStaff(db, { roles: [{ role: 'support', market: null }] })

const viewers: Record<string, { id: string; family: SessionFamily }> = {
  'a guest': { id: await guest(), family: 'b2c' },
  'another guest': { id: await guest(), family: 'b2c' },
  'a customer': { id: (await signIn(db, { customerId: one.id })).id, family: 'b2c' },
  'a member': { id: (await signIn(db, { customerId: one.id, companyId: company.id, family: 'b2b' })).id, family: 'b2b' },
  'a member of another company': { id: (await signIn(db, { customerId: other.id, companyId: rival.id, family: 'b2b' })).id, family: 'b2b' },
  'an operator': { id: (await signIn(db, { staffId: staff.id, family: 'staff' })).id, family: 'staff' },
}
const checked = checkAddress('gb', addresses.gb)
assert.ok('address' in checked)

const modeOf = (family: SessionFamily): Mode => (family === 'b2b' ? 'b2b' : 'b2c')

const principalOf = async ({ id, family }: { id: string; family: SessionFamily }) => {
  const session = await findSession(db, id, family)
  assert.ok(session)
  return session.principal
}

test('A1 A2 V-102: read beside the session, an order is found by exactly those who find it otherwise', async () => {
  const orders: string[] = []
  for (const viewer of Object.values(viewers).slice(0, 5)) {
    const principal = await principalOf(viewer)
    const cartId = newId()
    const owner = ownerOf({ principal }) ?? ''
    await pool.query('insert into cart.cart (id, owner, market) values ($1, $2, $3)', [cartId, `${owner}/${cartId}`, 'gb'])
    const saved = await saveDraft(db, {
      id: `P${String(orders.length).padStart(16, '0')}`,
      owner,
      companyId: companyOf({ principal }),
      cartId,
      market: 'gb',
      mode: modeOf(viewer.family),
      origin: 'http://gb.localhost',
      currency: 'GBP',
      taxKey: 'with_vat',
      email: 'ann@example.com',
      address: checked.address,
      billingAddress: checked.billing,
    })
    assert.ok(saved)
    orders.push(saved.id)
  }
  await pool.query('insert into orders.access_grant (owner, customer_order_id) values ($1, $2)', [
    ownerOf({ principal: await principalOf(viewers['another guest'] ?? assert.fail()) }),
    orders[0],
  ])
  let found = 0
  for (const [who, viewer] of Object.entries(viewers)) {
    const principal = await principalOf(viewer)
    const owner = ownerOf({ principal })
    for (const id of orders) {
      for (const market of ['gb', 'fr'] as const) {
        const expected = owner === null ? undefined : await readOrderOf(db, id, { owner, companyId: companyOf({ principal }), market })
        const session = await findSession(db, viewer.id, viewer.family, [orderBeside(id, market)])
        assert.deepEqual(session?.principal, principal, who)
        assert.deepEqual(session.besides?.[0]?.row, expected, `${who}, ${id}, ${market}`)
        found += Number(expected !== undefined)
      }
    }
  }
  // Five owners, and one guest to whom an order was opened; a member sees their personal order too, but as a customer not the company's.
  assert.equal(found, 7)
})

test('A1 V-102: read beside the session, a cart is the viewer’s own, on this storefront and in this market', async () => {
  const ids = new Map<string, string>()
  for (const owner of new Set(
    await Promise.all(
      Object.values(viewers).map(async (viewer) => {
        const key = ownerOf({ principal: await principalOf(viewer) })
        return key === null ? 'nobody' : cartOwnerIn(key, modeOf(viewer.family))
      }),
    ),
  )) {
    ids.set(owner, newId())
    await pool.query('insert into cart.cart (id, owner, market) values ($1, $2, $3)', [ids.get(owner), owner, 'gb'])
  }
  for (const [who, viewer] of Object.entries(viewers)) {
    const owner = ownerOf({ principal: await principalOf(viewer) })
    const mode = modeOf(viewer.family)
    const inGb = await findSession(db, viewer.id, viewer.family, [cartBeside({ market: 'gb', mode })])
    const row = inGb?.besides?.[0]?.row as { id: string } | undefined
    assert.equal(row?.id, owner === null ? undefined : ids.get(cartOwnerIn(owner, mode)), who)
    const inFr = await findSession(db, viewer.id, viewer.family, [cartBeside({ market: 'fr', mode })])
    assert.equal(inFr?.besides?.[0]?.row, undefined, who)
  }
})

test('V-24: nothing is read beside a session that has ended', async () => {
  const id = await guest()
  await pool.query(`update accounts.session set expires_at = now() - interval '1 second' where id = $1`, [id])
  assert.equal(await findSession(db, id, 'b2c', [cartBeside({ market: 'gb', mode: 'b2c' })]), null)
})

test('V-102: two reads beside the session of the shop have the results of either alone, whichever was wanted first', async () => {
  const carts = new Map<string, string>()
  for (const [who, viewer] of Object.entries(viewers)) {
    const owner = ownerOf({ principal: await principalOf(viewer) })
    if (owner === null) continue
    const id = newId()
    carts.set(who, id)
    await pool.query('insert into cart.cart (id, owner, market) values ($1, $2, $3)', [id, cartOwnerIn(owner, modeOf(viewer.family)), 'es'])
    await pool.query('insert into cart.line (cart_id, offer_id, quantity, seen_price) values ($1, 7, $2, 100)', [id, 1 + carts.size])
  }
  const counts = new Map([...carts.keys()].map((who, at) => [who, 2 + at]))
  for (const [who, viewer] of Object.entries(viewers))
    for (const isTurned of [false, true]) {
      const site = { market: 'es', mode: modeOf(viewer.family) } as const
      const wanted = [cartBeside(site), countBeside(site)]
      const session = await findSession(db, viewer.id, viewer.family, isTurned ? wanted.toReversed() : wanted)
      const rowOf = ({ statement }: Beside) => session?.besides?.find((each) => each.statement === statement)?.row
      const [cart, count] = wanted.map(rowOf) as [{ id: string } | undefined, { count: number } | undefined]
      assert.deepEqual(session?.principal, await principalOf(viewer), who)
      assert.deepEqual([cart?.id, count?.count], [carts.get(who), counts.get(who)], who)
    }
})

test('V-24 V-102: of three reads the session’s statement makes two, and one that is wanted twice once', async () => {
  const id = await guest()
  const site = { market: 'gb', mode: 'b2c' } as const
  const wanted = [countBeside(site), cartBeside(site), orderBeside('P0000000000000000', 'gb'), countBeside(site)]
  const session = await findSession(db, id, 'b2c', wanted)
  assert.deepEqual(
    session?.besides?.map(({ statement }) => statement.name),
    ['cart.for-sale-to-viewer', 'cart.count-of-viewer'],
  )
  await pool.query(`update accounts.session set expires_at = now() - interval '1 second' where id = $1`, [id])
  assert.equal(await findSession(db, id, 'b2c', wanted), null)
})

test('V-102: beside the session of a purchasing system whose member has left, a guest reads their own cart, and nobody’s number', async () => {
  const person = await addCustomer(db)
  await addMembership(db, person.id, company.id, 'buyer')
  const { id } = await startPunchOutSession(db, { memberId: person.id, companyId: company.id, until: new Date(Date.now() + 3_600_000) })
  const cart = newId()
  await pool.query('insert into cart.cart (id, owner, market) values ($1, $2, $3)', [cart, `p:${id}`, 'gb'])
  await pool.query('insert into cart.line (cart_id, offer_id, quantity, seen_price) values ($1, 9001, 5, 100)', [cart])
  const site = { market: 'gb', mode: 'b2b' } as const
  const read = async () => {
    const found = await findSession(db, id, 'b2b', [cartBeside(site), countBeside(site)])
    assert.ok(found)
    const [own, count] = found.besides ?? []
    return [ownerOf(found), (own?.row as { id: string } | undefined)?.id, (count?.row as { count: number } | undefined)?.count]
  }
  assert.deepEqual(await read(), [`p:${id}`, cart, 5])
  await pool.query('update accounts.membership set ended_at = now() where customer_id = $1', [person.id])
  assert.deepEqual(await read(), [`s:${id}`, undefined, 0])
})
