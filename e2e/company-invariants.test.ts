import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@purlin/server/foundation/platform/index.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { forgetSwitches, setFlag } from '@purlin/server/foundation/flags/index.ts'
import { decideApproval } from '@purlin/server/selling/checkout/decide-approval.ts'
import { requestApproval } from '@purlin/server/selling/checkout/request-approval.ts'
import { addOffer, companiesIn, draftOrder, fillShop, must, place } from '@purlin/server/selling/checkout/testing.ts'
import { testCredit } from '@purlin/server/selling/credit/testing.ts'
import { setBudget } from '@purlin/server/selling/purchasing/manage-budgets.ts'
import type { CreditProviderServer } from '@purlin/services/credit-provider/index.ts'
import { checkCompanies } from './company-invariants.ts'
import { checkInvariants, type Asks, type Listed } from './invariants.ts'

const database = await testDatabase()
const { pool } = database
const now = new Date()
const day = (ago: number) => new Date(now.getTime() - ago * 86_400_000).toISOString()
const monthOf = (ago: number) => day(ago).slice(0, 7)
const ids = Object.fromEntries(
  ['subscription', 'charge', 'booking', 'invoice', 'otherInvoice', 'claim', 'statement', 'mandate'].map((name) => [name, newId()]),
) as Record<'subscription' | 'charge' | 'booking' | 'invoice' | 'otherInvoice' | 'claim' | 'statement' | 'mandate', string>
let credit: CreditProviderServer
let [company, buyer, free, approved, payment] = ['', '', '', '', '']

before(async () => {
  await fillShop(database)
  await addOffer(database, {
    id: '9101',
    price: 100_00,
    proPrice: 100_00,
    stock: 500,
    delivery: [{ kind: 'standard', fee: 0, daysMin: 1, daysMax: 2 }],
  })
  await database.command({}, (scope) => setFlag(scope, { market: '*', mode: 'b2b' }, 'pepePdpB2bBnpl', true))
  forgetSwitches()
  credit = await testCredit('http://127.0.0.1:9')
  await ordered()
  await owed()
  await subscribed()
})
after(() => credit.close())

/** A member with a budget: one order beyond it that a colleague has approved, and one within it. */
async function ordered(): Promise<void> {
  const { newCompany, join } = companiesIn(database)
  const own = await newCompany()
  const [admin, member] = [await join(own, 'admin'), await join(own, 'buyer')]
  ;[company, buyer] = [own.id, member.principal.id]
  must(await admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: buyer, monthly: 700, perOrder: 300 })))
  await pool.query(`update purchasing.budget set changed_at = now() - interval '1 day'`)
  await pool.query(
    `insert into companies.cost_centre (id, company_id, code, name, created_at) values ($1, $2, 'C-1', '', now() - interval '1 day')`,
    [newId(), company],
  )
  approved = await draftOrder(member, [{ offerId: '9101', quantity: 4 }])
  const { id } = must(await member.does((scope) => requestApproval(scope, { customerOrderId: approved, payBy: 'invoice', note: '' })))
  must(await admin.does((scope) => decideApproval(scope, id, { isApproved: true, comment: '', agreedTotal: 400_00 })))
  free = await draftOrder(member, [{ offerId: '9101', quantity: 2 }])
  must(await place(member, free))
}

/** The approved order was sent and invoiced; its claim is on a statement, which is collected by direct debit. */
async function owed(): Promise<void> {
  const { rows } = await pool.query<{ id: string }>('select id from payments.payment where customer_order_id = $1', [approved])
  payment = rows[0]?.id ?? assert.fail()
  await pool.query(`update payments.payment set state = 'captured', captured = amount, repaid = 10000 where id = $1`, [payment])
  await pool.query(
    `insert into credit.line (company_id, currency, limit_amount, is_accepted, checked_at) values ($1, 'GBP', 90000, true, now() - interval '1 day')
       on conflict (company_id, currency) do update set limit_amount = 90000, checked_at = excluded.checked_at`,
    [company],
  )
  await invoice({ id: ids.claim, source: 'shipment:1', serial: 1, order: approved, gross: 400_00 })
  await pool.query(
    `insert into credit.claim (id, number, payment_id, customer_order_id, seller_order_id, company_id, market, mode, origin, currency, amount, repaid,
       reference, issued_on, due_on) values ($1, 'T-1', $2, $3, $3, $4, 'gb', 'b2b', 'http://pro.gb.localhost', 'GBP', 40000, 10000, 'ref', $5, $5)`,
    [ids.claim, payment, approved, company, day(100)],
  )
  await pool.query(`insert into credit.collective (company_id, market, origin, since) values ($1, 'gb', 'http://pro.gb.localhost', $2)`, [
    company,
    day(200),
  ])
  const lines = [{ id: ids.claim, number: 'T-1', amount: 400_00, credited: 0, repaid: 0 }]
  await pool.query(
    `insert into credit.statement (id, number, company_id, market, origin, currency, month, issued_on, due_on, document)
       values ($1, 'C-1', $2, 'gb', 'http://pro.gb.localhost', 'GBP', $3, $4, $4, $5)`,
    [ids.statement, company, monthOf(100), day(60), JSON.stringify({ lines })],
  )
  await pool.query('insert into credit.statement_claim (claim_id, statement_id) values ($1, $2)', [ids.claim, ids.statement])
  await pool.query(
    `insert into credit.mandate (id, company_id, market, origin, reference, creditor_name, creditor_id, state, holder, iban_end, text_version, signed_by, signed_at)
       values ($1, $2, 'gb', '', 'M-1', 'Purlin', 'X', 'active', 'Lee', '3000', '1', $1, now())`,
    [ids.mandate, company],
  )
  await pool.query(
    `insert into credit.debit (statement_id, mandate_id, amount, collect_on, announced_at, state, collected, updated_at)
       values ($1, $2, 30000, $3, now(), 'settled', 10000, now())`,
    [ids.statement, ids.mandate, day(40)],
  )
}

async function subscribed(): Promise<void> {
  await pool.query(
    `insert into subscriptions.subscription (id, company_id, customer_id, market, origin, state, period, has_trial, paid_until, due_at, charges, provider, created_at)
       values ($1, $2, $3, 'gb', '', 'active', 'monthly', true, $4, $4, 1, 'embedded', $5)`,
    [ids.subscription, company, buyer, day(-10), day(50)],
  )
  await pool.query(
    `insert into subscriptions.charge (id, subscription_id, sequence, period, due_at, net, vat, gross, rate_bp, treatment, currency, state, reference,
       period_start, period_end, paid_at) values ($1, $2, 1, 'monthly', $3, 890, 178, 1068, 2000, 'gb', 'GBP', 'paid', 'pi_1', $3, $4, $3)`,
    [ids.charge, ids.subscription, day(20), day(-10)],
  )
  await pool.query(`insert into ledger.booking (id, key, kind, customer_order_id, currency) values ($1, $2, 'capture', $3, 'GBP')`, [
    ids.booking,
    `subscription-capture:${ids.charge}`,
    `subscription:${ids.charge}`,
  ])
  await pool.query(
    `insert into ledger.entry (booking_id, position, account, amount) values ($1, 0, 'provider:embedded', 1068), ($1, 1, 'subscriptions', -890),
       ($1, 2, 'vat-on-subscriptions', -178)`,
    [ids.booking],
  )
  await invoice({ id: ids.invoice, source: `subscription:${ids.charge}`, serial: 2, order: null, gross: 10_68 })
}

async function invoice({
  id,
  source,
  serial,
  order,
  gross,
}: {
  id: string
  source: string
  serial: number
  order: string | null
  gross: number
}) {
  await pool.query(
    `insert into invoices.invoice (id, kind, issuer, series, year, serial, number, source, seller_id, customer_order_id, market, currency, company_id,
       issued_at, net, vat, gross, search, document) values ($1, 'sale', 't', 'T', 2026, $2, 'T-' || $2::int, $3, 0, $4, 'gb', 'GBP', $5, now(), $6, 0, $6, '', '{}')`,
    [id, serial, source, order, company, gross],
  )
}

test('a company that ordered, paid and subscribed breaks no invariant', async () => {
  assert.deepEqual(await checkCompanies(pool, { now }), [])
})

const copyOf = (table: string, key: string, id: string, changes: string) =>
  `insert into ${table} select (jsonb_populate_record(t, ${changes})).* from ${table} t where ${key} = '${id}'`
const nextCharge = (changes: string) =>
  `${copyOf('subscriptions.charge', 'id', ids.charge, `jsonb_build_object('id', gen_random_uuid(), 'sequence', 2, ${changes})`)};
   update subscriptions.subscription set charges = 2`

/** What is planted, as SQL, by the sentence that has to report it. */
const plants = (): Record<string, string> => ({
  'what is charged to a company’s budgets is not what its orders cost': `delete from purchasing.spend where customer_order_id = '${free}'`,
  'an order is charged to another cost centre or building site than it names': `insert into purchasing.order_reference
    (customer_order_id, cost_centre, changed_by, changed_at) values ('${free}', 'c-1', '${buyer}', now() - interval '1 hour')`,
  'orders exceed a month’s budget that nobody approved': 'update purchasing.budget set monthly = 19999',
  'an order exceeds the limit of one, and nobody approved it': 'update purchasing.budget set per_order = 19999',
  'an order was approved more than once': `drop index purchasing.approval_order;
    ${copyOf('purchasing.approval', 'customer_order_id', approved, `jsonb_build_object('id', gen_random_uuid())`)}`,
  'an order waits for an approval and is placed': `update purchasing.approval set state = 'pending', approved_total = null`,
  'an approval by invoice, or one that was used, has no order': `update orders.customer_order set placement = 0, state = 'draft' where id = '${approved}'`,
  'the cart of an approval became more than one order': `drop index orders.customer_order_open;
    ${copyOf('orders.customer_order', 'id', approved, `jsonb_build_object('id', 'PSECONDORDER')`)}`,
  'a period of a subscription was not charged exactly once': 'update subscriptions.subscription set charges = 2',
  'a day is paid for twice': nextCharge(`'period_start', now()`),
  'a company has the benefits of a subscription for free': `update subscriptions.subscription set paid_until = paid_until + interval '1 month'`,
  'a company has had more than one trial': copyOf(
    'subscriptions.subscription',
    'id',
    ids.subscription,
    `jsonb_build_object('id', gen_random_uuid(), 'state', 'ended')`,
  ),
  'what a company paid for its subscription is not what the ledger holds': `update ledger.entry set amount = 2136 where account like 'provider:%' and booking_id = '${ids.booking}'`,
  'an invoice of a subscription is not what was paid': `update invoices.invoice set net = net + 1, gross = gross + 1 where source like 'subscription:%'`,
  'more than a claim was credited or paid': 'update credit.claim set repaid = 40001',
  'a claim is not its invoice': `update invoices.invoice set net = net - 1, gross = gross - 1 where id = '${ids.claim}'`,
  'more was claimed for an order than it costs, or for one that is paid otherwise': copyOf(
    'credit.claim',
    'id',
    ids.claim,
    `jsonb_build_object('id', gen_random_uuid(), 'number', 'T-9', 'amount', 1)`,
  ),
  'what a company has repaid is not what its claims add up to': `update payments.payment set repaid = 9999 where id = '${payment}'`,
  'orders by invoice exceed the company’s limit': 'update credit.line set limit_amount = 29999',
  'a statement does not list the invoices that it gathers': 'delete from credit.statement_claim',
  'an invoice is on more than one statement': copyOf(
    'credit.statement',
    'id',
    ids.statement,
    `jsonb_build_object('id', gen_random_uuid(), 'number', 'C-2', 'month', '2020-01')`,
  ),
  'a statement gathers an invoice that is not of its company, market or month': `update credit.statement set month = '2020-01'`,
  'more is collected by direct debit than was announced or is owed': 'update credit.debit set collected = 40001',
  'a budget has back another amount than was refunded': 'update purchasing.spend set returned = 1',
  'a period of a subscription has begun, and nobody charged it': `update subscriptions.subscription set due_at = now() - interval '2 hours'`,
  'a paid period of a subscription has no invoice, or its refund no credit note': `delete from invoices.invoice where source like 'subscription:%'`,
  'an invoice to be paid later was not handed to the credit provider': `delete from credit.debit; delete from credit.statement_claim; delete from credit.claim`,
  'a statement was opened and not issued': 'update credit.statement set document = null',
  'an invoice of a company that pays once a month is on no statement': 'delete from credit.statement_claim',
})

async function planted<Value>(sql: string, look: (db: Asks) => Promise<Value>): Promise<Value> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(sql)
    return await look(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

test('each invariant of companies has a violation that is planted, and none is forgotten', async () => {
  const all = await checkCompanies({ query: () => Promise.resolve({ rows: [{}] }) })
  assert.deepEqual(Object.keys(plants()).toSorted(), all.map(({ what }) => what.replace(': {}', '')).toSorted())
})

for (const sentence of Object.keys(plants()))
  test(`the checker detects that ${sentence}`, async () => {
    const found = await planted(plants()[sentence] ?? '', (db) => checkCompanies(db, { now }))
    assert.ok(
      found.some(({ what }) => what.startsWith(`${sentence}: `)),
      `found ${found.map(({ what }) => what).join(' | ') || 'nothing'}`,
    )
  })

test('I4: a charge of a subscription that the provider lists twice, or not at all, is detected', async () => {
  const listed: Listed = { reference: 'pi_1', paymentId: `subscription:${ids.charge}`, captured: 1068, refunded: 0, currency: 'GBP' }
  const found = async (...payments: Listed[]) => {
    const violations = await checkInvariants(pool, { provider: { name: 'embedded', payments }, settled: false })
    return violations.filter(({ what }) => /pi_1|subscription:/.test(what)).map(({ id }) => id)
  }
  assert.deepEqual(await found(listed), [])
  assert.deepEqual(await found(listed, { ...listed, reference: 'pi_2' }), ['I4', 'I4'])
  assert.deepEqual(await found({ ...listed, captured: 2136 }), ['I1'])
  assert.deepEqual(await found(), ['I1'])
})
