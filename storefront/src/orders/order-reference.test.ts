import assert from 'node:assert/strict'
import { test } from 'node:test'
import { order } from '../testing/goods.ts'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

const host = 'pro.gb.localhost'
const cookie = 'who=professional'
const base = order({ state: 'SHIPPED', isPaid: true, placedAt: '2026-11-20T10:00:00Z' })
const path = `/orders/customer-order/${base.id}/shipment/${base.sellerOrders[0]?.id}`
const reference = { purchaseOrder: 'PO 4711', costCentre: null, suggestedCostCentre: null, site: null, canChange: true }
const companySites = { sites: [], costCentres: [], isFree: true }
const data = { companySites, customerOrder: { ...base, shipments: [] }, refundsOfOrder: [], returnsOfOrder: [], orderReference: reference }

test('the page of a company’s order has a form for its references, which works without a script and says what is wrong', async () => {
  let refusal: object | null = null
  const sent: object[] = []
  const shop = await shopWith({ ...data, saveOrderReference: ({ input }: { input: object }) => (sent.push({ ...input }), { refusal }) })
  try {
    const shown = await shop.ask(path, { cookie, host })
    assert.match(shown.body, /name="purchaseOrder"[^>]*value="PO 4711"|value="PO 4711"[^>]*name="purchaseOrder"/)
    const form = { do: 'refer', purchaseOrder: 'PO 4712', costCentre: 'Roofs' }
    const saved = await shop.ask(path, { cookie, host, form })
    assert.deepEqual([saved.status, saved.headers['location']], [303, path])
    assert.match(String(saved.headers['set-cookie']), /order-reference-saved/)
    assert.deepEqual(sent, [{ purchaseOrder: 'PO 4712', costCentre: 'Roofs' }])
    refusal = { reason: 'input-invalid', message: 'No.', fields: [{ field: 'costCentre', message: 'At most 40 characters.' }] }
    const refused = await shop.ask(path, { cookie, host, form })
    assert.equal(refused.status, 422)
    assert.ok(textOf(refused.body).includes('At most 40 characters.'))
    assert.match(refused.body, /PO 4712/)
    assert.equal((await shop.ask(path, { cookie, host, form: { ...form, purchaseOrder: 'x'.repeat(41) } })).status, 422)
  } finally {
    await shop.close()
  }
})

test('a company that allows its list only chooses from it; what the order has stays a choice, archived or not', async () => {
  const centre = (code: string, isArchived: boolean) => ({ id: code, code, name: '', isArchived })
  const companySites = { sites: [], costCentres: [centre('C-100', false), centre('C-OLD', true)], isFree: false }
  const shown = async (own: string | null, isFree = false) =>
    (
      await pageOf({ ...data, companySites: { ...companySites, isFree }, orderReference: { ...reference, costCentre: own } }, path, {
        cookie,
        host,
      })
    ).body
  const select = /<select[^>]*name="costCentre"[\s\S]*?<\/select>/
  const codes = (body: string) => [...(select.exec(body)?.[0] ?? '').matchAll(/value="([^"]*)"/g)].map(([, value]) => value)
  assert.deepEqual(codes(await shown(null)), ['', 'C-100'])
  assert.deepEqual(codes(await shown('C-OLD')), ['', 'C-100', 'C-OLD'])
  assert.match(await shown('C-OLD'), /<option value="C-OLD" selected/)
  assert.match(await shown(null, true), /<input[^>]*name="costCentre"/)
})

test('references that an approval holds are refused with the reason, and are no longer a form', async () => {
  const message = 'The approval is for this order as it is.'
  for (const purchaseOrder of ['PO 4711', null]) {
    const held = { ...data, orderReference: { ...reference, purchaseOrder, canChange: false } }
    const shop = await shopWith({ ...held, saveOrderReference: { refusal: { reason: 'awaits-approval', message, fields: [] } } })
    const { status, body } = await shop.ask(path, { cookie, host, form: { do: 'refer', purchaseOrder: 'PO 4712', costCentre: '' } })
    assert.ok(status >= 409, String(status))
    assert.match(
      body,
      /<h2 id="references">[^<]*<\/h2><div[^>]*role="alert" tabindex="-1" autofocus[^]*?The approval is for this order as it is/i,
    )
    assert.doesNotMatch(body, /name="purchaseOrder"/)
    await shop.close()
  }
})

test('whoever may not change the references reads them, and a consumer’s order has none', async () => {
  const reader = await pageOf({ ...data, orderReference: { ...reference, canChange: false } }, path, { cookie, host })
  assert.ok(textOf(reader.body).includes('PO 4711'))
  assert.doesNotMatch(reader.body, /name="purchaseOrder"/)
  const consumer = await pageOf(data, path, { cookie: 'who=consumer' })
  assert.equal(consumer.status, 200)
  assert.ok(!textOf(consumer.body).includes('Purchase order number'))
})
