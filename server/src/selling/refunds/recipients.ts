import { customerIdOfOwner, readCustomer, readMember, readMembers } from '#accounts'
import { blankEmail, type CustomerOrder } from '#orders'
import type { JobScope } from '#platform'

export interface Recipients {
  to: { id: string | null; email: string; firstName: string }[]
  /** Whether one of them may name an account for the money. */
  mayName: boolean
}

/**
 * The buyer; of an order of a company that its buyer has left, the company's admins. Without any, the buyer is still told as long as they
 * have an account, but may not name where the company's money goes. Nobody, once the order's own address has been erased.
 */
export async function recipientsOf({ db }: Pick<JobScope, 'db'>, { companyId, owner, email, address }: CustomerOrder): Promise<Recipients> {
  const buyer = email === blankEmail ? [] : [{ id: null, email, firstName: address.firstName }]
  const buyerId = customerIdOfOwner(owner)
  // A guest.
  if (buyerId === null) return { to: buyer, mayName: buyer.length > 0 }
  const isClosed = (await readCustomer(db, buyerId))?.isClosed ?? true
  if (companyId === null) return { to: buyer, mayName: buyer.length > 0 && !isClosed }
  if (await readMember(db, buyerId, companyId)) return { to: buyer, mayName: true }
  const admins = (await readMembers(db, companyId)).filter(({ role }) => role === 'admin')
  if (admins.length > 0) return { to: admins.map(({ id, email: to, name }) => ({ id, email: to, firstName: name })), mayName: true }
  return { to: isClosed ? [] : buyer, mayName: false }
}
