import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MemberRole } from '@purlin/contract/principal.ts'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../../people/accounts/testing.ts'
import { addOffer, fillShop } from '../../selling/checkout/testing.ts'
import { brokenRules } from './en16931-rules.ts'
import { facturX } from './factur-x.ts'
import { describeInvoice } from './invoice-text.ts'
import { issueInvoice } from './issue-invoice.ts'
import { modelOfCii, modelOfUbl } from './read-xml.ts'
import { paidOrder, sendAll } from './testing.ts'
import { ubl } from './ubl.ts'

const database = await testDatabase()
const { db } = database
await fillShop(database)
await addOffer(database, { id: '100', price: 1299 })
const gateway = await testGateway(database.pool)
const company = await addCompany(db)

async function member(role: MemberRole, of = company) {
  const customer = await addCustomer(db)
  await addMembership(db, customer.id, of.id, role)
  const { token } = await signIn(db, { customerId: customer.id, companyId: of.id })
  const principal = { ...customer, kind: 'member', role, company: of } as const
  return { principal, cookie: `__Host-purlin=${token}` }
}
const buyer = await member('buyer')
const order = async (who = buyer) => (await paidOrder(database, [{ offerId: '100', quantity: 2 }], { principal: who.principal })).orderId

interface Data {
  result: { refusal: { reason: string; fields: { field: string }[] } | null } | null
  reference: { purchaseOrder: string | null; costCentre: string | null; canChange: boolean } | null
}
async function ask(query: string, id: string, cookie: string, input?: object): Promise<{ status: number; data: Data | null }> {
  const { status, body } = await gateway.post(query, { id, ...(input && { input }) }, { cookie })
  return { status, data: (body as { data: Data | null }).data }
}
const refer = (id: string, cookie: string, input: object) =>
  ask(
    'mutation ($id: ID!, $input: OrderReferenceInput!) { result: saveOrderReference(customerOrderId: $id, input: $input) { refusal { reason fields { field } } } }',
    id,
    cookie,
    input,
  )
const see = async (id: string, cookie: string) =>
  (await ask('query ($id: ID!) { reference: orderReference(customerOrderId: $id) { purchaseOrder costCentre canChange } }', id, cookie))
    .data?.reference

test('a company’s purchase-order number and cost centre are kept with its order, and are changed by its buyer, approvers and admins alone', async () => {
  const id = await order()
  assert.deepEqual((await refer(id, buyer.cookie, { purchaseOrder: '  PO 4711 ', costCentre: 'Site 12' })).data?.result, { refusal: null })
  assert.deepEqual({ ...(await see(id, buyer.cookie)) }, { purchaseOrder: 'PO 4711', costCentre: 'Site 12', canChange: true })
  for (const role of ['admin', 'approver'] as const) {
    const colleague = await member(role)
    const seen = await see(id, colleague.cookie)
    assert.deepEqual([seen?.costCentre, seen?.canChange], ['Site 12', true], role)
    assert.equal((await refer(id, colleague.cookie, { purchaseOrder: 'PO 4712', costCentre: 'Site 12' })).data?.result?.refusal, null, role)
  }
  const strangers = { 'another buyer': await member('buyer'), 'another company': await member('admin', await addCompany(db)) }
  for (const [name, { cookie }] of Object.entries(strangers)) {
    assert.equal(await see(id, cookie), null, name)
    assert.equal((await refer(id, cookie, { purchaseOrder: 'mine' })).data?.result?.refusal?.reason, 'unknown-order', name)
  }
  const customer = await addCustomer(db)
  const { token } = await signIn(db, { customerId: customer.id })
  assert.equal((await refer(id, `__Host-purlin=${token}`, { purchaseOrder: 'mine' })).data?.result ?? null, null)
  assert.equal((await see(id, buyer.cookie))?.purchaseOrder, 'PO 4712')
})

test('what is too long or no line of text is refused at its field; empty fields take the reference away', async () => {
  const id = await order()
  const refused = await refer(id, buyer.cookie, { purchaseOrder: 'x'.repeat(41), costCentre: 'a\u0007b' })
  assert.deepEqual(
    refused.data?.result?.refusal?.fields.map(({ field }) => field),
    ['purchaseOrder', 'costCentre'],
  )
  assert.equal((await refer(id, buyer.cookie, { purchaseOrder: 'PO 1' })).data?.result?.refusal, null)
  assert.equal((await refer(id, buyer.cookie, { purchaseOrder: ' ' })).data?.result?.refusal, null)
  assert.deepEqual({ ...(await see(id, buyer.cookie)) }, { purchaseOrder: null, costCentre: null, canChange: true })
})

test('the invoice names them as BT-13 and BT-10 in both syntaxes and on paper, as they were when it was issued', async () => {
  const id = await order()
  await refer(id, buyer.cookie, { purchaseOrder: 'PO <4711>', costCentre: 'Site 12' })
  await sendAll(database, id)
  const invoice = await database.command({}, (scope) => issueInvoice(scope, { customerOrderId: id, sellerOrderId: `${id}-1` }))
  assert.ok(invoice)
  const { document } = invoice
  assert.match(
    ubl(document),
    new RegExp(
      `<cbc:BuyerReference>Site 12</cbc:BuyerReference><cac:OrderReference><cbc:ID>PO &lt;4711&gt;</cbc:ID><cbc:SalesOrderID>${id}</cbc:SalesOrderID>`,
    ),
  )
  assert.match(facturX(document), /<ram:ApplicableHeaderTradeAgreement><ram:BuyerReference>Site 12</)
  assert.match(
    facturX(document),
    new RegExp(
      `<ram:SellerOrderReferencedDocument><ram:IssuerAssignedID>${id}</ram:IssuerAssignedID></ram:SellerOrderReferencedDocument><ram:BuyerOrderReferencedDocument><ram:IssuerAssignedID>PO &lt;4711&gt;<`,
    ),
  )
  assert.deepEqual(brokenRules(modelOfCii(facturX(document))), [])
  assert.deepEqual(modelOfUbl(ubl(document)), modelOfCii(facturX(document)))
  const facts = Object.fromEntries(describeInvoice(document).facts)
  assert.deepEqual([facts['Purchase order number'], facts['Cost centre']], ['PO <4711>', 'Site 12'])
})
