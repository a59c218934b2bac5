import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { addToCart, chooseCartDelivery, readCart } from '#cart'
import { forgetSwitches, setFlag } from '#flags'
import { readOrder } from '#orders'
import { testDatabase } from '#platform/testing'
import type { CreditProviderServer } from '../../../../services/src/credit-provider/index.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { setFreeCostCentre } from '../../people/companies/cost-centre-store.ts'
import { writePrices } from '../../goods/catalogue/write-price.ts'
import { testCredit } from '../credit/testing.ts'
import { readPaymentOfOrder } from '../payments/store.ts'
import type { OfferedPoint } from '../pickup/point.ts'
import { usePointFinder } from '../pickup/finder-of-shop.ts'
import { setBudget } from '../purchasing/manage-budgets.ts'
import { saveOrderReference, showOrderReference } from '../purchasing/order-reference.ts'
import { readOrderReference } from '../purchasing/reference-store.ts'
import { showSpending } from '../purchasing/show-spending.ts'
import * as purchasingJobs from '../purchasing/jobs.ts'
import { decideApproval, decideApprovalByToken, orderApproved, returnToCart } from './decide-approval.ts'
import { endHold, schedules } from './jobs.ts'
import { exchangePoints } from './exchange-points.ts'
import { requestApproval } from './request-approval.ts'
import { countListed, listApprovals, showApproval, showApprovalByToken, showApprovalNeed } from './show-approval.ts'
import { addOffer, companiesIn, draftOrder, fillShop, must, newBuyer, place, type Buyer, type Colleague } from './testing.ts'

const database = await testDatabase()
const { db, pool } = database
let credit: CreditProviderServer
const gateway = await testGateway(pool)
const { newCompany, join } = companiesIn(database)

before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '7001', price: 100_00, proPrice: 100_00, stock: 10_000 })
  await pool.query(
    `insert into catalogue.category (id, parent_id, level, position, path, department, names, slugs)
     values (20, null, 0, 9, '{20}', 'building', '{"en": "Building"}', '{"en": "building"}')`,
  )
  await database.command({}, (scope) => setFlag(scope, { market: '*', mode: 'b2b' }, 'pepePdpB2bBnpl', true))
  forgetSwitches()
  credit = await testCredit(gateway.url)
})
after(() => credit.close())

const limit = (
  admin: Colleague,
  who: Colleague,
  { monthly = null, perOrder = null }: { monthly?: number | null; perOrder?: number | null },
) => admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: who.principal.id, monthly, perOrder }))
const draft = (buyer: Buyer, quantity: number) => draftOrder(buyer, [{ offerId: '7001', quantity }])
const ask = (buyer: Buyer, customerOrderId: string, payBy: 'card' | 'invoice' = 'invoice') =>
  buyer.does((scope) => requestApproval(scope, { customerOrderId, payBy, note: 'For the roof' }))
const seen = async (who: Buyer, id: string) => {
  const approval = await showApproval(who.scope(), id)
  assert.ok(approval)
  return approval
}
const decide = async (who: Buyer, id: string, isApproved = true, agreedTotal?: number) =>
  who.does((scope) => decideApproval(scope, id, { isApproved, comment: '', agreedTotal: agreedTotal ?? 0 }))
const reason = (outcome: { ok: boolean; reason?: string }) => (outcome.ok ? 'ok' : outcome.reason)
const tokenTo = async ({ email }: Buyer) => {
  const { rows } = await pool.query(
    `select body_text from mail.mail where recipient = $1 and template = 'approval-requested' order by id desc`,
    [email],
  )
  return /\/approval\/([\w-]+)/.exec(String(rows[0]?.body_text))?.[1] ?? ''
}
const spent = async (companyId: string) =>
  Number(
    (await pool.query('select coalesce(sum(amount - returned), 0) as sum from purchasing.spend where company_id = $1', [companyId])).rows[0]
      .sum,
  )

test('ten members who order at once never exceed the budget of their cost centre, whatever the amounts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 10, maxLength: 10 }),
      fc.integer({ min: 3, max: 20 }),
      async (quantities, room) => {
        const company = await newCompany()
        const admin = await join(company, 'admin')
        const centre = (
          await pool.query(
            `insert into companies.cost_centre (id, company_id, code, name) values (gen_random_uuid(), $1, 'C-1', '') returning id`,
            [company.id],
          )
        ).rows[0].id
        must(
          await admin.does((scope) =>
            setBudget(scope, { kind: 'cost-centre', subjectId: String(centre), monthly: room * 100, perOrder: null }),
          ),
        )
        const orders = await Promise.all(
          quantities.map(async (quantity) => {
            const buyer = await join(company, 'buyer')
            const id = await draft(buyer, quantity)
            await pool.query(`insert into purchasing.order_reference (customer_order_id, cost_centre, changed_by) values ($1, 'C-1', $2)`, [
              id,
              buyer.principal.id,
            ])
            return { buyer, id }
          }),
        )
        const outcomes = await Promise.all(orders.map(({ buyer, id }) => place(buyer, id)))
        const placed = await spent(company.id)
        assert.ok(placed <= room * 10_000, `${placed} of ${room * 10_000}`)
        for (const [index, outcome] of outcomes.entries())
          if (!outcome.ok) {
            assert.equal(outcome.reason, 'approval-needed')
            const { total = 0 } = (await readOrder(db, orders[index]?.id ?? ''))?.totals ?? {}
            assert.equal(total, 0, 'nothing is left of it')
          }
      },
    ),
    { numRuns: 3 },
  )
})

test('the charge of a placed order follows its cost centre; beyond the new one’s budget only an approver moves it', async () => {
  const company = await newCompany()
  const [admin, approver, buyer] = [await join(company, 'admin'), await join(company, 'approver'), await join(company, 'buyer')]
  const { rows: centres } = await pool.query<{ id: string; code: string }>(
    `insert into companies.cost_centre (id, company_id, code, name)
     select gen_random_uuid(), $1, code, '' from unnest(array['C-1', 'C-2', 'C-3']) code returning id, code`,
    [company.id],
  )
  const idOf = (code: string) => centres.find((each) => each.code === code)?.id ?? ''
  must(await admin.does((scope) => setBudget(scope, { kind: 'cost-centre', subjectId: idOf('C-3'), monthly: 150, perOrder: null })))
  const id = await draft(buyer, 2)
  const refer = async (who: Buyer, costCentre: string | null) =>
    reason(await who.does((scope) => saveOrderReference(scope, id, { purchaseOrder: 'PO 1', costCentre })))
  const charged = async () =>
    (await pool.query('select cost_centre_id as id from purchasing.spend where customer_order_id = $1', [id])).rows[0]?.id
  assert.equal(await refer(buyer, 'C-1'), 'ok')
  must(await place(buyer, id))
  assert.equal(await charged(), idOf('C-1'))
  assert.equal(await refer(buyer, 'C-2'), 'ok')
  assert.equal(await charged(), idOf('C-2'))
  assert.equal(await refer(buyer, 'C-3'), 'approval-needed')
  assert.equal(await charged(), idOf('C-2'))
  assert.equal((await readOrderReference(db, id))?.costCentre, 'C-2', 'nor does the reference change')
  assert.equal(await refer(approver, 'C-3'), 'ok')
  assert.equal(await charged(), idOf('C-3'))
})

test('a new order suggests the cost centre of its buyer’s latest order, until it is archived; nobody else’s', async () => {
  const company = await newCompany()
  const [buyer, colleague] = [await join(company, 'buyer'), await join(company, 'buyer')]
  await pool.query(
    `insert into companies.cost_centre (id, company_id, code, name) select gen_random_uuid(), $1, code, '' from unnest(array['C-1', 'C-2']) code`,
    [company.id],
  )
  const suggestion = async (who: Buyer) => (await showOrderReference(who.scope(), await draft(who, 1)))?.suggestedCostCentre
  const order = async (costCentre: string) => {
    const id = await draft(buyer, 1)
    must(await buyer.does((scope) => saveOrderReference(scope, id, { purchaseOrder: null, costCentre })))
    must(await place(buyer, id))
    await pool.query(`update orders.customer_order set state = 'paid', paid_at = now() where id = $1`, [id])
    // The paid order keeps its cart.
    await pool.query(`update cart.cart set owner = gen_random_uuid()::text where owner = $1`, [`c:${buyer.principal.id}:pro`])
    return id
  }
  assert.equal(await suggestion(colleague), null)
  const first = await order('C-1')
  await order('C-2')
  assert.deepEqual([await suggestion(buyer), await suggestion(colleague)], ['C-2', null])
  assert.equal((await showOrderReference(buyer.scope(), first))?.suggestedCostCentre, null, 'a placed order stays as it is')
  await pool.query(`update companies.cost_centre set archived_at = now() where company_id = $1 and code = 'C-2'`, [company.id])
  assert.equal(await suggestion(buyer), null)
})

test('an order keeps a cost centre that was archived since, and its budget; no other order may name it', async () => {
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  const { rows } = await pool.query(
    `insert into companies.cost_centre (id, company_id, code, name) values (gen_random_uuid(), $1, 'C-9', '') returning id`,
    [company.id],
  )
  await database.command({}, (scope) => setFreeCostCentre(scope.db, company.id, false))
  const refer = (who: Buyer, id: string, costCentre: string, purchaseOrder = 'PO 1') =>
    who.does((scope) => saveOrderReference(scope, id, { purchaseOrder, costCentre }))
  const id = await draft(buyer, 1)
  assert.equal(reason(await refer(buyer, id, 'C-8')), 'cost-centre-unknown')
  must(await refer(buyer, id, 'C-9'))
  must(await place(buyer, id))
  await pool.query('update companies.cost_centre set archived_at = now() where company_id = $1', [company.id])
  must(await refer(buyer, id, 'C-9', 'PO 2'))
  assert.deepEqual(await readOrderReference(db, id), { purchaseOrder: 'PO 2', costCentre: 'C-9' })
  const { rows: charged } = await pool.query('select cost_centre_id as id from purchasing.spend where customer_order_id = $1', [id])
  assert.deepEqual(charged, rows)
  assert.equal(reason(await refer(admin, await draft(admin, 1), 'C-9')), 'cost-centre-unknown')
})

test('an order that is placed while its cost centre is changed is charged to the new one', async () => {
  const company = await newCompany()
  const buyer = await join(company, 'buyer')
  const { rows: centres } = await pool.query<{ id: string; code: string }>(
    `insert into companies.cost_centre (id, company_id, code, name)
     select gen_random_uuid(), $1, code, '' from unnest(array['OLD', 'NEW']) code returning id, code`,
    [company.id],
  )
  const id = await draft(buyer, 1)
  const refer = (scope: Parameters<typeof saveOrderReference>[0], costCentre: string) =>
    saveOrderReference(scope, id, { purchaseOrder: null, costCentre })
  must(await buyer.does((scope) => refer(scope, 'OLD')))
  let placed: ReturnType<typeof place> | undefined
  await buyer.does(async (scope) => {
    const changed = await refer(scope, 'NEW')
    placed = place(buyer, id)
    // The other command reads what it can before this one commits.
    await new Promise((resolve) => setTimeout(resolve, 300))
    return changed
  })
  assert.equal((await placed)?.ok, true)
  const { rows } = await pool.query('select cost_centre_id as id from purchasing.spend where customer_order_id = $1', [id])
  assert.deepEqual(rows, [{ id: centres.find(({ code }) => code === 'NEW')?.id }])
})

test('what an approver sees is what is charged: until the order is paid, nobody moves it to another cost centre or site', async () => {
  const company = await newCompany()
  const [admin, approver, buyer] = [await join(company, 'admin'), await join(company, 'approver'), await join(company, 'buyer')]
  await pool.query(
    `insert into companies.cost_centre (id, company_id, code, name) select gen_random_uuid(), $1, code, '' from unnest(array['A', 'B']) code`,
    [company.id],
  )
  const site = randomUUID()
  await pool.query(`insert into companies.site (id, company_id, name, address) values ($1, $2, 'Mill Lane', '{}')`, [site, company.id])
  must(await limit(admin, buyer, { perOrder: 150 }))
  for (const payBy of ['card', 'invoice'] as const) {
    const id = await draft(buyer, 2)
    const refer = async (to: Partial<Parameters<typeof saveOrderReference>[2]>, who: Buyer = buyer) =>
      reason(await who.does((scope) => saveOrderReference(scope, id, { purchaseOrder: 'PO 1', costCentre: 'A', ...to })))
    const others = [{ costCentre: 'B' }, { costCentre: null }, { siteId: site }, { purchaseOrder: 'PO 2' }]
    const all = async (who?: Buyer) => [...new Set(await Promise.all(others.map((to) => refer(to, who))))]
    assert.equal(await refer({}), 'ok')
    assert.equal((await showOrderReference(buyer.scope(), id))?.canChange, true)
    const request = must(await ask(buyer, id, payBy)).id
    assert.deepEqual([await all(), await all(approver)], [['awaits-approval'], ['awaits-approval']])
    assert.equal(await refer({ siteId: null }), 'ok', 'sent again as they are')
    assert.equal((await showOrderReference(buyer.scope(), id))?.canChange, false)
    assert.equal(reason(await decide(approver, request, true, 200_00)), 'ok')
    if (payBy === 'card') {
      assert.deepEqual(await all(), ['awaits-approval'])
      assert.equal(reason(await buyer.does((scope) => orderApproved(scope, request, randomUUID()))), 'ok')
      assert.deepEqual(await all(), ['awaits-approval'], 'and while it waits for the card')
    }
    const { rows } = await pool.query(
      `select c.code, s.site_id from purchasing.spend s join companies.cost_centre c on c.id = s.cost_centre_id where s.customer_order_id = $1`,
      [id],
    )
    assert.deepEqual(rows, [{ code: 'A', site_id: null }])
    await pool.query(`update orders.customer_order set state = 'paid', paid_at = now() where id = $1`, [id])
    assert.equal(await refer({ costCentre: 'B' }), 'ok', 'once it is paid')
  }
  const withdrawn = await draft(buyer, 2)
  const request = must(await ask(buyer, withdrawn)).id
  assert.equal(reason(await buyer.does((scope) => returnToCart(scope, request))), 'ok')
  const changed = await buyer.does((scope) => saveOrderReference(scope, withdrawn, { purchaseOrder: null, costCentre: 'B' }))
  assert.equal(reason(changed), 'ok', 'and after the request has been withdrawn')
})

test('an order to a typed address is charged to the building site that its buyer names, which must be one of their company', async () => {
  const [company, other] = [await newCompany(), await newCompany()]
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  const site = async (of: string, isArchived = false) =>
    String(
      (
        await pool.query(
          `insert into companies.site (id, company_id, name, address, archived_at)
           values (gen_random_uuid(), $1, gen_random_uuid()::text, '{}', case when $2 then now() end) returning id`,
          [of, isArchived],
        )
      ).rows[0].id,
    )
  const [own, closed, foreign] = [await site(company.id), await site(company.id, true), await site(other.id)]
  must(await admin.does((scope) => setBudget(scope, { kind: 'site', subjectId: own, monthly: 150, perOrder: null })))
  const id = await draft(buyer, 2)
  const refer = async (siteId?: string | null) =>
    reason(await buyer.does((scope) => saveOrderReference(scope, id, { purchaseOrder: 'PO 1', costCentre: null, siteId })))
  for (const wrong of [foreign, closed, 'none', admin.principal.id]) assert.equal(await refer(wrong), 'site-unknown', wrong)
  assert.equal(await refer(own), 'ok')
  assert.equal(await refer(), 'ok')
  assert.equal(reason(await place(buyer, id)), 'approval-needed', 'the site has too little left')
  assert.equal(await refer(null), 'ok')
  assert.equal(reason(await place(buyer, id)), 'ok')
  assert.equal(await refer(own), 'approval-needed', 'nor is the charge of a placed order moved beyond its budget')
  const { rows } = await pool.query('select site_id as site from purchasing.spend where customer_order_id = $1', [id])
  assert.deepEqual(rows, [{ site: null }])
  const approver = await join(company, 'approver')
  assert.equal(
    reason(await approver.does((scope) => saveOrderReference(scope, id, { purchaseOrder: null, costCentre: null, siteId: own }))),
    'ok',
  )
  const { rows: moved } = await pool.query('select site_id as site from purchasing.spend where customer_order_id = $1', [id])
  assert.deepEqual(moved, [{ site: own }], 'an approver moves the charge beyond the budget')
})

test('two orders moved to one cost centre at once never exceed its budget together', async () => {
  const company = await newCompany()
  const admin = await join(company, 'admin')
  const { rows } = await pool.query<{ id: string }>(
    `insert into companies.cost_centre (id, company_id, code, name) values (gen_random_uuid(), $1, 'C-9', '') returning id`,
    [company.id],
  )
  must(await admin.does((scope) => setBudget(scope, { kind: 'cost-centre', subjectId: rows[0]?.id ?? '', monthly: 150, perOrder: null })))
  const buyers = await Promise.all([1, 2, 3].map(() => join(company, 'buyer')))
  const orders = await Promise.all(buyers.map((buyer) => draft(buyer, 1)))
  for (const [index, buyer] of buyers.entries()) must(await place(buyer, orders[index] ?? ''))
  const outcomes = await Promise.all(
    buyers.map((buyer, index) =>
      buyer.does((scope) => saveOrderReference(scope, orders[index] ?? '', { purchaseOrder: null, costCentre: 'C-9' })),
    ),
  )
  assert.deepEqual(outcomes.map(reason).toSorted(), ['approval-needed', 'approval-needed', 'ok'])
})

test('an order beyond the limit is asked for, approved by the link of a mail, and placed by invoice with its cost centre', async () => {
  const company = await newCompany()
  const [admin, approver, buyer] = [await join(company, 'admin'), await join(company, 'approver'), await join(company, 'buyer')]
  must(await limit(admin, buyer, { perOrder: 150 }))
  const id = await draft(buyer, 2)
  assert.equal(reason(await place(buyer, id)), 'approval-needed')
  const need = await showApprovalNeed(buyer.scope(), id)
  assert.deepEqual(
    need?.limits.map(({ kind, limit: which, left }) => [kind, which, left.amount]),
    [['member', 'order', 150_00]],
  )
  const asked = must(await ask(buyer, id))
  assert.equal((await readCart(db, `c:${buyer.principal.id}:pro`, 'gb')).lines.length, 0, 'the buyer’s cart is free again')
  const { totalNow, lines, note } = await seen(approver, asked.id)
  assert.deepEqual([totalNow?.amount, lines.length, note], [200_00, 1, 'For the roof'])
  const token = await tokenTo(approver)
  assert.equal((await showApprovalByToken(database.scope({ mode: 'b2b' }), token))?.canDecide, true)
  assert.equal((await seen(approver, asked.id)).state, 'pending', 'opening the link decides nothing')
  const stranger = newBuyer(database, { mode: 'b2b' })
  const byLink = (agreedTotal: number) =>
    stranger.does((scope) => decideApprovalByToken(scope, token, { isApproved: true, comment: 'Fine', agreedTotal }))
  assert.equal(reason(await byLink(199_99)), 'proposal-changed')
  assert.equal(reason(await byLink(200_00)), 'ok')
  assert.equal(reason(await byLink(200_00)), 'already-decided')
  const order = await readOrder(db, id)
  assert.deepEqual([order?.state, order?.owner, order?.total], ['awaiting-payment', `c:${buyer.principal.id}`, 200_00])
  assert.equal((await readPaymentOfOrder(db, id))?.method, 'invoice')
  assert.equal(await spent(company.id), 200_00)
  const { rows } = await pool.query(`select subject from mail.mail where recipient = $1 and template = 'approval-decided'`, [buyer.email])
  assert.equal(rows.length, 1)
  assert.equal((await seen(buyer, asked.id)).comment, 'Fine')
})

test('nobody decides about their own request, beyond their own limit, without the role, or for another company', async () => {
  const company = await newCompany()
  const [admin, approver, buyer] = [await join(company, 'admin'), await join(company, 'approver'), await join(company, 'buyer')]
  must(await limit(admin, approver, { perOrder: 150 }))
  const own = must(await ask(approver, await draft(approver, 3))).id
  assert.equal(reason(await decide(approver, own, true, 300_00)), 'own-request')
  must(await limit(admin, buyer, { perOrder: 10 }))
  const small = must(await ask(buyer, await draft(buyer, 1))).id
  const large = must(await ask(buyer, await draft(buyer, 2))).id
  assert.equal(reason(await decide(approver, large, true, 200_00)), 'not-yours-to-decide', 'the approver’s own limit is 150')
  assert.equal(reason(await decide(buyer, small, true, 100_00)), 'unknown-approval')
  const rival = await join(await newCompany(), 'admin')
  assert.equal(reason(await decide(rival, small, true, 100_00)), 'unknown-approval')
  assert.equal(await showApproval(rival.scope(), small), null)
  const other = await join(company, 'buyer')
  assert.equal(await showApproval(other.scope(), small), null)
  assert.deepEqual((await listApprovals(other.scope())).length, 0)
  const token = await tokenTo(approver)
  await pool.query('update accounts.membership set ended_at = now() where customer_id = $1', [approver.principal.id])
  assert.equal(await showApprovalByToken(database.scope({ mode: 'b2b' }), token), null, 'the link ends with the membership')
  const stranger = newBuyer(database, { mode: 'b2b' })
  const byLink = await stranger.does((scope) => decideApprovalByToken(scope, token, { isApproved: true, comment: '', agreedTotal: 100_00 }))
  assert.equal(reason(byLink), 'not-yours-to-decide')
  assert.equal(reason(await decide(admin, small, true, 100_00)), 'ok')
})

test('of more than fifty requests each is on one page, those that wait first; buyers count and list their own', async () => {
  const company = await newCompany()
  const [admin, buyer, other] = [await join(company, 'admin'), await join(company, 'buyer'), await join(company, 'buyer')]
  must(await limit(admin, buyer, { perOrder: 10 }))
  const { id } = must(await ask(buyer, await draft(buyer, 1)))
  const copies = (customerId: string, state: string, expires: string, most: number) =>
    pool.query(
      `insert into purchasing.approval (id, customer_order_id, company_id, customer_id, market, origin, pay_by, state, total, currency, limits, proposal,
         requested_at, expires_at, decided_at)
       select gen_random_uuid(), gen_random_uuid()::text, company_id, $2, market, origin, pay_by, $3, total, currency, limits, proposal,
         requested_at + n * interval '1 minute', now() + $4::interval, case when $3 <> 'pending' then now() end from purchasing.approval, generate_series(1, $5::int) n where id = $1`,
      [id, customerId, state, expires, most],
    )
  await copies(buyer.principal.id, 'withdrawn', '1 day', 60)
  await copies(other.principal.id, 'withdrawn', '1 day', 5)
  await copies(other.principal.id, 'pending', '-1 minute', 1)
  const pages = await Promise.all([1, 2, 3, 0].map((page) => listApprovals(admin.scope(), null, page)))
  assert.deepEqual(
    pages.map(({ length }) => length),
    [50, 17, 0, 0],
  )
  assert.equal(new Set(pages.flat().map((row) => row.id)).size, 67)
  assert.ok(pages[0]?.slice(0, 2).some((row) => row.id === id && row.state === 'pending'))
  assert.deepEqual(await countListed(admin.scope(), null), { total: 67, pages: 2 })
  assert.deepEqual(await countListed(buyer.scope(), null), { total: 61, pages: 2 })
  assert.deepEqual(
    (await listApprovals(admin.scope(), 'pending')).map((row) => row.id),
    [id],
    'one beyond its time waits no longer',
  )
  assert.deepEqual(await countListed(admin.scope(), 'pending'), { total: 1, pages: 1 })
  const expired = await listApprovals(admin.scope(), 'expired')
  assert.deepEqual(
    expired.map(({ state }) => state),
    ['expired'],
    'it has expired, whenever that is noted',
  )
  assert.deepEqual(await countListed(admin.scope(), 'expired'), { total: 1, pages: 1 })
  assert.deepEqual(await countListed({ ...admin.scope(), market: 'fr' }, null), { total: 0, pages: 1 })
})

test('a price that changed is shown and asked again; goods that are gone cannot be approved', async () => {
  await addOffer(database, { id: '7005', price: 100_00, proPrice: 100_00, stock: 5 })
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  must(await limit(admin, buyer, { perOrder: 10 }))
  const id = must(await ask(buyer, await draftOrder(buyer, [{ offerId: '7005', quantity: 2 }]))).id
  await writePrices(db, [{ offerId: '7005', price: 110_00, proPrice: 110_00 }])
  const changed = await seen(admin, id)
  assert.deepEqual([changed.isChanged, changed.totalNow?.amount, changed.lines[0]?.newPrice?.amount], [true, 220_00, 110_00])
  assert.equal(reason(await decide(admin, id, true, 200_00)), 'proposal-changed')
  await pool.query('update catalogue.offer set stock = 1 where id = 7005')
  assert.equal((await seen(admin, id)).lines[0]?.isGone, true)
  assert.notEqual(reason(await decide(admin, id, true, (await seen(admin, id)).totalNow?.amount)), 'ok')
  await pool.query('update catalogue.offer set stock = 5 where id = 7005')
  assert.equal(reason(await decide(admin, id, true, 220_00)), 'ok')
})

test('an order approved for a card is placed by its buyer; it and a refused, withdrawn or expired one give their budget and goods back', async () => {
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  must(await limit(admin, buyer, { monthly: 150 }))
  const orderId = await draft(buyer, 2)
  const id = must(await ask(buyer, orderId, 'card')).id
  assert.equal(reason(await decide(admin, id, true, 200_00)), 'ok')
  assert.equal((await readOrder(db, orderId))?.state, 'draft')
  const first = must(await buyer.does((scope) => orderApproved(scope, id, randomUUID())))
  assert.deepEqual([first.orderId, (await readOrder(db, orderId))?.state, await spent(company.id)], [orderId, 'awaiting-payment', 200_00])
  // The hold ends: the budget is free again.
  await pool.query(`update orders.customer_order set holds_until = now() - interval '1 hour' where id = $1`, [orderId])
  await database.command({}, (scope) => endHold(scope, orderId))
  assert.equal(await spent(company.id), 0)
  const inCart = async () => (await readCart(db, `c:${buyer.principal.id}:pro`, 'gb')).lines.map(({ quantity }) => quantity)
  assert.equal(reason(await buyer.does((scope) => returnToCart(scope, id))), 'ok')
  assert.deepEqual(await inCart(), [2])
  const refused = must(await ask(buyer, await draft(buyer, 3))).id
  assert.deepEqual(await inCart(), [])
  assert.equal(reason(await decide(admin, refused, false)), 'ok')
  assert.equal(reason(await buyer.does((scope) => returnToCart(scope, refused))), 'ok')
  assert.deepEqual(await inCart(), [5])
  const late = must(await ask(buyer, await draft(buyer, 1))).id
  await pool.query(`update purchasing.approval set expires_at = now() - interval '1 minute' where id = $1`, [late])
  assert.equal(reason(await decide(admin, late, true, 400_00)), 'already-decided')
  for (const { run } of schedules) await database.command({}, run)
  assert.equal((await seen(buyer, late)).state, 'expired')
})

test('a refund frees the budget, and the report counts what remains by month, category and member', async () => {
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  const orderId = await draft(buyer, 2)
  must(await place(buyer, orderId))
  const report = async (by: 'member' | 'category' | 'site') => {
    const spending = await showSpending(admin.scope(), by)
    return spending?.rows.map(({ name, total, amounts }) => [name, total.amount, amounts.at(-1)?.amount])
  }
  assert.deepEqual(await report('member'), [['Ann Lee', 200_00, 200_00]])
  assert.deepEqual(await report('category'), [['Tools', 200_00, 200_00]])
  assert.deepEqual(await report('site'), [[null, 200_00, 200_00]])
  await pool.query(
    `insert into refunds.refund (id, number, key, customer_order_id, seller_order_id, payment_id, cause, state, amount, currency, market, borne_by)
     select gen_random_uuid(), 990001, 'r-1', $1, $1 || '-1', id, 'return', 'done', 5000, 'GBP', 'gb', 'seller' from payments.payment where customer_order_id = $1`,
    [orderId],
  )
  await database.command({}, async (scope) =>
    scope.emit('refund.requested', { refundId: 'r-1', customerOrderId: orderId, sellerOrderId: `${orderId}-1` }),
  )
  await runWork(database, purchasingJobs.handlers, [])
  assert.equal(await spent(company.id), 150_00)
  assert.deepEqual(await report('category'), [['Tools', 150_00, 150_00]])
})

test('a partial return is taken off the category of what came back, also of refunds from before categories were kept with them, or handled by that release', async () => {
  await addOffer(database, { id: '7020', price: 100_00, proPrice: 100_00, categoryId: 20 })
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  const orderId = await draftOrder(buyer, [
    { offerId: '7001', quantity: 1 },
    { offerId: '7020', quantity: 2 },
  ])
  must(await place(buyer, orderId))
  const report = async () => (await showSpending(admin.scope(), 'category'))?.rows.map(({ name, total }) => [name, total.amount])
  const whole = [
    ['Building', 200_00],
    ['Tools', 100_00],
  ]
  assert.deepEqual(await report(), whole)
  await pool.query(
    `with added as (insert into refunds.refund (id, number, key, customer_order_id, seller_order_id, payment_id, cause, state, amount, currency, market, borne_by)
       select gen_random_uuid(), 990002, 'r-2', $1, $1 || '-1', id, 'return', 'done', 10000, 'GBP', 'gb', 'seller' from payments.payment where customer_order_id = $1
       returning id)
     insert into refunds.line (refund_id, offer_id, quantity, goods, delivery) select id, 7001, 1, 10000, 0 from added`,
    [orderId],
  )
  await database.command({}, async (scope) =>
    scope.emit('refund.requested', { refundId: 'r-2', customerOrderId: orderId, sellerOrderId: `${orderId}-1` }),
  )
  await runWork(database, purchasingJobs.handlers, [])
  assert.deepEqual(await report(), [['Building', 200_00]])

  await pool.query(`update purchasing.spend set returned_goods = '[]' where customer_order_id = $1`, [orderId])
  const backfill = new URL('../purchasing/202611291206-returned-goods.backfill.sql', import.meta.url)
  const { rows } = await pool.query<{ key: string }>(await readFile(backfill, 'utf8'), [null, 1000])
  assert.ok(rows.some(({ key }) => key === orderId))
  assert.deepEqual(await report(), [['Building', 200_00]])

  // As the release before has done it while this one was being rolled out.
  await pool.query(`update purchasing.spend set returned = 0, returned_goods = '[]', returned_counted = 0 where customer_order_id = $1`, [
    orderId,
  ])
  await pool.query(`update purchasing.spend set returned = 10000 where customer_order_id = $1`, [orderId])
  assert.notDeepEqual(await report(), [['Building', 200_00]])
  for (const { run } of purchasingJobs.schedules) await database.command({}, run)
  assert.deepEqual(await report(), [['Building', 200_00]])
})

test('a company that spends more than an Int holds in a month reads its report and budgets, and its limits apply', async () => {
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  must(await limit(admin, buyer, { monthly: 10_000_000 }))
  for (const _ of [1, 2]) {
    const id = await draft(buyer, 1)
    must(await place(buyer, id))
    await pool.query(`update orders.customer_order set state = 'paid', paid_at = now() where id = $1`, [id])
    await pool.query(`update cart.cart set owner = gen_random_uuid()::text where owner = $1`, [`c:${buyer.principal.id}:pro`])
  }
  const most = 2_147_483_647
  await pool.query(
    `update purchasing.spend set amount = $2, categories = jsonb_build_array(jsonb_build_object('category', 10, 'amount', $2::int)) where company_id = $1`,
    [company.id, most],
  )
  const see = async (query: string) => {
    const { data, errors } = await gateway.execute({ query, headers: { cookie: admin.cookie, host: 'pro.gb.localhost:3000' } })
    return structuredClone(errors ?? data)
  }
  for (const by of ['MEMBER', 'CATEGORY', 'SITE'])
    assert.deepEqual(
      await see(`{ companySpending(by: ${by}) { total { amount formatted } rows { total { amount } } } }`),
      { companySpending: { total: { amount: 2 * most, formatted: '£42,949,672.94' }, rows: [{ total: { amount: 2 * most } }] } },
      by,
    )
  const none = { used: { amount: 0 }, share: null }
  assert.deepEqual(await see('{ companyBudgets { budgets { used { amount } share } } }'), {
    companyBudgets: { budgets: [none, { used: { amount: 2 * most }, share: 1 }] },
  })
  assert.equal(reason(await place(buyer, await draft(buyer, 1))), 'approval-needed')
})

test('the report as CSV is for the roles that see spending, and a name is never a formula', async () => {
  const company = await newCompany()
  const [accountant, buyer] = [await join(company, 'accountant'), await join(company, 'buyer')]
  await pool.query(`update accounts.customer set name = '=1+1' where id = $1`, [buyer.principal.id])
  must(await place(buyer, await draft(buyer, 1)))
  const get = (who: Colleague, by: string) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const headers = { cookie: who.cookie, host: 'pro.gb.localhost:3000', 'sec-fetch-site': 'same-origin' }
      request(`${gateway.url}/api/v1/company/spending.csv?by=${by}`, { headers, agent: false }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode, text: body }), reject)
      })
        .on('error', reject)
        .end()
    })
  assert.equal((await get(buyer, 'member')).status, 401)
  assert.equal((await get(accountant, 'nothing')).status, 400)
  const { text: csv } = await get(accountant, 'member')
  assert.match(csv, /\r\n'=1\+1(?:,0\.00){11},100\.00,100\.00\r\n/)
})

test('V-22 an order to a pick-up point is approved with its point, which must still take it when it is decided and when it is ordered', async (t) => {
  const point: OfferedPoint = {
    id: 'p1',
    kind: 'shop',
    name: 'Harrow News',
    line1: '12 Church Lane',
    postcode: 'M1 7HN',
    city: 'Manchester',
    country: 'GB',
    latitude: 53.4,
    longitude: -2.2,
    openingHours: [],
    closures: [],
    distance: 0,
    isFull: false,
  }
  let found: OfferedPoint | null | 'silent' = point
  const find = () => (found === 'silent' ? Promise.reject(new Error('silent')) : Promise.resolve(found))
  usePointFinder({ find, near: () => Promise.reject(new Error('not asked')) })
  t.after(() => usePointFinder())
  const relay = { kind: 'relay', fee: 340, daysMin: 3, daysMax: 5 }
  await addOffer(database, { id: '7009', price: 100_00, proPrice: 100_00, stock: 50, delivery: [{ ...relay, kind: 'standard' }, relay] })
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  must(await limit(admin, buyer, { perOrder: 10 }))
  const drafted = async () => {
    const id = await draftOrder(buyer, [{ offerId: '7009', quantity: 1 }])
    must(await buyer.does((scope) => chooseCartDelivery(scope, [{ sellerId: 1, kind: 'relay' }])))
    return id
  }
  const points = [{ sellerId: 1, pointId: 'p1' }]
  const request = (customerOrderId: string, payBy: 'card' | 'invoice', named = points) =>
    buyer.does((scope) => requestApproval(scope, { customerOrderId, payBy, note: '', points: named }))
  const agree = async (id: string) => reason(await decide(admin, id, true, (await seen(admin, id)).totalNow?.amount))
  const pickedUpAt = async (orderId: string) => (await readOrder(db, orderId))?.sellerOrders[0]?.pickUpPoint?.id

  const byInvoice = await drafted()
  assert.equal(reason(await request(byInvoice, 'invoice', [])), 'pick-up-point-missing')
  for (const [now, refusal] of [
    [null, 'pick-up-point-gone'],
    [{ ...point, country: 'FR' }, 'pick-up-point-gone'],
    ['silent', 'pick-up-point-unconfirmed'],
  ] as const) {
    found = now
    assert.equal(reason(await request(byInvoice, 'invoice')), refusal)
  }
  found = point
  const { id } = must(await request(byInvoice, 'invoice'))
  const shown = await seen(admin, id)
  assert.deepEqual(
    shown.pickUpPoints.map(({ name }) => name),
    ['Harrow News'],
  )
  found = { ...point, isFull: true }
  assert.equal(await agree(id), 'pick-up-point-full')
  assert.equal((await seen(admin, id)).state, 'pending')
  found = point
  const byLink = { isApproved: true, comment: '', agreedTotal: shown.totalNow?.amount ?? null }
  const token = await tokenTo(admin)
  assert.equal(
    reason(await newBuyer(database, { market: 'gb', mode: 'b2b' }).does((scope) => decideApprovalByToken(scope, token, byLink))),
    'ok',
  )
  assert.equal(await pickedUpAt(byInvoice), 'p1')

  const byCard = await drafted()
  const other = must(await request(byCard, 'card')).id
  found = null
  assert.equal(await agree(other), 'pick-up-point-gone')
  found = point
  assert.equal(await agree(other), 'ok')
  found = null
  const order = () => buyer.does((scope) => orderApproved(scope, other, randomUUID()))
  assert.equal(reason(await order()), 'pick-up-point-gone')
  found = point
  must(await order())
  assert.equal(await pickedUpAt(byCard), 'p1')
  assert.equal(reason(await buyer.does((scope) => returnToCart(scope, other))), 'already-decided')

  // A point that has closed is exchanged by the buyer, while the request waits and once it is approved.
  const closed = must(await request(await drafted(), 'card')).id
  const kiosk = { ...point, id: 'p2', name: 'Mill Kiosk' }
  const exchange = (who: Buyer, pointId: string, sellerId = 1) =>
    who.does((scope) => exchangePoints(scope, closed, [{ sellerId, pointId }])).then(reason)
  assert.deepEqual((await seen(buyer, closed)).exchangeable, [{ sellerId: 1, seller: 'Seller 1', pointId: 'p1' }])
  assert.deepEqual((await seen(admin, closed)).exchangeable, [])
  for (const [now, refusal] of [
    [null, 'pick-up-point-gone'],
    [{ ...kiosk, isFull: true }, 'pick-up-point-full'],
    ['silent', 'pick-up-point-unconfirmed'],
  ] as const) {
    found = now
    assert.equal(await exchange(buyer, 'p2'), refusal)
  }
  found = kiosk
  assert.equal(await exchange(admin, 'p2'), 'unknown-approval')
  assert.equal(await exchange(buyer, 'p2', 2), 'pick-up-point-missing')
  assert.equal((await seen(buyer, closed)).exchangeable[0]?.pointId, 'p1')
  assert.equal(await exchange(buyer, 'p2'), 'ok')
  const pointNow = async () => (await seen(admin, closed)).pickUpPoints.map(({ name }) => name)
  assert.deepEqual(await pointNow(), ['Mill Kiosk'])
  assert.equal(await agree(closed), 'ok')
  found = { ...kiosk, id: 'p3', name: 'Late Locker' }
  assert.equal(await exchange(buyer, 'p3'), 'ok')
  assert.deepEqual(await pointNow(), ['Late Locker'])
  must(await buyer.does((scope) => orderApproved(scope, closed, randomUUID())))
  const { rows: sent } = await pool.query('select customer_order_id as id from purchasing.approval where id = $1', [closed])
  assert.equal(await pickedUpAt(sent[0]?.id), 'p3')
  assert.equal(await exchange(buyer, 'p2'), 'already-decided')
  found = point

  // An approved order that can no longer be placed returns to the cart.
  const stuck = must(await request(await drafted(), 'card')).id
  assert.equal(await agree(stuck), 'ok')
  const colleague = await join(company, 'buyer')
  assert.equal(reason(await colleague.does((scope) => returnToCart(scope, stuck))), 'unknown-approval')
  assert.equal(reason(await buyer.does((scope) => returnToCart(scope, stuck))), 'ok')
  assert.equal((await seen(buyer, stuck)).state, 'withdrawn')
  assert.deepEqual(
    (await readCart(db, `c:${buyer.principal.id}:pro`, 'gb')).lines.map(({ offerId, quantity }) => [offerId, quantity]),
    [['7009', 1]],
  )
  assert.equal(reason(await buyer.does((scope) => orderApproved(scope, stuck, randomUUID()))), 'unknown-order')
})

test('a cart can be filled while a request waits, and withdrawing it brings the goods back', async () => {
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  must(await limit(admin, buyer, { perOrder: 10 }))
  const id = must(await ask(buyer, await draft(buyer, 1))).id
  must(await buyer.does((scope) => addToCart(scope, { offerId: '7001', quantity: 4 })))
  assert.equal(reason(await buyer.does((scope) => returnToCart(scope, id))), 'ok')
  assert.deepEqual(
    (await readCart(db, `c:${buyer.principal.id}:pro`, 'gb')).lines.map(({ quantity }) => quantity),
    [5],
  )
  assert.equal((await seen(buyer, id)).state, 'withdrawn')
  assert.equal(reason(await decide(admin, id, true, 100_00)), 'already-decided')
})
