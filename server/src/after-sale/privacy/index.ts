/** Privacy: a customer's own copy of their data, and its erasure. */
export { eraseAccount } from './erase-account.ts'
