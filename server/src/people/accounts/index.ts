/** Accounts: people, their permissions and their sessions. */
export {
  authorize,
  companyOf,
  customerIdOf,
  customerIdOfOwner,
  emailOf,
  inOwnName,
  inPerson,
  isOwnedBy,
  ownerOf,
  punchOutOf,
  sellerIdOf,
  staffOf,
  type Owned,
} from './authorize.ts'
export {
  confirmCompany,
  actForCompany,
  companyIdOf,
  endMembership,
  findCompanies,
  joinCompany,
  lockCompany,
  openCompany,
  readCompany,
  readMember,
  readMembers,
  readMembershipHistory,
  readMemberships,
  readNamesOfMembers,
  setMemberRole,
  type ActingMember,
  type CompanyMember,
} from './company-store.ts'
export { closedCompaniesWith, companyWithFormer, firstOfNumber, keepClosedNumber, releaseClosedNumbers } from './closed-company.ts'
export { enrolPerson, type KnownPerson } from './enrol-person.ts'
export { followEmail } from './identity-store.ts'
export { type OwnAddress, wasTheirs } from './own-address.ts'
export { linkPerson } from './link-person.ts'
export type { Identity, Person } from './person.ts'
export { sessionRole, stranger } from './principal.ts'
export { endPunchOutSessions, startPunchOutSession } from './punch-out-session.ts'
export { rememberGuest } from './remember-guest.ts'
export { type Session, type SessionFamily, newSessionToken, sessionIdOf } from './session.ts'
export {
  closeCustomer,
  companiesClosingWith,
  companiesLosingAdmin,
  besideSession,
  endSessionsOf,
  findSession,
  addressesOnlyOf,
  forgetCustomer,
  forgetEmailOfGuests,
  forgetIdentity,
  identitiesOf,
  signInsAlive,
  readCustomer,
  readCustomersAfter,
  renameCustomer,
  sessionInsert,
  signInOf,
  touchSession,
} from './store.ts'
export { readVatDisplay, writeVatDisplay } from './vat-display-store.ts'
export {
  doubtSessionsOfIdentity,
  endOtherSessions,
  endSession,
  failSessions,
  failSessionsOfIdentity,
  isSignInFresh,
  isVouchedFor,
  readSessionsOf,
  renewSession,
  retireSession,
  showSession,
  startSession,
  startSessionLike,
  vouchForSessions,
  type ShownSession,
  type StartSession,
} from './signed-in-session.ts'
