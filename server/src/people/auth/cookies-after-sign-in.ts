import { vatDisplayLine, type SiteSettings } from '@purlin/contract/site-settings.ts'
import { customerIdOf, findSession, readVatDisplay, sessionIdOf } from '#accounts'
import type { Db } from '#platform'
import { cookiesOfCustomer, type Browser } from './ports.ts'

/** What follows a customer to the browser in which they have just signed in: how they see prices, and the experiments they take part in. */
export async function cookiesAfterSignIn(db: Db, browser: Browser, token: string): Promise<string[]> {
  const { site } = browser
  const id = sessionIdOf(token)
  const session = id === null ? null : await findSession(db, id, site.mode)
  return [...(await vatDisplayCookies(db, site, token)), ...(await cookiesOfCustomer(db, browser, session && customerIdOf(session)))]
}

/**
 * The display cookie for the browser of a professional who has just signed in, if they have ever chosen: prices with or without VAT
 * follow the person to each device.
 */
async function vatDisplayCookies(db: Db, site: SiteSettings, token: string): Promise<string[]> {
  const id = site.mode === 'b2b' && !site.b2bPricesIncludeVat ? sessionIdOf(token) : null
  const choice = id === null ? null : await readVatDisplay(db, id)
  return choice === null ? [] : [vatDisplayLine(site, choice)]
}
