import { randomUUID } from 'node:crypto'
import type { Mode } from '@purlin/contract/markets.ts'
import { openApiDocument } from '@purlin/server/after-sale/integrations/openapi.ts'
import type { RouteThings } from './route-things.ts'
import type { Asker } from './visitors.ts'

/**
 * Those who reach an object in the end: its owner, a colleague, staff of its seller, the holder of a key of that seller, or of the operators' key.
 * A route without an object of somebody has none.
 */
export type Holder = 'owner' | Extract<Asker, 'admin' | 'seller'> | 'seller key' | 'operators key'

export interface RouteCase {
  /** Values of all parameters, about objects of one owner; null if they have none of the kind. */
  values(things: RouteThings): Record<string, string | null>
  /** A well-formed value that nothing has, for each parameter that names an object. */
  unknown: Record<string, () => string>
  /** A valid body. */
  body?: unknown
  /** Other than the consumers' storefront. */
  mode?: Mode
  holder?: Holder
}

const order = () => `P${randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase()}`
const part = () => `${order()}-1`
const uuid = randomUUID
const number = () => '987654321'

const partOf = ({ paid }: RouteThings) => `${paid}-1`
/** A route of one object. */
const of = (name: string, value: keyof RouteThings, more: Partial<RouteCase> = {}, unknown: () => string = uuid): RouteCase => ({
  values: (things) => ({ [name]: things[value] }),
  unknown: { [name]: unknown },
  ...more,
})
const settings = (values: Record<string, string>, unknown: Record<string, () => string>, body?: unknown): RouteCase => ({
  values: () => values,
  unknown,
  ...(body !== undefined && { body }),
  holder: 'operators key',
})
/** A list of a kind: it names no object. */
const list = (values: Record<string, string>): RouteCase => ({ values: () => values, unknown: {} })
const aPart = (more: Partial<RouteCase> = {}): RouteCase => ({
  values: (things) => ({ orderId: partOf(things) }),
  unknown: { orderId: part },
  ...more,
})

const messageFile = (holder: Holder): RouteCase => ({
  values: (things) => ({ orderId: partOf(things), id: things.messageFile }),
  unknown: { orderId: part, id: uuid },
  holder,
})
const disputeFile = (holder: Holder): RouteCase => ({
  values: ({ dispute, disputeFile: fileId }) => ({ id: dispute, fileId }),
  unknown: { id: uuid, fileId: uuid },
  holder,
})
const byOperators = { holder: 'operators key' } as const

/** Routes for buyers and for the offices of sellers. */
const forPeople: Record<string, RouteCase> = {
  'GET /api/v1/conversations/:orderId/files/:id': messageFile('owner'),
  'GET /api/v1/seller/conversations/:orderId/files/:id': messageFile('seller'),
  'GET /api/v1/returns/:id/label': of('id', 'return', { holder: 'owner' }),
  'GET /api/v1/invoices/:id/:form': {
    values: ({ invoice }) => ({ id: invoice, form: 'pdf' }),
    unknown: { id: uuid },
    holder: 'owner',
  },
  'GET /api/v1/statements/:id/pdf': of('id', 'statement', { mode: 'b2b', holder: 'admin' }),
  'GET /api/v1/office/invoices/:market/:id/:form': {
    values: ({ invoice }) => ({ market: 'gb', id: invoice, form: 'pdf' }),
    unknown: { id: uuid },
    holder: 'seller',
  },
  'GET /api/v1/my-invoices/:form': list({ form: 'csv' }),
  'GET /api/v1/quotes/:id/pdf': of('id', 'quote', { mode: 'b2b', holder: 'owner' }),
  'GET /api/v1/disputes/:id/files/:fileId': disputeFile('owner'),
  'GET /api/v1/seller/disputes/:id/files/:fileId': disputeFile('seller'),
  'GET /api/v1/seller/payouts/:id/:form': {
    values: ({ payout }) => ({ id: payout, form: 'pdf' }),
    unknown: { id: uuid },
    holder: 'seller',
  },
  'GET /api/v1/seller/parcels/:id/label': of('id', 'parcel', { holder: 'seller' }),
  // Open to those who hold a signed link.
  'GET /uploads/:id': { values: ({ usedUpload }) => ({ id: usedUpload }), unknown: { id: uuid } },
}

/** Routes for operators, about people and sellers. */
const aboutPeople: Record<string, RouteCase> = {
  'GET /api/v1/operator/uploads/:id': of('id', 'usedUpload', byOperators),
  'PUT /api/v1/operator/conversions/:id': of('id', 'conversion', { ...byOperators, body: { decision: 'refuse' } }),
  'GET /api/v1/operator/customers/:id/second-step-removal': of('id', 'customer', byOperators),
  'PUT /api/v1/operator/customers/:id/second-step-removal': of('id', 'customer', { ...byOperators, body: { by: 'Ada', reference: 'T-1' } }),
  'DELETE /api/v1/operator/customers/:id/second-step-removal': of('id', 'customer', byOperators),
  'PUT /api/v1/operator/customers/:id/segments': of('id', 'customer', { ...byOperators, body: { customer_value: null } }),
  'GET /api/v1/operator/conversations/:orderId': aPart(byOperators),
  'POST /api/v1/operator/conversations/:orderId/messages': aPart({ ...byOperators, body: { text: 'We look into it.' } }),
  'POST /api/v1/operator/message-reports/:messageId/close': of('messageId', 'message', byOperators),
  'POST /api/v1/operator/withdrawals/:orderId/end': aPart(byOperators),
  'GET /api/v1/operator/disputes/:id': of('id', 'dispute', byOperators),
  'POST /api/v1/operator/disputes/:id/decision': of('id', 'dispute', { ...byOperators, body: { amount: 0, note: 'No.' } }),
  'POST /api/v1/operator/incidents/:orderId/end': aPart({ ...byOperators, body: { do: 'close' } }),
  'GET /api/v1/operator/contributions/:kind': list({ kind: 'review' }),
  'PUT /api/v1/operator/contributions/:kind/:id': {
    values: ({ review }) => ({ kind: 'review', id: review }),
    unknown: { id: uuid },
    body: { decision: 'approve' },
    ...byOperators,
  },
  'GET /api/v1/operator/retained/:id': of('id', 'paid', byOperators, order),
  'GET /api/v1/operator/sellers/:id/state': settings({ id: '1' }, { id: number }),
  'PUT /api/v1/operator/sellers/:id/state': settings({ id: '1' }, { id: number }, { state: 'active' }),
  'GET /api/v1/operator/payout-runs/:id': of('id', 'run', byOperators),
  'GET /api/v1/operator/payout-runs/:id/sepa': of('id', 'run', byOperators),
  'POST /api/v1/operator/payouts/:id/news': of('id', 'payout', { ...byOperators, body: { status: 'returned' } }),
  'DELETE /api/v1/operator/api-keys/:id': of('id', 'apiKey', byOperators),
}

const everywhere = { market: 'gb', mode: 'b2c' }
const word = () => `none-${randomUUID().slice(0, 8)}`
const inAllLanguages = (text: string) => Object.fromEntries(['es', 'en', 'fr', 'de', 'it'].map((language) => [language, text]))
const coupon = { kind: 'percent', value: 10, startsOn: '2026-01-01', endsOn: '2028-01-01' }
const job = { name: 'privacy.export', key: 'of-somebody' }
const jobs = { key: word }
const entry = { kind: 'help', id: '4711' }
const item = {
  kind: 'quick-link',
  from: '2026-01-01T00:00:00Z',
  path: '/great-deals',
  texts: Object.fromEntries(['es', 'en', 'fr', 'de', 'it'].map((language) => [language, { title: 'Deals', detail: '' }])),
}
const experiment = {
  name: 'routes',
  state: 'draft',
  type: 'ab',
  layer: 'routes',
  slots: [0, 10],
  markets: ['gb'],
  modes: ['b2c'],
  variations: [
    { id: 1, name: 'a', weight: 1 },
    { id: 2, name: 'b', weight: 1 },
  ],
}
const version = {
  key: 'lost-parcel',
  facts: { published: '2026-10-01', department: 1 },
  texts: {
    en: { title: 'Lost parcels', description: 'What to do about a parcel that does not come.', lead: '', markdown: 'Write to us.' },
  },
  replaces: 0,
}

/** Settings and goods of the shop, in an order in which those that create come first and those that delete last. */
const ofShop: Record<string, RouteCase> = {
  'GET /api/v1/operator/jobs/:name/:key': settings(job, jobs),
  'POST /api/v1/operator/jobs/:name/:key/retry': settings(job, jobs),
  'POST /api/v1/operator/jobs/:name/:key/cancel': settings(job, jobs),
  'POST /api/v1/operator/dead-events/:id/retry': of('id', 'deadEvent', byOperators),
  'PUT /api/v1/operator/flags/:market/:mode/:name': settings({ ...everywhere, name: 'batchEnabled' }, { name: word }, { value: true }),
  'DELETE /api/v1/operator/flags/:market/:mode/:name': settings({ ...everywhere, name: 'batchEnabled' }, { name: word }),
  'GET /api/v1/operator/platform-config/:market/:mode/:name': settings({ ...everywhere, name: 'b2b' }, { name: word }),
  'PUT /api/v1/operator/platform-config/:market/:mode/:name': settings(
    { ...everywhere, name: 'b2b' },
    { name: word },
    { value: { isLinked: true }, replaces: 0 },
  ),
  'PUT /api/v1/operator/offers/:market/:id/price': settings(
    { market: 'gb', id: '410' },
    { id: number },
    { currency: 'GBP', price: 12_000, proPrice: null },
  ),
  'GET /api/v1/operator/offers/:market/:id/state': settings({ market: 'gb', id: '410' }, { id: number }),
  'PUT /api/v1/operator/offers/:market/:id/state': settings({ market: 'gb', id: '410' }, { id: number }, { state: 'active' }),
  'PUT /api/v1/operator/categories/:id': settings(
    { id: '4711' },
    { id: number },
    { parentId: null, position: 1, department: 'tools', names: inAllLanguages('Roofs'), slugs: inAllLanguages('roofs') },
  ),
  'PUT /api/v1/operator/search/:market/synonyms/:id': settings(
    { market: 'gb', id: 'level' },
    { id: word },
    { type: 'synonym', synonyms: ['level', 'bubble'] },
  ),
  'GET /api/v1/operator/search/:market/synonyms': list({ market: 'gb' }),
  'DELETE /api/v1/operator/search/:market/synonyms/:id': settings({ market: 'gb', id: 'level' }, { id: word }),
  'PUT /api/v1/operator/search/:market/rules/:id': settings({ market: 'gb', id: 'away' }, { id: word }, { enabled: false }),
  'GET /api/v1/operator/search/:market/rules': list({ market: 'gb' }),
  'DELETE /api/v1/operator/search/:market/rules/:id': settings({ market: 'gb', id: 'away' }, { id: word }),
  'GET /api/v1/operator/search/:market/tuning': list({ market: 'gb' }),
  'PUT /api/v1/operator/search/:market/stop-words': { ...list({ market: 'gb' }), body: ['the'] },
  'PUT /api/v1/operator/search/:market/weights': { ...list({ market: 'gb' }), body: { title: 2 } },
  'GET /api/v1/operator/search/:market/learning': list({ market: 'gb' }),
  'PUT /api/v1/operator/search/:market/learning': { ...list({ market: 'gb' }), body: { enabled: false } },
  'GET /api/v1/operator/search/:market/analytics': list({ market: 'gb' }),
  'GET /api/v1/operator/content/:kind': list({ kind: 'help' }),
  'PUT /api/v1/operator/content/:kind/:id': settings(entry, { id: number }, version),
  'GET /api/v1/operator/content/:kind/:id': settings(entry, { id: number }),
  'PUT /api/v1/operator/content/:kind/:id/versions/:version/schedule': settings(
    { ...entry, version: '1' },
    { id: number, version: number },
    { from: '2027-01-01T00:00:00Z' },
  ),
  'DELETE /api/v1/operator/content/:kind/:id': settings(entry, { id: number }),
  'PUT /api/v1/operator/header/:id': settings({ id: 'deals' }, { id: word }, item),
  'DELETE /api/v1/operator/header/:id': settings({ id: 'deals' }, { id: word }),
  'GET /api/v1/operator/coupons/:market': list({ market: 'gb' }),
  'PUT /api/v1/operator/coupons/:market/:code': settings({ market: 'gb', code: 'ROUTES10' }, { code: () => 'NOTHING-10' }, coupon),
  'GET /api/v1/operator/coupons/:market/:code': settings({ market: 'gb', code: 'ROUTES10' }, { code: () => 'NOTHING-10' }),
  'POST /api/v1/operator/coupons/:market/:code/end': settings({ market: 'gb', code: 'ROUTES10' }, { code: () => 'NOTHING-10' }),
  'PUT /api/v1/operator/experiments/:id': settings({ id: '4711' }, { id: number }, experiment),
  'PUT /api/v1/operator/recommendations/:placement': settings({ placement: 'cart_page' }, { placement: word }, { sources: [] }),
}

/** A valid value of a JSON schema: of an object the required fields. */
function valueOf(schema: Schema): unknown {
  const { type, properties = {}, required = [], items, minItems = 0, minimum, maximum, anyOf, format } = schema
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (anyOf?.[0]) return valueOf(anyOf[0])
  if (type === 'object') return Object.fromEntries(required.map((name) => [name, wordOf(name) ?? valueOf(properties[name] ?? {})]))
  if (type === 'array') return Array.from({ length: minItems }, () => valueOf(items ?? {}))
  if (type === 'number' || type === 'integer') return minimum ?? maximum ?? 1
  if (type === 'boolean') return true
  return format === 'uuid' ? randomUUID() : 'A text'
}

/** Formats of strings that the schema leaves open. */
function wordOf(name: string): unknown {
  if (name === 'offerId') return '410'
  if (name === 'market') return 'gb'
  return name === 'validUntil' ? new Date(Date.now() + 86_400_000).toISOString() : undefined
}

interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  minimum?: number
  maximum?: number
  anyOf?: Schema[]
  format?: string
}
interface Described {
  servers: { url: string }[]
  paths: Record<string, Record<string, { requestBody?: { content: { 'application/json': { schema: Schema } } } }>>
}

/** The object that each path parameter of the sellers' API identifies. */
const ofSellers: Record<string, Omit<RouteCase, 'holder'>> = {
  orderId: aPart(),
  parcelId: of('parcelId', 'parcel'),
  returnId: of('returnId', 'return'),
  requestId: of('requestId', 'cancellation'),
  disputeId: of('disputeId', 'dispute'),
  offerId: { values: () => ({ market: 'gb', offerId: '410' }), unknown: { offerId: number } },
  groupId: of('groupId', 'group'),
  listId: of('listId', 'priceList'),
  quoteId: of('quoteId', 'quote'),
  webhookId: of('webhookId', 'webhook'),
  deliveryId: of('deliveryId', 'delivery'),
  kind: list({ kind: 'ship' }),
}
/** Bodies whose sense depends on the object: a step that it is ready for. */
const bodies: Record<string, object> = {
  'PUT /offers/{market}/{offerId}/state': { state: 'active' },
  'PUT /offers/{market}/{offerId}/quantity-breaks': { breaks: [] },
  'POST /disputes/{disputeId}/moves': { market: 'gb', action: 'contest', note: 'It was delivered.' },
}

/** The sellers' API, with bodies from the schemas of its document. Deletions come last. */
function ofSellerApi(): Record<string, RouteCase> {
  const { servers, paths } = openApiDocument('') as unknown as Described
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({ path, method: method.toUpperCase(), requestBody })),
  )
  const rows = calls
    .filter(({ path }) => path.includes('{'))
    .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
    .map(({ path, method, requestBody }): [string, RouteCase] => {
      const url = `${servers[0]?.url ?? ''}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
      const name = [...path.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => each).findLast((each) => ofSellers[each]) ?? ''
      const known = ofSellers[name]
      if (!known) throw new Error(`${url}: say what its parameters name`)
      const schema = requestBody?.content['application/json'].schema
      const body = bodies[`${method} ${path}`] ?? (schema && valueOf(schema))
      return [`${method} ${url}`, { ...known, ...(body !== undefined && { body }), holder: 'seller key' }]
    })
  return Object.fromEntries(rows)
}

/** Every route with a parameter, except those of `openRoutes`. */
export const routeCases: Readonly<Record<string, RouteCase>> = { ...forPeople, ...aboutPeople, ...ofShop, ...ofSellerApi() }

/** A valid body of a call of the sellers' API by its schema. */
export function sellersBody(method: string, url: string): unknown {
  const { servers, paths } = openApiDocument('') as unknown as Described
  const path = url.slice((servers[0]?.url ?? '').length).replaceAll(/:(\w+)/g, '{$1}')
  const schema = paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json'].schema
  return schema && valueOf(schema)
}
