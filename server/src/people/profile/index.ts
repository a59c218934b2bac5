/** Profiles: customers' own details and their consent to offers. */
export { readConsentHistory, readProfile, removeProfileOf, setFiscalNumber } from './store.ts'
