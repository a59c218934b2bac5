import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import type { FastifyRequest } from 'fastify'
import type { RequestKind } from '../../foundation/platform/waiting-queues.ts'

/** Kinds of operations by their first field; other commands wait as product pages do, other queries as listings. */
export const fieldsByKind = {
  checkout: [
    'checkCreditLimit',
    'chooseDelivery',
    'choosePaymentMethod',
    'chooseSavedAddress',
    'continueAsGuest',
    'customerOrder',
    'funnel',
    'invoiceOffer',
    'orderApproved',
    'pickUpPoints',
    'placeExpressOrder',
    'placeOrder',
    'reopenOrder',
    'saveAddress',
  ],
  cart: [
    'addAllToCart',
    'addQuickOrder',
    'addToCart',
    'applyCoupon',
    'cart',
    'chooseCartDelivery',
    'confirmCartChanges',
    'expressCheckout',
    'moveToCart',
    'orderAgain',
    'removeCoupon',
    'removeFromCart',
    'replaceInCart',
    'exchangeApprovalPoints',
    'returnApprovalToCart',
    'setCartQuantity',
  ],
  product: ['product', 'productHistory', 'recommendations'],
  suggestions: ['suggestions'],
} satisfies Partial<Record<RequestKind, string[]>>

const kindOfField = new Map(Object.entries(fieldsByKind).flatMap(([kind, fields]) => fields.map((field) => [field, kind as RequestKind])))
/** Kinds of our own documents, by hash. */
const kindOfOwn = new Map<string, RequestKind>()
/** The kind and the first field of an operation at the beginning of a document. */
const operation = /^\s*(query|mutation)\b[^{]*\{\s*(?:\w+\s*:\s*)?(\w+)/

/** Programs report what happened without waiting for an answer. */
const reports = /^\/(?:api\/v1\/(?:events|web-vitals|experiment-exposures|client-page-change|pro-event)|ab-test)\b/

/**
 * The queue in which requests of programs and scripts wait; null for those that wait in none: health and metrics, and routes that read
 * their body while they work, because a slow sender would keep a turn.
 */
export function kindOf(request: FastifyRequest): RequestKind | null {
  const { url: route = '', config } = request.routeOptions
  if (/^\/(?:health|metrics|search-engine)(?:\/|$)/.test(route)) return null
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (config.takesFiles && !isRead) return null
  // Anybody can send messages to the addresses of providers: only signed ones go first.
  if (config.verify) return succeeds(() => config.verify?.(request)) ? 'checkout' : 'suggestions'
  if (route === '/graphql') return isRead ? kindOfRequest(parametersOf(request)) : kindOfRequest(request.body)
  if (route.startsWith('/api/v1/address-suggestions') || reports.test(route)) return 'suggestions'
  if (route.startsWith('/api/auth')) return 'cart'
  return isRead || route === '' ? 'listing' : 'product'
}

/** Our own documents are known by their hash, which is not enough for another text. The operations of a batch wait as listings do. */
function kindOfRequest(body: unknown): RequestKind {
  const { query, extensions } = (body ?? {}) as { query?: unknown; extensions?: { persistedQuery?: { sha256Hash?: unknown } } | null }
  const hash = extensions?.persistedQuery?.sha256Hash
  const own = typeof hash === 'string' && Object.hasOwn(knownDocuments, hash) ? knownDocuments[hash] : undefined
  if (typeof hash === 'string' && own !== undefined && (!query || query === own)) {
    const kind = kindOfOwn.get(hash) ?? kindOfDocument(own)
    kindOfOwn.set(hash, kind)
    return kind
  }
  return typeof query === 'string' ? kindOfForeign(query) : 'listing'
}

function kindOfDocument(text: string): RequestKind {
  const [, type, field = ''] = operation.exec(text) ?? []
  return kindOfField.get(field) ?? (type === 'mutation' ? 'product' : 'listing')
}

/** A document of a program may contain anything after its first field: only a single command goes before listings. */
function kindOfForeign(text: string): RequestKind {
  if (operation.exec(text)?.[1] !== 'mutation') return 'listing'
  return (text.match(/\b(?:query|mutation)\b/g) ?? []).length === 1 ? kindOfDocument(text) : 'listing'
}

function parametersOf({ query }: FastifyRequest): unknown {
  const { extensions, query: text } = query as { extensions?: unknown; query?: unknown }
  if (typeof extensions !== 'string') return { query: text }
  try {
    return { query: text, extensions: JSON.parse(extensions) as unknown }
  } catch {
    return null
  }
}

function succeeds(verify: () => unknown): boolean {
  try {
    verify()
    return true
  } catch {
    return false
  }
}
