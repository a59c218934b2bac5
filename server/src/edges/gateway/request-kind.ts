import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import type { FastifyRequest } from 'fastify'
import { Kind, parse } from 'graphql'
import { isShapedAs } from '#integrations'
import { settings } from '#platform'
import type { RequestKind } from '../../foundation/platform/waiting-queues.ts'
import { ownDocumentOf } from './persisted.ts'
import { scanDocument } from './scan-document.ts'

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
    'addWishlistToCart',
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
/** The kind and the first field of an operation at the beginning of a document of ours. */
const operation = /^\s*(?:(query|mutation)\b[^{]*)?\{\s*(?:\w+\s*:\s*)?(\w+)/

/** Programs report what happened without waiting for an answer. */
const reports = /^\/(?:api\/v1\/(?:(?:search-)?events|web-vitals|experiment-exposures|client-page-change|pro-event)|ab-test)\b/

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
  if (route === '/graphql') return kindOfRequest(isRead ? parametersOf(request) : request.body, mayBringDocuments(request))
  if (route.startsWith('/api/v1/address-suggestions') || reports.test(route)) return 'suggestions'
  if (route.startsWith('/api/auth')) return 'cart'
  return isRead || route === '' ? 'listing' : 'product'
}

/** Our own documents are known by their hash. The operations of a batch wait as listings do. */
function kindOfRequest(body: unknown, mayBeForeign: boolean): RequestKind {
  const { query, extensions } = (body ?? {}) as { query?: unknown; extensions?: unknown }
  const own = ownDocumentOf(query, extensions)
  if (own !== null) {
    const kind = kindOfOwn.get(own) ?? kindOfDocument(knownDocuments[own] ?? '')
    kindOfOwn.set(own, kind)
    return kind
  }
  return (mayBeForeign && typeof query === 'string' && stepOf(query)) || 'listing'
}

/** Whether documents of strangers are executed for this request, unless its key is unknown; if not, nothing need read them. */
export function mayBringDocuments({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const { publicApi } = settings()
  return publicApi === 'open' || (publicApi === 'keyed' && isShapedAs('pka', String(headers['x-api-key'])))
}

function kindOfDocument(text: string): RequestKind {
  const [, type, field = ''] = operation.exec(text) ?? []
  return kindOfOperation(type, field)
}

const kindOfOperation = (type: string | undefined, field: string): RequestKind =>
  kindOfField.get(field) ?? (type === 'mutation' ? 'product' : 'listing')

/** Documents of programs that are longer may contain anything. */
const maxStepTokens = 120

/**
 * The kind of a program's document that is one short step of a purchase or another single command: it waits, and is executed, as ours do.
 * Null for everything else.
 */
export function stepOf(text: string): RequestKind | null {
  const { tokens, definitions, rootFields } = scanDocument(text, ({ tokens }) => tokens > maxStepTokens)
  if (tokens > maxStepTokens || definitions !== 1 || rootFields !== 1) return null
  const first = firstField(text)
  if (!first) return null
  const kind = kindOfOperation(first.type, first.field)
  return kind === 'checkout' || kind === 'cart' || first.type === 'mutation' ? kind : null
}

/** Type and first root field of a stranger's document, by GraphQL's own parser: commas, comments and strings can mislead a regular expression. */
function firstField(text: string): { type: string; field: string } | null {
  try {
    const [definition] = parse(text, { noLocation: true, maxTokens: maxStepTokens }).definitions
    const selection = definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections[0] : undefined
    return definition?.kind === Kind.OPERATION_DEFINITION && selection?.kind === Kind.FIELD
      ? { type: definition.operation, field: selection.name.value }
      : null
  } catch {
    return null
  }
}

/** What a GraphQL request by GET names; null if its extensions are no JSON. */
export function parametersOf({
  query,
}: Pick<FastifyRequest, 'query'>): { query?: unknown; operationName?: unknown; extensions?: unknown } | null {
  const { extensions, operationName, query: text } = query as { extensions?: unknown; operationName?: unknown; query?: unknown }
  if (typeof extensions !== 'string') return { query: text, operationName }
  try {
    return { query: text, operationName, extensions: JSON.parse(extensions) as unknown }
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
