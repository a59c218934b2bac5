import { vatDisplayLine, type SiteSettings } from '@purlin/contract/site-settings.ts'
import { readVatDisplay, sessionIdOf } from '#accounts'
import type { Db } from '#platform'

/**
 * The display cookie for the browser of a professional who has just signed in, if they have ever chosen: prices with or without VAT
 * follow the person to each device.
 */
export async function vatDisplayCookies(db: Db, site: SiteSettings, token: string): Promise<string[]> {
  const id = site.mode === 'b2b' && !site.b2bPricesIncludeVat ? sessionIdOf(token) : null
  const choice = id === null ? null : await readVatDisplay(db, id)
  return choice === null ? [] : [vatDisplayLine(site, choice)]
}
