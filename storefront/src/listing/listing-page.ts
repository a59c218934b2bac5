import { canonicalSlug, redirect, type Redirect } from '@purlin/web/outcomes.ts'
import type { ShopContext } from '../shell/context.ts'
import { addressOf, countOf, tidiedAddress, withPage, type ListingChoice } from './listing-address.ts'
import type { ListingFragment } from '../generated/documents.ts'

const highestId = 2 ** 31 - 1

/** The number in an address; null when it cannot be one of the shop's, so that no query is needed. */
export function idOf({ params }: ShopContext): number | null {
  const id = Number(params['id'])
  return Number.isInteger(id) && id > 0 && id <= highestId ? id : null
}

/** Redirect target of a listing's visitor: the right slug, the plain address, the first page; null when the address is right. */
export function canonicalRedirect(context: ShopContext, path: string, choice: ListingChoice, listing: ListingFragment): Redirect | null {
  const moved = canonicalSlug(context, path)
  if (moved) return moved
  const tidied = tidiedAddress(path, context.query)
  if (tidied) return redirect(302, tidied)
  return listing.pages > 0 && choice.page > listing.pages ? redirect(302, addressOf(path, withPage(choice, 1))) : null
}

/** Search engines are led no further: relevant results come earlier, and every category has pages of its own. Source: R-714. */
const deepestListed = 20

/**
 * Head and cache settings of a listing page: each page is its own canonical, filtered and sorted ones are not indexed,
 * and one without a search response is not cached.
 */
export function listingHead(path: string, choice: ListingChoice, listing: ListingFragment, { mayBeEmpty = false } = {}) {
  const isPlain = countOf(choice) === 0 && !choice.sort && !choice.size && choice.literal.length === 0
  // A list without goods is a soft 404; one whose search failed may have some.
  const isEmpty = listing.available && listing.total === 0 && !mayBeEmpty
  return {
    canonical: isPlain && choice.page > 1 ? `${path}?page=${choice.page}` : path,
    ...(choice.page > deepestListed ? { robots: 'noindex, nofollow' } : isPlain && !isEmpty ? {} : { robots: 'noindex, follow' }),
    keep: listing.available,
  }
}
