import { trackingWord, type Channel } from '@purlin/contract/channels.ts'
import { sourceOf, sourceOfApp, type Source } from './sources.ts'

/** Where a visitor came from. Source: spec §3, §7, R-406, R-566…R-569. */
export interface RefererInfo {
  refererId: string | null
  rawRefererId: string | null
  trackingCampaign: string | null
  trackingCategory: string | null
  trackingChannel: Channel
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
  /** Whether a host is one of the shop's, or of its sign-in. */
  isOwn(host: string): boolean
}

/** Click ids that advertisers append, and the network of each. */
const clickIds = { gclid: 'google', gbraid: 'google', wbraid: 'google', msclkid: 'bing', fbclid: 'facebook', ttclid: 'tiktok' } as const
/** Pages that nobody arrives at from elsewhere but by coming back from a payment or a sign-in. */
const withinPurchase: ReadonlySet<string> = new Set([
  'funnelGateway',
  'firstOrder',
  'delivery',
  'payment',
  'spartacuxPayment',
  'orderRecap',
  'funnelLogin',
])
const paidMedia = new Set(['cpc', 'ppc', 'paid', 'paidsearch', 'display', 'shopping', 'cpm'])

/** Numeric, else ignored. Source: spec §5, R-492, R-493. */
export function numericId(value: string | null | undefined): string | null {
  return value && /^\d{1,18}$/.test(value) ? value : null
}

/**
 * Channel, category and campaign of an arrival: what the link says of itself counts before the page it stood on; an arrival
 * from our own pages changes nothing. Ids that are not numeric are ignored.
 */
export function attribute({ referer, landing, refererId, currentRefererId, pageType, isOwn }: Arrival): RefererInfo {
  const query = urlOf(landing)?.searchParams ?? new URLSearchParams()
  const from = urlOf(referer)
  const given = numericId(refererId) ?? numericId(query.get('referer_id'))
  const isFromUs = from !== null && isOwn(from.host)
  const origin: Origin =
    given === null && isFromUs
      ? { channel: 'internal', category: null }
      : (originOfLink(query, pageType) ?? (isFromUs ? direct : originOfPage(from, pageType)))
  return {
    refererId: given ?? numericId(currentRefererId),
    rawRefererId: given,
    trackingCampaign: trackingWord(query.get('utm_campaign')),
    trackingCategory: trackingWord(origin.category),
    trackingChannel: origin.channel,
  }
}

interface Origin {
  channel: Channel
  category: string | null
}
const direct: Origin = { channel: 'direct', category: null }

/** What a link says of itself, if anything. */
function originOfLink(query: URLSearchParams, pageType: string | null): Origin | null {
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
  if (!source) return null
  // Assistants and comparisons name themselves by their host.
  const known = medium === '' || medium === 'referral' ? sourceOf(source) : undefined
  return known ? named(known) : { channel: 'campaign', category: source }
}

/** The page that the link stood on. */
function originOfPage(from: URL | null, pageType: string | null): Origin {
  if (from === null) return direct
  if (pageType !== null && withinPurchase.has(pageType)) return { channel: 'internal', category: null }
  const host = from.hostname.toLowerCase()
  const known = from.protocol === 'android-app:' ? sourceOfApp(host) : sourceOf(host)
  return known ? named(known) : { channel: 'referral', category: host }
}

const named = ({ channel, name }: Source): Origin => ({ channel, category: channel === 'internal' ? null : name })

function urlOf(text: string | null): URL | null {
  if (text === null || text.length > 2000 || !/^(?:https?|android-app):\/\//i.test(text)) return null
  return URL.parse(text)
}
