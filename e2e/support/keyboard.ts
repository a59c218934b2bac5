import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import type { Visitor } from './visitor.ts'

/** Presses Tab until the focus is on the target; each stop must have a visible focus. */
export async function tabTo(visitor: Visitor, goal: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await goal.waitFor()
  await tabUntil(visitor, () => goal.evaluate((one) => one === document.activeElement), String(goal), key)
}

const most = 150

/** Presses a key until a condition holds; each stop must have a visible focus. */
export async function tabUntil(visitor: Visitor, isThere: () => Promise<boolean>, goal: string, key = 'Tab'): Promise<void> {
  for (let stops = 0; stops < most; stops++) {
    if (await isThere()) return
    await visitor.page.keyboard.press(key)
    await assertSeen(visitor)
  }
  assert.fail(`${goal} is not reached after ${most} presses of ${key}`)
}

/** The focused element is within the viewport, not covered, and outlined. */
export async function assertSeen({ page }: Visitor): Promise<void> {
  const fault = await page.evaluate(() => {
    const element = document.activeElement
    // A frame shows the focus of its own fields.
    if (!element || element === document.body || element instanceof HTMLIFrameElement) return null
    const name = `${element.tagName.toLowerCase()} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40)}`
    const { left, top, width, height } = element.getBoundingClientRect()
    if (width === 0 || height === 0) return `${name} has no size`
    const around = element.closest('label') ?? element
    const points = [0.5, 0.1, 0.9].flatMap((x) => [0.5, 0.1, 0.9].map((y) => [left + width * x, top + height * y] as const))
    const isThere = points.some(([x, y]) => {
      const hit = document.elementFromPoint(x, y)
      return hit !== null && (around.contains(hit) || hit.contains(element))
    })
    if (!isThere) return `${name} is out of sight or covered`
    // A whole card is outlined if its link covers it, by itself or by what stands before or after its link.
    const isOutlined = (one: Element, pseudo?: string) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one, pseudo)
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
    }
    const card = element.closest('article, li')
    const isMarked = isOutlined(element) || isOutlined(element, '::before') || isOutlined(element, '::after')
    return isMarked || (card !== null && isOutlined(card)) ? null : `${name} does not show its focus`
  })
  assert.equal(fault, null)
}
