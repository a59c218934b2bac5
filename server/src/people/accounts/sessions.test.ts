import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { findSession, newSessionToken, rememberGuest, sessionIdOf, sessionInsert } from './index.ts'
import { forgetSessions } from './store.ts'

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

test('a session is found on the site it was made on, and on no other', async () => {
  const id = await newSession()
  assert.deepEqual(await findSession(db, id, 'gb', 'b2c'), {
    id,
    market: 'gb',
    mode: 'b2c',
    guestEmail: null,
    viewer: { kind: 'guest' },
    isStale: false,
  })
  assert.equal(await findSession(db, id, 'fr', 'b2c'), null)
  assert.equal(await findSession(db, id, 'gb', 'b2b'), null)
})

test('the table holds nothing a cookie could be made of', async () => {
  const token = newSessionToken()
  const id = sessionIdOf(token)
  assert.ok(id)
  await store(id, 'gb', 'b2c')
  const { rows } = await pool.query('select s::text as row from accounts.session s')
  assert.ok(rows.every(({ row }) => !row.includes(token)))
  assert.equal(sessionIdOf(id) === id, false)
})

test('a cookie that is no token of ours is not looked up', () => {
  for (const token of ['', 'x', `${'a'.repeat(42)}'`, 'a'.repeat(44)]) assert.equal(sessionIdOf(token), null)
})

test('a guest who says who they are is remembered', async () => {
  const id = await newSession()
  const session = { id, guestEmail: null }
  await database.command({ session }, (scope) => rememberGuest(scope, 'ann@example.com'))
  assert.equal((await findSession(db, id, 'gb', 'b2c'))?.guestEmail, 'ann@example.com')
})

test('a session that has ended is gone, at once and then for good', async () => {
  const id = await newSession()
  await pool.query(`update accounts.session set expires_at = now() - interval '1 second' where id = $1`, [id])
  assert.equal(await findSession(db, id, 'gb', 'b2c'), null)
  await forgetSessions(db)
  assert.equal((await pool.query('select 1 from accounts.session where id = $1', [id])).rowCount, 0)
})
