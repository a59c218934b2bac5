/** Punch-out: purchasing systems of larger companies open the shop for their buyers, take baskets back, and send orders. */
export { hookUrlOf } from './credential.ts'
export { forgetPunchOutOf } from './manage-credentials.ts'
