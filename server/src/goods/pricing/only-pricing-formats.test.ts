import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../../../../', import.meta.url).pathname
const here = 'server/src/goods/pricing/'

/** Patterns that format money. */
const formatsMoney = [
  /style:\s*['"`]currency['"`]/,
  /currencyDisplay/,
  // "£${price}", "${price} €"
  /[£€]\$\{/,
  /\}\s?(?:[£€]|\\u20ac|\\u00a3|EUR|GBP)/i,
  // (amount / 100).toFixed(2)
  /\/\s*(?:100|minorPerMajor)\)?\s*\.to(?:Fixed|LocaleString)\(/,
]

function offenders(files: { name: string; text: string }[]): string[] {
  return files.flatMap(({ name, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (formatsMoney.some((pattern) => pattern.test(line)) ? [`${name}:${index + 1} ${line.trim()}`] : [])),
  )
}

test('no code outside pricing/ formats money', () => {
  const names = globSync('{contract,server,services,storefront,start,ui,web,demo}/**/*.{ts,tsx,mjs}', { cwd: root }).filter(
    (name) => !/node_modules|dist\/|\.test\.tsx?$|\/testing\/|\/test-[\w-]+\.ts$/.test(name) && !name.startsWith(here),
  )
  assert.ok(names.length > 10)
  assert.deepEqual(offenders(names.map((name) => ({ name, text: readFileSync(root + name, 'utf8') }))), [])
})

test('each pattern of formatting a price by hand is detected', () => {
  const ways = [
    `new Intl.NumberFormat('en', { style: 'currency', currency: 'GBP' })`,
    'const label = `£${price}`',
    'const label = `${price} €`',
    'const text = (amount / 100).toFixed(2)',
    `const text = (amount / minorPerMajor).toLocaleString('de')`,
  ]
  assert.equal(offenders(ways.map((text) => ({ name: 'x.ts', text }))).length, ways.length)
  assert.deepEqual(offenders([{ name: 'x.ts', text: 'const ms = time.toFixed(2); return formatMoney(money, market)' }]), [])
})
