import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import type { YourPriceFragment } from '@purlin/storefront/generated/documents.ts'
import { launchBrowser } from './browser.ts'

export interface OwnPrices {
  /** A page as its member sees it, once the script of the shop has put these prices there. */
  show(html: string, prices: YourPriceFragment[]): Promise<string>
  close(): Promise<void>
}

/** A browser that runs nothing of a page but what puts a company's prices there. */
export async function ownPricesInBrowser(): Promise<OwnPrices> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: join(import.meta.dirname, 'put-prices-harness.ts'), output: { format: 'iife' } },
    },
  })
  const script = (built as Rolldown.RolldownOutput).output[0].code
  const browser = await launchBrowser({ pictures: false })
  const page = await browser.newPage()
  return {
    show: async (html, prices) => {
      await page.setContent(html, { waitUntil: 'domcontentloaded' })
      await page.evaluate(script)
      return page.evaluate((own) => window.putPrices?.(own) ?? '', prices)
    },
    close: () => browser.close(),
  }
}
