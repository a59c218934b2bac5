import type { SuggestionsQuery } from '../generated/documents.ts'

export interface Suggestion {
  group: 'queries' | 'categories' | 'brands' | 'products'
  text: string
  href: string
  picture?: string
  price?: string
  /** Whose price it is: a member of a company may have a better one. */
  offerId?: string
  hint?: string
}

/** The search box's suggestions: one flat list in groups, in keyboard order. */
export function suggestionList(found: SuggestionsQuery['suggestions']): Suggestion[] {
  return [
    ...found.queries.map((text) => ({ group: 'queries' as const, text, href: `/search/${encodeURIComponent(text)}` })),
    ...found.categories.map(({ name, url, parents }) => ({
      group: 'categories' as const,
      text: name,
      href: url,
      ...(parents.length > 0 && { hint: parents.at(-1)!.name }),
    })),
    ...found.brands.map(({ name, url }) => ({ group: 'brands' as const, text: name, href: url })),
    ...found.products.map((product) => ({
      group: 'products' as const,
      text: product.title,
      href: product.url,
      picture: product.imageFullpath,
      price: product.prices.main.asString,
      offerId: product.offerId,
    })),
  ]
}

const pageStep = 5

/**
 * The position to which a key moves in a list of `count`; -1 is the field itself, null leaves the key to the browser. Home
 * and End move in the list only while focus is in it, so that they still work in the text.
 */
export function nextActive(key: string, active: number, count: number): number | null {
  if (count === 0) return null
  switch (key) {
    case 'ArrowDown':
      return active + 1 < count ? active + 1 : -1
    case 'ArrowUp':
      return active < 0 ? count - 1 : active - 1
    case 'PageDown':
      return Math.min(count - 1, Math.max(active, 0) + pageStep)
    case 'PageUp':
      return Math.max(0, active - pageStep)
    case 'Home':
      return active < 0 ? null : 0
    case 'End':
      return active < 0 ? null : count - 1
    default:
      return null
  }
}
