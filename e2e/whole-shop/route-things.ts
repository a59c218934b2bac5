import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { seal, sealKeyId } from '@purlin/server/after-sale/privacy/seal.ts'
import { connectObjectStore, folderStore, putFile } from '@purlin/server/foundation/files/index.ts'
import { newId } from '@purlin/server/foundation/platform/index.ts'
import { insertUpload, settleUpload } from '@purlin/server/people/uploads/store.ts'
import { owners, type Belongings, type Owner, type VisitorsShop } from './visitors.ts'

/** Objects that routes name, besides a visitor's belongings; those of the first seller and of the shop are the same for all three owners. */
export interface RouteThings extends Belongings {
  customer: string
  invoice: string
  messageFile: string
  disputeFile: string
  /** A file sent with a message, which operators open by its id. */
  usedUpload: string
  parcel: string
  cancellation: string
  conversion: string
  review: string
  group: string
  priceList: string
  webhook: string
  delivery: string
  run: string
  apiKey: string
  deadEvent: string
}

/** Everything that routes of the REST API name by an id, of each of three owners. */
export async function thingsOfRoutes(shop: VisitorsShop): Promise<Record<Owner, RouteThings>> {
  const folder = mkdtempSync(join(tmpdir(), 'routes-'))
  connectObjectStore(folderStore(folder))
  process.once('beforeExit', () => rmSync(folder, { recursive: true, force: true }))
  const shared = await thingsOfShop(shop)
  const all = {} as Record<Owner, RouteThings>
  for (const owner of owners) all[owner] = { ...shop.belongings[owner], ...(await thingsOf(shop, shop.belongings[owner])), ...shared }
  return all
}

const pdf = () => Readable.from([Buffer.from('%PDF-1.7\n%%EOF')])

async function fileOf({ database: { db } }: VisitorsShop, kind: 'label' | 'invoice' | 'upload', owner: string): Promise<string> {
  const put = await putFile(db, pdf(), { kind, owner, type: 'application/pdf', name: 'a.pdf' })
  if (!put.ok) throw new Error(`The file was not stored: ${put.reason}`)
  return put.file.key
}

/** A file that somebody has sent with a message, a dispute or a return. */
async function usedFile(shop: VisitorsShop, usedBy: string): Promise<string> {
  const id = newId()
  const { db, pool } = shop.database
  await insertUpload(db, { id, owner: usedBy, bytes: 100 })
  await settleUpload(db, id, { key: await fileOf(shop, 'upload', usedBy), name: 'a.pdf', bytes: 100 })
  await pool.query('update uploads.upload set used_by = $2 where id = $1', [id, usedBy])
  return id
}

async function thingsOf(shop: VisitorsShop, things: Belongings) {
  const { pool } = shop.database
  const put = (text: string, ...values: unknown[]) => pool.query(text, values)
  const { paid, message, dispute } = things
  const part = `${paid}-1`
  const [customer, invoice, parcel, cancellation, conversion, review] = [newId(), newId(), newId(), newId(), newId(), newId()]
  const messageFile = await usedFile(shop, `conversation:${part}`)
  const disputeFile = await usedFile(shop, `dispute:${dispute}`)
  const filesOf = (id: string) => JSON.stringify([{ id, name: 'a.pdf' }])
  await put(
    `insert into orders.line_move (id, seller_order_id, offer_id, quantity, from_state, to_state, actor, reason, at)
     values ($1, $2, 410, 1, 'awaiting-payment', 'pending', 'system', 'paid', now())`,
    newId(),
    part,
  )
  await put(`update orders.seller_order set state = 'pending' where id = $1`, part)
  await put('update messages.message set files = $2 where id = $1', message, filesOf(messageFile))
  await put(
    `insert into disputes.step (dispute_id, position, actor, action, note, files, at) values ($1, 90, 'buyer', 'add', '', $2, now())`,
    dispute,
    filesOf(disputeFile),
  )
  await put(`insert into messages.report (message_id, reporter, reason, note, at) values ($1, 'seller', 'rude', '', now())`, message)
  await put(
    `insert into invoices.invoice (id, kind, issuer, series, year, serial, number, source, seller_id, customer_order_id, seller_order_id, market, currency,
       issued_at, net, vat, gross, search, document)
     select $1, 'sale', 'seller:1', 'S', 2026, (select count(*) + 1 from invoices.invoice), $1::uuid::text, $1::uuid::text, 1, $2, $3, 'gb', 'GBP',
       now(), 100, 20, 120, '', '{}'`,
    invoice,
    paid,
    part,
  )
  for (const form of ['pdf', 'ubl'])
    await put(
      `insert into invoices.file (invoice_id, form, key, sha256, bytes) values ($1, $2, $3, '', 1)`,
      invoice,
      form,
      await fileOf(shop, 'invoice', invoice),
    )
  await put(
    `insert into fulfilment.parcel (id, seller_order_id, customer_order_id, seller_id, market, carrier, token_hash, label_file)
     values ($1, $2, $3, 1, 'gb', 'Own van', sha256($1::uuid::text::bytea), $4)`,
    parcel,
    part,
    paid,
    await fileOf(shop, 'label', `parcel:${parcel}`),
  )
  await put(
    'update returns.request set label_file = $2 where id = $1',
    things.return,
    await fileOf(shop, 'label', `return:${things.return}`),
  )
  await put(
    `insert into returns.cancellation (id, seller_order_id, customer_order_id, seller_id, market, reason, state, lines, note)
     values ($1, $2, $3, 1, 'gb', 'other', 'requested', '[{"offerId": "410", "now": 0, "asked": 1}]', '')`,
    cancellation,
    part,
    paid,
  )
  await put(
    `insert into accounts.customer (id, email, name, market) values ($1, $1::uuid::text || '@example.com', 'Robin', 'gb')`,
    customer,
  )
  await put(
    `insert into companies.conversion (id, customer_id, state, company_name, country, register_number, market, mode, origin)
     values ($1, $2, 'lead', 'Sheds', 'GB', 'SC123456', 'gb', 'b2c', 'http://gb.localhost')`,
    conversion,
    customer,
  )
  await put(
    `insert into reviews.review (id, subject, subject_id, seller_id, market, language, author, stars, title, body, state, purchased_on, findings)
     values ($1, 'product', 41, 1, 'gb', 'en', 'Robin', 4, 'Good', 'It drills.', 'pending', now(), '{link}')`,
    review,
  )
  const sealed = seal(paid, { address: {}, billingAddress: {} })
  await put(
    `insert into privacy.retained (customer_order_id, sealed, until, key_id) values ($1, $2, now() + interval '1 year', $3)`,
    paid,
    sealed,
    sealKeyId(),
  )
  return { customer, invoice, messageFile, disputeFile, usedUpload: messageFile, parcel, cancellation, conversion, review }
}

/** Objects of the seller from whom everybody has bought, and of the shop. */
async function thingsOfShop(shop: VisitorsShop) {
  const { pool } = shop.database
  const put = (text: string, ...values: unknown[]) => pool.query(text, values)
  const [group, priceList, webhook, delivery, run, apiKey, deadEvent] = [newId(), newId(), newId(), newId(), newId(), newId(), newId()]
  await put(`insert into conditions.company_group (id, seller_id, name) values ($1, 1, 'Roofers')`, group)
  await put(
    `insert into conditions.price_list (id, seller_id, market, name, valid_from) values ($1, 1, 'gb', 'Ours', now() - interval '1 day')`,
    priceList,
  )
  await put(
    `insert into integrations.endpoint (id, seller_id, url, events, created_at) values ($1, 1, 'https://seller.example/', '{order.paid}', now())`,
    webhook,
  )
  await put(
    `insert into integrations.delivery (id, endpoint_id, event, body, created_at) values ($1, $2, 'order.paid', '{}', now())`,
    delivery,
    webhook,
  )
  await put(
    `insert into payouts.run (id, key, currency, cause, cutoff, sepa_file) values ($1, 'run of the routes', 'GBP', 'operator', now(), $2)`,
    run,
    await fileOf(shop, 'invoice', `payout-run:${run}`),
  )
  const paper = await fileOf(shop, 'invoice', 'payout')
  await put('update payouts.payout set pdf_file = $1, csv_file = $1', paper)
  await put(
    `insert into integrations.api_key (id, name, prefix, hash, cost_per_minute, expires_at)
     values ($1, 'A partner', 'pk_', sha256($1::uuid::text::bytea), 10, now() + interval '1 day')`,
    apiKey,
  )
  await put(
    `insert into platform.outbox (id, type, aggregate, payload, parked_at, last_error) values ($1, 'order.paid', 'x', '{}', now(), 'none')`,
    deadEvent,
  )
  await put(
    `insert into platform.job (name, key, payload, run_at, parked_at, last_error) values ('privacy.export', 'of-somebody', '{}', now(), now(), 'none')`,
  )
  await put(
    `insert into cart.coupon (code, market, kind, value, starts_on, ends_on) values ('ROOFS10', 'gb', 'percent', 10, '2026-01-01', '2099-01-01')`,
  )
  return { group, priceList, webhook, delivery, run, apiKey, deadEvent }
}
