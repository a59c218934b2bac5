import type { IdentityClaims, Realm } from '@purlin/contract/identity.ts'
import type { Account } from './accounts.ts'

const professional = ['company_name', 'trade', 'vat_number', 'register_number', 'professional_role'] as const

/** Claims by scope. */
export function claimsOf(realm: Realm): Record<string, string[]> {
  const profile = ['name', 'given_name', 'family_name', 'locale']
  const hasProfessionals = realm === 'b2b' || realm === 'unified'
  return { openid: ['sub'], email: ['email', 'email_verified'], profile: hasProfessionals ? [...profile, ...professional] : profile }
}

/** No account exists before its address is verified, so every address is. */
export function claimsAbout(account: Account): IdentityClaims {
  const { id, email, givenName, familyName, locale, companyName, trade, vatNumber, registerNumber, professionalRole } = account
  return {
    sub: id,
    email,
    email_verified: true,
    name: `${givenName} ${familyName}`.trim(),
    given_name: givenName,
    family_name: familyName,
    locale,
    ...(companyName && { company_name: companyName }),
    ...(trade && { trade }),
    ...(vatNumber && { vat_number: vatNumber }),
    ...(registerNumber && { register_number: registerNumber }),
    ...(professionalRole && { professional_role: professionalRole }),
  }
}
