import { languages } from '@purlin/contract/markets.ts'
import type { QueryInput } from '@purlin/contract/path-helper.ts'
import type { ReviewSort } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'

export const reviewSorts = ['helpful', 'newest', 'best', 'worst'] as const satisfies readonly ReviewSort[]

/** The choice of reviews in an address; anything else in it is ignored. */
export interface ReviewFilter {
  stars: number | null
  language: string | null
  sort: ReviewSort
  page: number
}

export function readFilter(query: ShopContext['query']): ReviewFilter {
  const { stars, lang, sort, page } = query
  return {
    stars: typeof stars === 'string' && /^[1-5]$/.test(stars) ? Number(stars) : null,
    language: languages.find((language) => language === lang) ?? null,
    sort: reviewSorts.find((known) => known === sort) ?? 'helpful',
    page: typeof page === 'string' && /^[1-9]\d{0,2}$/.test(page) ? Number(page) : 1,
  }
}

/** The parameters of a choice, without those that say nothing. */
export function queryOf({ stars, language, sort, page }: Partial<ReviewFilter>): QueryInput {
  return {
    ...(stars && { stars: String(stars) }),
    ...(language && { lang: language }),
    ...(sort && sort !== 'helpful' && { sort }),
    ...(page && page > 1 && { page: String(page) }),
  }
}
