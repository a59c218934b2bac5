import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { professionalRoutes } from '@purlin/storefront/professional-routes.ts'
import { proPages, proStates } from './pro-states.ts'

test('each page for professionals is walked filled, empty, failing and forbidden, or the table says why not', () => {
  for (const { name } of professionalRoutes) {
    const page = proPages[name]
    assert.ok(page, `${name} is missing`)
    const reasons = typeof page === 'string' ? [page] : Object.values(page).filter((state) => typeof state === 'string')
    for (const reason of reasons) assert.ok(reason.length > 10, `${name} says why`)
  }
  const names = proStates().map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  assert.deepEqual(
    Object.keys(proPages).filter((name) => !professionalRoutes.some((row) => row.name === name)),
    [],
  )
})

test('a test that is named instead of a state exists', () => {
  const text = readFileSync(join(import.meta.dirname, 'pro-states.ts'), 'utf8')
  for (const [, file = ''] of text.matchAll(/([\w/-]+\.test\.ts)/g)) {
    const places = ['../journeys', '..', '../..'].map((folder) => join(import.meta.dirname, folder, file))
    assert.ok(places.some(existsSync), file)
  }
})
