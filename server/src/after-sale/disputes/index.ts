/** Disputes: what buyers and sellers cannot settle themselves, with evidence, deadlines, mediation, decision and appeal. */
export { moveDispute, openDispute } from './move-dispute.ts'
export { findDisputed, forgetDisputes, readDisputesAbout } from './store.ts'
export { listSellerDisputes } from './show-dispute.ts'
