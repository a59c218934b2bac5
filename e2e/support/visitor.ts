import { consentCookie, consentValue } from '@purlin/contract/consent.ts'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Browser, Page } from 'playwright-core'
import { withoutPageTransitions } from './browser.ts'
import { patient } from './patience.ts'
import { wordsOf } from './words.ts'

/** A visitor of the shop: a browser window of their own, and their market's messages. */
export interface Visitor {
  page: Page
  market: Market
  mode: Mode
  /** Scheme, host and port of their storefront. */
  origin: string
  t: ReturnType<typeof wordsOf>
  /** Page errors that are not shown on the page. */
  complaints: string[]
  leave(): Promise<void>
}

export interface VisitorOptions {
  market: Market
  mode?: Mode
  /** Another host of the same site than the one used in links. */
  host?: string
  javaScript?: boolean
  viewport?: { width: number; height: number }
  /** Leaves the consent dialog to the journey; other visitors have refused everything before. */
  hasNotChosen?: boolean
  /** Instead of that of a person's browser. */
  userAgent?: string
  /** The browser's language; English by default. */
  locale?: string
  /** Whether a page replaces another with the shop's transition; without one it takes a third of the time. */
  hasTransitions?: boolean
  /** Address of a proxy that the browser sends every request to. */
  proxy?: string
}

/** The shop's address for a market and mode, derived from the running shop's address. */
export function originOf(shop: string, market: Market, mode: Mode): string {
  return `http://${mode === 'b2b' ? 'pro.' : ''}${market}.localhost:${new URL(shop).port}`
}

export async function visit(
  browser: Browser,
  shop: string,
  {
    market,
    mode = 'b2c',
    host,
    javaScript = true,
    viewport,
    hasNotChosen,
    userAgent,
    locale,
    hasTransitions = false,
    proxy,
  }: VisitorOptions,
): Promise<Visitor> {
  const context = await browser.newContext({
    javaScriptEnabled: javaScript,
    viewport: viewport ?? { width: 1280, height: 900 },
    ...(userAgent !== undefined && { userAgent }),
    ...(locale !== undefined && { locale }),
    ...(proxy !== undefined && { proxy: { server: proxy } }),
  })
  if (!hasTransitions) await withoutPageTransitions(context)
  const page = await context.newPage()
  page.setDefaultTimeout(patient(15_000))
  const complaints: string[] = []
  // The browser reports a transition that it skips: one of the two pages had not told in time that it takes part, or another navigation came.
  page.on(
    'pageerror',
    ({ message }) => /ViewTransition opt-in disabled|Transition was skipped/.test(message) || complaints.push(`error: ${message}`),
  )
  page.on('console', (message) => message.type() === 'error' && complaints.push(`console: ${message.text()} (${message.location().url})`))
  const origin = host ? `http://${host}:${new URL(shop).port}` : originOf(shop, market, mode)
  if (!hasNotChosen) await context.addCookies([{ name: consentCookie, value: consentValue([], null), url: origin }])
  return { page, market, mode, origin, t: wordsOf(market), complaints, leave: () => context.close() }
}

export const people: Record<Market, { firstName: string; lastName: string; line1: string; postcode: string; city: string; phone: string }> =
  {
    gb: { firstName: 'Test', lastName: 'Buyer', line1: '1 Example Street', postcode: 'M1 1AE', city: 'Manchester', phone: '01632960123' },
    fr: { firstName: 'Test', lastName: 'Acheteur', line1: '1 rue de l’Exemple', postcode: '75011', city: 'Paris', phone: '0199001234' },
    de: { firstName: 'Test', lastName: 'Käufer', line1: 'Beispielweg 1', postcode: '10115', city: 'Berlin', phone: '03023125123' },
    es: { firstName: 'Test', lastName: 'Comprador', line1: 'Calle Ejemplo 1', postcode: '28013', city: 'Madrid', phone: '910000000' },
    it: { firstName: 'Test', lastName: 'Cliente', line1: 'Via Esempio 1', postcode: '20121', city: 'Milano', phone: '0200000000' },
  }
