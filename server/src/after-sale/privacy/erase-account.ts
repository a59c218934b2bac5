import { closeCustomer, customerIdOf, emailOf, forgetCustomer, readCustomer } from '#accounts'
import { removeAddressesOf } from '#addresses'
import { signOutEverywhere } from '#auth'
import { removeCartsOf } from '#cart'
import { forgetMessagesFrom } from '#contact'
import { removeFile } from '#files'
import { forgetMailsTo } from '#mail'
import { blankOrder, isUnderWay, readOrdersOf } from '#orders'
import { removeCardsOf } from '#payments'
import { enqueue, type JobScope, type Scope } from '#platform'
import { removeProfileOf } from '#profile'
import { removeSegmentsOf } from '#segments'
import { removeTaxInformationOf } from '#tax'
import { dropUploadsOf } from '#uploads'
import { removeWishlistsOf } from '#wishlists'
import { seal } from './seal.ts'
import { beginErasure, dropExportsOf, endErasure, retainOrder } from './store.ts'

/** Invoices are retained for as long as the strictest of the five countries requires: ten years after the year of issue. */
const retentionYears = 10

export type Erasure = { ok: true } | { ok: false; reason: 'email-differs' | 'orders-under-way' }

/**
 * Closes the account at once, on all devices, and has all data about the person erased. The e-mail address must be entered
 * again, so that a stray click cannot do it. Open orders must be completed first.
 */
export async function eraseAccount(scope: Scope, typedEmail: string): Promise<Erasure> {
  const { db } = scope
  const customerId = customerIdOf(scope)
  const email = emailOf(scope)
  if (customerId === null || email === null) throw new Error('Only customers can be erased')
  if (typedEmail.trim().toLowerCase() !== email.toLowerCase()) return { ok: false, reason: 'email-differs' }
  const orders = await readOrdersOf(db, `c:${customerId}`)
  if (orders.some(({ state }) => isUnderWay(state))) return { ok: false, reason: 'orders-under-way' }
  await closeCustomer(db, customerId)
  await signOutEverywhere(db, { customerId })
  await beginErasure(db, customerId)
  await enqueue(db, { name: 'privacy.erase', key: customerId, payload: { customerId } })
  return { ok: true }
}

/** Erases a closed customer everywhere, in one transaction. Of orders, the details that invoices must contain stay, sealed. */
export async function erase(scope: JobScope, { customerId }: { customerId: string }): Promise<void> {
  const { db } = scope
  const owner = `c:${customerId}`
  const customer = await readCustomer(db, customerId)
  if (!customer) return
  for (const order of await readOrdersOf(db, owner)) {
    const { id, email, address, billingAddress } = order
    const sold = order.placedAt ?? order.createdAt
    if (order.placedAt) {
      const until = new Date(Date.UTC(sold.getUTCFullYear() + retentionYears + 1, 0, 1))
      await retainOrder(db, id, seal(id, { email, address, billingAddress }), until)
    }
    await blankOrder(db, id)
  }
  await removeAddressesOf(db, customerId)
  await removeCardsOf(scope, customerId)
  await removeProfileOf(db, customerId)
  await removeSegmentsOf(db, customerId)
  await removeTaxInformationOf(db, customerId)
  await removeWishlistsOf(db, owner)
  for (const cart of [owner, `${owner}:pro`]) await removeCartsOf(db, cart)
  for (const key of await dropExportsOf(db, customerId)) await removeFile(db, key)
  const messages = await forgetMessagesFrom(db, customer.email)
  const uploads = await dropUploadsOf(
    db,
    owner,
    messages.map((id) => `message:${id}`),
  )
  for (const key of uploads) await removeFile(db, key)
  await forgetMailsTo(db, customer.email)
  await forgetCustomer(db, customerId)
  await endErasure(db, customerId)
}
