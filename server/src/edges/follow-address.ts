import type { FollowAddress } from '#auth'
import { handOverInvoices } from '#invoices'
import { handOverConversations } from '#messages'
import { claimOrders } from '#orders'

/** Assigns guest orders with this e-mail address, and their invoices and conversations, to the customer who has confirmed it. */
export const followAddress: FollowAddress = async ({ db }, { into, email }) => {
  for (const from of await claimOrders(db, into, email)) {
    await handOverInvoices(db, from, into, email)
    await handOverConversations(db, from, into, email)
  }
}
