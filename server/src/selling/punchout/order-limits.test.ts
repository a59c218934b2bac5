import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { addToCart, loadPricedCart } from '#cart'
import { forgetSwitches, setFlag } from '#flags'
import { readOrder } from '#orders'
import { testDatabase } from '#platform/testing'
import type { CreditProviderServer } from '../../../../services/src/credit-provider/index.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { writeQuotedPrices } from '../../goods/conditions/quoted-prices.ts'
import { decideApproval, orderApproved } from '../checkout/decide-approval.ts'
import { reopenOrder } from '../checkout/reopen-order.ts'
import { showApproval } from '../checkout/show-approval.ts'
import { addOffer, addresses, companiesIn, draftOrder, fillShop, must, place, type Colleague } from '../checkout/testing.ts'
import { testCredit } from '../credit/testing.ts'
import type { BudgetKind } from '../purchasing/budget.ts'
import { setBudget } from '../purchasing/manage-budgets.ts'
import { createCredential } from './manage-credentials.ts'
import { cxmlCaller, cxmlDocument, cxmlItem, cxmlOrder, orderIdIn, type OrderedTo } from './testing.ts'

/** Orders of purchasing systems against the budgets of their companies, and those that wait for an approval. */

const database = await testDatabase()
const { db, pool } = database
const gateway = await testGateway(pool)
const call = cxmlCaller(gateway)
const { newCompany, join } = companiesIn(database)
const price = 120_00
let credit: CreditProviderServer

before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '8101', price, proPrice: price, stock: 100_000 })
  await database.command({}, (scope) => setFlag(scope, { market: '*', mode: 'b2b' }, 'pepePdpB2bBnpl', true))
  forgetSwitches()
  credit = await testCredit(gateway.url)
  channel('purlin:job').publish({})
})
after(() => credit.close())

let companies = 0
interface Sender {
  identity: string
  secret: string
}
const credentialOf = async (admin: Colleague, member: Colleague): Promise<Sender> =>
  must(await admin.does((scope) => createCredential(scope, { name: 'SAP', protocol: 'cxml', memberId: member.principal.id })))
/** Sends an order, again while the shop asks for that, as purchasing systems do. */
async function send({ identity, secret }: Sender, number: string, items: string, { ip, ...to }: OrderedTo & { ip?: string } = {}) {
  const document = cxmlDocument(identity, secret, cxmlOrder(number, items, to))
  for (let tries = 1; ; tries++) {
    const answer = await call(document, ip)
    if (tries === 5 || !answer.body.includes('Send the same document again')) return answer
  }
}

/** A company whose orders are charged to one budget, which it has spent nothing of, with the credentials of its members. */
async function budgeted(kind: BudgetKind, pieces: number, senders: number) {
  const company = await newCompany()
  const admin = await join(company, 'admin')
  const ip = `198.51.100.${++companies}`
  const members = await Promise.all(Array.from({ length: kind === 'member' ? 1 : senders }, () => join(company, 'buyer')))
  const credentials: Sender[] = []
  for (let index = 0; index < senders; index++)
    credentials.push(await credentialOf(admin, members[index % members.length] ?? assert.fail()))
  const insert =
    kind === 'site'
      ? `insert into companies.site (id, company_id, name, address) values (gen_random_uuid(), $1, 'Roof', $2) returning id`
      : `insert into companies.cost_centre (id, company_id, code, name) values (gen_random_uuid(), $1, 'C-1', $2) returning id`
  const { rows } = await pool.query<{ id: string }>(insert, [
    company.id,
    kind === 'site' ? JSON.stringify({ ...addresses.gb, country: 'GB' }) : '',
  ])
  const subjectId = kind === 'member' ? (members[0]?.principal.id ?? '') : (rows[0]?.id ?? '')
  must(await admin.does((scope) => setBudget(scope, { kind, subjectId, monthly: (pieces * price) / 100, perOrder: null })))
  const to = { ...(kind === 'site' && { site: 'Roof' }), ...(kind === 'cost-centre' && { costCentre: 'C-1' }), ip }
  return { company, admin, members, credentials, to }
}

const spentBy = async (companyId: string): Promise<Map<string, number>> => {
  const { rows } = await pool.query<{ id: string; amount: number }>(
    'select customer_order_id as id, amount from purchasing.spend where company_id = $1',
    [companyId],
  )
  return new Map(rows.map(({ id, amount }) => [id, amount]))
}

for (const kind of ['member', 'cost-centre', 'site'] as const)
  test(`ten orders of purchasing systems at once never exceed the budget of their ${kind}: the others wait for an approval`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 10, maxLength: 10 }),
        fc.integer({ min: 1, max: 24 }),
        async (quantities, pieces) => {
          const { company, credentials, to } = await budgeted(kind, pieces, 10)
          const sent = await Promise.all(
            quantities.map((quantity, index) => send(credentials[index] ?? assert.fail(), `${index}`, cxmlItem('8101', quantity), to)),
          )
          const spent = await spentBy(company.id)
          const placed = [...spent.values()].reduce((sum, amount) => sum + amount, 0)
          const room = pieces * price
          assert.ok(placed <= room, `${placed} of ${room}`)
          for (const [index, { code, body }] of sent.entries()) {
            const [id, amount] = [orderIdIn(body), (quantities[index] ?? 0) * price]
            assert.equal(code, 201, body)
            const isPlaced = !body.includes('waits for an approval')
            assert.equal(spent.get(id), isPlaced ? amount : undefined, 'what is placed is charged, and nothing else')
            assert.equal((await readOrder(db, id))?.state, isPlaced ? 'awaiting-payment' : 'draft')
            if (!isPlaced) assert.ok(amount > room - placed, `${amount} waits, and ${room - placed} were left`)
          }
        },
      ),
      { numRuns: 6 },
    )
  })

test('members in the shop and purchasing systems that order at once are held to one budget together', async () => {
  for (let round = 0; round < 4; round++) {
    const { company, admin, credentials, to } = await budgeted('cost-centre', 4, 5)
    const inShop = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const buyer = await join(company, 'buyer')
        const id = await draftOrder(buyer, [{ offerId: '8101', quantity: 1 }])
        await pool.query(`insert into purchasing.order_reference (customer_order_id, cost_centre, changed_by) values ($1, 'C-1', $2)`, [
          id,
          admin.principal.id,
        ])
        return { buyer, id }
      }),
    )
    await Promise.all([
      ...inShop.map(({ buyer, id }) => place(buyer, id)),
      ...credentials.map((sender, index) => send(sender, `${index}`, cxmlItem('8101', 1), to)),
    ])
    assert.equal((await spentBy(company.id)).size, 4, 'the budget is used to the end, and no further')
  }
})

test('an order that waits for an approval has the price of the purchasing system for everybody, and leaves the member’s own quote', async () => {
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  must(await admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: buyer.principal.id, monthly: null, perOrder: 150 })))
  await writeQuotedPrices(db, {
    quoteId: '0198c0de-0000-7000-8000-0000000000bb',
    sellerId: 1,
    customerId: buyer.principal.id,
    companyId: company.id,
    market: 'gb',
    delivery: 0,
    validUntil: new Date('2027-12-31T00:00:00Z'),
    lines: [{ offerId: '8101', quantity: 2, price: 96_00 }],
  })
  const announced = 2 * price
  const waiting = await send(await credentialOf(admin, buyer), '4700001', cxmlItem('8101', 2))
  assert.equal(waiting.code, 201, waiting.body)
  const { rows } = await pool.query<{ id: string }>('select id from purchasing.approval where company_id = $1', [company.id])
  const approvalId = rows[0]?.id ?? ''
  for (const viewer of [admin, buyer]) {
    const shown = await showApproval(viewer.scope(), approvalId)
    assert.deepEqual(
      [shown?.total.amount, shown?.totalNow?.amount, shown?.isChanged, shown?.lines.map(({ newPrice }) => newPrice)],
      [announced, announced, false, [null]],
    )
  }
  const decide = (agreedTotal: number) =>
    admin.does((scope) => decideApproval(scope, approvalId, { isApproved: true, comment: '', agreedTotal }))
  assert.deepEqual(await decide(192_00), { ok: false, reason: 'proposal-changed' }, 'the quoted price is not what is ordered')
  must(await decide(announced))
  const id = orderIdIn(waiting.body)
  const placed = await readOrder(db, id)
  assert.deepEqual([placed?.state, placed?.total], ['awaiting-payment', announced])
  const payment = await pool.query('select amount, method from payments.payment where customer_order_id = $1', [id])
  assert.deepEqual(payment.rows, [{ amount: announced, method: 'invoice' }])
  const quotes = await pool.query('select order_id from conditions.quoted_price where customer_id = $1', [buyer.principal.id])
  assert.deepEqual(quotes.rows, [{ order_id: null }])

  // Not paid by invoice after all, the member orders what was approved by card.
  must(await buyer.does((scope) => reopenOrder(scope, id)))
  must(await buyer.does((scope) => orderApproved(scope, approvalId, randomUUID())))
  assert.equal((await readOrder(db, id))?.total, announced)

  must(await buyer.does((scope) => addToCart(scope, { offerId: '8101', quantity: 2 })))
  assert.equal((await loadPricedCart(buyer.scope())).sellers[0]?.lines[0]?.total, 192_00, 'and it still counts in the shop')
})
