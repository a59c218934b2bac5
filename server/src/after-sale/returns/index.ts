/** Cancellation of ordered pieces by line, and goods that come back. */
export { cancelLines } from './cancel-lines.ts'
export { findReturning, forgetReturnLabels, forgetReturns, readReturnsAbout } from './return-store.ts'
export { decideCancellation } from './decide-cancellation.ts'
export { requestReturn } from './request-return.ts'
export { handleReturn } from './handle-return.ts'
export { findings, returnStates } from './return-request.ts'
export { listCancellationRequests } from './show-cancellation.ts'
export { listReturnsToHandle } from './show-return.ts'
