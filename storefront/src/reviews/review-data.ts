import type { ShownReviewFragment } from '../generated/documents.ts'

/** schema.org's Review, for the structured data of the thing reviewed. */
export function reviewData({ author, stars, title, body, writtenOn, language }: ShownReviewFragment): object {
  return {
    '@type': 'Review',
    author: { '@type': 'Person', name: author },
    datePublished: writtenOn,
    inLanguage: language,
    name: title,
    reviewBody: body,
    reviewRating: { '@type': 'Rating', ratingValue: stars, bestRating: 5, worstRating: 1 },
  }
}

/** schema.org's AggregateRating; nothing without reviews. */
export function ratingData({ rating, count }: { rating: number | null; count: number }): object {
  if (rating === null || count === 0) return {}
  return {
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: Math.round(rating * 10) / 10,
      reviewCount: count,
      bestRating: 5,
      worstRating: 1,
    },
  }
}
