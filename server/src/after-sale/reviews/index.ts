/** Reviews of products and sellers by their buyers, questions about products, and the survey. */
export { forgetReviewsOf, readReviewsOf } from './privacy-store.ts'
