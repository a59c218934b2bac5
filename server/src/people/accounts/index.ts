/** Who somebody is: sessions, guests, and whose things are whose. */
export { ownerOf } from './owner.ts'
export { rememberGuest } from './remember-guest.ts'
export { type Session, newSessionToken, sessionIdOf } from './session.ts'
export { findSession, sessionInsert, touchSession } from './store.ts'
