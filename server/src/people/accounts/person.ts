import type { Realm } from '@purlin/contract/identity.ts'
import type { Market } from '@purlin/contract/markets.ts'

/** A person as described by an identity provider, with an e-mail address it has verified. */
export interface Identity {
  realm: Realm
  issuer: string
  subject: string
  email: string
  name: string
  /** The market of the sign-in: an account opened by it belongs to this market. */
  market: Market
  company?: { name: string; country: string; vatNumber: string | null; registerNumber?: string | null }
}

/** Owner of the new session. */
export type Person = { kind: 'customer'; id: string; companyId: string | null } | { kind: 'staff'; id: string }
