import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { filesBelow, root } from './find-tests.ts'
import { findMutants, withMutant, withProbes } from './mutate/find-mutants.ts'
import { mutatedModules } from './mutate/modules.ts'
import { runMutants, shuffled } from './mutate/run-mutants.ts'
import { reasonOf, survivors } from './mutate/survivors.ts'

const mutantsOf = (source: string) => findMutants('server/src/planted.ts', source).map(({ kind, becomes }) => `${kind}: ${becomes}`)
const sources = Object.values(mutatedModules).flatMap(({ sources: folder }) =>
  filesBelow(folder, /\.ts$/).filter((path) => !path.includes('.test.')),
)

const found: [what: string, source: string, mutants: string[]][] = [
  [
    'a number and a boolean',
    'export const a = [3, true]',
    ['constant: export const a = [4, true]', 'constant: export const a = [3, false]'],
  ],
  [
    'a comparison',
    "if (a === 'x') b = 1",
    ["negation: if ((a) !== ('x')) b = 1", 'constant: if (a === "x~") b = 1', "constant: if (a === 'x') b = 2"],
  ],
  ['a boundary', 'const a = b < c', ['negation: const a = (b) <= (c)']],
  ['a condition', 'const a = b ? c : d', ['negation: const a = !(b) ? c : d']],
  ['a negation and a connective', 'const a = !b && c', ['negation: const a = (!b) || (c)', 'negation: const a = b && c']],
  ['arithmetic, but not concatenated strings', 'const a = b * c\nconst d = `${e}` + f', ['arithmetic: const a = (b) / (c)']],
  ['fields that can be confused', 'const a = { b: x.b, c: x.c }', ['swapped field: const a = { b: x.c, c: x.b }']],
  ['calls', 'await save(a)\nsend()', ['removed call: ;', 'removed call: ;']],
  [
    'types, imports, errors and statements: none',
    "import a from 'b'\ntype C = 'd' | 1\nthrow new Error('e')\nconst f = { name: 'g', text: 'select 1' }",
    [],
  ],
]
for (const [what, source, mutants] of found) test(`V-71 mutants of ${what}`, () => assert.deepEqual(mutantsOf(source), mutants))

test('V-71 every mutant of the mutated modules, and every file with probes, is valid code', () => {
  for (const path of sources) {
    const source = readFileSync(join(root, path), 'utf8')
    const mutants = findMutants(path, source)
    for (const mutant of shuffled(mutants, 1).slice(0, 10))
      assert.doesNotThrow(() => stripTypeScriptTypes(withMutant(source, mutant)), mutant.becomes)
    assert.doesNotThrow(() => stripTypeScriptTypes(withProbes(source, mutants)), path)
  }
})

test('V-71 each survivor on the list is a mutant of the current code, with a reason', () => {
  for (const [path, listed] of Object.entries(survivors)) {
    const mutants = findMutants(path, readFileSync(join(root, path), 'utf8'))
    for (const { code, becomes, reason } of listed) {
      assert.ok(reason.length > 10, becomes)
      assert.ok(
        mutants.some((mutant) => mutant.code === code && mutant.becomes === becomes),
        `${path}: no mutant "${becomes}": remove it from the list`,
      )
    }
  }
})

test('V-71 the pricing tests detect nine of ten planted mistakes, and the others have a reason', async () => {
  const folder = 'server/src/goods/pricing'
  const rules = [
    'vat',
    'tax-mode',
    'price-block',
    'countdown',
    'badges',
    'retail-price',
    'sales-periods',
    'condition-marker',
    'detail-price',
  ]
  const tests = ['vat.test', 'tax-mode.test', 'price-block.test', 'offer-rules.test', 'boundaries.test'].map((file) => `${folder}/${file}`)
  const { judged } = await runMutants({ sources: folder, tests }, { only: rules.map((rule) => `/${rule}.ts`), sample: 20, seed: 1 })
  const left = judged.filter(({ killedBy }) => killedBy === null).map(({ mutant }) => mutant)
  assert.equal(judged.length, 20)
  assert.ok(left.length <= 2, left.map(({ path, line, becomes }) => `${path}:${line} ${becomes}`).join('\n'))
  assert.deepEqual(
    left.filter((mutant) => reasonOf(mutant) === undefined),
    [],
  )
})

test('V-71 a mistake in code that no test reaches survives', async () => {
  const folder = 'server/src/goods/pricing'
  const { judged } = await runMutants({ sources: folder, tests: [`${folder}/vat.test`] }, { only: ['/countdown.ts'], sample: 3 })
  assert.deepEqual(
    judged.map(({ killedBy }) => killedBy),
    [null, null, null],
  )
})
