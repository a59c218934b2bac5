import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { browserStorage, storedThing } from '@purlin/contract/browser-storage.ts'
import { readSources } from '../../../scripts/walls.ts'
import { home } from '../testing/goods.ts'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'
import { enhance } from './privacy-signal.enhance.ts'

test('R-025 the dialog is the same for everybody, so that pages stay cached; refusing is as easy as accepting', async () => {
  const shop = await shopWith({ home: home() })
  try {
    const first = await shop.ask('/')
    const chosen = await shop.ask('/', { cookie: 'mm_consent=v1:statistics' })
    assert.equal(first.body, chosen.body)
    const [dialog = ''] = /<section[^>]*data-consent-dialog[\s\S]*?<\/section>/.exec(first.body) ?? []
    assert.match(dialog, /<form action="\/api\/v1\/consent" method="post">/)
    const buttons = [...dialog.matchAll(/<button[^>]*class="([^"]*)"[^>]*value="(\w+)"/g)].map(([, look, value]) => ({ look, value }))
    assert.deepEqual(
      buttons.map(({ value }) => value),
      ['none', 'all'],
    )
    assert.equal(buttons[0]?.look, buttons[1]?.look)
    assert.match(dialog, /<div role="status"><p>Your choice could not be saved\./)
    assert.match(dialog, /<noscript><link rel="stylesheet" href="\/api\/v1\/consent\/dialog.css"/)
    assert.match(first.body, /<footer[\s\S]*href="\/privacy-choices"/)
  } finally {
    await shop.close()
  }
})

test('R-517 R-518 R-519 the page of choices shows the current one, the three purposes, and everything that may be stored', async () => {
  const { status, body } = await pageOf({}, '/privacy-choices', { cookie: 'mm_consent=v1:statistics' })
  assert.equal(status, 200)
  const ticked = [...body.matchAll(/<input[^>]*type="checkbox"[^>]*>/g)].map(([input]) => [
    /value="(\w+)"/.exec(input)?.[1],
    input.includes('checked=""'),
  ])
  assert.deepEqual(ticked, [
    ['statistics', true],
    ['personalisedAdvertising', false],
    ['userPreferences', false],
  ])
  for (const { name } of browserStorage) assert.ok(body.includes(`<code>${name}</code>`), name)
  assert.doesNotMatch(body, /data-consent-dialog/, 'its own form asks')
  assert.ok(textOf(body).includes('365 days'))
  const open = await pageOf({}, '/privacy-choices', { host: 'de.localhost' })
  assert.ok(textOf(open.body).includes('Sie haben noch nicht gewählt'))
})

test('the form of choices says Global Privacy Control itself, since its header may get lost on the way', async () => {
  const { body } = await pageOf({}, '/privacy-choices')
  const [, inForm = ''] = /<form[^>]*action="\/api\/v1\/consent"[^>]*>([\s\S]*?)<\/form>/.exec(body) ?? []
  assert.match(
    inForm,
    /<page-island data-enhance="privacy-signal" data-when="load"><input type="hidden" name="signal" value=""\/><\/page-island>/,
  )
  for (const [signal, said] of [
    [true, 'gpc'],
    [false, ''],
    [undefined, ''],
  ] as const) {
    Object.defineProperty(globalThis, 'navigator', { value: { globalPrivacyControl: signal }, configurable: true })
    const field = { value: '' }
    enhance({ querySelector: () => field } as unknown as HTMLElement)
    assert.equal(field.value, said)
  }
})

/** Calls that store something in a browser, with the expression of its name. */
const storing = [
  { place: 'cookie', pattern: /\bcookieLine\(\s*([^,()]+),/g },
  { place: 'cookie', pattern: /\b(?:hostCookie|cookieOf)\(\s*[^,()]+,\s*([^,()]+(?:\(\w*\))?),/g },
  { place: 'cookie', pattern: /document\.cookie = `(\$?\{?[\w-]+\}?)=/g },
  { place: 'cookie', pattern: /return `([\w-]+)=[^`]*; Path=/g },
  { place: 'local', pattern: /\blocalStorage\.setItem\(([^,]+),/g },
  { place: 'cache', pattern: /\bcaches\.open\(([^)]+)\)/g },
  { place: 'session', pattern: /\bsessionStorage\.setItem\(([^,]+),/g },
] as const
/** Names that are variables of a function that is itself called with a name. */
const passedOn = /^(?:\$\{)?name\b/

test('every cookie and storage key that code sets is registered with purpose and lifetime, and every registered one is in use', () => {
  const sources = readSources().filter(
    ({ path }) =>
      /^(?:server|storefront|web|contract)\//.test(path) && !/\.test\.|testing|test-provider|browser-storage|consented-storage/.test(path),
  )
  const worker = 'storefront/public/service-worker.js'
  const texts = [...sources, { path: worker, text: readFileSync(join(import.meta.dirname, '../../..', worker), 'utf8') }]
  const everything = texts.map(({ text }) => text).join('\n')
  const valueOf = (expression: string): string => {
    const bare = expression.trim().replace(/^\$\{(\w+)\}$/, '$1')
    const literal = /^['"`](.*)['"`]$/.exec(bare)?.[1]
    if (literal !== undefined) return literal.replace(/\$\{\w+\}/g, 'b2b_x')
    if (/^[\w-]+$/.test(bare) && bare.includes('_')) return bare
    const name = /^\w+/.exec(bare)?.[0] ?? ''
    return new RegExp(`const ${name} = '([^']+)'`).exec(everything)?.[1] ?? bare
  }
  const found = texts.flatMap(({ path: file, text }) =>
    storing.flatMap(({ place, pattern }) =>
      [...text.matchAll(pattern)].map(([, expression = '']) => ({ file, place, expression, name: valueOf(expression) })),
    ),
  )
  assert.ok(found.length >= 12, `the scan finds ${found.length} places`)
  const unregistered = found.filter(
    ({ place, name, expression }) =>
      !passedOn.test(expression.trim()) && !storedThing(place, name) && !/^(?:session|transaction)\w+\(/.test(name),
  )
  assert.deepEqual(unregistered, [], 'register these in contract/src/browser-storage.ts')
  const scripts = texts.filter(({ text }) => /\b(?:indexedDB|cookieStore)\b/.test(text)).map(({ path }) => path)
  assert.deepEqual(scripts, [], 'other kinds of storage have no register yet')
  for (const { name } of browserStorage) assert.ok(everything.includes(name.replace(/(?:b2b_|-)?\*$/, '')), `${name} is not in use`)
})
