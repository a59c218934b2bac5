import type { FollowAddress } from '#auth'
import { handOverInvoices } from '#invoices'
import { handOverConversations } from '#messages'
import { claimOrders } from '#orders'

/** What belongs to a guest's order goes to the customer with it. */
export const followAddress: FollowAddress = async ({ db }, { into, email }) => {
  for (const from of await claimOrders(db, into, email)) {
    await handOverInvoices(db, from, into, email)
    await handOverConversations(db, from, into, email)
  }
}
