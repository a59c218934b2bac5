/** Profiles: what customers say about themselves, and what offers they agreed to. */
export { readConsentHistory, readProfile, removeProfileOf } from './store.ts'
