import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { demoSecrets } from '@purlin/server/foundation/platform/environment.ts'
import { addKey, caller } from '@purlin/server/after-sale/integrations/testing.ts'
import { showMoney } from '@purlin/server/goods/pricing/index.ts'
import { textOfPdf } from '@purlin/server/after-sale/invoices/testing.ts'
import { actForAnother } from '../support/acting-for.ts'
import { startJourney } from '../support/journey.ts'
import { linkIn } from '../support/mailbox.ts'
import { patient } from '../support/patience.ts'
import { operate } from '../support/shop.ts'
import { stateChecks, type StateChecks } from '../support/page-states.ts'
import {
  acceptedVatNumber,
  addToBasket,
  bytesOf,
  callAs,
  goodsOf,
  lookUntil,
  marketsOf,
  newEmail,
  register,
  runSchedule,
  withDatabase,
  withoutNotes,
  type ProMarket,
} from '../support/professionals.ts'
import { forgetAttempts } from '../support/provider-tour.ts'
import { people, type Visitor } from '../support/visitor.ts'

/** A company from its registration to its paid monthly statement: colleagues, a budget, an approval by mail, a building site, an invoice. */

const journey = startJourney({ pictures: process.env['PICTURES'] !== undefined })
/** Unique, so that an operator finds it. */
const company = `Quarrier & Sons ${randomUUID().slice(0, 6)}`
const site = 'Mill Lane 4'
const purchaseOrder = 'PO 2027-118'

interface Member {
  visitor: Visitor
  checks: StateChecks
  email: string
}

async function newMember(market: ProMarket, name: string): Promise<Member> {
  const visitor = await journey.visit({ market, mode: 'b2b' })
  await withoutNotes(visitor.page)
  return { visitor, checks: stateChecks(visitor), email: newEmail(name) }
}

const opened = async ({ visitor: { page, origin }, checks }: Member, name: string, path: string): Promise<void> => {
  await page.goto(origin + path)
  await checks.look(name, { byKeyboard: true })
}

async function registerCompany(admin: Member): Promise<void> {
  const { page, origin, market } = admin.visitor
  await page.goto(`${origin}/api/v1/register?callbackUrl=${encodeURIComponent('/my-account/company')}`)
  const registered = { name: company, vatNumber: acceptedVatNumber(market) }
  await register(admin.visitor, {
    shop: journey.shop,
    email: admin.email,
    givenName: 'Ottilie',
    arrivesAt: /\/my-account\/company$/,
    company: registered,
  })
  await page.getByRole('heading', { level: 1, name: company }).waitFor()
}

/** The registers tell no names of invented companies: an operator has looked it up, and it may pay by invoice. */
async function confirmCompany({ visitor: { page, origin, t } }: Member): Promise<void> {
  await lookUntil(page, async () => {
    const { conversions } = await operate<{ conversions: Lead[] }>(journey.shop.origin, 'GET', 'conversions')
    const lead = conversions.find((each) => each.companyName === company && each.reason !== null)
    if (lead) await operate(journey.shop.origin, 'PUT', `conversions/${lead.id}`, { decision: 'accept' })
    return lead !== undefined
  })
  await page.goto(`${origin}/billie`)
  await lookUntil(page, async () => (await page.getByText(t('credit.limit.available')).count()) > 0)
}

interface Lead {
  id: string
  companyName: string
  reason: string | null
}

async function invite({ visitor: { page, t }, checks }: Member, { email }: Member, role: 'APPROVER' | 'BUYER'): Promise<void> {
  const form = page.locator('main form:has(input[type="email"])')
  await form.getByLabel(t('company.email')).fill(email)
  await form.getByLabel(t('company.role'), { exact: true }).selectOption(role)
  await form.getByRole('button', { name: t('company.invite.do') }).click()
  await page.getByText(email).first().waitFor()
  await checks.look('company-invited')
}

/** The mail's link leads to a new account, back to the invitation, and into the company. */
async function join({ visitor, checks, email }: Member, givenName: string): Promise<void> {
  const { page, origin, t } = visitor
  await page.goto(await linkIn(journey.shop.origin, email, /http:[^"\s<]+\/company-invitation\/[\w-]+/))
  await checks.look('invitation')
  await page.getByRole('link', { name: t('company.join.new') }).click()
  await register(visitor, { shop: journey.shop, email, givenName, arrivesAt: /\/company-invitation\// })
  await checks.look('invitation-yours')
  await page.getByRole('button', { name: t('company.join.do', { company }) }).click()
  await page.waitForURL(`${origin}/my-account/company`)
}

async function buildOnSite({ visitor: { page, origin, t, market }, checks }: Member): Promise<void> {
  await page.goto(`${origin}/my-account/company/sites?add=1`)
  const { line1, postcode, city, phone } = people[market]
  const values = { name: site, line1, postcode, city, firstName: 'Tom', lastName: 'Ashby', phone, deliveryHours: '7–15' }
  for (const [name, value] of Object.entries(values)) await page.locator(`main [name="${name}"]`).fill(value)
  await page.getByRole('button', { name: t('site.save') }).click()
  await page.getByText(t('site.hours-of', { hours: values.deliveryHours })).waitFor()
  await checks.look('sites', { byKeyboard: true })
}

/** At most twenty for an order: less than any of the goods costs. */
async function limitOrders({ visitor: { page, origin, t }, checks }: Member, of: string): Promise<void> {
  await page.goto(`${origin}/my-account/company/budgets`)
  const card = page.locator('main li').filter({ hasText: of })
  await card.locator('[name="monthly"]').fill('4000')
  await card.locator('[name="perOrder"]').fill('20')
  await card.getByRole('button', { name: t('budget.save-of', { name: of }) }).click()
  await page.getByText(t('flash.budget-saved')).first().waitFor()
  await checks.look('budgets', { byKeyboard: true })
}

/** By keyboard from the basket to the request, which names site and purchase order. Returns the number of the order. */
async function requestApproval(buyer: Member): Promise<string> {
  const { visitor, checks } = buyer
  const { page, origin, t } = visitor
  const [goods] = await goodsOf(visitor)
  assert.ok(goods)
  await addToBasket(visitor, goods)
  await page.goto(`${origin}/checkout/address`)
  await checks.look('checkout-company')
  await page.getByRole('button', { name: t('checkout.address.choose-named', { address: site }) }).press('Enter')
  await page.getByRole('heading', { level: 1, name: t('checkout.delivery.title') }).waitFor()
  assert.equal(await page.getByLabel(t('order-reference.charged-site')).locator('option:checked').innerText(), site)
  await page.getByLabel(t('order-reference.purchase-order')).fill(purchaseOrder)
  await checks.look('delivery-company')
  await page.getByRole('button', { name: t('checkout.delivery.continue') }).press('Enter')
  await page.getByRole('heading', { level: 1, name: t('approval.request.title') }).waitFor()
  await page.getByLabel(t('approval.note')).fill('The scaffolding goes on Thursday.')
  await checks.look('approval-request', { byKeyboard: true })
  const [order] = /(?<=\/order\/)[\w-]+/.exec(page.url()) ?? []
  await page.getByRole('button', { name: t('approval.request.do') }).press('Enter')
  await page.getByText(t('flash.approval-requested')).first().waitFor()
  await checks.look('approval-pending')
  assert.ok(order)
  return order
}

interface Placed {
  order: { id: string; totals: { totalWithVat: { amount: number } } } | null
  refusal: { reason: string } | null
}

/** An order beyond what is left of the month needs an approval; with a budget that is just enough it is placed, and uses it up. */
async function spendMonth(admin: Member, { visitor, checks, email }: Member): Promise<void> {
  const { page, origin, t, market } = visitor
  const [goods] = await goodsOf(visitor)
  assert.ok(goods)
  await callAs(visitor, 'mutation ($id: ID!) { addToCart(offerId: $id, quantity: 1) { refusal { reason } } }', { id: goods.offerId })
  const { saveAddress } = await callAs<{ saveAddress: Placed }>(
    visitor,
    'mutation ($input: AddressInput!) { saveAddress(input: $input) { order { id totals { totalWithVat { amount } } } refusal { reason } } }',
    { input: people[market] },
  )
  const { order } = saveAddress
  assert.ok(order, saveAddress.refusal?.reason ?? 'no order')
  const member = await spentBy(email)
  assert.ok(member.spent > 0, 'the approved order counts')
  const spent = member.spent + order.totals.totalWithVat.amount
  // Limits are in whole units.
  const enough = Math.ceil(spent / 100)
  const limit = async (monthly: number) => {
    const { setBudget } = await callAs<{ setBudget: Placed }>(
      admin.visitor,
      'mutation ($id: ID!, $monthly: Int) { setBudget(kind: MEMBER, subjectId: $id, monthly: $monthly) { refusal { reason } } }',
      { id: member.id, monthly },
    )
    assert.equal(setBudget.refusal, null)
  }
  const place = async () => {
    const { placeOrder } = await callAs<{ placeOrder: Placed }>(
      visitor,
      'mutation ($id: ID!, $key: String!) { placeOrder(customerOrderId: $id, idempotencyKey: $key) { refusal { reason } } }',
      { id: order.id, key: randomUUID() },
    )
    return placeOrder.refusal?.reason ?? 'placed'
  }
  await limit(enough - 1)
  assert.equal(await place(), 'approval-needed')
  assert.equal((await spentBy(email)).spent, member.spent)
  await page.goto(`${origin}/order/${order.id}/approval`)
  await page.getByRole('heading', { level: 1, name: t('approval.request.title') }).waitFor()
  await checks.look('approval-month')
  await limit(enough)
  assert.equal(await place(), 'placed')
  assert.equal((await spentBy(email)).spent, spent)
}

/** A member’s spend this month, in minor units. */
async function spentBy(email: string): Promise<{ id: string; spent: number }> {
  const { rows } = await withDatabase(journey.shop.databaseUrl(), (pool) =>
    pool.query<{ id: string; spent: string }>(
      `select c.id, sum(s.amount - s.returned) as spent from accounts.customer c join purchasing.spend s on s.customer_id = c.id
         where c.email = $1 group by c.id`,
      [email],
    ),
  )
  assert.ok(rows[0])
  return { id: rows[0].id, spent: Number(rows[0].spent) }
}

/** In a browser without scripts in which nobody is signed in. */
async function approveByMail({ visitor: { market, t }, email }: Member): Promise<void> {
  const guest = await journey.visit({ market, mode: 'b2b', javaScript: false, viewport: { width: 390, height: 844 } })
  const { page } = guest
  const checks = stateChecks(guest, { scripts: false })
  await page.goto(await linkIn(journey.shop.origin, email, /http:[^"\s<]+\/approval\/[\w-]+/))
  for (const shown of [site, purchaseOrder, 'The scaffolding goes on Thursday.']) await page.getByText(shown).first().waitFor()
  await checks.look('approval-link', { byKeyboard: true })
  await page.locator('[name="comment"]').fill('Fine.')
  await page.locator('button[name="decision"][value="approve"]').click()
  await page
    .getByText(t('approval.state', { state: 'approved' }))
    .first()
    .waitFor()
  await checks.look('approval-link-decided')
  assert.deepEqual(checks.faults, [])
  await guest.leave()
}

/** The programs of the sellers accept the order and send it. */
async function ship(order: string): Promise<void> {
  const sales = await withDatabase(journey.shop.databaseUrl(), async (pool) => {
    const { rows } = await pool.query<{ id: string; seller: number }>(
      'select id, seller_id as seller from orders.seller_order where customer_order_id = $1',
      [order],
    )
    return Promise.all(rows.map(async ({ id, seller }) => ({ id, key: (await addKey(pool.db, seller)).key })))
  })
  assert.ok(sales.length > 0)
  for (const { id, key } of sales) {
    const call = caller(journey.shop.origin, key)
    assert.equal((await call('POST', `/orders/${id}/accept`, {})).status, 200)
    const carrier = { name: 'Own van', trackingNumber: `VAN${Date.now()}` }
    assert.equal((await call('POST', `/orders/${id}/parcels`, { carrier })).status, 201)
  }
}

/** The invoice is there a moment after the parcel has left. */
async function seeInvoice({ visitor: { page, origin }, checks }: Member, order: string): Promise<void> {
  await page.goto(`${origin}/my-invoices/${order}`)
  // Statements have a table too, and may come first.
  const link = page.locator('main th a').first()
  await lookUntil(page, async () => (await link.count()) > 0)
  const pdf = await bytesOf(page, (await link.getAttribute('href')) ?? '')
  assert.ok(textOfPdf(pdf).replace(/\s+/g, ' ').includes(purchaseOrder), 'the invoice names the purchase order')
  await checks.look('invoices-of-order')
}

/** Everything the company was invoiced is a month older; the worker writes the statement of that month. Returns the ids of its claims. */
async function endMonth(order: string): Promise<string[]> {
  return withDatabase(journey.shop.databaseUrl(), async (pool) => {
    const claims = 'credit.claim where customer_order_id = $1 and reference is not null'
    for (const end = Date.now() + patient(20_000); Date.now() < end;) {
      if ((await pool.query(`select 1 from ${claims}`, [order])).rows.length > 0) break
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    const { rows } = await pool.query<{ id: string; company: string }>(`select id, company_id as company from ${claims}`, [order])
    assert.ok(rows[0])
    await pool.query(`update credit.claim set issued_on = issued_on - interval '1 month' where customer_order_id = $1`, [order])
    await pool.query(`update credit.collective set since = since - interval '1 month' where company_id = $1`, [rows[0].company])
    await runSchedule(pool, 'credit.open-statements')
    return rows.map(({ id }) => id)
  })
}

/** The statements are to be collected from the company's account. */
async function giveMandate({ visitor: { page, t }, checks }: Member): Promise<void> {
  await page.getByRole('link', { name: t('mandate.set-up') }).click()
  await page.getByLabel(t('mandate.holder')).fill(company)
  await page.getByLabel(t('mandate.iban')).fill('DE89 3704 0044 0532 0130 00')
  await page.getByLabel(t('mandate.agree')).check()
  await checks.look('mandate', { byKeyboard: true })
  await page.getByRole('button', { name: t('mandate.submit') }).click()
  await page.getByText(t('mandate.account', { holder: company, end: '3000' })).waitFor()
  await lookUntil(page, async () => (await page.getByText(t('mandate.state', { state: 'active' }), { exact: true }).count()) > 0)
  await checks.look('mandate-active')
}

/** By the link of the mail: where to transfer the money, and the same as a PDF. */
async function readStatement({ visitor: { page, t, market }, checks, email }: Member): Promise<void> {
  await page.goto(await linkIn(journey.shop.origin, email, /http:[^"\s<]+\/my-invoices\/statement\/[\w-]+/))
  await checks.look('statement', { byKeyboard: true })
  if (market !== 'gb') await page.getByText(t('mandate.reference', { reference: 'PURLIN-M' })).waitFor()
  const [number = 'no number'] = /C-[\d-]+/.exec((await page.locator('main h1').textContent()) ?? '') ?? []
  const row = page.locator('main tbody tr')
  assert.equal(await row.count(), 1)
  assert.ok((await row.innerText()).includes(purchaseOrder))
  const link = page.getByRole('link', { name: t('statement.download.of', { number }) })
  const text = textOfPdf(await bytesOf(page, (await link.getAttribute('href')) ?? '')).replace(/\s+/g, ' ')
  for (const printed of [number, purchaseOrder, company]) assert.ok(text.includes(printed), `${printed} in ${text}`)
}

/** Something that happens at the credit provider or at the banks. */
async function atProvider(path: string): Promise<void> {
  const provider = `http://127.0.0.1:${Number(new URL(journey.shop.origin).port) + 5}`
  const headers = { authorization: `Bearer ${demoSecrets.CREDIT_API_KEY}` }
  assert.equal((await fetch(`${provider}/sandbox/${path}`, { method: 'POST', headers, body: '{}' })).status, 200, path)
}

/** On the page of the statement, its direct debit is announced, under way, collected, and refunded by the company's bank. */
async function followDebit({ visitor: { page, t, market }, checks }: Member): Promise<void> {
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const { amount } = await withDatabase(journey.shop.databaseUrl(), async (pool) => {
    const { rows } = await pool.query<{ state: string; amount: number; days: number }>(
      'select state, amount, collect_on - current_date as days from credit.debit where statement_id = $1',
      [id],
    )
    assert.equal(rows[0]?.state, 'announced')
    assert.ok(rows[0].days >= 13, 'fourteen days after its notice')
    await pool.query('update credit.debit set collect_on = current_date - 1 where statement_id = $1', [id])
    await runSchedule(pool, 'credit.plan-debits')
    return rows[0]
  })
  const reads = async (step: 'submitted' | 'settled') => {
    const text = t(`mandate.debit.${step}`, { amount: showMoney(market, amount).formatted, end: '3000' })
    await lookUntil(page, async () => (await page.getByText(text, { exact: true }).count()) > 0)
    await checks.look(`statement-debit-${step}`)
  }
  await reads('submitted')
  await atProvider(`debits/${id}/settle`)
  await reads('settled')
  await atProvider(`debits/${id}/refund`)
  const [number = 'no number'] = /C-[\d-]+/.exec((await page.locator('main h1').textContent()) ?? '') ?? []
  await lookUntil(page, async () => (await page.getByText(t('mandate.reason', { reason: 'refunded', number })).count()) > 0)
  await page.getByRole('heading', { name: t('statement.payee') }).waitFor()
  await checks.look('statement-debit-returned')
}

/** The company transfers the sum, and the credit provider reports it. */
async function pay({ visitor: { page, origin, t }, checks }: Member, claims: readonly string[]): Promise<void> {
  for (const claim of claims) await atProvider(`invoices/${claim}/pay`)
  await page.goto(`${origin}/my-invoices`)
  await lookUntil(page, async () => (await page.locator('main table').first().getByText(t('credit.state.paid')).count()) > 0)
  await checks.look('invoices')
}

for (const market of marketsOf('de'))
  test(`in ${market} a company is registered, an order beyond a budget is approved by mail, sent to a building site and paid with the monthly statement`, async () => {
    await forgetAttempts(journey.shop.databaseUrl())
    const admin = await newMember(market, 'ottilie')
    const [approver, buyer] = [await newMember(market, 'arthur'), await newMember(market, 'bea')]
    await registerCompany(admin)
    await confirmCompany(admin)
    await opened(admin, 'company-registered', '/my-account/company')
    await invite(admin, approver, 'APPROVER')
    await invite(admin, buyer, 'BUYER')
    await Promise.all([join(approver, 'Arthur'), join(buyer, 'Bea')])
    const { page, t } = admin.visitor
    await buildOnSite(admin)
    await limitOrders(admin, `Bea ${people[market].lastName}`)
    await opened(admin, 'company', '/my-account/company')
    await page.getByRole('button', { name: t('statement.choice.to-monthly') }).click()
    await page.getByText(t('statement.choice.monthly')).waitFor()
    if (market !== 'gb') await giveMandate(admin)
    await opened(admin, 'punch-out-none', '/my-account/company/punch-out')

    const order = await requestApproval(buyer)
    await approveByMail(approver)
    await spendMonth(admin, buyer)
    await actForAnother(journey, buyer, { company, site })
    await opened(approver, 'approvals', '/my-account/approvals')
    await opened(buyer, 'orders-of-company', '/orders')
    await ship(order)
    await seeInvoice(admin, order)
    const claims = await endMonth(order)
    await readStatement(admin)
    if (market !== 'gb') await followDebit(admin)
    await pay(admin, claims)
    assert.deepEqual(
      [admin, approver, buyer].flatMap(({ checks }) => checks.faults),
      [],
    )
    for (const { visitor } of [admin, approver, buyer]) await visitor.leave()
  })
