import { newId, type JobScope } from '#platform'
import { addCompanyOf, addCustomerOf, addStaffOf, findPerson, refreshPerson } from './identity-store.ts'
import type { Identity, Person } from './person.ts'

/**
 * The person behind an identity: the one it was linked to at its first sign-in, else a new one. E-mail addresses never
 * link identities, however well verified: two realms may know one address as two people. Null for closed accounts, and
 * for staff whose address belongs to another staff account.
 */
export async function linkPerson({ db, emit }: Pick<JobScope, 'db' | 'emit'>, identity: Identity): Promise<Person | null> {
  const known = await findPerson(db, identity)
  if (known) {
    if (known.isClosed) return null
    await refreshPerson(db, identity, known)
    return toPerson(known)
  }
  const id = newId()
  const isMade = identity.realm === 'staff' ? await addStaffOf(db, identity, id) : await addCustomerOf(db, identity, id)
  if (isMade && identity.company && identity.realm !== 'staff') {
    const companyId = newId()
    await addCompanyOf(db, identity, identity.company, companyId)
    emit('company.applied', { companyId, customerId: id, market: identity.market, ...identity.company })
  }
  // If a concurrent sign-in of the same person was faster, its link wins.
  const linked = await findPerson(db, identity)
  return !linked || linked.isClosed ? null : toPerson(linked)
}

function toPerson({ customerId, staffId, companyId }: NonNullable<Awaited<ReturnType<typeof findPerson>>>): Person {
  if (staffId !== null) return { kind: 'staff', id: staffId }
  if (customerId === null) throw new Error('The identity is linked to no person')
  return { kind: 'customer', id: customerId, companyId }
}
