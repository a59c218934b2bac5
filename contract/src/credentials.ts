/** The change of a password from the shop. Source: spec §3, §4 (credentials update). */

export const credentialsPath = '/api/v1/credentials'

/** Reasons to refuse a new password. */
export const passwordFaults = [
  'current-wrong',
  'too-short',
  'too-long',
  'personal',
  'breached',
  'weak',
  'no-password',
  'locked',
  'unavailable',
] as const
export type PasswordFault = (typeof passwordFaults)[number]

export function isPasswordFault(value: unknown): value is PasswordFault {
  return passwordFaults.some((fault) => fault === value)
}

/** Body of a refusal. */
export interface CredentialsRefusal {
  reason: PasswordFault
  /** Until the next attempt, if there were too many. */
  minutes?: number
}
