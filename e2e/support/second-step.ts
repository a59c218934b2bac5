import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** The last code entered here, by account. */
const entered = new Map<string, string>()

/**
 * Enters the code that the page of the second step shows for a demo account. Each code is valid once: one that was used before, here or in
 * another journey, is followed by the next within half a minute.
 */
export async function passSecondStep(page: Page, email: string): Promise<void> {
  for (;;) {
    const code = /\b\d{6}\b/.exec(await page.getByRole('status').innerText())?.[0]
    assert.ok(code, 'the code of the demo account is shown')
    if (code === entered.get(email)) {
      await page.waitForTimeout(1000)
      await page.goto(page.url())
      continue
    }
    entered.set(email, code)
    await page.locator('input[name="code"]').fill(code)
    const answer = page.waitForResponse((response) => response.request().method() === 'POST' && response.url().includes('/interaction/'))
    await page.keyboard.press('Enter')
    const status = (await answer).status()
    if (status === 303) return
    assert.equal(status, 401, 'a code is accepted, or has been used')
  }
}
