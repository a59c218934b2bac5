import { createHash, randomUUID } from 'node:crypto'
import { consentPurposes, consentValue } from '@purlin/contract/consent.ts'
import type { Mode } from '@purlin/contract/markets.ts'
import { addKey } from '@purlin/server/after-sale/integrations/testing.ts'
import { newId, settings } from '@purlin/server/foundation/platform/index.ts'
import { impressionOf } from '@purlin/server/goods/listing/impression.ts'
import { newVisitorId } from '@purlin/server/people/consent/issued-visitor.ts'
import { sign } from '../../services/src/credit-provider/index.ts'
import { creditSecrets } from '@purlin/server/selling/credit/testing.ts'
import { routeCases, sellersBody } from './foreign-routes.ts'
import { thingsOfRoutes, type RouteThings } from './route-things.ts'
import type { AskOptions } from './serve-shop.ts'
import type { Asker, Owner, VisitorsShop } from './visitors.ts'

/** A well-formed request to a route, by somebody who may send it. */
export interface RouteCall {
  method: string
  /** Of the route. */
  url: string
  who: Asker
  mode: Mode
  path: string
  options: AskOptions
}

interface OpenCall extends AskOptions {
  who?: Asker
  mode?: Mode
  path?: string
}

const form = (fields: Record<string, string>): AskOptions => ({ form: fields })
const visitorId = newVisitorId()
const consented = `mm_consent=${consentValue(consentPurposes, null)}; mm_visitor_id=${visitorId}`
const endpoint = 'https://fcm.googleapis.com/fcm/send/of-a-test'
const keys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16, 1).toString('base64url') }
const challenge = createHash('sha256').update('a secret').digest('base64url')

/** Routes without an object of somebody; a function for what must be made anew in each request. */
const openCalls: Record<string, OpenCall | (() => OpenCall)> = {
  'POST /graphql': { who: 'customer', json: { query: '{ cart { itemCount } }' } },
  'GET /graphql': { path: `/graphql?query=${encodeURIComponent('{ site { market } }')}` },
  'GET /health/live': {},
  'GET /health/ready': {},
  'GET /metrics': {},
  'POST /search-engine/*': {
    path: '/search-engine/1/indexes/*/queries',
    headers: { 'x-algolia-api-key': 'purlin-search' },
    json: { requests: [{ indexName: 'products_gb', query: 'drill' }] },
  },
  'GET /pictures/p/:id/:file': { path: '/pictures/p/41/main.svg' },
  'GET /pictures/c/:file': { path: '/pictures/c/tools.svg' },
  'GET /pictures/b/:file': { path: '/pictures/b/1.svg' },
  'GET /documents/p/:id/:file': { path: '/documents/p/41/manual-en.html' },
  'POST /ab-test/api/v1/user/flags': {
    json: { context: { CHANNEL: 'web', MARKET: 'gb', PLATFORM: 'b2c' }, visitor_id: visitorId },
  },
  'POST /api/v1/experiment-exposures': { cookies: consented, json: ['routes'] },
  'GET /api/v1/referer/visitor/:visitorId': { path: `/api/v1/referer/visitor/${visitorId}?page_type=home` },
  'GET /api/v1/address-suggestions': { path: '/api/v1/address-suggestions?country=GB&text=Man' },
  'POST /api/v1/events': () => ({
    cookies: consented,
    json: { events: [{ id: newId(), name: 'add_to_cart', page: { name: 'product', type: 'product' }, data: {} }] },
  }),
  'POST /api/v1/search-events': () => {
    const list = { kind: 'category', id: 11, shown: ['41'] } as const
    const queryId = impressionOf({ market: 'gb', ...list }, false, new Date())
    return { cookies: consented, json: { ...list, type: 'click', queryId, position: 1 } }
  },
  'POST /api/v1/web-vitals/beacon': {
    cookies: consented,
    json: {
      browserContext: { url: 'https://gb.localhost/', userAgent: 'Mozilla/5.0' },
      service: 'storefront',
      resource: 'product',
      version: '1.2.3',
      metrics: [{ name: 'LCP', value: 1800, startTime: 12, tags: {} }],
      startTime: Date.now(),
      duration: 2_000,
    },
  },
  'GET /api/v1/client-page-change': { cookies: consented, path: '/api/v1/client-page-change?code=200&method=restore&to=/cart&from=/' },
  'POST /api/v1/pro-event/event': {
    cookies: consented,
    json: [
      {
        market: 'gb',
        platform_id: 'b2c',
        channel: 'website',
        event: 'pageview-product',
        visitor_id: visitorId,
        content: { product_id: 1, category_id: 11 },
      },
    ],
  },
  'POST /api/v2/product-history/merge': () => ({
    who: 'customer',
    cookies: consented,
    json: { content: [{ product_id: '41', viewed_at: new Date().toISOString() }] },
  }),
  'PATCH /api/v2/customer-segment/customers': { who: 'customer', json: { b2b_welcome: true } },
  'POST /api/v1/consent': { json: { choice: 'some', purposes: ['statistics'] } },
  'GET /api/v1/consent/dialog.css': {},
  'GET /api/v1/push/key': {},
  'POST /api/v1/push/subscriptions': { cookies: consented, json: { endpoint, keys } },
  'POST /api/v1/push/subscriptions/end': { json: { endpoint } },
  'GET /api/v1/my-data': { who: 'customer' },
  'GET /api/v1/company/spending.csv': { who: 'admin', mode: 'b2b' },
  'POST /api/v1/punch-out/oci': {
    mode: 'b2b',
    ...form({ USERNAME: 'nobody', PASSWORD: 'none', HOOK_URL: 'https://srm.buyer.example/' }),
  },
  'GET /api/seller/v1/openapi.json': {},
  'GET /api/auth': {},
  'GET /api/auth/*': { who: 'customer', path: '/api/auth/session' },
  'POST /api/auth/*': { who: 'guest', path: '/api/auth/signout', ...form({ json: 'true' }) },
  'GET /api/auth/webview': {},
  'GET /api/v1/logout': {},
  'POST /api/v1/logout': form({ no_redirect: 'true' }),
  'GET /api/v1/register': {},
  'POST /api/v1/register': form({ email: 'robin@routes.example' }),
  'GET /api/v1/exchange-to-pro': { who: 'customer', path: `/api/v1/exchange-to-pro?challenge=${challenge}` },
  'POST /api/v1/exchange-to-pro': { who: 'customer' },
  'GET /api/v1/exchange-to-b2c': { who: 'customer', mode: 'b2b', path: `/api/v1/exchange-to-b2c?challenge=${challenge}` },
  'POST /api/v1/exchange-to-b2c': { who: 'customer', mode: 'b2b' },
  'POST /webhooks/payment': () => {
    const intent = { id: 'pi_1', status: 'captured', reference: 'r', amount: 1, currency: 'GBP', captured: 1, refunded: 0 }
    const text = JSON.stringify({ id: randomUUID(), type: 'intent.captured', intent })
    return { text, headers: { 'x-payment-signature': sign(settings().payments.webhookSecret, text, Math.floor(Date.now() / 1000)) } }
  },
  'POST /webhooks/credit': () => {
    const text = JSON.stringify({ id: randomUUID(), type: 'claim.paid', claim: { id: 'c_1', reference: 'r', state: 'paid' } })
    return { text, headers: { 'x-credit-signature': sign(creditSecrets.webhookSecret, text, Math.floor(Date.now() / 1000)) } }
  },
  'GET /dev/mailbox': {},
  'GET /dev/mailbox/style.css': {},
  'GET /dev/mails': {},
  'GET /dev/mails/:name/:market': { path: '/dev/mails/newsletter-confirm/gb' },
  'GET /dev/mails/:name/:market/:form': { path: '/dev/mails/newsletter-confirm/gb/text' },
  'GET /dev/insights': {},
  'GET /dev/insights/style.css': {},
}
for (const address of [
  'newsletter/unsubscribe',
  'offers/unsubscribe',
  'basket-reminders/unsubscribe',
  'unsubscribe',
  'unsubscribe-reviews',
])
  openCalls[`POST /api/v1/${address}/:token`] = {
    path: `/api/v1/${address}/${'a'.repeat(32)}`,
    ...form({ 'List-Unsubscribe': 'One-Click' }),
  }

/** Bodies of the operators' and sellers' routes without a parameter. */
const bodies: Record<string, object> = {
  'POST /api/v1/operator/push': { key: 'deals', market: 'gb', mode: 'b2c', title: 'Deals', body: 'Until Sunday.', path: '/great-deals' },
  'POST /api/v1/operator/newsletter': {
    key: 'november',
    market: 'gb',
    mode: 'b2c',
    subject: 'November',
    paragraphs: ['Saws are cheaper.'],
    button: { label: 'Deals', path: '/great-deals' },
  },
  'POST /api/v1/operator/payout-runs': { currency: 'GBP', key: 'of-the-routes' },
  'POST /api/v1/operator/api-keys': { name: 'A partner' },
  'POST /api/seller/v1/webhooks': { url: 'https://seller.example/hook', events: ['order.paid'] },
}

/** A call of each mounted route whose row or list says how; the others are left out. */
export async function routeCalls(shop: VisitorsShop, operatorKey: string): Promise<(() => RouteCall)[]> {
  const things = await thingsOfRoutes(shop)
  const { key: sellerKey } = await addKey(shop.database.db, 1)
  return mountedRoutes(shop).flatMap(({ method, url }) => {
    const make = callFor(method, url, { things, operatorKey, sellerKey })
    return make ? [make] : []
  })
}

/** The search API has one route for every method, and uses POST. */
export function mountedRoutes({ gateway }: VisitorsShop): { method: string; url: string }[] {
  return gateway.routes.flatMap(({ method, url }) =>
    [method]
      .flat()
      .filter((verb) => (url === '/search-engine/*' ? verb === 'POST' : verb !== 'HEAD' && verb !== 'OPTIONS'))
      .map((verb) => ({ method: verb, url })),
  )
}

interface Given {
  things: Record<Owner, RouteThings>
  operatorKey: string
  sellerKey: string
}

function callFor(method: string, url: string, { things, operatorKey, sellerKey }: Given): (() => RouteCall) | undefined {
  const route = `${method} ${url}`
  const open = openCalls[route]
  if (open)
    return () => {
      const { who = 'anonymous', mode = 'b2c', path = url, ...options } = typeof open === 'function' ? open() : open
      return { method, url, who, mode, path, options: { method, ...options } }
    }
  const row = routeCases[route]
  const isForSellers = url.startsWith('/api/seller/')
  if (!row && !isForSellers && !url.startsWith('/api/v1/operator/')) return undefined
  const { mode = 'b2c', holder = isForSellers ? 'seller key' : url.includes('/operator/') ? 'operators key' : 'owner' } = row ?? {}
  const owner = mode === 'b2b' ? 'member' : 'customer'
  const values = row?.values(things[owner]) ?? {}
  const path = url.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? '')
  const json = row?.body ?? bodies[route] ?? (isForSellers ? sellersBody(method, url) : undefined)
  const key = holder === 'seller key' ? sellerKey : holder === 'operators key' ? operatorKey : null
  return () => ({
    method,
    url,
    who: key !== null ? 'anonymous' : holder === 'owner' ? owner : (holder as Asker),
    mode,
    path,
    options: {
      method,
      ...(json !== undefined && { json }),
      ...(key !== null && { headers: { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() } }),
    },
  })
}
