import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import type { Db } from '#platform'
import { forgetReference, reference } from './reference.ts'

const database = await testDatabase({ upTo: 'catalogue' })
const silent: Db = { ...database.db, rows: () => Promise.reject(new Error('timeout')), row: () => Promise.reject(new Error('timeout')) }
const addCategory = {
  name: 'test.add-category',
  text: `insert into catalogue.category (id, level, position, path, department, names, slugs)
         values ($1::integer, 0, 1, array[$1::integer], 'tools', '{"en":"Tools"}', '{"en":"tools"}')`,
}

test('F4 while the database is down the last data read is served; once it is back, changes show', async () => {
  await assert.rejects(reference({ db: silent }), /timeout/, 'with nothing read yet there is nothing to answer')
  assert.equal((await reference(database)).categories.all.length, 0, 'a shop that is being seeded')
  await database.db.run(addCategory, [1])
  assert.equal((await reference(database)).categories.all.length, 1, 'an empty shop is not remembered')
  await database.db.run(addCategory, [2])
  forgetReference()
  assert.equal((await reference({ db: silent })).categories.all.length, 1)
  forgetReference()
  assert.equal((await reference(database)).categories.all.length, 2)
})
