import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import type { YourPriceFragment } from '@purlin/storefront/generated/documents.ts'
import { launchBrowser } from './browser.ts'
import { patient } from './patience.ts'

/** The shop's response to a request of a page; with `json` it is posted. */
type Answer = (path: string, json?: object) => Promise<{ body: string; headers: IncomingHttpHeaders }>

export interface OwnPrices {
  /** A page as its member sees it, once the script of the shop has put these prices there. */
  show(html: string, prices: YourPriceFragment[]): Promise<string>
  /**
   * A page as its member sees it after the script at the cart has requested their prices: in a new browser, and loaded once more in one
   * that remembers that there are prices. It is read once `until` is there.
   */
  visit(address: string, answer: Answer, until?: string): Promise<string[]>
  close(): Promise<void>
}

/** A script for a page, in one piece. */
async function bundled(harness: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: join(import.meta.dirname, harness), output: { format: 'iife', codeSplitting: false } },
    },
  })
  return (built as Rolldown.RolldownOutput).output[0].code
}

/** A browser that runs nothing of a page but what puts a company's prices there. */
export async function ownPricesInBrowser(): Promise<OwnPrices> {
  const [script, cartCount] = (await Promise.all(['put-prices-harness.ts', 'cart-count-harness.ts'].map(bundled))) as [string, string]
  const browser = await launchBrowser({ pictures: false })
  const page = await browser.newPage()
  return {
    show: async (html, prices) => {
      await page.setContent(html, { waitUntil: 'domcontentloaded' })
      await page.evaluate(script)
      return page.evaluate((own) => window.putPrices?.(own) ?? '', prices)
    },
    visit: async (address, answer, until = '[data-yours]') => {
      const context = await browser.newContext()
      const visited = await context.newPage()
      await visited.route('**', async (route) => {
        const { pathname, search } = new URL(route.request().url())
        const isPage = route.request().isNavigationRequest()
        if (!isPage && pathname !== '/graphql') return route.abort()
        const json = route.request().postDataJSON() as object | null
        const { body, headers } = await answer(pathname + search, json ?? undefined)
        return route.fulfill({ body, contentType: headers['content-type'] ?? '' })
      })
      const pages: string[] = []
      for (let times = 0; times < 2; times++) {
        await visited.goto(address, { waitUntil: 'domcontentloaded' })
        await visited.evaluate(cartCount)
        await visited
          .locator(until)
          .first()
          .waitFor({ state: 'attached', timeout: patient(10_000) })
        pages.push(await visited.content())
      }
      await context.close()
      return pages
    },
    close: () => browser.close(),
  }
}
