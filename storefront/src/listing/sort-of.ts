import type { SortKey } from '../generated/documents.ts'

const sortKeys: Record<SortKey, true> = { relevance: true, price_asc: true, price_desc: true, rating: true, newest: true, discount: true }

/** The sort order in an address; null for an unknown one. */
export function sortOf(text: string): SortKey | null {
  return isSortKey(text) ? text : null
}

function isSortKey(text: string): text is SortKey {
  return Object.hasOwn(sortKeys, text)
}
