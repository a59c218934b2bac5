import type { IncomingMessage } from 'node:http'
import type { Realm } from '@purlin/contract/identity.ts'
import { type Language, marketCodes, markets } from '@purlin/contract/markets.ts'
import type { SiteHosts, SiteSettings } from '@purlin/contract/site-settings.ts'
import type { Block } from './pages/model.ts'
import type { Translate } from './words.ts'

const languages: readonly string[] = ['en', 'fr', 'de', 'es', 'it'] satisfies Language[]

function isLanguage(value: string | undefined): value is Language {
  return value !== undefined && languages.includes(value)
}

/** The language from `ui_locales`, else the shop's, else the browser's. */
export function languageOf(uiLocales: unknown, site: SiteSettings | undefined, request: IncomingMessage): Language {
  const asked = typeof uiLocales === 'string' ? uiLocales.split(' ') : []
  const accepted = (request.headers['accept-language'] ?? '').split(',').map((part) => part.split(';')[0]?.trim() ?? '')
  const first = (locales: string[]) => locales.map((locale) => locale.slice(0, 2).toLowerCase()).find(isLanguage)
  return first(asked) ?? site?.language ?? first(accepted) ?? 'en'
}

/** The shop's site at an address. */
export function siteOfAddress(hosts: SiteHosts, address: unknown): SiteSettings | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined
  return hosts.siteOf(new URL(address).host) ?? undefined
}

/** Origin of the shop a page leads back to: the one the visitor came from, or the one in their language. */
export function shopOf(
  hosts: SiteHosts,
  { site, language, realm }: { site: SiteSettings | undefined; language: Language; realm: Realm },
): string {
  const market = marketCodes.find((code) => markets[code].language === language) ?? 'gb'
  return (site ?? hosts.site(market, realm === 'b2b' ? 'b2b' : 'b2c')).origin
}

/** The way to the shop's sign-in, for browsers that no sign-in is waiting in; staff sign in at the offices. */
export function signInLink(realm: Realm, shop: string, t: Translate): Block[] {
  if (realm === 'staff') return [{ kind: 'next', href: `${shop}/office`, label: t('identity.sign-in.title-staff') }]
  const title = realm === 'b2b' ? 'identity.sign-in.title-pro' : 'identity.sign-in.title'
  return [{ kind: 'next', href: `${shop}/login`, label: t(title) }]
}
