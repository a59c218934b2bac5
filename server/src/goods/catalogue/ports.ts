import type { Language } from '@purlin/contract/markets.ts'
import type { AttributeValue, Product } from './product.ts'

/**
 * The port to whatever draws the shop's pictures. The demo shop draws its own and connects here at start, so that the
 * server knows nothing of the demo. Each method returns a whole SVG, or null for what it cannot draw.
 */
export interface Pictures {
  /** Changes whenever any drawing would: part of the key under which drawings are stored. */
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

/** The product data that a document contains. */
export type DocumentedProduct = Pick<Product, 'family' | 'titles' | 'mpn' | 'ean' | 'attributes' | 'safety'> & { brand: string }

/** The port to whatever writes product documents: a whole HTML page or SVG, or null for what cannot be written. */
export interface Documents {
  /** As for `Pictures`. */
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
