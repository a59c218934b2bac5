import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyStops, newAccount, signInStops, type Stop } from '../support/account-tour.ts'
import { faultsOf } from '../support/axe.ts'
import { standStill } from '../support/browser.ts'
import { startJourney } from '../support/journey.ts'
import { unreachable } from '../support/keyboard.ts'
import { scrollsSideways } from '../support/shopping-pages.ts'
import { variantsOf } from '../support/variants.ts'
import { people, type Visitor } from '../support/visitor.ts'

/** Signing in, the account and wishlists: axe, keyboard, width, and forms without script, empty, filled and failing. */

const journey = startJourney()
const sizes = [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 320, colorScheme: 'light' },
] as const
/** A folder for pictures of every stop, to be looked at; none are taken without. */
const pictures = process.env['PICTURES']

for (const market of variantsOf(['fr', 'gb', 'de'] as const)) {
  test(`R-085 R-122 in ${market} an address is kept and a wishlist made without script`, async () => {
    const visitor = await journey.visit({ market, javaScript: false })
    const { page, origin } = visitor
    const account = await newAccount(journey.shop.databaseUrl(), origin, market)
    await account.enter(page.context())
    await page.goto(`${origin}/my-account/addresses?add=1`)
    const form = page.locator('main form:has([name="line1"])')
    for (const [name, value] of Object.entries(people[market])) await form.locator(`[name="${name}"]`).fill(value)
    await form.locator('button').last().click()
    await page.waitForURL(`${origin}/my-account/addresses`)
    await page.getByText(people[market].line1).first().waitFor()
    await page.goto(`${origin}/my-account/wishlists`)
    const create = page.locator('main form:has([name="name"])')
    await create.locator('[name="name"]').fill('Bathroom 2027')
    await create.locator('button').last().click()
    await page.waitForURL(/\/my-account\/wishlists\/[\w-]+$/)
    await page.getByRole('heading', { level: 1, name: 'Bathroom 2027' }).waitFor()
    await visitor.leave()
  })
}

for (const market of variantsOf(['gb', 'fr', 'de'] as const)) {
  test(`R-291 in ${market} the pages of signing in, the account and wishlists have no axe violations, fit every width and are used by keyboard`, async () => {
    const visitor = await journey.visit({ market })
    const { page, origin } = visitor
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const wrong: string[] = []
    const look = async (stops: readonly Stop[]) => {
      for (const stop of stops) wrong.push(...(await faultsAt(visitor, stop)))
    }
    await look(signInStops)
    const account = await newAccount(journey.shop.databaseUrl(), origin, market)
    await account.enter(page.context())
    await look(emptyStops)
    await look(await account.fill())
    assert.equal(wrong.join('\n'), '')
    await visitor.leave()
  })
}

async function faultsAt({ page, origin, market }: Visitor, { name, path, failing }: Stop): Promise<string[]> {
  await page.setViewportSize({ width: 1440, height: 900 })
  const response = await page.goto(origin + path)
  const wrong: string[] = []
  const status = response?.status() ?? 0
  if (new URL(page.url()).pathname !== path.split('?')[0] || status >= 500 !== (name === 'auth-error-down'))
    return [`${market} ${name}: ${status} ${page.url()}`]
  if (failing) {
    const form = page.locator(`main ${failing}`).first()
    await form.evaluate((element: HTMLFormElement) => {
      element.noValidate = true
      for (const field of element.querySelectorAll<HTMLInputElement>('input:not([type="hidden"], [type="checkbox"], [type="radio"])'))
        field.value = ''
    })
    await Promise.all([page.waitForResponse((sent) => sent.request().method() === 'POST'), form.locator('button').first().click()])
    await page.locator('main [aria-invalid="true"]').first().waitFor()
  }
  // Every stop is checked light or dark, every second one the other way in the next market.
  const checked: readonly number[] = (name.length + market.charCodeAt(0)) % 2 === 0 ? [1440] : [390]
  await standStill(page)
  for (const { width, colorScheme } of sizes) {
    if (width !== 320 && !checked.includes(width) && !pictures) continue
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    const where = `${market} ${name}, ${width} px, ${colorScheme}`
    if (await scrollsSideways(page)) wrong.push(`${where}: scrolls sideways`)
    if (checked.includes(width)) wrong.push(...(await faultsOf(page.mainFrame())).map((fault) => `${where}: ${fault}`))
    if (pictures) {
      mkdirSync(pictures, { recursive: true })
      await page.screenshot({ path: join(pictures, `${name}.${market}.${width}.png`), fullPage: true })
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  wrong.push(...(await unreachable(page)).map((control) => `${market} ${name}: not reached by keyboard: ${control}`))
  return wrong
}

test('a button or link that Tab leaves out is reported, and so is one that does not show its focus', async () => {
  const visitor = await journey.visit({ market: 'gb' })
  await visitor.page.setContent(`<main>
    <a href="/">Home</a> <button tabindex="-1">Send</button> <button style="outline: none">Save</button>
    <p aria-hidden="true"><a href="/p" tabindex="-1">Picture</a></p>
  </main>`)
  const found = await unreachable(visitor.page)
  assert.deepEqual(
    found.map((each) => />(\w+)</.exec(each)?.[1]),
    ['Send', 'Save'],
  )
  await visitor.leave()
})
