import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type Db } from '#platform'
import { testScope } from '#platform/testing'
import { createCompanyGroup, type NamedCompany } from './give-price-list.ts'

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
