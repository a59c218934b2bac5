/** Reviews of products and sellers by their buyers, questions about products, and the survey. */
export { forgetReviewsOf, readReviewsOf } from './privacy-store.ts'
export { connectAutomaticBuyers, reviewAsBuyer } from './automatic-buyers.ts'
export { writeKey } from './review.ts'
export { writeReview } from './write-review.ts'
