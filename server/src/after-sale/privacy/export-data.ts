import { Readable } from 'node:stream'
import {
  addressesOnlyOf,
  customerIdOf,
  emailOf,
  readCustomer,
  readMembershipHistory,
  readMemberships,
  readSessionsOf,
  type OwnAddress,
} from '#accounts'
import { readAddresses } from '#addresses'
import { readAccountsAtProvider } from '#auth'
import { readCartsOf } from '#cart'
import { readAssignments } from '#experiments'
import { putFile, removeFile } from '#files'
import { sendMail, type MailSite } from '#mail'
import { readMessagesOf } from '#messages'
import { readMessagesFrom } from '#contact'
import { readParcelsAbout } from '#fulfilment'
import { readFinancingOf, readMandatesBy } from '#credit'
import { readInvoicesTo } from '#invoices'
import { readSubscriptionsOf } from '#newsletter'
import { readMoves, readOrdersOf, type CustomerOrder } from '#orders'
import { readPaymentsAbout, readSavedCards } from '#payments'
import { enqueue, newId, type Db, type JobScope, type Scope } from '#platform'
import { readOrderChannels, readViewsOf } from '#insights'
import { readApprovalsBy, readReferencesAbout } from '#purchasing'
import { exportQuotesOf } from '#quotes'
import { readRefundsAbout } from '#refunds'
import { readConsentHistory, readPhoneCode, readProfile } from '#profile'
import { readPushOf } from '#push'
import { readHistory } from '#history'
import { readGuestRemindersOf } from '#reminders'
import { readSmsOf } from '#sms'
import { readKept } from '#segments'
import { readSubscriptionsBegunBy } from '#subscriptions'
import { readDisputesAbout } from '#disputes'
import { readCancellationsAbout, readReturnsAbout } from '#returns'
import { readReviewsOf } from '#reviews'
import { readConversion } from '#companies'
import { readAnswers, readTaxRecord } from '#tax'
import { readUploadsOf } from '#uploads'
import { readWishesOf } from '#wishlists'
import { dataReadyMail } from './mails.ts'
import { finishExport, insertExport, isExport, readLatestExport, type DataExport } from './store.ts'

/** A person requests an export once and waits; a program requests many. */
const pauseMs = 24 * 3_600_000

/** Requests an export of everything the shop knows about the customer. Within a day the earlier request is returned. */
export async function requestExport(scope: Scope): Promise<DataExport> {
  const customerId = customerIdOf(scope)
  const email = emailOf(scope)
  if (customerId === null || email === null) throw new Error('Only customers have data to export')
  const { db, market, mode, origin, now } = scope
  const known = await readLatestExport(db, customerId)
  if (known && now.getTime() - known.requestedAt.getTime() < pauseMs) return known
  const id = newId()
  await insertExport(db, customerId, id)
  await enqueue(db, { name: 'privacy.export', key: id, payload: { id, customerId, site: { market, mode, origin } } })
  return { id, fileKey: null, requestedAt: now, expiresAt: null }
}

/** The customer's latest export; null if none was requested. */
export async function showExport(scope: Scope): Promise<DataExport | null> {
  const customerId = customerIdOf(scope)
  return customerId === null ? null : ((await readLatestExport(scope.db, customerId)) ?? null)
}

export interface ExportJob {
  id: string
  customerId: string
  site: MailSite
}

/** Creates the file. Returns its key. */
export async function makeExport(db: Db, { customerId }: ExportJob): Promise<string> {
  const data = JSON.stringify(await gather(db, customerId), null, 2)
  const put = await putFile(db.alone, Readable.from([Buffer.from(data)]), {
    kind: 'personal-data',
    owner: `customer:${customerId}`,
    type: 'application/json',
    name: 'purlin.json',
  })
  if (!put.ok) throw new Error(`The data export was refused: ${put.reason}`)
  return put.file.key
}

/** Keeps the file for a week and announces it by mail. The mail links to the account and grants nothing by itself. */
export async function announceExport(scope: JobScope, { id, customerId, site }: ExportJob, fileKey: string): Promise<void> {
  const customer = await readCustomer(scope.db, customerId)
  if (!(await finishExport(scope.db, id, fileKey))) {
    // If the account was erased in the meantime the file is orphaned and removed; if this is a repeat, it is in use and stays.
    if (!(await isExport(scope.db, fileKey))) await removeFile(scope.db, fileKey)
    return
  }
  if (!customer) return
  await sendMail(scope, dataReadyMail, { to: customer.email, site, payload: { name: customer.name }, key: `privacy:${id}` })
}

async function gather(db: Db, customerId: string) {
  const owner = `c:${customerId}`
  const taxOwner = `customer:${customerId}`
  const [
    account,
    profile,
    consents,
    addresses,
    savedCards,
    wishlists,
    segments,
    tax,
    vatChecks,
    conversion,
    views,
    history,
    carts,
    experiments,
    uploads,
    sessions,
    signIn,
    phoneToConfirm,
    pushSubscriptions,
  ] = await Promise.all([
    readCustomer(db, customerId),
    readProfile(db, customerId),
    readConsentHistory(db, customerId),
    readAddresses(db, customerId),
    readSavedCards(db, customerId),
    readWishesOf(db, owner),
    readKept(db, customerId),
    readTaxRecord(db, taxOwner),
    readAnswers(db, taxOwner),
    readConversion(db, customerId),
    readViewsOf(db, customerId),
    readHistory(db, customerId, new Date()),
    readCartsOf(db, [owner, `${owner}:pro`]),
    readAssignments(db, customerId),
    readUploadsOf(db, owner),
    readSessionsOf(db, customerId),
    readAccountsAtProvider(db, customerId),
    readPhoneCode(db, customerId, new Date()),
    readPushOf(db, customerId),
  ])
  const own = await addressesOnlyOf(db, customerId)
  const orders = await readOrdersOf(db, owner, own)
  const companyIds = new Set((await readMemberships(db, customerId)).map(({ id }) => id))
  const known = { account, profile: profile ?? null, consents, addresses, savedCards, wishlists, orders }
  const [
    aboutOrders,
    contactMessages,
    newsletter,
    basketReminders,
    financingRequests,
    mandates,
    quotes,
    approvals,
    companies,
    textMessages,
  ] = await Promise.all([
    gatherAbout(db, { owner, orders, addresses: own, companyIds }),
    readMessagesFrom(db, owner, own),
    Promise.all(own.map((address) => readSubscriptionsOf(db, address))),
    Promise.all(own.map((address) => readGuestRemindersOf(db, address))),
    readFinancingOf(db, customerId),
    readMandatesBy(db, customerId),
    exportQuotesOf(db, customerId, companyIds),
    readApprovalsBy(db, customerId, [...companyIds]),
    companiesOf(db, customerId),
    readSmsOf(db, customerId),
  ])
  return {
    ...known,
    ...aboutOrders,
    phoneToConfirm: phoneToConfirm ?? null,
    pushSubscriptions,
    segments: segments ?? null,
    tax: tax ?? null,
    vatChecks,
    conversion: conversion ?? null,
    productViews: views,
    history,
    carts,
    experiments,
    uploads,
    sessions,
    signIn,
    emails: own.map(({ email }) => email),
    contactMessages,
    newsletter: newsletter.flat(),
    basketReminders: basketReminders.flat(),
    textMessages,
    companies,
    financingRequests,
    directDebitMandates: mandates,
    quotes,
    approvals,
  }
}

/** Payments, documents, parcels, claims and texts of these orders and of their buyer. */
async function gatherAbout(
  db: Db,
  {
    owner,
    orders,
    addresses,
    companyIds,
  }: { owner: string; orders: readonly CustomerOrder[]; addresses: readonly OwnAddress[]; companyIds: ReadonlySet<string> },
) {
  const orderIds = orders.map(({ id }) => id)
  const sellerOrderIds = orders.flatMap(({ sellerOrders }) => sellerOrders.map(({ id }) => id))
  // What a company has done with its orders since is not for those who have left it (decision 063).
  const seen = orders.filter(({ companyId }) => companyId === null || companyIds.has(companyId))
  const seenIds = seen.map(({ id }) => id)
  const seenParts = seen.flatMap(({ sellerOrders }) => sellerOrders.map(({ id }) => id))
  const [
    moves,
    references,
    payments,
    refunds,
    messages,
    contributions,
    invoices,
    parcels,
    cancellations,
    returns,
    disputes,
    orderChannels,
  ] = await Promise.all([
    readMoves(db, seenParts),
    readReferencesAbout(db, seenIds),
    readPaymentsAbout(db, seenIds),
    readRefundsAbout(db, seenIds),
    readMessagesOf(db, owner, { customerOrderIds: orderIds, left: orderIds.filter((id) => !seenIds.includes(id)) }),
    readReviewsOf(db, { owner, sellerOrderIds, addresses }),
    readInvoicesTo(db, owner, orderIds),
    readParcelsAbout(db, orderIds),
    readCancellationsAbout(db, seenParts),
    readReturnsAbout(db, seenIds, owner),
    readDisputesAbout(db, seenIds, owner),
    readOrderChannels(db, orderIds),
  ])
  return {
    orderMoves: moves,
    orderReferences: references,
    payments,
    refunds,
    messages,
    contributions,
    invoices: invoices.map(({ document }) => document),
    parcels,
    cancellations,
    returns,
    disputes,
    orderChannels,
  }
}

/**
 * The companies that a customer is or was a member of, with their role there and the subscriptions they began; the data of other members
 * is theirs.
 */
async function companiesOf(db: Db, customerId: string) {
  const memberships = await readMembershipHistory(db, customerId)
  return Promise.all(
    memberships.map(async ({ id, name, vatNumber, role, since, endedAt }) => {
      const isMember = endedAt === null
      const purlinPro = await readSubscriptionsBegunBy(db, { companyId: id, customerId, isMember })
      return { name, vatNumber: isMember ? vatNumber : null, role, since, endedAt, purlinPro }
    }),
  )
}
