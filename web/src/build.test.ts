import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ensureBuilt } from './build.ts'

// A copy of the fixture that may be broken: outside the sources, with links back to its imports.
const place = mkdtempSync(join(tmpdir(), 'build-'))
const app = join(place, 'web/fixture')
cpSync(join(import.meta.dirname, '../fixture/src'), join(app, 'src'), { recursive: true })
symlinkSync(import.meta.dirname, join(place, 'web/src'), 'junction')
symlinkSync(join(import.meta.dirname, '../../node_modules'), join(place, 'node_modules'), 'junction')
after(() => rmSync(place, { recursive: true, force: true }))
const options = { app, sources: ['src'], client: 'src/client.ts', server: 'src/bundle.tsx', styles: 'src/styles.ts', publicDir: 'public' }

test('the same sources are built once, changed ones again, and a failed build leaves the previous one', async () => {
  const first = await ensureBuilt(options)
  assert.equal(first.built, true)
  assert.equal((await ensureBuilt(options)).built, false)

  const plain = join(app, 'src/plain-page.tsx')
  const before = readFileSync(plain, 'utf8')
  writeFileSync(plain, before.replace('Nothing', 'Little'))
  const second = await ensureBuilt(options)
  assert.equal(second.built, true)
  assert.notEqual(second.version, first.version)
  assert.match(readFileSync(join(app, 'dist/server/bundle.js'), 'utf8'), /Little to bring alive/)

  writeFileSync(plain, 'export const Page = (')
  await assert.rejects(ensureBuilt(options))
  assert.equal(readFileSync(join(app, 'dist/version'), 'utf8'), second.version)
  assert.ok(existsSync(join(app, 'dist/server/bundle.js')))
  assert.deepEqual(
    readdirSync(app).filter((name) => name.startsWith('.building')),
    [],
    'and no half of it',
  )
})

test('a constant that only a script loaded later uses is not in the script of every page', async () => {
  const constants = join(app, 'src/constants.ts')
  writeFileSync(constants, "export type Name = string\nexport const early: Name = 'used at once'\nexport const late: Name = 'used later'\n")
  writeFileSync(join(app, 'src/later.ts'), "import { late } from './constants.ts'\nconsole.log(late)\n")
  writeFileSync(join(app, 'src/start.ts'), "import { early } from './constants.ts'\nconsole.log(early)\nvoid import('./later.ts')\n")
  const dist = join(place, 'apart')
  const plain = readFileSync(join(app, 'src/plain-page.tsx'), 'utf8')
  writeFileSync(join(app, 'src/plain-page.tsx'), plain.replace('export const Page = (', 'export const Page = () => null'))
  await ensureBuilt({ ...options, dist, client: 'src/start.ts', constants: 'src/constants.ts' })
  const assets = join(dist, 'client/assets')
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const holding = (text: string) =>
    scripts.filter((name) => readFileSync(join(assets, name), 'utf8').includes(text)).map((name) => name.split('-')[0])
  assert.deepEqual(holding('used at once'), ['start'])
  assert.deepEqual(holding('used later'), ['later'])
})
