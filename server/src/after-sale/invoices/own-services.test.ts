import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { connectObjectStore, folderStore } from '#files'
import { balanceOfOrder } from '#ledger'
import { readOrder } from '#orders'
import { newId } from '#platform'
import { requestRefund } from '#refunds'
import { testDatabase, useSettings } from '#platform/testing'
import { runWork } from '../../edges/worker/testing.ts'
import { forgetSellers } from '../../goods/sellers/known-sellers.ts'
import { addCompany, addCustomer } from '../../people/accounts/testing.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place } from '../../selling/checkout/testing.ts'
import { priceForCompany } from '../../selling/subscriptions/price-for-company.ts'
import { showPlans } from '../../selling/subscriptions/show-subscription.ts'
import { brokenRules } from './en16931-rules.ts'
import { facturX } from './factur-x.ts'
import { creditSubscription, invoiceSubscription } from './invoice-subscription.ts'
import { describeInvoice } from './invoice-text.ts'
import type { InvoiceDocument } from './invoice.ts'
import { handlers, jobs, schedules } from './jobs.ts'
import { modelOfCii, modelOfUbl } from './read-xml.ts'
import { paidOrder, payOrder, sendAll } from './testing.ts'
import { ubl } from './ubl.ts'

/** The marketplace is a French company here: it charges French VAT or none, in whichever market. */
useSettings({ OPERATOR_VAT_NUMBER: 'FR12123456789' })
after(() => useSettings())

const database = await testDatabase()
const { db, pool } = database
await fillShop(database)
const shops: Market[] = ['de', 'fr', 'gb']
/** An offer of each seller in each market; 1 is British, 2 German, 3 French. */
const offerOf = (market: Market, sellerId: number) => String(100 * (1 + shops.indexOf(market)) + sellerId)
for (const market of shops)
  for (const sellerId of [1, 2, 3]) await addOffer(database, { id: offerOf(market, sellerId), sellerId, market, price: 11_999 })
connectObjectStore(folderStore(await mkdtemp(join(tmpdir(), 'own-services-'))))
const work = () => runWork(database, handlers, jobs)

interface Row {
  source: string
  kind: string
  net: number
  vat: number
  document: InvoiceDocument
}

/** The commission invoices of a month, once it is over. */
async function commissionsOf(month: string): Promise<Row[]> {
  const now = new Date(`${month}-10T06:00:00Z`)
  now.setUTCMonth(now.getUTCMonth() + 1)
  for (const { name, run } of schedules) if (name === 'invoices.commissions') await database.command({ now }, run)
  const { rows } = await pool.query<Row>(
    `select source, kind, net::int, vat::int, document from invoices.invoice where source like 'commission:' || $1 || ':%' order by source`,
    [month],
  )
  for (const { document } of rows) {
    const cii = modelOfCii(facturX(document))
    assert.deepEqual(modelOfUbl(ubl(document)), cii)
    assert.deepEqual(brokenRules(cii), [])
  }
  return rows
}

/** As if what has been issued for an order had been issued on that day. */
async function issuedOn(day: string, orderId: string, kind = 'sale'): Promise<void> {
  await work()
  await pool.query(
    `update invoices.invoice set issued_at = $1::timestamptz, document = jsonb_set(document, '{issuedOn}', to_jsonb($2::text))
      where kind = $3 and customer_order_id = $4`,
    [`${day}T12:00:00Z`, day, kind, orderId],
  )
}

async function refundAll(orderId: string, sellerId: number, offerId: string, quantity: number): Promise<void> {
  const units = [{ offerId, quantity }]
  const ids = { customerOrderId: orderId, sellerOrderId: `${orderId}-${sellerId}` }
  must(
    await database.command({}, async (scope) => ({
      ok: (await requestRefund(scope, { ...ids, cause: 'return', key: orderId, units, delivery: 'full' })) !== undefined,
    })),
  )
}

test('a French operator charges its VAT to French sellers, reverses it for German ones and none to British ones, in every market: booking, invoice and XML agree', async () => {
  for (const market of shops) {
    const lines = [1, 2, 3].map((sellerId) => ({ offerId: offerOf(market, sellerId), quantity: 1 }))
    const { orderId } = await paidOrder(database, lines, { market })
    await sendAll(database, orderId)
    await issuedOn('2026-01-15', orderId)
    const booked = (await readOrder(db, orderId))?.sellerOrders ?? []
    const vat = Math.round((booked.find(({ sellerId }) => sellerId === 3)?.commission ?? 0) / 5)
    assert.ok(vat > 200)
    assert.deepEqual(
      booked.map(({ commissionVat, commissionTreatment, commissionVatBp }) => [commissionVat, commissionTreatment, commissionVatBp]),
      [
        [0, 'outside-scope', 0],
        [0, 'reverse-charge', 0],
        [vat, 'domestic', 2000],
      ],
      market,
    )
    assert.equal(await balanceOfOrder(db, orderId, 'vat-on-commission'), -vat)
    const invoices = (await commissionsOf('2026-01')).filter(({ document }) => document.market === market)
    assert.deepEqual(
      invoices.map(({ net, vat: invoiced, document }) => [net, invoiced, document.treatment, document.vatRows[0]?.category]),
      booked.map(({ commission, commissionVat, commissionTreatment }, index) => [
        commission,
        commissionVat,
        commissionTreatment,
        ['O', 'AE', 'S'][index],
      ]),
    )
    assert.deepEqual(
      invoices.map(({ document }) => document.seller.country),
      ['FR', 'FR', 'FR'],
    )
    assert.match(describeInvoice(invoices[0]?.document ?? assert.fail()).notes.join(), /2006\/112/, 'the law of the issuer')
  }
})

test('a refund takes back commission and VAT as they were booked, with a credit note of the same VAT that names the invoice', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: offerOf('de', 3), quantity: 2 }], { market: 'de' })
  await sendAll(database, orderId)
  await issuedOn('2026-03-15', orderId)
  const moveSeller = async (country: string, number: string) => {
    await pool.query('update sellers.seller set country = $1, vat_number = $2 where id = 3', [country, number])
    forgetSellers()
  }
  await moveSeller('DE', 'DE123456788')
  await refundAll(orderId, 3, offerOf('de', 3), 2)
  await issuedOn('2026-04-15', orderId, 'credit-note')
  assert.equal(await balanceOfOrder(db, orderId, 'vat-on-commission'), 0)
  const [invoice] = await commissionsOf('2026-03')
  const [credit] = await commissionsOf('2026-04')
  assert.ok(invoice && credit && invoice.vat > 0)
  assert.deepEqual([credit.kind, credit.net, credit.vat], ['commission-credit', -invoice.net, -invoice.vat])
  assert.deepEqual(credit.document.vatRows, invoice.document.vatRows)
  assert.equal(credit.document.credits?.number, invoice.document.number)
  await moveSeller('FR', 'FR32123456789')
})

test('what was booked with the VAT of the market stays as booked, beside what is booked today', async () => {
  const buyer = newBuyer(database, { market: 'de' })
  const offerId = offerOf('de', 2)
  const orderId = await draftOrder(buyer, [{ offerId, quantity: 1 }])
  must(await place(buyer, orderId))
  await pool.query(
    `update orders.seller_order set commission_vat = round(commission * 0.19), commission_treatment = null, commission_vat_bp = null
      where customer_order_id = $1`,
    [orderId],
  )
  await payOrder(database, orderId)
  await sendAll(database, orderId)
  await issuedOn('2026-06-10', orderId)
  const today = await paidOrder(database, [{ offerId, quantity: 2 }], { market: 'de' })
  await sendAll(database, today.orderId)
  await issuedOn('2026-06-20', today.orderId)
  const [booked] = (await readOrder(db, orderId))?.sellerOrders ?? []
  const invoices = await commissionsOf('2026-06')
  assert.deepEqual(
    invoices.map(({ source, vat, document }) => [source, vat, document.vatRows[0]?.category, document.vatRows[0]?.rateBp]),
    [
      ['commission:2026-06:de:2', booked?.commissionVat, 'S', 1900],
      ['commission:2026-06:de:2:reverse-charge:0', 0, 'AE', 0],
    ],
  )
  assert.equal((await commissionsOf('2026-06')).length, 2, 'each once')
  await refundAll(orderId, 2, offerId, 1)
  await work()
  assert.equal(await balanceOfOrder(db, orderId, 'vat-on-commission'), 0)
})

test('R-256 a subscription is charged the VAT of the operator’s country or none, in every market, and invoiced and credited as it was charged', async () => {
  const customer = await addCustomer(db)
  const confirmed = { FR: 'FR32123456789', DE: 'DE123456788', GB: 'GB000410171' }
  for (const market of shops)
    for (const [country, number, treatment, category] of [
      ['FR', confirmed.FR, 'domestic', 'S'],
      ['FR', null, 'domestic', 'S'],
      ['DE', confirmed.DE, 'reverse-charge', 'AE'],
      ['DE', null, 'domestic', 'S'],
      ['GB', confirmed.GB, 'outside-scope', 'O'],
      ['GB', null, 'domestic', 'S'],
    ] as const) {
      const { id: companyId } = await addCompany(db, { country })
      await pool.query(
        `insert into tax.record (owner, legal_name, line1, postcode, city, country, vat_number, vat_state)
          values ($1, 'Lee Building Ltd', '1 High Street', 'M1 1AE', 'Manchester', $2, $3, case when $3::text is null then null else 'valid' end)`,
        [`company:${companyId}`, country, number],
      )
      const price = await priceForCompany({ db, now: new Date() }, { companyId, market }, 'monthly')
      const rateBp = category === 'S' ? 2000 : 0
      assert.deepEqual(
        [price.treatment, price.rateBp, price.vat],
        [treatment, rateBp, (price.net * rateBp) / 10_000],
        `${country} in ${market}`,
      )
      const chargeId = newId()
      const period = { periodStart: '2026-11-30T10:00:00Z', periodEnd: '2026-12-30T10:00:00Z' }
      const charge = {
        chargeId,
        subscriptionId: newId(),
        companyId,
        customerId: customer.id,
        market,
        period: 'monthly',
        ...price,
        ...period,
      } as const
      const sold = await database.command({}, (scope) => invoiceSubscription(scope, charge))
      const credit = await database.command({}, (scope) => creditSubscription(scope, chargeId))
      assert.ok(sold && credit)
      assert.deepEqual([sold.document.treatment, sold.document.vatRows[0]?.category, sold.vat], [treatment, category, price.vat])
      assert.deepEqual([credit.document.vatRows, credit.vat], [sold.document.vatRows, -sold.vat])
      assert.deepEqual(brokenRules(modelOfCii(facturX(sold.document))), [])
    }
  const plans = await showPlans(database.scope({ market: 'de', mode: 'b2b' }))
  assert.deepEqual(
    plans.map(({ gross }) => gross.amount),
    [11_880, 1_188],
    'the public price has French VAT',
  )
})
