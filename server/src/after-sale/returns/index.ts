/** Cancellation of ordered pieces by line, and goods that come back. */
export { cancelLines } from './cancel-lines.ts'
export { forgetReturns, readReturnsAbout } from './return-store.ts'
