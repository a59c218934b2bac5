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
import { plantEverywhere } from './test-planting.ts'

/** The file of one's data against the register of personal data: a new personal column is in the file, or here with the reason why not. */

const folder = mkdtempSync(join(tmpdir(), 'export-columns-'))
connectObjectStore(folderStore(folder))
process.once('beforeExit', () => rmSync(folder, { recursive: true, force: true }))

const left = {
  'a secret, which opens something to its bearer': [
    'accounts.session.id',
    'accounts.session.viewer',
    'auth.token.refresh_token',
    'auth.token.id_token',
    'auth.token.sid',
    'mail.mail.unsubscribe_url',
    'profile.unsubscribe.token',
    'push.subscription.p256dh',
    'push.subscription.auth',
    'wishlists.list.share_token',
    'wishlists.notice.token',
  ],
  'a hash of an e-mail address in the file, or of a network address against abuse': [
    'contact.message.sender_hash',
    'credit.mandate.sender_hash',
    'invoices.invoice.email_hash',
    'newsletter.subscription.email_hash',
    'orders.customer_order.sender_hash',
    'uploads.upload.sender_hash',
    'uploads.upload.line_hash',
  ],
  'the key of a row, a file or an account at a provider, which says nothing about the person': [
    'accounts.identity.subject',
    'contact.message.session_id',
    'fulfilment.parcel.label_file',
    'messages.message.written_by',
    'payments.provider_customer.reference',
    'payments.saved_card.reference',
    'returns.request.label_file',
    'reviews.vote.session_id',
    'uploads.upload.file_key',
  ],
  'a copy of what the file has from another column': ['files.file.name', 'invoices.invoice.search', 'tax.answer.body'],
  'a mail that the person has received': [
    'mail.mail.subject',
    'mail.mail.body_text',
    'mail.mail.body_html',
    'notify.mailbox.subject',
    'notify.mailbox.body_text',
    'notify.mailbox.body_html',
  ],
  'data of the company: the file has invoices to the person': [
    'companies.cost_centre.code',
    'companies.cost_centre.name',
    'companies.site.name',
    'companies.site.address',
    'companies.site.delivery_hours',
    'invoices.invoice.document',
    'punchout.credential.name',
  ],
  'of a visit from the company’s purchasing system, deleted after thirty days': [
    'punchout.visit.hook_url',
    'punchout.visit.echoed',
    'punchout.visit.items',
    'punchout.visit.session_id',
  ],
}

test('R-313 the file has the customer’s value of every personal column, but those left out for a reason', async () => {
  const { erase: does, values } = await plantEverywhere()
  await does(requestExport)
  await runWork(database, [], work)
  const { fileKey } = (await does(showExport)) ?? {}
  assert.ok(fileKey)
  const opened = await openFile(db, fileKey)
  assert.ok(opened)
  const file = await text(opened.stream)
  const markOf = (value: string) => (/zz-[\w.]+/.exec(value) ?? /[0-9a-f-]{36}/.exec(value))?.[0] ?? value
  const missing = [...values].flatMap(([column, value]) => (file.includes(markOf(value)) ? [] : [column]))
  assert.deepEqual(missing.toSorted(), Object.values(left).flat().toSorted())
})
