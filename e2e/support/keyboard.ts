import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
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

/** Controls of the page's own part that Tab does not come to, and those it comes to without showing where it is. */
export async function unreachable(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 1440, height: 900 })
  const { wanted, leftOut } = await page.evaluate(() => {
    const controls = [
      ...document.querySelectorAll<HTMLElement>('main a[href], main button, main input, main select, main textarea, main summary'),
    ]
    const seen = controls.filter((each) => each.checkVisibility() && !each.matches(':disabled, [type="hidden"], [aria-hidden="true"] *'))
    // Of a group of radio buttons Tab comes to one; what is hidden from screen readers repeats another control.
    const own = seen.filter((each) => !each.matches('[type="radio"], [aria-hidden="true"], [role="option"]'))
    const inOrder = own.filter((each) => each.tabIndex >= 0)
    inOrder.forEach((each, index) => (each.dataset['wanted'] = String(index)))
    const [first] = inOrder
    first?.focus()
    const textOf = (each: HTMLElement) => each.outerHTML.slice(0, 120)
    return { wanted: inOrder.map(textOf), leftOut: own.filter((each) => each.tabIndex < 0).map(textOf) }
  })
  const reached = new Set<number>([0])
  const hidden: string[] = []
  for (let presses = 0; presses < wanted.length + 20 && reached.size < wanted.length; presses++) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate(() => {
      const active = document.activeElement
      if (!(active instanceof HTMLElement)) return null
      // A card shows the focus of the link that fills it.
      const isShown = [active, active.closest('[data-card]')].some((each) => {
        if (each === null) return false
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each)
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
      })
      return { wanted: active.dataset['wanted'], isShown, html: active.outerHTML.slice(0, 120) }
    })
    if (at?.wanted === undefined) continue
    reached.add(Number(at.wanted))
    if (!at.isShown) hidden.push(`focus is not seen: ${at.html}`)
  }
  return [...leftOut, ...wanted.filter((_, index) => !reached.has(index)), ...hidden]
}
