import { writeProductRating } from '#catalogue'
import { purgePages, type SiteScope } from '#platform'
import { writeSellerRating } from '#sellers'
import { readDistribution } from './list-store.ts'
import type { Subject } from './review.ts'
import { averageOf } from './show-reviews.ts'
import { takeTurn } from './store.ts'

export interface Rated {
  subject: Subject
  subjectId: string
}

/** The tag of the pages with all reviews of a subject. */
export function reviewsTag({ subject, subjectId }: Rated): string {
  return subject === 'product' ? `reviews:${subjectId}` : `seller-reviews:${subjectId}`
}

/**
 * Derives the rating of cards and pages from the published reviews, after one of them was published or taken off, in the same
 * transaction. Two of them at the same time count each other: the second waits for the first.
 */
export async function rateAnew(scope: Pick<SiteScope, 'db' | 'emit'>, rated: Rated): Promise<void> {
  const { subject, subjectId } = rated
  await takeTurn(scope.db, `${subject} ${subjectId}`)
  const rating = averageOf(await readDistribution(scope.db, subject, subjectId))
  if (subject === 'product') await writeProductRating(scope, subjectId, rating)
  else await writeSellerRating(scope, Number(subjectId), rating)
  await purgePages(scope.db, [reviewsTag(rated), subject === 'product' ? `product:${subjectId}` : `seller:${subjectId}`])
}
