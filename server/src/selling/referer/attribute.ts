/** Where a visitor came from. Source: spec §3, §7, R-406, R-566…R-569. */
export interface RefererInfo {
  refererId: string | null
  rawRefererId: string | null
  trackingCampaign: string | null
  trackingCategory: string | null
  trackingChannel: string
}

export interface Arrival {
  /** The page that led here. */
  referer: string | null
  /** The address of our page, with its query. */
  landing: string | null
  /** From the query of the landing page. */
  refererId: string | null
  /** What the browser has remembered. */
  currentRefererId: string | null
  pageType: string | null
  ownHost: string
}

const engines = /(?:^|\.)(google|bing|duckduckgo|ecosia|qwant|yahoo|startpage|brave|yandex)\./
const social = /(?:^|\.)(facebook|instagram|pinterest|tiktok|youtube|twitter|x|linkedin|reddit|t)\.(?:com|co|be)$/
const mail = /(?:^|\.)(?:mail\.google|outlook\.live|mail\.yahoo|web\.de|gmx|orange|libero|mail)\.[a-z.]+$/
/** Click ids that advertisers append, and the network of each. */
const clickIds = { gclid: 'google', gbraid: 'google', wbraid: 'google', msclkid: 'bing', fbclid: 'facebook', ttclid: 'tiktok' } as const
const paidMedia = new Set(['cpc', 'ppc', 'paid', 'paidsearch', 'display', 'shopping', 'cpm'])

/** Numeric, else ignored. Source: spec §5, R-492, R-493. */
export function numericId(value: string | null | undefined): string | null {
  return value && /^\d{1,18}$/.test(value) ? value : null
}

/**
 * Channel, category and campaign of an arrival: what the link says of itself counts before the page it stood on; an arrival
 * from our own pages changes nothing. Ids that are not numeric are ignored.
 */
export function attribute({ referer, landing, refererId, currentRefererId, pageType, ownHost }: Arrival): RefererInfo {
  const query = urlOf(landing)?.searchParams ?? new URLSearchParams()
  const from = urlOf(referer)?.hostname.toLowerCase() ?? null
  const isOwn = from === ownHost
  const given = numericId(refererId) ?? numericId(query.get('referer_id'))
  const origin = given === null && isOwn ? { channel: 'internal', category: null } : originOf(query, from, isOwn, pageType)
  return {
    refererId: given ?? numericId(currentRefererId),
    rawRefererId: given,
    trackingCampaign: word(query.get('utm_campaign')),
    trackingCategory: word(origin.category),
    trackingChannel: origin.channel,
  }
}

function originOf(
  query: URLSearchParams,
  from: string | null,
  isOwn: boolean,
  pageType: string | null,
): { channel: string; category: string | null } {
  const source = query.get('utm_source')
  const medium = query.get('utm_medium')?.toLowerCase() ?? ''
  const clicked = Object.entries(clickIds).find(([name]) => query.has(name))
  if (numericId(query.get('publisher_id')) !== null || pageType === 'partnerAdLanding' || medium === 'affiliate')
    return { channel: 'partner', category: numericId(query.get('publisher_id')) ?? source }
  // Facebook appends its click id to every link, paid or not.
  if (clicked && !(clicked[0] === 'fbclid' && !paidMedia.has(medium))) return { channel: 'paid', category: source ?? clicked[1] }
  if (paidMedia.has(medium)) return { channel: 'paid', category: source }
  if (medium === 'email' || medium === 'newsletter') return { channel: 'email', category: source }
  if (medium === 'social' || clicked) return { channel: 'social', category: source ?? clicked?.[1] ?? null }
  if (source) return { channel: 'campaign', category: source }
  if (from === null || isOwn) return { channel: 'direct', category: null }
  if (mail.test(from)) return { channel: 'email', category: from }
  const engine = engines.exec(from)?.[1]
  if (engine) return { channel: 'organic', category: engine }
  const network = social.exec(from)?.[1]
  if (network) return { channel: 'social', category: network }
  return { channel: 'referral', category: from }
}

function urlOf(text: string | null): URL | null {
  if (text === null || text.length > 2000 || !/^https?:\/\//i.test(text)) return null
  return URL.parse(text)
}

/** Words of links are stored by others: short and plain, or not at all. */
function word(text: string | null): string | null {
  return text && /^[\w .:+|-]{1,80}$/.test(text) ? text : null
}
