import type { Language } from '@purlin/contract/markets.ts'

/** Profile details of a customer. */
export interface Profile {
  firstName: string | null
  lastName: string | null
  phone: string | null
  language: Language | null
  fiscalNumber: string | null
  updatedAt: Date | null
}

export const channels = ['email', 'sms'] as const
export type Channel = (typeof channels)[number]

/** The current consent, given or refused. */
export interface Consent {
  channel: Channel
  /** Whether it counts. */
  isGranted: boolean
  /** Whether it was given: one to text messages from before numbers were confirmed does not count, but can be withdrawn. */
  isGiven: boolean
  phone: string | null
  at: Date
}

export type ProfileFault =
  | 'missing'
  | 'too-long'
  | 'signs'
  | 'phone-format'
  | 'phone-mobile'
  | 'sms-none'
  | 'language'
  | 'fiscal-number'
  | 'too-many-codes'
  | 'code-wrong'
/** The reason a number gets no code. */
export type CodeFault = Extract<ProfileFault, 'phone-mobile' | 'sms-none' | 'too-many-codes'>
export type ProfileChange =
  /** `codeRefused`: the number gets no code; everything else is changed. */
  | { ok: true; codeRefused?: CodeFault }
  | { ok: false; reason: 'profile-invalid' | 'too-many-attempts'; fields: Record<string, ProfileFault> }

export function reasonOf(fault: CodeFault): 'profile-invalid' | 'too-many-attempts' {
  return fault === 'too-many-codes' ? 'too-many-attempts' : 'profile-invalid'
}
