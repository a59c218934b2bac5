import { consentCookie, consentValue } from '@purlin/contract/consent.ts'
import { launchBrowser } from '@purlin/e2e/support/browser.ts'
import type { Browser, BrowserContext } from 'playwright-core'
import { quantile } from './order-cost.ts'

const rounds = 30

/**
 * How long a list takes in a browser until the number at the cart is there, which comes with the company's own prices: from the click to
 * the last of both, in milliseconds. Medians for two members with something in their carts, in turn, by the values of their session cookies.
 * `nextPath` is called for each pair of visits.
 */
export async function listsInBrowser(
  shop: string,
  tokens: readonly [string, string],
  nextPath: () => readonly [string, string],
): Promise<readonly [number, number]> {
  const browser = await launchBrowser()
  try {
    const contexts = await Promise.all(tokens.map((token) => signedIn(browser, shop, token)))
    const took: [number[], number[]] = [[], []]
    for (let round = -3; round < rounds; round++) {
      const paths = nextPath()
      for (const at of [0, 1] as const) {
        const ms = await visit(contexts[at]!, shop + paths[at])
        if (round >= 0) took[at].push(ms)
      }
    }
    return [quantile(took[0], 0.5), quantile(took[1], 0.5)]
  } finally {
    await browser.close()
  }
}

async function signedIn(browser: Browser, shop: string, token: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const domain = new URL(shop).hostname
  await context.addCookies([
    { name: '__Host-purlin', value: token, domain, path: '/', secure: true, httpOnly: true, sameSite: 'Lax' },
    { name: consentCookie, value: consentValue([], null), url: shop },
  ])
  return context
}

async function visit(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage()
  try {
    await page.addInitScript(() => {
      const isComplete = () => document.querySelector('[data-cart-count]:not([hidden])') !== null
      const note = () => isComplete() && (document.documentElement.dataset['complete'] ??= String(performance.now()))
      new MutationObserver(note).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['hidden'] })
    })
    await page.goto(url, { waitUntil: 'commit' })
    const complete = page.locator('html[data-complete]')
    await complete.waitFor({ state: 'attached' })
    return Number(await complete.getAttribute('data-complete'))
  } finally {
    await page.close()
  }
}
