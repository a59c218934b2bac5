/** Consent: what visitors agreed to, with proof. The consent of a request is `consentOf` of the contract. */
export { isIssuedVisitor } from './issued-visitor.ts'
export { countChoices } from './store.ts'
export { repeatJob } from './withdraw.ts'
