import type { Market } from '@purlin/contract/markets.ts'
import type { MemberRole, Principal, StaffRole } from '@purlin/contract/principal.ts'

/** A session with the people it refers to, read in one statement. */
export interface PersonRow {
  id: string
  guestEmail: string | null
  /** Of sessions of the shop. */
  customer?: { id: string; email: string; name: string; market: Market } | null
  membership?: { role: MemberRole; company: { id: string; country: string } } | null
  /** The session came from a purchasing system. */
  isPunchOut?: boolean
  /** Of sessions of the offices. */
  staff?: { id: string; email: string; name: string; sellerId: number | null; roles: StaffRole[] } | null
}

/** The anonymous principal: no session, or an invalid one. */
export const stranger: Principal = { kind: 'guest', id: null, email: null }

/** The specification's term for the principal (§6); staff are not covered. */
export function sessionRole({ kind }: Principal): 'guest' | 'b2c' | 'b2b' | 'staff' {
  if (kind === 'guest') return 'guest'
  if (kind === 'customer') return 'b2c'
  return kind === 'member' ? 'b2b' : 'staff'
}

export function principalOf({ id, guestEmail, customer, membership, staff, isPunchOut }: PersonRow): Principal {
  if (staff) {
    const { sellerId, ...person } = staff
    return sellerId === null ? { kind: 'operator', ...person } : { kind: 'sellerMember', ...person, sellerId }
  }
  // Without the member it stands for, such a session is a guest's: it is never that person.
  if (isPunchOut)
    return customer && membership ? { kind: 'member', ...customer, ...membership, punchOut: id } : { kind: 'guest', id, email: null }
  if (customer) return membership ? { kind: 'member', ...customer, ...membership } : { kind: 'customer', ...customer }
  return { kind: 'guest', id, email: guestEmail }
}
