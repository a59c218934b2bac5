/** Profiles: customers' own details and their consent to offers. */
export { readConsentHistory, readProfile, removeProfileOf } from './store.ts'
