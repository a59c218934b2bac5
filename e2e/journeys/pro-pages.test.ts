import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enter } from '../support/account-states.ts'
import { startJourney, type Journey } from '../support/journey.ts'
import { tabTo } from '../support/keyboard.ts'
import { stateChecks } from '../support/page-states.ts'
import { proMarkets, withoutNotes, type ProMarket } from '../support/professionals.ts'

/** The pages of Purlin Pro that nobody has to fill in, for a member of a company: by axe and at two widths, and again without scripts. Walked with `--all` alone. */

const paths = {
  home: '/',
  landing: '/pro',
  subscription: '/static/subscription',
  invoice: '/billie',
  financing: '/financing',
  'financing-details': '/financing-details',
  loyalty: '/static/loyalty-landing',
  'loyalty-questions': '/static/loyalty-program-faq',
  advantages: '/my-advantages',
}

async function tour(journey: Journey, market: ProMarket): Promise<void> {
  const faults: string[] = []
  for (const javaScript of [true, false]) {
    const visitor = await journey.visit({ market, mode: 'b2b', javaScript })
    const { page, origin } = visitor
    await withoutNotes(page)
    await enter(journey.shop.databaseUrl(), visitor)
    const checks = stateChecks(visitor, { scripts: javaScript })
    const open = async (name: string, path: string): Promise<void> => {
      assert.equal((await page.goto(origin + path))?.status(), 200, path)
      await checks.look(`pro-${name}`)
    }
    for (const [name, path] of Object.entries(paths)) await open(name, path)
    await page.goto(`${origin}/pro`)
    for (const type of ['trade', 'industry', 'product']) {
      const path = await page.locator(`main a[href^="/pro/${type}/"]`).first().getAttribute('href')
      await open(`by-${type}`, path ?? '')
      await page.goto(`${origin}/pro`)
    }
    if (javaScript) {
      await tabTo(visitor, page.locator('main a[href^="/pro/trade/"]').first())
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/pro\/trade\//)
    }
    faults.push(...checks.faults)
    await visitor.leave()
  }
  assert.deepEqual(faults, [])
}

if (process.env['ALL_STATES'] !== undefined) {
  const journey = startJourney({ pictures: process.env['PICTURES'] !== undefined })
  for (const market of proMarkets)
    test(`R-291 in ${market} the pages of Purlin Pro have no axe violations, never scroll sideways, lead on without scripts and by keyboard`, () =>
      tour(journey, market))
}
