import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Frame } from 'playwright-core'
import type { Visitor } from './visitor.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

export async function assertFaultless({ page }: Visitor, name: string): Promise<void> {
  for (const frame of page.frames()) assert.deepEqual(await faultsOf(frame), [], name)
}

export async function assertFits({ page }: Visitor, name: string, widths: readonly number[]): Promise<void> {
  const size = page.viewportSize()!
  for (const width of widths) {
    await page.setViewportSize({ width, height: size.height })
    const widest = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(widest <= width, `${name} is ${widest} px wide in a window of ${width}`)
  }
  await page.setViewportSize(size)
}

/** A set of the process, which the modules of each test file find again (decision 078). */
function setOfProcess(name: string): Set<string> {
  const key = Symbol.for(name)
  const known: unknown = Reflect.get(globalThis, key)
  if (known instanceof Set) return known as Set<string>
  const created = new Set<string>()
  Reflect.set(globalThis, key, created)
  return created
}

/** Headers and footers that this process has found faultless, each with the window they were shown in. */
const faultless = setOfProcess('purlin:faultless')

/** Violations of a page. A header and a footer that were faultless in the same window before are not checked again. */
export async function faultsOf(frame: Frame): Promise<string[]> {
  // Evaluated, not added as a script element: the page's policy allows only scripts of its own.
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe)
  const framing = await frame.evaluate(framingOf)
  const found = await frame.evaluate(
    async ({ runOnly, exclude }) => {
      const { axe: checker } = window as unknown as {
        axe: { run(context: object, options: object): Promise<{ violations: Violation[] }> }
      }
      const { violations } = await checker.run({ include: [['html']], exclude }, { runOnly, resultTypes: ['violations'], iframes: false })
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
    },
    { runOnly: rules, exclude: framing !== null && faultless.has(framing) ? [['body > header'], ['body > footer']] : [] },
  )
  if (framing !== null && found.length === 0) faultless.add(framing)
  return found
}

/** Header and footer as they are now, with the window's width and colours; null for a page that lacks one. Addresses do not count. */
function framingOf(): string | null {
  const parts = ['body > header', 'body > footer'].map((selector) => document.querySelector(selector)?.outerHTML)
  if (parts.includes(undefined)) return null
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  return `${innerWidth} ${isDark} ${parts.join('').replace(/ (?:href|value|action)="[^"]*"/g, '')}`
}

interface Violation {
  id: string
  nodes: { html: string }[]
}
