export { rememberGuest } from './remember-guest.ts'
export { type Session, newSessionToken, sessionIdOf } from './session.ts'
export { findSession, insertSession, touchSession } from './store.ts'
