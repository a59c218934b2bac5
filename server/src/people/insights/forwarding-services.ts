import type { ConsentPurpose } from '@purlin/contract/consent.ts'
import { minorPerMajor } from '@purlin/contract/money.ts'
import { settings, webhookHeaders } from '#platform'
import { clickOfEvent, factsOf, hashFor, type ForwardedEvent } from './forwarded-event.ts'

export const serviceNames = ['ga4', 'conversions', 'webhook'] as const
export type ServiceName = (typeof serviceNames)[number]

interface Request {
  url: string
  body: string
  headers: Record<string, string>
}

/** A service that receives events, and the consent it needs. */
export interface ForwardingService {
  name: ServiceName
  purposes: readonly ConsentPurpose[]
  /** Events of its own meaning; the others stay here. */
  events: readonly string[]
  maxEvents: number
  /** Whether a request is about one visitor alone. */
  isPerVisitor: boolean
  /** Null when none of the events means anything to the service. */
  request(events: readonly ForwardedEvent[], sending: { id: string; now: Date }): Request | null
  /** Tells of a withdrawal; without it the service has only a form for people. */
  recall?(
    withdrawal: { visitor: string; withdrawn: readonly ConsentPurpose[]; withdrawnAt?: string },
    sending: { id: string; now: Date },
  ): Request
}

/** The services that the settings name. */
export function forwardingServices(): ForwardingService[] {
  const { ga4, conversions, webhook } = settings().forwarding
  return [
    ...(ga4 ? [googleAnalytics(ga4)] : []),
    ...(conversions ? [conversionApi(conversions)] : []),
    ...(webhook ? [receiver(webhook)] : []),
  ]
}

const major = (amount: number): number => amount / minorPerMajor
const json = (url: string, body: object): Request => ({ url, body: JSON.stringify(body), headers: {} })

/** The Measurement Protocol: one request is about one client and has at most 25 events, none older than 72 hours. */
function googleAnalytics({ url, measurementId, apiSecret }: { url: string; measurementId: string; apiSecret: string }): ForwardingService {
  const target = new URL(url)
  target.searchParams.set('measurement_id', measurementId)
  target.searchParams.set('api_secret', apiSecret)
  const hash = (id: string) => hashFor('ga4', id)
  return {
    name: 'ga4',
    purposes: ['statistics'],
    events: ['page_view', 'add_to_cart', 'login', 'recommendation_click'],
    maxEvents: 25,
    isPerVisitor: true,
    request([first, ...others]) {
      if (!first) return null
      const ads = first.purposes.includes('personalisedAdvertising') ? 'GRANTED' : 'DENIED'
      const events = [first, ...others].map((event) => {
        const { name, market, mode, pageName, pageType, visitId, at, purchase } = event
        const { quantity, productId, categoryId, results } = factsOf(event)
        const common = {
          timestamp_micros: at.getTime() * 1000,
          // Sessions are numbers.
          ...(visitId && { session_id: String(Number.parseInt(hash(visitId).slice(0, 12), 16)) }),
          engagement_time_msec: 1,
          market,
          storefront: mode,
        }
        const { timestamp_micros, ...params } = common
        if (purchase) {
          const { transaction, amount, currency } = purchase
          return { name: 'purchase', timestamp_micros, params: { ...params, transaction_id: transaction, value: major(amount), currency } }
        }
        const facts = { page_title: pageName, page_type: pageType, product_id: productId, category_id: categoryId, results, quantity }
        return { name, timestamp_micros, params: { ...params, ...facts } }
      })
      return json(target.href, { client_id: hash(first.visitorId), consent: { ad_user_data: ads, ad_personalization: ads }, events })
    },
  }
}

/** The Conversions API: events of several people in one request, each with an id by which a repeated one is known. */
function conversionApi({ url, token }: { url: string; token: string }): ForwardingService {
  return {
    name: 'conversions',
    purposes: ['statistics', 'personalisedAdvertising'],
    events: ['page_view', 'add_to_cart'],
    maxEvents: 200,
    isPerVisitor: false,
    request(events) {
      const data = events.map((event) => {
        const { id, name, visitorId, at, pageType, purchase } = event
        const { productId, quantity } = factsOf(event)
        const click = clickOfEvent(event)
        const isProduct = name === 'page_view' && pageType === 'product'
        const goods = productId !== undefined && { content_type: 'product', content_ids: [String(productId)] }
        return {
          event_name: purchase ? 'Purchase' : name === 'add_to_cart' ? 'AddToCart' : isProduct ? 'ViewContent' : 'PageView',
          event_time: Math.floor(at.getTime() / 1000),
          event_id: purchase ? purchase.transaction : id,
          // `website` would need the browser's user agent, which the shop does not store.
          action_source: 'other',
          user_data: { external_id: [hashFor('conversions', visitorId)], ...(click !== null && { click_id: click }) },
          custom_data: purchase
            ? { currency: purchase.currency, value: major(purchase.amount), order_id: purchase.transaction }
            : { ...goods, ...(quantity !== undefined && { num_items: quantity }) },
        }
      })
      return data.length > 0 ? json(url, { data, access_token: token }) : null
    },
  }
}

/** Everything measured, signed as Standard Webhooks describe; `webhook-id` is the same at each attempt. */
function receiver({ url, secret }: { url: string; secret: string }): ForwardingService {
  const signed = (message: object, { id, now }: { id: string; now: Date }): Request => {
    const body = JSON.stringify({ ...message, timestamp: now.toISOString() })
    return { url, body, headers: webhookHeaders(Buffer.from(secret), { id, body }, now) }
  }
  return {
    name: 'webhook',
    purposes: ['statistics'],
    events: ['page_view', 'client_page_change', 'add_to_cart', 'login', 'experiment_exposure', 'recommendation_click'],
    maxEvents: 200,
    isPerVisitor: false,
    request(events, sending) {
      if (events.length === 0) return null
      const data = events.map((event) => {
        const click = clickOfEvent(event)
        const { id: eventId, name, market, mode, pageName, pageType, device, purposes, visitorId, visitId, at, purchase } = event
        return {
          id: eventId,
          name: purchase ? 'purchase' : name,
          at: at.toISOString(),
          market,
          storefront: mode,
          page: { name: pageName, type: pageType },
          device,
          purposes,
          visitor: hashFor('webhook', visitorId),
          visit: visitId && hashFor('webhook', visitId),
          facts: factsOf(event),
          ...(click !== null && { clickId: click }),
          ...(purchase && { purchase }),
        }
      })
      return signed({ type: 'events.collected', data: { events: data } }, sending)
    },
    recall: ({ visitor, withdrawn, withdrawnAt }, sending) =>
      signed({ type: 'consent.withdrawn', data: { visitor, withdrawn, withdrawnAt } }, sending),
  }
}
