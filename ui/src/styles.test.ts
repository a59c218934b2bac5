import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { iconNames } from './icon.tsx'

const root = join(import.meta.dirname, '../..')
const sheets = globSync(['ui/src/**/*.module.css', 'storefront/src/**/*.module.css'], { cwd: root })
const sources = globSync(['ui/src/**/*.tsx', 'storefront/src/**/*.tsx'], { cwd: root })
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const withoutComments = (css: string) => css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/url\([^)]*\)/g, '')

/** Class names a source file uses from a style sheet: `styles.price`, `styles['price']`; null if it uses a variable. */
function namesUsed(source: string, sheet: string): Set<string> | null {
  const imported = new RegExp(`import (\\w+) from '[^']*/${basename(sheet).replaceAll('.', '\\.')}'`).exec(source)
  if (!imported) return new Set()
  if (new RegExp(`\\b${imported[1]}\\[[^'\\]]`).test(source)) return null
  return new Set(
    [...source.replaceAll(/^import .*$/gm, '').matchAll(new RegExp(`\\b${imported[1]}(?:\\.(\\w+)|\\['([\\w-]+)'\\])`, 'g'))].map(
      ([, dot, key]) => dot ?? key!,
    ),
  )
}

test('every class a component uses exists in its style sheet', () => {
  assert.ok(sheets.length > 15 && sources.length > 30)
  for (const sheet of sheets) {
    const classes = new Set([...withoutComments(read(sheet)).matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name!))
    for (const source of sources)
      for (const name of namesUsed(read(source), sheet) ?? []) assert.ok(classes.has(name), `${source} takes ${name} from ${sheet}`)
  }
})

test('no style sheet has an unused class', () => {
  for (const sheet of sheets) {
    const used = sources.map((source) => namesUsed(read(source), sheet))
    if (used.includes(null)) continue
    const taken = new Set(used.flatMap((names) => [...names!]))
    const classes = new Set([...withoutComments(read(sheet)).matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name!))
    for (const name of classes) assert.ok(taken.has(name), `${sheet}: .${name}`)
  }
})

test('every token used in a style sheet is defined', () => {
  const tokens = new Set([...`${read('ui/src/tokens.css')}${read('ui/src/icons.css')}`.matchAll(/--([\w-]+):/g)].map(([, name]) => name!))
  for (const sheet of sheets) {
    const css = read(sheet)
    const own = new Set([...css.matchAll(/--([\w-]+):/g)].map(([, name]) => name!))
    for (const [, name] of css.matchAll(/var\(--([\w-]+)/g)) {
      // Set by the components themselves.
      assert.ok(tokens.has(name!) || own.has(name!) || name === 'share' || name === 'icon', `${sheet}: --${name}`)
    }
  }
})

/** Backgrounds that follow a picture or a colour of their own, whatever the colour scheme. */
const ownColours = new Set([
  'badge.module.css',
  'home.module.css',
  'header.module.css',
  'footer.module.css',
  'switches.module.css',
  'dialog.module.css',
  'product.module.css',
  'checkout.module.css',
])

test('components use no literal colours, only tokens', () => {
  for (const sheet of sheets.filter((path) => !ownColours.has(basename(path)))) {
    const found = /#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/i.exec(withoutComments(read(sheet)))
    assert.equal(found?.[0], undefined, sheet)
  }
})

test('no physical side is used where a logical property exists', () => {
  for (const sheet of sheets) {
    const found = /[\s{](?:margin|padding)-(?:left|right)\s*:|text-align:\s*(?:left|right)/.exec(withoutComments(read(sheet)))
    assert.equal(found?.[0], undefined, sheet)
  }
})

test('every icon is drawn', () => {
  const css = read('ui/src/icons.css')
  const places = new Map([...css.matchAll(/--icon-([\w-]+): (\d+)%/g)].map(([, name, place]) => [name!, Number(place)]))
  for (const name of iconNames) assert.ok(places.has(name), name)
  // Each on its own field of the one picture.
  const fields = [...css.matchAll(/%3Cpath(?: transform='translate\((\d+)\)')?/g)].map(([, x]) => Number(x ?? 0) / 24)
  assert.deepEqual(
    [...places.values()].toSorted((one, other) => one - other),
    fields.map((field) => field * 2),
  )
})

test('V-100 icons are one picture: a phone sets up a document for each', () => {
  const drawings = [...sheets, 'ui/src/icons.css'].flatMap((sheet) => read(sheet).match(/url\("data:image\/svg/g) ?? [])
  assert.equal(drawings.length, 2, 'the icons, and the star that is repeated')
})
