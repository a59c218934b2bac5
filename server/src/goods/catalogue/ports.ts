import type { Language } from '@purlin/contract/markets.ts'
import type { AttributeValue, Product } from './product.ts'

/**
 * Who draws the shop's pictures. The demo shop draws its own; the start connects it here, so that the
 * server knows nothing of the demo. Each answers a whole SVG, or null for what it cannot draw.
 */
export interface Pictures {
  /** Another one whenever anything would be drawn differently: part of where drawings are stored. */
  version: string
  product(request: { family: string; attributes: Record<string, AttributeValue>; brand: string; seed: number; view: string }): string | null
  category(department: string): string | null
  brand(name: string): string | null
  hero(theme: string): string | null
}

let connected: Pictures | undefined

export function connectPictures(pictures: Pictures): void {
  connected = pictures
}

export function pictures(): Pictures | undefined {
  return connected
}

/** What a document tells of a product. */
export type DocumentedProduct = Pick<Product, 'family' | 'titles' | 'mpn' | 'ean' | 'attributes' | 'safety'> & { brand: string }

/** Who writes the papers that go with goods: a whole HTML page or SVG, or null for what cannot be written. */
export interface Documents {
  /** As of `Pictures`. */
  version: string
  manual(of: DocumentedProduct, language: Language): string | null
  energyLabel(of: DocumentedProduct, language: Language): string | null
}

let writer: Documents | undefined

export function connectDocuments(documents: Documents): void {
  writer = documents
}

export function documents(): Documents | undefined {
  return writer
}
