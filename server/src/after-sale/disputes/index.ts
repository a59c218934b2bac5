/** Disputes: what buyers and sellers cannot settle themselves, with evidence, deadlines, mediation, decision and appeal. */
export { moveDispute, openDispute } from './move-dispute.ts'
export { detachFromDisputes, ordersOfDisputes } from './evidence-store.ts'
export { findDisputed, forgetDisputes, forgetNotesBy, readDisputesAbout } from './store.ts'
export { listSellerDisputes, showDisputeToProgram } from './show-dispute.ts'
export { disputeActions, disputeActors, disputeReasons, disputeStates, disputeWishes } from './dispute.ts'
