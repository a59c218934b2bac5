import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

for (const [language, withVat] of [
  ['en', ' incl. VAT'],
  ['de', ' inkl. MwSt.'],
  ['fr', ' TTC'],
  ['es', ' con IVA'],
  ['it', ' IVA inclusa'],
] as const)
  test(`pages and mails about requests for approval say in ${language} that a total includes VAT`, () => {
    const file = new URL(`../messages/${language}/approval.json`, import.meta.url)
    const messages = Object.entries<string>(JSON.parse(readFileSync(file, 'utf8')))
    const totals = messages.flatMap(([key, text]) =>
      text
        .split('{total}')
        .slice(1)
        .map((after) => ({ key, after })),
    )
    assert.ok(totals.length >= 20, `${totals.length} totals`)
    const silent = totals.filter(({ after }) => !after.startsWith(withVat))
    assert.deepEqual(silent, [])
  })
