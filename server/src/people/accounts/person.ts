import type { Realm } from '@purlin/contract/identity.ts'
import type { Market } from '@purlin/contract/markets.ts'

export interface Names {
  givenName: string
  familyName: string
}

export const fullName = ({ givenName, familyName }: Names): string => `${givenName} ${familyName}`

/** A person as described by an identity provider, with an e-mail address it has verified. */
export interface Identity {
  realm: Realm
  issuer: string
  subject: string
  email: string
  name: string
  /** Given and family name, if the provider reports both. */
  names?: Names
  /** The market of the sign-in: an account opened by it belongs to this market. */
  market: Market
  company?: { name: string; country: string; vatNumber: string | null; registerNumber?: string | null }
}

/** Owner of the new session. */
export type Person = { kind: 'customer'; id: string; companyId: string | null } | { kind: 'staff'; id: string }
