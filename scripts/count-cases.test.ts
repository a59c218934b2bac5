import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { casesOf, titlesIn } from './count-cases.ts'
import { root } from './find-tests.ts'

const folder = mkdtempSync(join(tmpdir(), 'cases-'))
after(() => rmSync(folder, { recursive: true }))
let files = 0
const fileWith = (text: string, name = `${files++}.test.ts`): string => {
  writeFileSync(join(folder, name), text)
  return relative(root, join(folder, name))
}

test('a loop over a table counts its rows, with the values they put into a title', () => {
  const file = fileWith(`
    const rows = { one: { id: 'A1' }, two: { id: 'A2' } } as const
    for (const [name, { id }] of Object.entries(rows)) test(\`\${id} of \${name}\`, () => {})
    for (const [path] of [['a'], ['b']] satisfies string[][]) for (const mode of ['x', 'y']) it(\`A1 \${path} \${mode}\`, () => {})`)
  assert.deepEqual(titlesIn(file), ['A1 of one', 'A2 of two', 'A1 a x', 'A1 a y', 'A1 b x', 'A1 b y'])
  assert.deepEqual([casesOf(file, 'A1'), casesOf(file, 'A2'), casesOf(file, 'A')], [5, 1, 0])
})

test('a table of another file counts as well; one that is computed counts once, whatever its titles have in them', () => {
  fileWith(`export const attacks: Record<string, string> = { card: 'A9' }`, 'table.ts')
  const file = fileWith(`
    import { attacks } from './table.ts'
    for (const thing of ['card', 'order']) test(\`\${attacks[thing] ?? 'A1 A2'} of \${thing}\`, () => {})
    for (const path of read()) test(\`A5 \${path}\`, () => {})
    for (const id of read()) test(\`\${id} is refused\`, () => {})`)
  assert.deepEqual(titlesIn(file), ['A9 of card', 'A1 A2 of order', 'A5 …', '… is refused'])
})

test('an empty table has no case, and a title in a comment or a skipped test is none', () => {
  const file = fileWith(`
    for (const id of []) test(\`A1 \${id}\`, () => {})
    // test('A1 in a comment', () => {})
    test.skip('A1 skipped', () => {})`)
  assert.equal(casesOf(file, 'A1'), 0)
})
