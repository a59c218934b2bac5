/** Privacy: customers' data exports and the erasure of their data. */
export { eraseAccount } from './erase-account.ts'
