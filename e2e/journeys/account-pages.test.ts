import { test } from 'node:test'
import { assertFaultless, assertFits } from '../support/axe.ts'
import { standStill } from '../support/browser.ts'
import { startJourney } from '../support/journey.ts'
import { signIn } from '../support/signing-in.ts'

const { visit } = startJourney()
/** Each page, with something of the person's past that it shows. */
const pages = {
  '/customer-area': 'main [href="/orders"]',
  '/orders': 'main a[href^="/orders/"]',
  '/my-wallet': 'main form',
  '/my-advantages': 'main code',
  '/my-account/addresses': 'main form',
  '/my-account/addresses?add=1': 'main [name="line1"]',
  '/my-account/wishlists': 'main a[href^="/my-account/wishlists/"]',
} as const

for (const [market, email] of [
  ['gb', 'grace@example.com'],
  ['de', 'jonas@example.com'],
] as const)
  test(`R-291 R-012 R-014 R-015 R-016 in ${market} the pages of an account with a past have no axe violations, light and dark, and never scroll sideways`, async () => {
    const visitor = await visit({ market })
    const { page, origin } = visitor
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await signIn(visitor, email)
    for (const [path, sign] of Object.entries(pages)) {
      await page.goto(origin + path)
      await page.locator(sign).first().waitFor()
      await standStill(page)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await assertFaultless(visitor, `${path}, ${colorScheme}`)
      }
      await assertFits(visitor, path, [320, 390, 768, 1440])
      await page.emulateMedia({ colorScheme: 'light' })
    }
    await visitor.leave()
  })
