import type { IncomingMessage } from 'node:http'
import type { Language } from '@purlin/contract/markets.ts'
import type { SiteHosts, SiteSettings } from '@purlin/contract/site-settings.ts'

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
