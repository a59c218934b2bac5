import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testGuest } from '@purlin/contract/testing.ts'
import { testDatabase } from '#platform/testing'
import { endSessionsOf, findSession, linkPerson, newSessionToken, rememberGuest, sessionIdOf, sessionInsert, showSession } from './index.ts'
import { forgetSessions } from './store.ts'
import { addCompany, addCustomer, addMembership, addStaff, signIn } from './testing.ts'

const database = await testDatabase({ upTo: 'accounts' })
const { db, pool } = database

async function store(...session: Parameters<typeof sessionInsert>) {
  const { statement, values } = sessionInsert(...session)
  await db.run(statement, values)
}

async function newSession() {
  const id = sessionIdOf(newSessionToken())
  assert.ok(id)
  await store(id, 'gb', 'b2c')
  return id
}

const principalIn = async (id: string, family: 'b2c' | 'b2b' | 'staff' = 'b2c') => (await findSession(db, id, family))?.principal ?? null

test('a session is valid on the sites of its family and on no others', async () => {
  const id = await newSession()
  assert.deepEqual(await findSession(db, id, 'b2c'), { id, principal: { kind: 'guest', id, email: null }, isStale: false, overdue: null })
  assert.equal(await findSession(db, id, 'b2b'), null)
  assert.equal(await findSession(db, id, 'staff'), null)
})

test('a session of the previous release is found on the storefront that created it', async () => {
  const id = sessionIdOf(newSessionToken())
  await pool.query(`insert into accounts.session (id, market, mode, guest_email) values ($1, 'fr', 'b2b', 'a@example.com')`, [id])
  assert.deepEqual(await principalIn(id ?? '', 'b2b'), { kind: 'guest', id, email: 'a@example.com' })
  assert.equal(await principalIn(id ?? '', 'b2c'), null)
})

test('the table holds nothing from which a cookie could be reconstructed', async () => {
  const token = newSessionToken()
  const id = sessionIdOf(token)
  assert.ok(id)
  await store(id, 'gb', 'b2c')
  const { rows } = await pool.query('select s::text as row from accounts.session s')
  assert.ok(rows.every(({ row }) => !row.includes(token)))
  assert.equal(sessionIdOf(id) === id, false)
})

test('a malformed cookie is not looked up', () => {
  for (const token of ['', 'x', `${'a'.repeat(42)}'`, 'a'.repeat(44)]) assert.equal(sessionIdOf(token), null)
})

test('sessions that several requests want at the same time, of shop and offices, are shown to each request as its own', async () => {
  const [customer, staff] = [await addCustomer(db), await addStaff(db, { roles: [] })]
  const [guest, own, office] = [
    await newSession(),
    await signIn(db, { customerId: customer.id }),
    await signIn(db, { staffId: staff.id, family: 'staff' }),
  ]
  const shown = await Promise.all(
    (
      [
        [own.id, 'b2c'],
        [guest, 'b2c'],
        [own.id, 'b2b'],
        [office.id, 'staff'],
        [office.id, 'b2c'],
        ['unknown', 'b2c'],
        [own.id, 'b2c'],
      ] as const
    ).map(async ([id, family]) => (await showSession(db, id, family))?.principal.id ?? null),
  )
  assert.deepEqual(shown, [customer.id, guest, null, staff.id, null, null, customer.id])
})

test('a guest who enters an e-mail address is remembered', async () => {
  const id = await newSession()
  await database.command({ principal: testGuest({ id }), session: { id } }, (scope) => rememberGuest(scope, 'ann@example.com'))
  assert.deepEqual(await principalIn(id), { kind: 'guest', id, email: 'ann@example.com' })
})

test('an ended session is invalid at once and deleted later', async () => {
  const id = await newSession()
  await pool.query(`update accounts.session set expires_at = now() - interval '1 second' where id = $1`, [id])
  assert.equal(await principalIn(id), null)
  await forgetSessions(db)
  assert.equal((await pool.query('select 1 from accounts.session where id = $1', [id])).rowCount, 0)
})

test('V-51: a session follows the people tables: a changed name, role or company takes effect with the next request', async () => {
  const customer = await addCustomer(db)
  const company = await addCompany(db, { country: 'FR' })
  await addMembership(db, customer.id, company.id, 'buyer')
  const { id } = await signIn(db, { customerId: customer.id, companyId: company.id, family: 'b2b' })
  const asCustomer = { kind: 'customer', ...customer }
  assert.deepEqual(await principalIn(id, 'b2b'), { ...asCustomer, kind: 'member', role: 'buyer', company })
  await pool.query(`update accounts.membership set role = 'admin' where customer_id = $1`, [customer.id])
  await pool.query(`update accounts.company set country = 'DE' where id = $1`, [company.id])
  assert.deepEqual(await principalIn(id, 'b2b'), {
    ...asCustomer,
    kind: 'member',
    role: 'admin',
    company: { ...company, country: 'DE' },
  })
  await pool.query('update accounts.membership set ended_at = now() where customer_id = $1', [customer.id])
  assert.deepEqual(await principalIn(id, 'b2b'), asCustomer)
  await pool.query('update accounts.customer set closed_at = now() where id = $1', [customer.id])
  assert.equal(await principalIn(id, 'b2b'), null, 'a closed account is nobody, not a guest with its cart')
})

test('V-51: staff are operators or work for a seller, with the roles they hold now', async () => {
  const operator = await addStaff(db, { roles: [{ role: 'search', market: 'fr' }] })
  const seller = await addStaff(db, { sellerId: 7, roles: [{ role: 'seller', market: null }] })
  const sessions = [await signIn(db, { staffId: operator.id, family: 'staff' }), await signIn(db, { staffId: seller.id, family: 'staff' })]
  const [first, second] = await Promise.all(sessions.map(({ id }) => principalIn(id, 'staff')))
  assert.deepEqual(first, { kind: 'operator', ...operator, roles: [{ role: 'search', market: 'fr' }] })
  assert.deepEqual(second, { kind: 'sellerMember', ...seller, sellerId: 7, roles: [{ role: 'seller', market: null }] })
  await pool.query('delete from accounts.permission where staff_id = $1', [operator.id])
  assert.deepEqual(await principalIn(sessions[0]?.id ?? '', 'staff'), { kind: 'operator', ...operator, roles: [] })
  assert.equal(await principalIn(sessions[0]?.id ?? '', 'b2c'), null, 'a session of the offices opens no shop')
})

test('V-51: signing out everywhere is one statement and leaves other people’s sessions alone', async () => {
  const one = await addCustomer(db)
  const other = await addCustomer(db)
  const mine = [
    await signIn(db, { customerId: one.id }),
    await signIn(db, { customerId: one.id }),
    await signIn(db, { customerId: one.id, family: 'b2b' }),
  ]
  const theirs = await signIn(db, { customerId: other.id })
  assert.equal((await endSessionsOf(db, { customerId: one.id })).sessions, 3)
  for (const { id } of mine) assert.equal(await principalIn(id), null)
  assert.equal((await principalIn(theirs.id))?.kind, 'customer')
})

test('a session belongs to one person: one with both a customer and a member of staff cannot be stored', async () => {
  const customer = await addCustomer(db)
  const staff = await addStaff(db, { roles: [] })
  await assert.rejects(signIn(db, { customerId: customer.id, staffId: staff.id }), /session_one_person/)
  await assert.rejects(signIn(db, { customerId: customer.id, companyId: staff.id }), /session_membership/)
})

test('A43 nobody becomes a second member of staff under a colleague’s address, however it is written', async () => {
  const sam = await addStaff(db, {})
  const link = (email: string) =>
    database.command({}, async (scope) => {
      const identity = { realm: 'staff', issuer: 'http://id.example', subject: email, email, name: 'Sam', market: 'gb' } as const
      return { ok: true, person: await linkPerson(scope, identity) }
    })
  assert.equal((await link(sam.email)).person, null)
  assert.equal((await link(sam.email.toUpperCase())).person, null)
  assert.equal((await link('new.colleague@staff.example')).person?.kind, 'staff')
  const { rows } = await pool.query('select 1 from accounts.staff where lower(email) = lower($1)', [sam.email])
  assert.equal(rows.length, 1)
  // An account that has been closed frees the address.
  await pool.query('update accounts.staff set closed_at = now() where id = $1', [sam.id])
  assert.equal((await link(sam.email)).person?.kind, 'staff')
})

test('R-507 a member of staff is nobody in the shop, whatever cookie has their session', async () => {
  const { id: staffId } = await addStaff(db, {})
  const { id } = await signIn(db, { staffId })
  assert.equal(await findSession(db, id, 'b2c'), null)
})
