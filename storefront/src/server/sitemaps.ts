import { randomUUID } from 'node:crypto'
import {
  PopularQueriesDocument,
  SitemapBrandsDocument,
  SitemapCategoriesDocument,
  SitemapEntriesDocument,
  SitemapFilesDocument,
  SitemapInspirationsDocument,
  SitemapOperationsDocument,
  SitemapPaintsDocument,
  SitemapProductsDocument,
  SitemapQueriesDocument,
  SitemapSellersDocument,
} from '../generated/documents.ts'
import { marketCodes } from '@purlin/contract/markets.ts'
import { buildUrl } from '@purlin/contract/path-helper.ts'
import type { SiteHosts, SiteSettings } from '@purlin/contract/site-settings.ts'
import { escapeHtml } from '@purlin/web/document.ts'
import { createGatewayClient } from './gateway-client.ts'
import type { StorefrontOptions } from './options.ts'
import { paths } from '../paths.ts'
import { isIndexable, routes, type ShopRoute } from '../routes.ts'

/** Sitemaps of one site, by kind: pages without parameters come from the table, everything else from the gateway. (R-161, V-36) */
export const sitemapKinds = [
  'pages',
  'categories',
  'hubs',
  'best-sellers',
  'popular',
  'operations',
  'brands',
  'sellers',
  'advice',
  'paints',
  'inspirations',
] as const
export type SitemapKind = (typeof sitemapKinds)[number]

export type SitemapSources = Pick<StorefrontOptions, 'hosts' | 'gateway' | 'log'>

const namespaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'

/** The index of a site's sitemaps. */
export async function sitemapIndex(site: SiteSettings, options: SitemapSources): Promise<string> {
  const { sitemapFiles } = await clientOf(site, options).query(SitemapFilesDocument)
  const names = [...sitemapKinds, ...Array.from({ length: sitemapFiles }, (_, file) => `products-${file + 1}`)]
  const maps = names.map((name) => `<sitemap><loc>${site.origin}/sitemaps/${name}.xml</loc></sitemap>`)
  return `<?xml version="1.0" encoding="UTF-8"?><sitemapindex ${namespaces}>${maps.join('')}</sitemapindex>`
}

/** One sitemap, with alternates in the other markets for addresses whose path is the same there. */
export async function sitemap(kind: SitemapKind, site: SiteSettings, options: SitemapSources): Promise<string> {
  if (kind === 'pages') return urlset(pagePaths(site).map((path) => entry(path, site, options.hosts)))
  return urlset((await pathsOf[kind](site, options)).map((path) => entry(path, site)))
}

/** One file of products; null when there is none of this number. */
export async function productSitemap(file: number, site: SiteSettings, options: SitemapSources): Promise<string | null> {
  const { sitemapProducts } = await clientOf(site, options).query(SitemapProductsDocument, { file })
  return sitemapProducts && urlset(sitemapProducts.map((path) => entry(path, site)))
}

const pathsOf: Record<Exclude<SitemapKind, 'pages'>, (site: SiteSettings, sources: SitemapSources) => Promise<string[]>> = {
  categories: async (site, sources) => (await categories(site, sources)).map(({ url }) => url),
  hubs: async (site, sources) => (await categories(site, sources)).flatMap(({ url, hasParts }) => (hasParts ? `/hub${url}` : [])),
  'best-sellers': async (site, sources) => (await categories(site, sources)).map(({ url }) => paths.bestSellers() + url),
  popular: popularPaths,
  operations: async (site, sources) =>
    (await clientOf(site, sources).query(SitemapOperationsDocument)).operations.flatMap(({ url, state }) =>
      state === 'running' ? url : [],
    ),
  advice: advicePaths,
  brands: async (site, sources) => (await clientOf(site, sources).query(SitemapBrandsDocument)).sitemapBrands,
  inspirations: async (site, sources) =>
    (await clientOf(site, sources).query(SitemapInspirationsDocument)).inspirations.map(({ slug }) =>
      paths.inspirationalMassLanding({ query: slug }),
    ),
  paints: async (site, sources) => (await clientOf(site, sources).query(SitemapPaintsDocument)).sitemapPaints,
  sellers: async (site, sources) => (await clientOf(site, sources).query(SitemapSellersDocument)).sitemapSellers,
}

function urlset(urls: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?><urlset ${namespaces}>${urls.join('')}</urlset>`
}

function pagePaths({ mode }: SiteSettings): string[] {
  return (routes as readonly ShopRoute[])
    .filter((route) => isIndexable(route) && (!route.only || route.only === mode))
    .flatMap(({ addresses }) => addresses)
    .filter((address) => !address.includes('{'))
    .map((address) => buildUrl(address))
}

export function clientOf(site: SiteSettings, { gateway, log }: SitemapSources) {
  const headers = { host: site.host, 'client-name': 'storefront', market: site.market, channel: 'web', platform: site.mode }
  return createGatewayClient({ execute: gateway.execute, headers, remoteAddress: '', setCookies: [], log, requestId: randomUUID() })
}

/** Guides, comparisons, projects, landings, promotions and help articles that are live. */
async function advicePaths(site: SiteSettings, sources: SitemapSources): Promise<string[]> {
  const shelves = await clientOf(site, sources).query(SitemapEntriesDocument)
  return Object.values(shelves).flatMap((entries) => entries.flatMap(({ url }) => url ?? []))
}

async function categories(site: SiteSettings, sources: SitemapSources) {
  return (await clientOf(site, sources).query(SitemapCategoriesDocument)).sitemapCategories
}

/** Landing pages of popular queries, and the lists of those by department. */
async function popularPaths(site: SiteSettings, sources: SitemapSources): Promise<string[]> {
  const client = clientOf(site, sources)
  const [{ sitemapQueries }, { popularQueries }] = await Promise.all([
    client.query(SitemapQueriesDocument),
    client.query(PopularQueriesDocument),
  ])
  return [
    ...popularQueries.map(({ category: { slug, id } }) => paths.massLandingSitemapCategory({ category: slug, id })),
    ...sitemapQueries.map((query) => paths.massLanding({ query })),
  ]
}

/** Category slugs differ by language: those pages name their own alternates. */
function entry(path: string, site: SiteSettings, hosts?: SiteHosts): string {
  const others = hosts ? marketCodes.filter((market) => hosts.serves(market, site.mode)).map((market) => hosts.site(market, site.mode)) : []
  const links = others.map((other) => `<xhtml:link rel="alternate" hreflang="${other.locale}" href="${escapeHtml(other.origin + path)}"/>`)
  return `<url><loc>${escapeHtml(site.origin + path)}</loc>${links.join('')}</url>`
}
