/** Consent: what visitors agreed to, with proof. The consent of a request is `consentOf` of the contract. */
export { countChoices } from './store.ts'
