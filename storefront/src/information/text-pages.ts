import { paths } from '../paths.ts'
import type { TextName, TextPage } from '../generated/documents.ts'

/** Addresses of the pages that a text may link to. */
export const textPages: Record<TextPage, () => string> = {
  home: () => '/',
  cart: paths.cart,
  goodDeals: paths.goodDeals,
  terms: paths.termsAndConditions,
  withdrawal: paths.withdrawal,
  privacy: paths.dataProtection,
  legal: paths.legals,
  consumer: paths.consumerInformation,
  ranking: paths.ranking,
  accessibility: paths.accessibility,
  delivery: paths.deliveryInformation,
  contact: paths.contact,
  help: paths.helpCenter,
  brands: paths.ourBrands,
  sitemap: paths.sitemap,
  pro: paths.proLanding,
  advice: paths.ourAdvice,
  comparisons: paths.ourComparisons,
  projects: paths.craftyCompanion,
}

const names: readonly TextName[] = [
  'terms',
  'withdrawal',
  'privacy',
  'legal',
  'consumer',
  'accessibility',
  'delivery',
  'contact',
  'help',
  'pro',
]

/** The text at an address. */
export function textAt(pathname: string): TextName | undefined {
  if (pathname === paths.contactWebsiteUse()) return 'contact'
  return names.find((name) => textPages[name]() === pathname)
}
