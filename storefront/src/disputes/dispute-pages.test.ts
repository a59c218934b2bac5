import assert from 'node:assert/strict'
import { test } from 'node:test'
import { money, order } from '../testing/goods.ts'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'
import { typedAmount } from './dispute-form.ts'

const cookie = 'who=consumer'
const placed = order({ state: 'PAID', isPaid: true })
const orderId = placed.sellerOrders[0]?.id ?? ''
const messageId = '00000000-0000-7000-8000-000000000001'
const at = `/online-support/${orderId}/dispute/${messageId}`
const dispute = (more: object = {}) => ({
  id: 'd1',
  number: '20001',
  orderId,
  messageId,
  sellerName: 'Nordwerk',
  reason: 'DAMAGED',
  wish: 'REFUND',
  state: 'OFFERED',
  isEnded: false,
  wanted: money(50),
  offered: money(15),
  decided: null,
  dueAt: '2026-11-27T10:00:00Z',
  refundId: null,
  moves: ['ADD', 'ACCEPT', 'REFUSE', 'WITHDRAW'],
  steps: [
    {
      position: 1,
      actor: 'BUYER',
      text: 'The buyer has opened it',
      note: 'It broke.',
      amount: money(50),
      files: [{ id: 'f', name: 'crack.jpg', url: '/api/v1/disputes/d1/files/f' }],
      at: '2026-11-23T10:00:00Z',
    },
    {
      position: 2,
      actor: 'SELLER',
      text: 'Nordwerk has made an offer',
      note: '',
      amount: money(15),
      files: [],
      at: '2026-11-24T10:00:00Z',
    },
  ],
  ...more,
})

test('R-236 an agreement on other goods or a repair leads to the return that carries it out; one on money or on missing goods does not', async () => {
  const leads = async (more: object) => {
    const agreed = dispute({ state: 'SETTLED', isEnded: true, offered: null, moves: [], dueAt: null, ...more })
    const { body } = await pageOf({ customerOrder: placed, dispute: agreed }, at, { cookie })
    return body.includes(`href="/return-request/${placed.id}/${orderId}"`)
  }
  assert.deepEqual(
    [
      await leads({ wish: 'REPAIR' }),
      await leads({ wish: 'REPLACEMENT' }),
      await leads({ wish: 'REPLACEMENT', reason: 'NOT_RECEIVED' }),
      await leads({ wish: 'REPAIR', offered: money(15) }),
      await leads({ wish: 'REFUND' }),
    ],
    [true, true, false, false, false],
  )
})

test('R-105 R-236 a message without a dispute shows the form: reason, wish and evidence', async () => {
  const { status, body } = await pageOf({ customerOrder: placed, dispute: null }, at, { cookie })
  assert.equal(status, 200)
  for (const name of ['reason', 'wish', 'amount', 'note', 'attachment']) assert.match(body, new RegExp(`name="${name}"`), name)
  assert.match(body, /enctype="multipart\/form-data"/i)
})

test('R-105 R-134 a dispute shows where it stands, what each side said, its deadline and what its buyer can do', async () => {
  const { body } = await pageOf({ customerOrder: placed, dispute: dispute() }, at, { cookie })
  const text = textOf(body)
  for (const part of [
    'Dispute 20001',
    'The seller has made an offer',
    'Until 27 November 2026',
    '£15.00',
    'It broke.',
    'crack.jpg',
    'Accept the offer',
    'Refuse the offer',
  ])
    assert.ok(text.includes(part), part)
  const closed = await pageOf(
    { customerOrder: placed, dispute: dispute({ state: 'CLOSED', moves: [], dueAt: null, refundId: 'r1' }) },
    at,
    { cookie },
  )
  assert.ok(!closed.body.includes('name="note"'))
  assert.match(closed.body, /href="\/refund\/form\/r1"/)
})

test('R-105 R-108 a dispute is opened without a script, and its success page says what happens next; a refusal stays on the page', async () => {
  const shop = await shopWith({
    customerOrder: placed,
    dispute: () => dispute({ state: 'OPEN' }),
    openDispute: ({ input }: { input: { note: string } }) => ({
      refusal: input.note === '' ? { reason: 'note-missing', message: 'Please say what happened.', fields: [] } : null,
    }),
    moveDispute: { refusal: null },
  })
  try {
    const form = { do: 'open', reason: 'DAMAGED', wish: 'PART_REFUND', amount: '12,50', note: 'It broke.' }
    const sent = await shop.ask(at, { cookie, form })
    assert.deepEqual([sent.status, sent.headers['location']], [303, `/online-support/dispute/${messageId}/success`])
    assert.deepEqual(shop.asked.at(-1), {
      input: { orderId, messageId, reason: 'DAMAGED', wish: 'PART_REFUND', amount: 1250, note: 'It broke.', attachments: [] },
    })
    const success = await shop.ask(`/online-support/dispute/${messageId}/success`, { cookie })
    assert.ok(textOf(success.body).includes('Nordwerk answers by 27 November 2026'))
    const refused = await shop.ask(at, { cookie, form: { ...form, note: '' } })
    assert.equal(refused.status, 422)
    assert.ok(textOf(refused.body).includes('Please say what happened.'))
    const moved = await shop.ask(at, { cookie, form: { do: 'ACCEPT', note: '' } })
    assert.deepEqual([moved.status, moved.headers['location']], [303, at])
    assert.deepEqual(shop.asked.at(-1), { input: { id: 'd1', action: 'ACCEPT', note: '', attachments: [] } })
  } finally {
    await shop.close()
  }
})

test('R-105 R-108 R-237 another’s dispute or order is not found; signed-out visitors sign in first', async () => {
  assert.equal((await pageOf({ customerOrder: null, dispute: null }, at, { cookie })).status, 404)
  assert.equal((await pageOf({ customerOrder: placed, dispute: dispute({ orderId: 'P1-9' }) }, at, { cookie })).status, 404)
  assert.equal((await pageOf({ customerOrder: placed, dispute: null }, at.replace(messageId, 'M1'), { cookie })).status, 404)
  const success = `/online-support/dispute/${messageId}/success`
  assert.equal((await pageOf({ dispute: null }, success, { cookie })).status, 404)
  for (const path of [at, success])
    assert.equal(
      (await pageOf({ customerOrder: placed, dispute: null }, path)).headers['location'],
      `/login?callbackUrl=${encodeURIComponent(path)}`,
    )
})

test('amounts are read as people type them', () => {
  for (const [typed, minor] of [
    ['12,50', 1250],
    ['12.5', 1250],
    ['1 200', 120000],
    ['€ 7', 700],
  ] as const)
    assert.equal(typedAmount(typed), minor, typed)
  for (const typed of ['', null, '-3', '1,2,3', 'ten', '1.234']) assert.equal(typedAmount(typed), null, String(typed))
})
