import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoPeople } from '@purlin/demo/people.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { enrolDemoPeople } from './enrol-demo-people.ts'

test('of the demo’s sellers only an owner has the permissions of one', async () => {
  const { db, pool } = await testDatabase()
  await enrolDemoPeople(db, 'http://id.localhost:3002')
  const { rows } = await pool.query(`select staff_id::text as id from accounts.permission where role = 'owner'`)
  const owners = demoPeople.filter((person) => person.kind === 'seller' && person.isOwner)
  assert.ok(owners.length > 0 && demoPeople.some((person) => person.kind === 'seller' && !person.isOwner))
  assert.deepEqual(
    rows.map(({ id }) => id as string),
    owners.map(({ sub }) => sub),
  )
})

test('invoices to the demo’s companies have an address, so that they can subscribe at once', async () => {
  const { db, pool } = await testDatabase()
  await enrolDemoPeople(db, 'http://id.localhost:3002')
  const { rows } = await pool.query('select legal_name as name, line1, postcode, city from tax.record order by legal_name')
  assert.deepEqual(rows, [
    { name: 'Hartley Roofing Ltd', line1: '4 Slate Yard', postcode: 'S1 2AB', city: 'Sheffield' },
    { name: 'Électricité Mercier', line1: '12 rue des Ateliers', postcode: '69003', city: 'Lyon' },
  ])
})
