import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { followEmail } from '#accounts'
import { keepAddress } from '#addresses'
import { addToCart } from '#cart'
import { folderStore, connectObjectStore, putFile } from '#files'
import { sendMessage } from '#contact'
import { jobs as fileJobs } from '../../foundation/files/jobs.ts'
import type { Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../../people/accounts/testing.ts'
import { inviteMember } from '../../people/companies/invite-member.ts'
import { askJob, subscribe } from '../../people/newsletter/subscribe.ts'
import { changeOptIns, changeProfile } from '../../people/profile/change-profile.ts'
import { writePhoneCode } from '../../people/profile/phone-code-store.ts'
import { insertConsent } from '../../people/profile/store.ts'
import { agreeToReminder } from '../../selling/reminders/guest-reminder.ts'
import { addToWishlist } from '../../selling/wishlists/change-wishlists.ts'
import { requestFinancing } from '../../selling/credit/request-financing.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place } from '../../selling/checkout/testing.ts'
import { connectSearch } from '#listing'
import { requestQuote } from '../quotes/request-quote.ts'
import { jobs } from './jobs.ts'
import { filesThatSay as scanFiles, tablesThatSay as scanTables } from './test-scan.ts'

export const work = [...jobs, ...fileJobs, askJob]
export const database = await testDatabase()
export const { db, pool } = database
await fillShop(database)
await addOffer(database, { id: '9001' })
connectSearch({ version: () => 1, multiSearch: () => Promise.reject(new Error('no engine')) } as never)
const folder = mkdtempSync(join(tmpdir(), 'privacy-'))
connectObjectStore(folderStore(folder))
process.once('beforeExit', () => rmSync(folder, { recursive: true, force: true }))
export const gateway = await testGateway(pool)

/** Personal data searched for after the erasure; no other row of the database contains it. */
export const marks = {
  firstName: 'Quirinus',
  lastName: 'Zwackelmann',
  phone: '07700 900987',
  line1: '77 Zeppelin Crescent',
  postcode: 'EC1A 1BB',
  city: 'Zedtown',
}
export const traces = ['quirinus', 'zwackelmann', '900987', 'zeppelin crescent', 'zedtown']

/** A customer with a history: profile, consents, addresses, wishlist, cart, messages, an order and a data export. */
export async function customer({ state = 'delivered' } = {}) {
  const person = await addCustomer(db)
  const overrides: Partial<Scope> = { principal: { kind: 'customer', ...person }, session: { id: 's' } }
  const buyer = newBuyer(database, overrides)
  await buyer.does((scope) => changeProfile(scope, marks))
  await buyer.does((scope) => changeOptIns(scope, { email: true, sms: false }))
  // Without a text message: the shop sends few to the same number.
  const { id } = person
  const sms = { phone: marks.phone, wording: 'Text me' }
  await insertConsent(db, id, { channel: 'sms', isGranted: true, isConfirmed: true, source: 'settings', ...sms })
  await writePhoneCode(db, id, { id: randomUUID(), market: 'gb', ...sms }, new Date(Date.now() + 600_000))
  await buyer.does((scope) => keepAddress(scope, null, { ...marks, country: 'GB', defaults: [] }))
  await buyer.does((scope) => addToWishlist(scope, '9001', null))
  const orderId = await draftOrder(buyer, [{ offerId: '9001', quantity: 1 }])
  await pool.query('update orders.customer_order set address = address || $2, billing_address = billing_address || $2 where id = $1', [
    orderId,
    JSON.stringify(marks),
  ])
  must(await place(buyer, orderId))
  await pool.query('update orders.customer_order set state = $2 where id = $1', [orderId, state])
  await buyer.does((scope) => addToCart(scope, { offerId: '9001', quantity: 2 }))
  const asked = { kind: 'question' as const, name: 'Quirinus Zwackelmann', email: person.email, text: 'Call me: 07700 900987' }
  await buyer.does((scope) => sendMessage(scope, asked))
  await writeAbout(orderId, person.email)
  await send(orderId)
  const { token } = await signIn(db, { customerId: person.id })
  return { ...person, ...buyer, orderId, cookie: `__Host-purlin=${token}` }
}

/**
 * Has a customer join a company, buy for it, ask for financing, subscribe to the newsletter, look at things and take part in an experiment, and
 * change the e-mail address after all of that. Answers the new address.
 */
export async function moreOf(person: Awaited<ReturnType<typeof customer>>): Promise<string> {
  const company = await addCompany(db)
  await addMembership(db, person.id, company.id, 'buyer')
  const principal = { ...person.scope().principal, kind: 'member', role: 'buyer', company }
  const member = newBuyer(database, { principal, session: { id: person.id }, mode: 'b2b' } as Partial<Scope>)
  const wish = { amount: 12_000, months: 24, purpose: 'A workshop in Zedtown', phone: marks.phone }
  assert.equal((await member.does((scope) => requestFinancing(scope, wish))).refusal, null)
  await pool.query(
    `insert into credit.mandate (id, company_id, market, origin, reference, creditor_name, creditor_id, state, holder, iban_end, text_version,
       signed_by, signed_at, sender_hash)
     values (gen_random_uuid(), $1, 'de', 'http://pro.de.localhost', gen_random_uuid(), 'Credit', 'DE98', 'active', 'Quirinus Zwackelmann', '3000',
       '2026-11', $2, now(), 'hash')`,
    [company.id, person.id],
  )
  for (const quantity of [10, 20])
    must(
      await member.does((scope) => requestQuote(scope, { offerId: '9001', quantity, message: 'Call Quirinus Zwackelmann, 07700 900987' })),
    )
  must(await member.does((scope) => inviteMember(scope, { email: `${randomUUID()}@example.com`, role: 'buyer' })))
  await buyFor(company.id, person)
  assert.ok((await person.does((scope) => subscribe(scope, { email: person.email }))).ok)
  const sessionId = randomUUID()
  const asGuest = newBuyer(database, { principal: { kind: 'guest', id: sessionId, email: person.email }, session: { id: sessionId } })
  must(await asGuest.does((scope) => addToCart(scope, { offerId: '9001', quantity: 1 })))
  assert.ok(await asGuest.does(agreeToReminder))
  const { id } = person
  await pool.query('insert into history.entry (customer_id, product_id, viewed_at) values ($1, 9001, now())', [id])
  await pool.query(
    'insert into history.view (customer_id, product_id, visitor_id, viewed_at) values ($1, 9001, gen_random_uuid(), now())',
    [id],
  )
  await pool.query('insert into experiments.assignment (customer_id, campaign_id, variation_id) values ($1, 1, 2)', [id])
  await pool.query('insert into experiments.customer (customer_id, unit) values ($1, gen_random_uuid())', [id])
  await pool.query('insert into segments.customer (customer_id) values ($1)', [id])
  await pool.query(
    `insert into insights.pro_event (id, market, platform_id, event, visitor_id, customer_id, product_id)
      values (gen_random_uuid(), 'gb', 'p', 'view', gen_random_uuid(), $1, 9001)`,
    [id],
  )
  await pool.query(
    `insert into companies.conversion (id, customer_id, state, company_name, country, register_number, market, mode, origin)
      values (gen_random_uuid(), $1, 'lead', 'Zwackelmann Sheds', 'GB', 'SC123456', 'gb', 'b2c', 'http://gb.localhost')`,
    [id],
  )
  await pool.query(`insert into accounts.identity (issuer, subject, customer_id) values ('http://id.example', $1, $2)`, [id, id])
  const email = `moved.${person.email}`
  await followEmail(db, 'http://id.example', id, email)
  return email
}

/** An ordered quote, a building site, a cost centre, a purchasing system with a visit, and two approvals: one requested, one decided. */
async function buyFor(companyId: string, { id, email }: { id: string; email: string }): Promise<void> {
  const put = (statement: string, ...values: unknown[]) => pool.query(statement, values)
  await put(
    `update quotes.quote set state = 'ordered', note = 'Dear Mr Zwackelmann', order_id = 'P1', delivery = 0, valid_until = now()
      where id = (select max(id::text)::uuid from quotes.quote where customer_id = $1)`,
    id,
  )
  const values = [companyId, 'Zwackelmann yard', JSON.stringify(marks)]
  await put('insert into companies.site (id, company_id, name, address) values (gen_random_uuid(), $1, $2, $3)', ...values)
  await put(`insert into companies.cost_centre (id, company_id, code, name) values (gen_random_uuid(), $1, 'QZ', 'Quirinus')`, companyId)
  await put(
    `with credential as (
        insert into punchout.credential (id, company_id, member_id, market, protocol, name, identity, secret_hash, created_by)
        values (gen_random_uuid(), $1, $2, 'gb', 'oci', 'System of Zwackelmann', gen_random_uuid(), '', $2) returning id)
      insert into punchout.visit (id, credential_id, hook_url, echoed, buyer, token_hash, token_expires_at)
      select gen_random_uuid(), id, 'https://erp.example/?user=zwackelmann', '{"USER": "quirinus"}', $3, gen_random_uuid(), now() from credential`,
    companyId,
    id,
    email,
  )
  for (const [by, decidedBy] of [
    [id, null],
    [randomUUID(), id],
  ]) {
    const approval = randomUUID()
    await put(
      `insert into purchasing.approval (id, customer_order_id, company_id, customer_id, market, origin, pay_by, total, currency, limits, proposal,
          state, note, comment, decided_by, decided_at, expires_at)
        values ($1, gen_random_uuid(), $2, $3, 'gb', '', 'card', 100, 'GBP', '[]', '{}', case when $4::uuid is null then 'pending' else 'refused' end,
          $5, $6, $4, case when $4::uuid is not null then now() end, now() + interval '1 day')`,
      approval,
      companyId,
      by,
      decidedBy,
      decidedBy ? 'A colleague’s note' : 'For the roof of Zwackelmann',
      decidedBy && 'Ring Quirinus',
    )
    if (decidedBy)
      await put(
        `insert into mail.mail (id, key, template, recipient, sender, subject, body_text, body_html, state)
          values (gen_random_uuid(), $1, 'approval-decided', 'colleague@example.com', 'shop@example.com', 'Decided', 'Ring Quirinus', '', 'sent')`,
        `approval:${approval}:decided`,
      )
  }
}

/** A review written as a guest, before the order became the account's, a return and a dispute. */
async function writeAbout(orderId: string, email: string): Promise<void> {
  const values = [randomUUID(), `${orderId}-1`, orderId, 'Quirinus Zwackelmann, 07700 900987']
  await pool.query(
    `insert into reviews.review (id, subject, subject_id, seller_id, seller_order_id, owner, email, market, language, author, stars, title, body, state,
        purchased_on) values ($1, 'product', 9001, 1, $2, 's:a-guest', $3, 'gb', 'en', 'Quirinus Z.', 4, 'Good', 'It drills.', 'published', now())`,
    [randomUUID(), `${orderId}-1`, email],
  )
  await pool.query(
    `insert into returns.request (id, number, seller_order_id, customer_order_id, seller_id, market, reason, basis, wish, method, state, lines, description,
        token_hash) values ($1, (select count(*) from returns.request), $2, $3, 1, 'gb', 'wrong', 'guarantee', 'refund', 'label', 'refunded', '[]', $4,
        sha256(convert_to($2, 'UTF8')))`,
    values,
  )
  await pool.query(
    `insert into returns.cancellation (id, seller_order_id, customer_order_id, seller_id, market, reason, state, lines, note)
      values ($1, $2, $3, 1, 'gb', 'other', 'refused', '[]', $4)`,
    values,
  )
}

/** A parcel and a return whose labels show the customer's address. */
async function send(orderId: string): Promise<void> {
  const [parcel, goods] = [await labelOf('parcel:1'), await labelOf('return:1')]
  await pool.query(
    `insert into fulfilment.parcel (id, seller_order_id, customer_order_id, seller_id, market, carrier, tracking_number, token_hash, label_file)
     values (gen_random_uuid(), $1, $2, 1, 'gb', 'embedded', $2, sha256(convert_to($1, 'UTF8')), $3)`,
    [`${orderId}-1`, orderId, parcel],
  )
  await pool.query('update returns.request set label_file = $2 where customer_order_id = $1', [orderId, goods])
}

/** The key of a stored label. */
async function labelOf(owner: string): Promise<string> {
  const text = `%PDF-1.7\n${marks.firstName} ${marks.lastName}, ${marks.line1}, ${marks.city}\n%%EOF`
  const put = await putFile(db, Readable.from([Buffer.from(text)]), {
    kind: 'label',
    owner,
    type: 'application/pdf',
    name: 'label.pdf',
  })
  assert.ok(put.ok)
  return put.file.key
}

export const tablesThatSay = (words: readonly string[]) => scanTables((text, values) => pool.query(text, values), words)
export const filesThatSay = (words: readonly string[]) => scanFiles(folder, words)

/** Tables that name an erased customer by number alone: the order and its payment, the account's shell, and how the work was done. */
export const keptById = [
  'accounts.customer',
  'accounts.identity',
  'accounts.membership',
  'credit.mandate',
  'orders.customer_order',
  'payments.payment',
  'platform.idempotency',
  'platform.job',
  'platform.outbox',
  'privacy.erasure',
  'punchout.credential',
  'purchasing.approval',
  'quotes.quote',
]
