import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import type { RequestOptions } from '@purlin/e2e/support/ask.ts'

/** The documents of the shop's own pages, by name and by text. */
const hashes = new Map(Object.entries(knownDocuments).map(([hash, text]) => [text, hash]))

function ownDocument(name: string): string {
  const own = Object.values(knownDocuments).find((text) => new RegExp(`^query ${name}\\W`).test(text))
  if (own === undefined) throw new Error(`No page asks with a document ${name}`)
  return own
}

export const listingDocument = ownDocument('Listing')

export const productDocument = ownDocument('Product')

export const cartCountDocument = ownDocument('CartCount')

export const countAndPricesDocument = ownDocument('CartCountAndPrices')

export const addDocument = `mutation Add($offerId: ID!) {
  addToCart(offerId: $offerId, quantity: 1) { cart { itemCount totals { totalWithVat { amount } } } refusal { reason } }
}`

/** A GraphQL request to the gb shop; documents of its pages are sent by their hash, as pages do, and others wait behind visitors (decision 073). */
export function asked(document: string, variables: object, headers: Record<string, string> = {}): RequestOptions {
  const hash = hashes.get(document)
  const sent = hash === undefined ? { query: document } : { extensions: { persistedQuery: { version: 1, sha256Hash: hash } } }
  return {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...sent, variables }),
  }
}
