import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

/** Colours of a tokens.css rule by name, as [light, dark]. */
function coloursOf(selector: string): Map<string, [string, string]> {
  const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
  const start = css.indexOf(`${selector} {`)
  assert.ok(start >= 0, selector)
  const body = css.slice(start, css.indexOf('\n}', start))
  const colours = new Map<string, [string, string]>()
  for (const [, name, value] of body.matchAll(/--([\w-]+):\s*([^;]+);/g)) {
    const pair = /^light-dark\((#\w+), (#\w+)\)$/.exec(value!)
    if (pair) colours.set(name!, [pair[1]!, pair[2]!])
    else if (/^#\w+$/.test(value!)) colours.set(name!, [value!, value!])
  }
  return colours
}

/** WCAG 2.2 relative luminance of a hex colour. */
function luminance(hex: string): number {
  const full = hex.length === 4 ? hex.replace(/[^#]/g, '$&$&') : hex
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(full.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const consumer = coloursOf(':root')
const professional = new Map([...consumer, ...coloursOf("[data-mode='b2b']")])
const grounds = ['paper', 'surface', 'surface-sunk', 'surface-raised']

/** Text colours and their backgrounds: contrast 4.5 to 1. */
const texts: [string, string[]][] = [
  ['ink', grounds],
  ['ink-soft', grounds],
  ['ink-faint', ['paper', 'surface', 'surface-raised']],
  ['link', grounds],
  ['sale', ['paper', 'surface', 'surface-raised']],
  ['good', ['paper', 'surface', 'surface-sunk', 'surface-raised', 'good-soft']],
  ['warn', ['surface', 'warn-soft']],
  ['danger', ['surface', 'paper', 'danger-soft']],
  ['info', ['surface', 'info-soft']],
  ['brand', ['surface', 'paper', 'brand-soft']],
  ['action-ink', ['action', 'action-hover']],
  ['accent-ink', ['accent']],
  ['sale-fill-ink', ['sale-fill']],
  ['head-ink', ['head', 'head-deep']],
  ['head-ink-soft', ['head-deep']],
  ['foot-ink', ['foot']],
  ['foot-ink-soft', ['foot']],
]

/** Edges of controls, stars and focus rings: contrast 3 to 1. */
const edges: [string, string[]][] = [
  ['line-strong', ['surface', 'paper']],
  ['star', ['surface']],
  ['focus', grounds],
  ['accent', ['head', 'head-deep', 'foot']],
]

for (const [shop, colours] of [
  ['the consumer shop', consumer],
  ['the professional shop', professional],
] as const) {
  for (const [at, scheme] of ['light', 'dark'].entries()) {
    test(`in ${shop}, ${scheme}, text has a contrast of 4.5 to 1 and graphics have 3 to 1`, () => {
      for (const [pairs, least] of [
        [texts, 4.5],
        [edges, 3],
      ] as const) {
        for (const [front, backs] of pairs) {
          for (const back of backs) {
            const [one, other] = [colours.get(front)?.[at], colours.get(back)?.[at]]
            assert.ok(one && other, `${front} and ${back} are colours`)
            const found = contrast(one, other)
            assert.ok(found >= least, `${front} on ${back}: ${found.toFixed(2)}, at least ${least}`)
          }
        }
      }
    })
  }
}

test('black on white has a contrast of 21 to 1, a colour on itself 1 to 1', () => {
  assert.equal(contrast('#000000', '#fff'), 21)
  assert.equal(contrast('#2237b4', '#2237b4'), 1)
})

test('the professional shop is a set of token overrides: it defines no token that the consumer shop lacks', () => {
  for (const name of coloursOf("[data-mode='b2b']").keys()) assert.ok(consumer.has(name), name)
})
