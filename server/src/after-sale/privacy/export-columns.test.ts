import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { connectObjectStore, folderStore, openFile } from '#files'
import { runWork } from '../../edges/worker/testing.ts'
import { requestExport, showExport } from './export-data.ts'
import { database, db, work } from './test-erasure.ts'
import { readRegister } from './personal-data.ts'
import type { Trace } from './test-planted-values.ts'
import { isPersonal, plantEverywhere } from './test-planting.ts'

/**
 * The file of one's data against the register of personal data: a new personal column is in the file, or here with the reason why not. A
 * column that names the customer or the order counts as in the file if anything of its row is.
 */

const folder = mkdtempSync(join(tmpdir(), 'export-columns-'))
connectObjectStore(folderStore(folder))
process.once('beforeExit', () => rmSync(folder, { recursive: true, force: true }))

const left = {
  'a secret, which opens something to its bearer': [
    'accounts.session.id',
    'accounts.session.viewer',
    'auth.exchange_token.id',
    'auth.exchange_token.session_id',
    'auth.token.refresh_token',
    'auth.token.id_token',
    'auth.token.sid',
    'mail.mail.unsubscribe_url',
    'profile.unsubscribe.customer_id',
    'profile.unsubscribe.token',
    'purchasing.approval_token.approver_id',
    'push.subscription.p256dh',
    'push.subscription.auth',
    'reminders.guest.owner',
    'wishlists.list.share_token',
    'wishlists.notice.token',
  ],
  'a hash of an e-mail address or VAT number in the file, or of a network address against abuse': [
    'accounts.closed_number.hash',
    'contact.message.sender_hash',
    'credit.mandate.sender_hash',
    'invoices.invoice.email_hash',
    'newsletter.subscription.email_hash',
    'orders.customer_order.sender_hash',
    'orders.ended_hold.sender_hash',
    'reminders.guest.email_hash',
    'reminders.guest_pause.email_hash',
    'reviews.opt_out.email_hash',
    'uploads.upload.sender_hash',
    'uploads.upload.line_hash',
  ],
  'the key of a row, a file, a browser or an account at a provider, which says nothing about the person': [
    'accounts.identity.subject',
    'accounts.session.sign_in_id',
    'auth.token.sign_in_id',
    'contact.message.session_id',
    'consent.choice.id',
    'fulfilment.parcel.label_file',
    'history.entry.visitor_id',
    'insights.order_channel.visitor_id',
    'insights.pro_event.visitor_id',
    'disputes.step.written_by',
    'messages.message.written_by',
    'returns.request.written_by',
    'payments.provider_customer.customer_id',
    'payments.provider_customer.reference',
    'payments.saved_card.reference',
    'privacy.export.customer_id',
    'privacy.export.file_key',
    'push.subscription.sign_in_id',
    'push.subscription.visitor_id',
    'returns.request.label_file',
    'reviews.vote.session_id',
    'uploads.upload.file_key',
  ],
  'an account number, sealed until the transfer or the provider has it: the file has its last characters': [
    'credit.mandate.bank',
    'refunds.refund.account',
  ],
  'a copy of what the file has from another column': [
    'files.file.owner',
    'files.file.name',
    'integrations.delivery.body',
    'invoices.invoice.search',
    'tax.answer.body',
  ],
  'an order of somebody else, opened by the link of its mail': ['orders.access_grant.owner'],
  'an earlier view of a product, of which the file has the latest': ['history.view.customer_id', 'history.view.visitor_id'],
  'a mail or message that the person has received, or that it was sent': [
    'companies.invitation.email',
    'companies.invitation_mail.recipient',
    'mail.mail.recipient',
    'mail.mail.subject',
    'mail.mail.body_text',
    'mail.mail.body_html',
    'notify.mail.recipient',
    'notify.mailbox.recipient',
    'notify.mailbox.subject',
    'notify.mailbox.body_text',
    'notify.mailbox.body_html',
    'profile.notice.customer_id',
    'reminders.basket.customer_id',
    'reviews.invitation.email',
  ],
  'data of the company, or of a colleague who was invited': [
    'companies.cost_centre.code',
    'companies.cost_centre.name',
    'companies.invitation.invited_by',
    'companies.site.name',
    'companies.site.address',
    'companies.site.delivery_hours',
    'credit.statement.document',
    'punchout.credential.name',
  ],
  'of a visit from the company’s purchasing system, deleted after thirty days': [
    'punchout.visit.hook_url',
    'punchout.visit.echoed',
    'punchout.visit.buyer',
    'punchout.visit.items',
    'punchout.visit.session_id',
  ],
  'of a browser that has agreed to it, without the account that it belongs to': [
    'experiments.exposure.visitor_id',
    'experiments.exposure.network',
    'insights.burst.events',
    'insights.event.visitor_id',
    'insights.event.data',
    'insights.event.visit_id',
    'insights.event.network',
    'insights.event_burst.senders',
    'insights.sent_visitor.visitor_id',
    'insights.withdrawal.visitor_id',
    'merchandising.asked.query',
    'merchandising.search_event.user_token',
    'merchandising.search_event.sender_hash',
  ],
  'stock that others wanted, held unpaid or refused: deleted after a day at most': ['orders.ended_hold.owner', 'orders.waitlist.buyer'],
  'a form, a request or a message under way, deleted when that is over': [
    'platform.idempotency.owner',
    'platform.idempotency.outcome',
    'platform.job.key',
    'platform.job.payload',
    'platform.job.checkpoint',
    'platform.outbox.aggregate',
    'platform.outbox.payload',
    'platform.quota.key',
    'purchasing.kept_rows.owner',
    'purchasing.kept_rows.rows',
  ],
  'of a customer who has erased the account, and can have no file': ['privacy.retained.sealed', 'privacy.retained_invoice.sealed'],
}

const { erase: does, traces } = await plantEverywhere()
await does(requestExport)
await runWork(database, [], work)
const { fileKey } = (await does(showExport)) ?? {}
assert.ok(fileKey)
const opened = await openFile(db, fileKey)
assert.ok(opened)
const parts = Object.entries<unknown>(JSON.parse(await text(opened.stream))).map(([name, data]) => ({ name, leaves: leavesOf(data) }))

const columns = [...readRegister()].flatMap(([table, fates]) =>
  [...fates].flatMap(([name, fate]) => (isPersonal(fate) ? [`${table}.${name}`] : [])),
)
/** The parts of the file that have the column. The list of the person's addresses has each of them, whichever column it is from. */
const partsWith = (column: string): string[] =>
  parts
    .filter(({ name }) => name !== 'emails' || column.startsWith('accounts.former_email.'))
    .filter(({ leaves }) => traces.get(column)?.some((trace) => leaves.some((leaf) => says(leaf, trace))))
    .map(({ name }) => name)

test('R-313 the file has the customer’s value of every personal column, but those left out for a reason', () => {
  const missing = columns.filter((column) => partsWith(column).length === 0)
  assert.deepEqual(missing.toSorted(), Object.values(left).flat().toSorted())
})

test('R-313 no part of the file could be missing unnoticed: each has a column that is in no other', () => {
  const noticed = new Set(columns.map(partsWith).flatMap((names) => (names.length === 1 ? names : [])))
  const unnoticed = parts.map(({ name }) => name).filter((name) => !noticed.has(name))
  assert.deepEqual(unnoticed, ['signIn'], 'what the identity provider has is not in the register')
})

function leavesOf(data: unknown): (string | number)[] {
  if (typeof data === 'string' || typeof data === 'number') return [data]
  return typeof data === 'object' && data !== null ? Object.values(data).flatMap(leavesOf) : []
}

function says(leaf: string | number, trace: Trace): boolean {
  if (typeof trace === 'number') return String(leaf) === String(trace)
  if (typeof leaf === 'number') return false
  return typeof trace === 'string' ? leaf.includes(trace) : Date.parse(leaf) === trace.getTime()
}
