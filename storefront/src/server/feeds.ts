import type { SiteSettings } from '@purlin/contract/site-settings.ts'
import { spreadsheetCell } from '@purlin/contract/spreadsheet-cell.ts'
import { escapeHtml } from '@purlin/web/document.ts'
import { FeedGoodsDocument, type FeedGoodsQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import { rasterUrl } from '../shell/raster-url.ts'
import { clientOf, type SitemapSources } from './sitemaps.ts'

type Item = FeedGoodsQuery['feedGoods']['goods'][number]
/** The attributes of an article, by the names that Google's and Meta's product data have in common. */
type Row = Record<(typeof googleColumns)[number], string>

const columns = [
  'id',
  'title',
  'description',
  'availability',
  'condition',
  'price',
  'sale_price',
  'link',
  'image_link',
  'brand',
  'gtin',
  'mpn',
  'item_group_id',
  'product_type',
  'shipping',
] as const
/** Google leads clicks on an advertisement to a page of their own. */
const googleColumns = [...columns, 'ads_redirect'] as const

interface FeedFile {
  name: string
  type: string
  head(site: SiteSettings): string
  line(row: Row, site: SiteSettings): string
  foot: string
}

/** Merchant feeds of a market's consumer storefront, at addresses that stay. */
export const feedFiles: readonly FeedFile[] = [
  {
    name: 'google.xml',
    type: 'application/xml; charset=utf-8',
    head: ({ origin }) =>
      `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Purlin</title><link>${origin}/</link><description>Purlin</description>\n`,
    line: (row, site) => `<item>${googleColumns.map((name) => googleField(name, row[name], site)).join('')}</item>\n`,
    foot: '</channel></rss>\n',
  },
  {
    name: 'meta.csv',
    type: 'text/csv; charset=utf-8',
    head: () => `${columns.join(',')}\n`,
    line: (row) => `${columns.map((name) => spreadsheetCell(row[name])).join(',')}\n`,
    foot: '',
  },
]

/** The feed in parts of one page of goods each, so that memory does not grow with the catalogue. */
export async function* feedOf(file: FeedFile, site: SiteSettings, sources: SitemapSources): AsyncGenerator<string> {
  yield file.head(site)
  const client = clientOf(site, sources)
  for (let after: string | null = '0'; after !== null;) {
    const { feedGoods }: FeedGoodsQuery = await client.query(FeedGoodsDocument, { after })
    const text = feedGoods.goods.map((item) => file.line(rowOf(item, site), site)).join('')
    if (text) yield text
    after = feedGoods.next
  }
  yield file.foot
}

const conditions: readonly (readonly [start: string, word: string])[] = [
  ['refurbished', 'refurbished'],
  ['used', 'used'],
]

function rowOf({ id, title, description, ean, mpn, card }: Item, site: SiteSettings): Row {
  const money = (amount: number): string => `${amount.toFixed(2)} ${site.currency}`
  const { main, retail } = card.prices
  const { L0, L1, last } = card.categories
  const fee = card.hasFreeDelivery ? 0 : card.deliveryOffers.minFee / 100
  return {
    id,
    title: title.slice(0, 150),
    description: description.replace(/\s+/g, ' ').slice(0, 5_000),
    availability: 'in stock',
    condition: conditions.find(([start]) => card.condition.startsWith(start))?.[1] ?? 'new',
    price: money((retail ?? main).asFloat),
    sale_price: retail ? money(main.asFloat) : '',
    link: new URL(card.url, site.origin).href,
    image_link: new URL(rasterUrl(card.imageFullpath, 'feed') ?? card.imageFullpath, site.origin).href,
    brand: card.brandName ?? '',
    gtin: isInternal(ean) ? '' : ean,
    mpn,
    item_group_id: card.modelId ?? '',
    product_type: [...new Set([L0, L1, last].flatMap((level) => level?.name ?? []))].join(' > '),
    ads_redirect: site.origin + paths.partnerAdLanding({ id }),
    shipping: `${site.country}:::${money(fee)}`,
  }
}

/** Numbers that begin with 2 are for use within a company: merchant centres refuse articles that carry one. */
const isInternal = (ean: string): boolean => /^0*2\d{12}$/.test(ean)

function googleField(name: keyof Row, value: string, { country }: SiteSettings): string {
  if (value === '') return ''
  if (name === 'shipping')
    return `<g:shipping><g:country>${country}</g:country><g:price>${value.split(':::')[1] ?? ''}</g:price></g:shipping>`
  return `<g:${name}>${escapeHtml(name === 'availability' ? value.replace(' ', '_') : value)}</g:${name}>`
}

/** The shop’s machine-readable data, listed for language models and their tools. (https://llmstxt.org) */
export function llmsText({ origin, locale, currency, mode }: SiteSettings): string {
  const link = (name: string, path: string, note: string) => `- [${name}](${origin}${path}): ${note}`
  return [
    mode === 'b2b' ? '# Purlin Pro' : '# Purlin',
    '',
    `> A marketplace for DIY and home improvement with many sellers. Language ${locale}, prices in ${currency}${mode === 'b2b' ? '' : ' with VAT'}.`,
    '',
    '## Goods',
    link('Sitemap', '/sitemap.xml', 'every address of the shop, by kind'),
    ...(mode === 'b2b' ? [] : [link('Product feed', '/feeds/google.xml', 'all goods in stock with price, shipping and GTIN')]),
    link('Best sellers', paths.bestSellers(), 'ranked by what people bought'),
    link('Brands', paths.ourBrands(), 'brands with goods in this market'),
    '',
    '## Advice',
    link('Guides', paths.ourAdvice(), 'how to do it, with tools and materials'),
    link('Comparisons', paths.ourComparisons(), 'tables made from product data'),
    '',
    '## Rules',
    link('Ranking', paths.ranking(), 'how offers and products are ranked'),
    link('Delivery and returns', paths.deliveryInformation(), 'times, costs, returns'),
    link('Terms', paths.termsAndConditions(), 'terms of sale'),
    '',
  ].join('\n')
}
