import { after, before } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { shopForTests, type Shop } from './shop.ts'
import { visit, type Visitor, type VisitorOptions } from './visitor.ts'

export interface Journey {
  /** The running shop; available from the first test on. */
  readonly shop: Shop
  /** A visitor with a browser window and cookies of their own. */
  visit(options: VisitorOptions): Promise<Visitor>
}

/** Shop and browser for the tests of a file: started before the first, stopped after the last. */
export function startJourney(options: { pictures?: boolean } = {}): Journey {
  let shop: Shop | undefined
  let browser: Browser | undefined
  before(async () => {
    shop = await shopForTests()
    browser = await launchBrowser(options)
  })
  after(async () => {
    await browser?.close()
    await shop?.stop()
  })
  return {
    get shop() {
      return shop!
    },
    visit: (options) => visit(browser!, shop!.origin, options),
  }
}
