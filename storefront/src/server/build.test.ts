import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { scopedName } from '@purlin/web/build.ts'
import { readManifest, type ClientManifest } from '@purlin/web/manifest.ts'
import type { Bundle } from '@purlin/web/pages-options.ts'
import { routes, type ShopRoute } from '../routes.ts'
import type { ShopContext } from '../shell/context.ts'
import { ensureBuilt } from './build.ts'
import { defaultDist } from './index.ts'

const dist = defaultDist
let bundle: Bundle<ShopContext>
let manifest: ClientManifest
before(async () => {
  await ensureBuilt()
  ;({ bundle } = await import(join(dist, 'server/bundle.js')))
  manifest = readManifest(join(dist, 'client'))
})

const built = (routes as readonly ShopRoute[]).filter((route) => route.page)
const read = (path: string) => readFileSync(join(dist, 'client', path))
const sizeOf = (path: string) => brotliCompressSync(read(path)).length

test('every page in the table is in the bundle, with a component, and with its own layout where it is custom (R-281)', () => {
  assert.ok(built.length > 0)
  for (const { name, page, layout } of built) {
    const module = bundle.pages[page!]
    assert.equal(typeof module?.Page, 'function', name)
    if (layout === 'custom') assert.equal(typeof module?.Layout, 'function', name)
  }
})

test('every page file belongs to a row of the table, or is a shared fallback page', () => {
  const named = new Set(built.map(({ page }) => page))
  for (const file of Object.keys(bundle.pages)) assert.ok(named.has(file) || file.startsWith('./errors/'), file)
})

test('the code shipped with every page stays small and does not include React', () => {
  // 9.5 KB, of which the session client accounts for two, and the names of other scripts, which differ by a hundred bytes from build to build.
  assert.ok(sizeOf(manifest.client) <= 9_800, `script of every page: ${sizeOf(manifest.client)} bytes`)
  assert.doesNotMatch(read(manifest.client).toString('utf8'), /react\.dev|hydrateRoot/)
  const styles = manifest.css.reduce((total, path) => total + sizeOf(path), 0)
  assert.ok(styles <= 16_384, `style sheet: ${styles} bytes`)
})

const root = join(import.meta.dirname, '../../..')
/** Scoped names of the classes of a CSS module. */
const classesOf = (file: string) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/\.([a-z]\w*)(?=[\s,:{.[>+~)])/gi)].map(
    ([, name]) => `.${scopedName(join(root, 'storefront'), name!, join(root, file))}`,
  )
const sheetsWith = (selectors: readonly string[]) =>
  [...new Set([manifest.css, ...Object.values(manifest.pageCss ?? {})].flat())].filter((path) => {
    const css = read(path).toString('utf8')
    return selectors.some((selector) => css.includes(selector))
  })

test('each CSS module is in one style sheet, which the pages that use it link', () => {
  const modules = globSync(['ui/src/**/*.module.css', 'storefront/src/**/*.module.css'], { cwd: root })
  assert.ok(modules.length > 40)
  for (const file of modules) assert.equal(sheetsWith(classesOf(file)).length, 1, file)
  const linked = (page: string) => [...manifest.css, ...(manifest.pageCss?.[page] ?? [])]
  for (const page of Object.keys(bundle.pages)) {
    const folder = page.split('/')[1]!
    for (const file of modules.filter((one) => one.startsWith(`storefront/src/${folder}/`))) {
      const source = readFileSync(join(root, 'storefront/src', page), 'utf8')
      if (source.includes(file.split('/').at(-1)!)) assert.ok(linked(page).includes(sheetsWith(classesOf(file))[0]!), `${page}: ${file}`)
    }
  }
})

test('open pages link the common style sheet alone; account and checkout link one of their own besides', () => {
  for (const page of ['home/home-page', 'category/category-page', 'product/product-page', 'search/search-page', 'errors/error-page'])
    assert.equal(manifest.pageCss?.[`./${page}.tsx`], undefined, page)
  const [account, checkout] = ['account/settings-page', 'checkout/address-page'].map((page) => manifest.pageCss?.[`./${page}.tsx`])
  assert.ok(account?.length === 1 && checkout?.length === 1 && account[0] !== checkout[0], `${account} ${checkout}`)
  assert.deepEqual(manifest.pageCss?.['./orders/order-details-page.tsx']?.toSorted(), [...account, ...checkout].toSorted())
})

test('tokens and base styles come before those of components, which can then override them', () => {
  const css = manifest.css.map((path) => read(path).toString('utf8')).join('')
  const scoped = (file: string, name: string) =>
    `.${scopedName(join(import.meta.dirname, '../..'), name, join(import.meta.dirname, '../../..', file))}`
  const narrow = scoped('ui/src/panel.module.css', 'narrow')
  const hero = scoped('storefront/src/home/home.module.css', 'hero')
  const places = ['--ink:', '.measure{', narrow, hero].map((part) => css.indexOf(part))
  assert.ok(
    places.every((at, index) => at > (places[index - 1] ?? -1)),
    String(places),
  )
})

test('the file of an island exports its component and nothing else: the browser uses its only export', () => {
  const files = globSync(join(import.meta.dirname, '../**/*.island.tsx'))
  assert.ok(files.length > 0)
  for (const file of files) assert.equal(readFileSync(file, 'utf8').match(/^export (?!interface|type)/gm)?.length, 1, file)
})

test('no secret and no source map is served', () => {
  for (const path of [manifest.client, ...manifest.css])
    assert.doesNotMatch(read(path).toString('utf8'), /sourceMappingURL|process\.env|DATABASE_URL/, path)
})
