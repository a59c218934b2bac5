/** Mistakes planted into copies of ordinary files: the responsible step of `npm run verify` detects each. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { root } from './find-tests.ts'
import { unlabelledControls } from './labels.ts'
import { findUnused } from './unused-code.ts'
import { readSources } from './walls.ts'

const folder = join(root, 'node_modules/.cache/planted-mistakes')
const run = (tool: string, ...args: string[]) => {
  const { stdout, stderr, status } = spawnSync(join(root, 'node_modules/.bin', tool), args, { cwd: folder, encoding: 'utf8' })
  return { said: stdout + stderr, passed: status === 0 }
}

before(() => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { incremental: false, types: ['node'] },
      include: ['*.ts', '*.tsx'],
      exclude: [],
    }),
  )
})
after(() => rmSync(folder, { recursive: true, force: true }))

test('V-63 verify runs the linter with types, and its warnings fail', () => {
  const verify = readFileSync(join(root, 'scripts/verify.ts'), 'utf8')
  assert.match(verify, /tool\('oxlint', '--type-aware', '--deny-warnings'\)/)
  assert.doesNotMatch(verify, /--quiet/)
})

const jsx = (markup: string) => `export function Planted() {\n  return ${markup}\n}\n`
const linted: Record<string, [file: string, text: string, says: RegExp | null]> = {
  'a promise that is awaited': ['awaited.ts', 'async function save() {\n  await Promise.resolve(1)\n}\nawait save()\n', null],
  'a floating promise': ['floating.ts', 'async function save() {\n  await Promise.resolve(1)\n}\nsave()\n', /no-floating-promises/],
  'a floating promise in a handler': [
    'handler.ts',
    'async function save() {\n  await Promise.resolve(1)\n}\nexport function onClick() {\n  save()\n}\n',
    /no-floating-promises/,
  ],
  'a promise taken for a condition': [
    'condition.ts',
    'async function isSold(): Promise<boolean> {\n  return Promise.resolve(false)\n}\nexport const words = () => {\n  if (isSold()) return 1\n  return 2\n}\n',
    /no-misused-promises/,
  ],
  'a button with words': ['words.tsx', jsx('<button type="button">Add</button>'), null],
  'a button without words': ['button.tsx', jsx('<button type="button" />'), /control-has-associated-label/],
  'a link without words': ['link.tsx', jsx('<a href="/cart" />'), /anchor-has-content|control-has-associated-label/],
  'a picture without a text': ['picture.tsx', jsx('<img src="/x.png" />'), /alt-text/],
  'a role without its attributes': ['role.tsx', jsx('<div role="checkbox" tabIndex={0}>x</div>'), /role-has-required-aria-props/],
}
test('V-63 the linter refuses each planted mistake, and nothing else', () => {
  const paths = Object.values(linted).map(([file]) => join(folder, file))
  for (const [file, text] of Object.values(linted)) writeFileSync(join(folder, file), text)
  // The folder is below node_modules, which the linter skips by default.
  const { said, passed } = run(
    'oxlint',
    '--type-aware',
    '--deny-warnings',
    '--no-ignore',
    '-f',
    'unix',
    '-c',
    join(root, 'oxlint.config.ts'),
    ...paths,
  )
  assert.ok(!passed)
  for (const [what, [file, , says]] of Object.entries(linted)) {
    const own = said
      .split('\n')
      .filter((line) => line.startsWith(`${file}:`))
      .join('\n')
    if (says) assert.match(own, says, `${what}: ${said}`)
    else assert.equal(own, '', what)
  }
})

const controls: Record<string, [markup: string, isFound: boolean]> = {
  'an input without a label': ['<input name="email" />', true],
  'a select whose id no label names': ['<div><label htmlFor="b">Sort</label><select id="a"><option>1</option></select></div>', true],
  'a text area beside words': ['<p>Message <textarea name="text" /></p>', true],
  'an input inside its label': ['<label>E-mail <input name="email" /></label>', false],
  'an input named by a label': ['<div><label htmlFor={id}>E-mail</label><input id={id} /></div>', false],
  'a hidden input': ['<input type="hidden" name="do" value="add" />', false],
  'an input with aria-label': ['<input aria-label={words.label} />', false],
}
for (const [what, [markup, isFound]] of Object.entries(controls))
  test(`V-63 ${what} is ${isFound ? 'refused' : 'accepted'} by the import checks`, () => {
    const found = unlabelledControls([{ path: 'storefront/src/planted.tsx', text: jsx(markup) }])
    assert.equal(found.length, isFound ? 1 : 0, found.join('\n'))
    if (isFound) assert.match(found.join(), /^storefront\/src\/planted\.tsx:2: <\w+> has no label/)
  })

test('V-63 no page of this repository has a control without a label', () => {
  assert.deepEqual(unlabelledControls(readSources()), [])
})

const compiled: Record<string, [text: string, says: RegExp | null]> = {
  'an element of an array that may be shorter': [
    'const list: string[] = []\nexport const size = list[0].length\n',
    /Object is possibly 'undefined'/,
  ],
  'a key of a record that may not be there': [
    'const words: Record<string, string> = {}\nexport const word: string = words["title"]\n',
    /Type 'string \| undefined' is not assignable to type 'string'/,
  ],
  'an access that is checked': ['const list: string[] = []\nexport const size = list[0]?.length ?? 0\n', null],
}
test('V-63 the compiler refuses an unchecked array access, and accepts a checked one', () => {
  const names = Object.keys(compiled)
  for (const [index, [text]] of Object.values(compiled).entries()) writeFileSync(join(folder, `compiled-${index}.ts`), text)
  const { said } = run('tsc', '-p', '.')
  for (const [index, [, says]] of Object.values(compiled).entries()) {
    const own = said
      .split('\n')
      .filter((line) => line.startsWith(`compiled-${index}.ts`))
      .join('\n')
    if (says) assert.match(own, says, `${names[index]}: ${said}`)
    else assert.equal(own, '', String(names[index]))
  }
})

test('V-62 V-63 an export that only its test and its index file use is refused', () => {
  const planted = [
    { path: 'server/src/goods/pricing/planted.ts', text: 'export function plantedPrice() {}\n' },
    { path: 'server/src/goods/pricing/planted.test.ts', text: "import { plantedPrice } from './planted.ts'\nplantedPrice()\n" },
    { path: 'server/src/goods/pricing/index.ts', text: "export { plantedPrice } from './planted.ts'\n" },
  ]
  const sources = readSources().filter(({ path }) => path !== 'server/src/goods/pricing/index.ts')
  assert.match(findUnused([...sources, ...planted]).join('\n'), /planted\.ts: nothing but tests uses plantedPrice/)
})
