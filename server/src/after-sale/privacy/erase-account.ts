import {
  addressesOnlyOf,
  closeCustomer,
  customerIdOf,
  emailOf,
  forgetCustomer,
  keepClosedNumber,
  readCustomer,
  type OwnAddress,
} from '#accounts'
import { removeAddressesOf } from '#addresses'
import { removeIdentities, signOutEverywhere } from '#auth'
import { removeCartsOf } from '#cart'
import { proposalOwner } from '#checkout'
import { removeConversionsOf, removeCostCentresOf, removeInvitationsOf, removeSitesOf } from '#companies'
import { forgetMessagesFrom } from '#contact'
import { forgetMandatesOf, removeFinancingOf } from '#credit'
import { forgetDisputes, forgetNotesBy } from '#disputes'
import { removeFile } from '#files'
import { forgetParcels } from '#fulfilment'
import { forgetOrderChannels, forgetViewsOf } from '#insights'
import { removeCustomer } from '#experiments'
import { forgetMailsAbout, forgetMailsTo } from '#mail'
import { forgetConversations, forgetMessagesBy } from '#messages'
import { disownInvoices } from '#invoices'
import { removeSubscriptionsOf } from '#newsletter'
import { forgetLegacyMails } from '#notify'
import { blankEmail, blankOrder, lockGuestOrders, readOrdersOf } from '#orders'
import { removeCardsOf } from '#payments'
import { enqueue, type Db, type JobScope, type Scope } from '#platform'
import { removeProfileOf } from '#profile'
import { forgetPunchOutOf } from '#punchout'
import { forgetApprovalsOf } from '#purchasing'
import { removePushOf } from '#push'
import { forgetQuotesOf } from '#quotes'
import { removeGuestRemindersOf, removeRemindersOf } from '#reminders'
import { readRefundIdsOf } from '#refunds'
import { forgetDescriptionsBy, forgetReturns, forgetWaysBack } from '#returns'
import { forgetReviewsOf } from '#reviews'
import { removeHistoryOf } from '#history'
import { removeSmsOf } from '#sms'
import { removeSegmentsOf } from '#segments'
import { closeSubscriptionOf } from '#subscriptions'
import { companyTaxOwner, readTaxRecord, removeTaxInformationOf, removeTaxInformationOfCompany } from '#tax'
import { dropUploadsOf } from '#uploads'
import { companyOwner, removeWishlistsOf } from '#wishlists'
import { closingRefusal, type ClosingRefusal } from './closing-refusal.ts'
import { dropEvidence, keepEvidence } from './evidence.ts'
import { retainBuyer, retainInvoices } from './retain.ts'
import { beginErasure, dropExportsOf, endErasure } from './store.ts'
import { stillTheirs, takeInDone, unfinished, type NotedOrder } from './unfinished.ts'

export type Erasure = { ok: true } | ClosingRefusal

/**
 * Closes the account at once, on all devices, and has all data about the person erased. The e-mail address must be entered
 * again, so that a stray click cannot do it. Open orders, returns, disputes and refunds must end first, also those of
 * a company that closes with it, and its invoices be paid. A company with other members keeps an admin.
 */
export async function eraseAccount(scope: Scope, typedEmail: string): Promise<Erasure> {
  const { db } = scope
  const customerId = customerIdOf(scope)
  const email = emailOf(scope)
  if (customerId === null || email === null) throw new Error('Only customers can be erased')
  if (typedEmail.trim().toLowerCase() !== email.toLowerCase()) return { ok: false, reason: 'email-differs' }
  const refused = await closingRefusal(scope, customerId)
  if (refused) return refused
  await closeCustomer(db, customerId)
  await signOutEverywhere(db, { customerId })
  await beginErasure(db, customerId)
  await enqueue(db, { name: 'privacy.erase', key: customerId, payload: { customerId } })
  return { ok: true }
}

/** Requests under way when an account is closed have ended by then. */
const lateMs = 75_000
const dayMs = 24 * 3_600_000

/**
 * Erases a closed customer everywhere, in one transaction. Of orders, the details that invoices must contain stay, sealed. An
 * order that another tab placed meanwhile is delivered first, and erased with the mails about it when it is done. So is an order
 * placed as a guest, which stays the guest's until then.
 */
export async function erase(scope: JobScope, { customerId }: { customerId: string }): Promise<void> {
  const { db } = scope
  const owner = `c:${customerId}`
  const customer = await readCustomer(db, customerId)
  if (!customer) return
  // Another account with the same address keeps its mails, and those of guests, who may be either of the two.
  const addresses = await addressesOnlyOf(db, customerId)
  const exports = await dropExportsOf(db, customerId)
  const messages = await forgetMessagesFrom(db, owner, addresses)
  const guestOrders = await takeInDone(db, customerId, await lockGuestOrders(db, { addresses }))
  const orders = await eraseThings(scope, customerId, { messages, addresses })
  for (const { fileKey } of exports) if (fileKey !== null) await removeFile(db, fileKey)
  await removeCardsOf(scope, customerId)
  await forgetMailsAbout(db, [...orders.erased, ...messages, ...exports.map(({ id }) => id), ...mailsNaming(customerId)])
  const emails = addresses.map(({ email }) => email)
  await forgetLegacyMails(db, emails, orders.erased)
  for (const address of addresses) {
    await forgetMailsTo(db, address.email, address.until)
    await removeSubscriptionsOf(db, address)
    await removeGuestRemindersOf(db, address)
  }
  await removeIdentities(db, customerId)
  const companyIds = await forgetCustomer(db, customerId, addresses)
  await eraseCompanies(scope, companyIds)
  await forgetPunchOutOf(scope, customerId, { companyIds, addresses: emails })
  await forgetMandatesOf(scope, customerId, companyIds)
  await removeInvitationsOf(db, customerId, addresses)
  await enqueue(db, eraseLate({ customerId, companyIds, guestOrders, evidence: orders.evidence }, lateMs))
  await endErasure(db, customerId)
}

/** Companies whose last member is gone. */
async function eraseCompanies(scope: JobScope, companyIds: readonly string[]): Promise<void> {
  for (const companyId of companyIds) {
    await closeSubscriptionOf(scope, companyId)
    await retainInvoices(scope.db, { companyId })
    const record = await readTaxRecord(scope.db, companyTaxOwner(companyId))
    if (record?.vatNumber && record.vatState === 'valid') await keepClosedNumber(scope.db, companyId, record.vatNumber)
    await removeTaxInformationOfCompany(scope.db, companyId)
    await removeWishlistsOf(scope.db, companyOwner(companyId))
    await removeSitesOf(scope.db, companyId)
    await removeCostCentresOf(scope.db, companyId)
  }
}

/** Keys of mails to other people that name this person: invitations into a company. */
const mailsNaming = (customerId: string) => [`invitation:${customerId}`]

export interface LateErasure {
  customerId: string
  /** Companies closed with the account; a job of an earlier release has none. */
  companyIds?: readonly string[]
  /** Orders placed as a guest that were not finished; a job of an earlier release has none. */
  guestOrders?: readonly NotedOrder[]
  /** Ids of files that unfinished orders need; a job of an earlier release has none. */
  evidence?: readonly string[]
}

/** Erases data written by requests in flight when the account was closed; repeated daily while an order is open. */
export async function eraseRest(scope: JobScope, { customerId, companyIds = [], ...noted }: LateErasure): Promise<void> {
  const { guestOrders: waiting = [] } = noted
  const locked = await lockGuestOrders(scope.db, { ids: waiting.map(({ id }) => id) })
  const guestOrders = await takeInDone(scope.db, customerId, stillTheirs(locked, waiting))
  const kept = await dropEvidence(scope.db, noted.evidence ?? [])
  const { erased, underWay, evidence: added } = await eraseThings(scope, customerId, { messages: [], addresses: [] })
  await forgetMailsAbout(scope.db, [...erased, ...mailsNaming(customerId)])
  await forgetLegacyMails(scope.db, [], erased)
  await removeInvitationsOf(scope.db, customerId, [])
  await eraseCompanies(scope, companyIds)
  await forgetPunchOutOf(scope, customerId, { companyIds, addresses: [] })
  await forgetMandatesOf(scope, customerId, companyIds)
  const evidence = [...kept, ...added]
  if (underWay + guestOrders.length + evidence.length > 0)
    await enqueue(scope.db, eraseLate({ customerId, companyIds, guestOrders, evidence }, dayMs))
}

const eraseLate = (payload: LateErasure, inMs: number) => ({
  name: 'privacy.erase-late',
  key: `${payload.customerId}/${Date.now()}`,
  payload,
  runAt: new Date(Date.now() + inMs),
})

/** Erases everything keyed by the customer's id, and questions asked as a guest with these addresses. Returns the ids in the keys of mails about what was erased, the number of orders, disputes and returns still open, and the ids of files kept for those. */
async function eraseThings(
  scope: JobScope,
  customerId: string,
  { messages, addresses }: { messages: readonly string[]; addresses: readonly OwnAddress[] },
): Promise<{ erased: string[]; underWay: number; evidence: string[] }> {
  const { db } = scope
  const owner = `c:${customerId}`
  const all = await readOrdersOf(db, owner)
  const underWay = await unfinished(db, all)
  const done = all.filter(({ id, email }) => !underWay.has(id) && email !== blankEmail)
  const orderIds = done.map(({ id }) => id)
  for (const order of done) {
    await retainBuyer(db, order)
    await blankOrder(db, order.id)
  }
  await retainInvoices(db, { owner, orderIds, except: [...underWay] })
  await disownInvoices(db, owner)
  await removeAddressesOf(db, customerId)
  await removeProfileOf(db, customerId)
  await removePushOf(db, customerId)
  await removeSmsOf(db, customerId)
  await removeRemindersOf(db, customerId)
  await forgetViewsOf(db, customerId)
  await forgetOrderChannels(db, orderIds)
  await removeSegmentsOf(db, customerId)
  await removeHistoryOf(db, customerId)
  await removeCustomer(db, customerId)
  await removeTaxInformationOf(db, customerId)
  await removeConversionsOf(db, customerId)
  await removeWishlistsOf(db, owner)
  const financing = await removeFinancingOf(db, customerId)
  const sellerOrderIds = all.flatMap(({ sellerOrders }) => sellerOrders.map(({ id }) => id))
  const reviews = await forgetReviewsOf(db, { owner, sellerOrderIds, addresses })
  const quotes = await forgetQuotesOf(scope, customerId)
  const approvals = await forgetApprovalsOf(db, customerId)
  for (const cart of [owner, `${owner}:pro`, ...approvals.requests.map(proposalOwner)]) await removeCartsOf(db, cart)
  const evidence = await keepEvidence(db, owner)
  await forgetMessagesBy(db, owner, { customerOrderIds: [...underWay], files: evidence })
  const parts = await eraseAfterSale(db, { owner, orderIds, reviews, messages })
  const [notes, descriptions] = [await forgetNotesBy(db, owner), await forgetDescriptionsBy(db, owner)]
  const comments = approvals.commented.map((id) => `approval:${id}:decided`)
  return {
    erased: [...orderIds, ...financing, ...quotes, ...approvals.requests, ...comments, ...parts, ...notes.ids, ...descriptions.ids],
    underWay: underWay.size + notes.open + descriptions.open,
    evidence,
  }
}

/**
 * Erases what was written and sent about these orders, with the uploads of these reviews and messages. Returns the ids in the keys of
 * mails about it: those keys do not name the order, and the texts are cleared after a month.
 */
async function eraseAfterSale(
  db: Db,
  { owner, orderIds, reviews, messages }: Record<'orderIds' | 'reviews' | 'messages', readonly string[]> & { owner: string },
): Promise<string[]> {
  const conversations = await forgetConversations(db, orderIds)
  const disputes = await forgetDisputes(db, orderIds)
  const returns = await forgetReturns(db, orderIds)
  const uploads = await dropUploadsOf(db, owner, [
    ...reviews.map((id) => `review:${id}`),
    ...returns.map((id) => `return:${id}`),
    ...disputes.map((id) => `dispute:${id}`),
    ...messages.map((id) => `message:${id}`),
    ...conversations.map((id) => `conversation:${id}`),
  ])
  for (const key of uploads) await removeFile(db, key)
  const parcels = await forgetParcels(db, orderIds)
  await forgetWaysBack(db, orderIds)
  const refunds = await readRefundIdsOf(db, orderIds)
  return [...reviews, ...returns, ...disputes, ...parcels, ...refunds]
}
