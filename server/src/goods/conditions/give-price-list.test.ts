import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type Db } from '#platform'
import { testDatabase, testScope } from '#platform/testing'
import { addCompany } from '../../people/accounts/testing.ts'
import { createCompanyGroup, type NamedCompany } from './give-price-list.ts'
import { readGroups } from './store.ts'

test('V-11 the work of recognising companies by their VAT numbers grows with their number, not with its square', async () => {
  const companies = Array.from({ length: 500 }, (_, n) => ({ id: newId(), vatNumber: `GB${n + 100_000_000}` }))
  let reads = 0
  const named = [...companies, { vatNumber: 'GB999 9999 99' }].map(({ vatNumber }): NamedCompany => ({
    get vatNumber() {
      reads++
      return vatNumber.toLowerCase()
    },
  }))
  const db = { ...testScope().db, rows: () => Promise.resolve(companies) } as unknown as Db
  const made = await createCompanyGroup({ db, now: new Date() }, 1, { name: 'Roofers', companies: named })
  assert.deepEqual(made, { ok: false, reason: 'unknown-company' })
  assert.ok(reads <= 2 * named.length, `${reads} reads`)
})

test('a company is recognised by its id and by its VAT number, however that is written, and is in a group once', async () => {
  const { db } = await testDatabase({ upTo: 'conditions' })
  const { id } = await addCompany(db, { vatNumber: 'GB123456789' })
  const companies = [{ vatNumber: 'gb 123-456.789' }, { vatNumber: 'GB123456789' }, { companyId: id }]
  assert.equal((await createCompanyGroup({ db, now: new Date() }, 1, { name: 'Roofers', companies })).ok, true)
  assert.deepEqual(
    (await readGroups(db, 1)).map((group) => group.companies),
    [[id]],
  )
})
