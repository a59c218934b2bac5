import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { casesOf } from './count-cases.ts'
import { root } from './find-tests.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `A${from + at}`)

/** Attacks whose tests must be listed. */
const wanted = [...numbers(1, 16), ...numbers(21, 72)]

/** Rows of `docs/attacks.md`: attack, what it is against, the files of its tests. */
const rows = [...read('docs/attacks.md').matchAll(/^\| (A\d+) +\| (.+?) +\| (.+?) +\|$/gm)].map(([, id = '', , files = '']) => ({
  id,
  files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
}))

test('docs/attacks.md lists every attack but those on an order’s input (A17 to A20) once', () => {
  const listed = rows.map(({ id }) => id)
  assert.deepEqual(
    listed.filter((id, at) => listed.indexOf(id) !== at),
    [],
  )
  assert.deepEqual(
    wanted.filter((id) => !listed.includes(id)),
    [],
  )
})

for (const { id, files } of rows)
  test(`${id} has at least three cases, and a test in every file docs/attacks.md names for it`, () => {
    const cases = files.map((file) => ({ file, count: casesOf(file, id) }))
    assert.deepEqual(
      cases.filter(({ count }) => count === 0).map(({ file }) => file),
      [],
    )
    assert.ok(cases.reduce((sum, { count }) => sum + count, 0) >= 3, `${id}: ${JSON.stringify(cases)}`)
  })

/** Rows of what the review found about attack and overload. */
const findings = [...read('docs/attacks.md').matchAll(/^\| (V-\d+) +\| .+? +\| (.+?) +\|$/gm)].map(([, id = '', files = '']) => ({
  id,
  files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
}))

test('docs/attacks.md lists each finding of V-01 to V-18 once, with three cases, and a test in every file it names', () => {
  const wantedFindings = Array.from({ length: 18 }, (_, at) => `V-${String(at + 1).padStart(2, '0')}`)
  assert.deepEqual(
    findings.map(({ id }) => id),
    wantedFindings,
  )
  const unproved = findings.flatMap(({ id, files }) => (files.length === 0 ? [id] : files.filter((file) => casesOf(file, id) === 0)))
  assert.deepEqual(unproved, [])
  const thin = findings.filter(({ id, files }) => files.reduce((sum, file) => sum + casesOf(file, id), 0) < 3)
  assert.deepEqual(
    thin.map(({ id }) => id),
    [],
  )
})
