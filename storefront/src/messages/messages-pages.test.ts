import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

const cookie = 'who=consumer'
const orderId = 'P0000000000000001-7'
const summary = (more: object = {}) => ({
  orderId,
  customerOrderId: 'P0000000000000001',
  sellerName: 'Nordwerk',
  title: 'Cordless drill',
  imageUrl: '/pictures/p/1/main.svg',
  lineCount: 3,
  topic: 'delivery',
  lastAt: '2026-11-20T10:00:00Z',
  lastAuthor: 'seller',
  preview: 'It left our warehouse today.',
  unread: 2,
  answerDueAt: null,
  ...more,
})
const list = (more: object = {}) => ({ conversations: [summary()], total: 1, unread: 1, page: 1, pages: 1, ...more })
const message = (seq: number, author: string, more: object = {}) => ({
  id: `m${seq}`,
  seq,
  author,
  body: `Text ${seq}`,
  isMasked: false,
  isUnread: false,
  at: '2026-11-20T10:00:00Z',
  files: [],
  rating: null,
  ...more,
})
const conversation = (more: object = {}) => ({
  ...summary(),
  viewer: 'buyer',
  isAnswerLate: false,
  lastSeq: 2,
  hasOlder: false,
  messages: [
    message(1, 'buyer'),
    message(2, 'seller', { isUnread: true, files: [{ id: 'f', name: 'label.pdf', url: '/api/v1/conversations/x/files/f' }] }),
  ],
  quickReplies: [{ id: 'thanks', text: 'Thank you for your answer.' }],
  ...more,
})
const address = `/my-messages/conversation/${orderId}`

test('R-101 R-226 the message list shows each conversation with its seller, goods, last words and number of new messages', async () => {
  const { status, body } = await pageOf({ conversations: list() }, '/my-messages/page/1', { cookie })
  assert.equal(status, 200)
  const text = textOf(body)
  for (const part of [
    'Your messages',
    '1 conversation with new messages',
    'Nordwerk',
    '2 new messages',
    'Cordless drill and 2 more products',
    'It left our warehouse today.',
  ])
    assert.ok(text.includes(part), part)
  assert.ok(body.includes(`href="${address}#latest"`))
})

test('R-013 R-101 without conversations the page says how one begins; a page beyond the last is not found', async () => {
  const none = await pageOf({ conversations: list({ conversations: [], total: 0, unread: 0, pages: 0 }) }, '/my-messages/page/1', {
    cookie,
  })
  assert.ok(textOf(none.body).includes('No messages yet'))
  assert.match(none.body, /href="\/orders"/)
  const shop = await shopWith({ conversations: ({ page }: { page: number }) => list({ page, pages: 2 }) })
  try {
    assert.equal((await shop.ask('/my-messages/page/2', { cookie })).status, 200)
    for (const beyond of ['/my-messages/page/3', '/my-messages/page/0', '/my-messages/page/x'])
      assert.equal((await shop.ask(beyond, { cookie })).status, 404, beyond)
  } finally {
    await shop.close()
  }
})

test('R-101 R-102 signed-out visitors sign in first; a failing gateway is a failing page, not an empty one', async () => {
  for (const path of ['/my-messages/page/1', address]) {
    const reply = await pageOf({ conversations: list() }, path)
    assert.deepEqual([reply.status, reply.headers['location']], [302, `/login?callbackUrl=${encodeURIComponent(path)}`])
  }
  const broken = () => {
    throw new Error('down')
  }
  assert.equal((await pageOf({ conversations: broken }, '/my-messages/page/1', { cookie })).status, 500)
})

test('R-313 in place of a text that went with its author’s account the conversation says so, and offers no report of it', async () => {
  const { body } = await pageOf(
    { conversation: conversation({ messages: [message(1, 'buyer', { body: '' })], viewer: 'seller' }) },
    address,
    {
      cookie,
    },
  )
  assert.ok(textOf(body).includes('The text was deleted because its author’s account is closed.'))
  assert.ok(!body.includes('id="reason-1"'))
})

test('R-102 R-227 a conversation shows who wrote what and when, its files, the answer form and quick replies; opening it reads it', async () => {
  const shop = await shopWith({ conversation: conversation(), markConversationRead: true })
  try {
    const { status, body } = await shop.ask(address, { cookie })
    assert.equal(status, 200)
    const text = textOf(body)
    for (const part of [
      'Conversation with Nordwerk',
      'You',
      'Text 1',
      'Text 2',
      'New',
      'label.pdf',
      'Thank you for your answer.',
      'How helpful was this answer?',
    ])
      assert.ok(text.includes(part), part)
    assert.ok(!body.includes('name="topic"'), 'the topic is asked once')
    assert.deepEqual(shop.asked.at(-1), { orderId, upTo: 2 })
  } finally {
    await shop.close()
  }
})

test('R-102 the first message asks for its topic; an expected answer has a date, a late one a warning', async () => {
  const page = async (more: object) => (await pageOf({ conversation: conversation(more) }, address, { cookie })).body
  const first = await page({ topic: null, messages: [], lastSeq: 0 })
  assert.match(first, /name="topic"/)
  assert.ok(textOf(first).includes('Nothing has been written about this order yet.'))
  const read = [message(1, 'buyer')]
  assert.ok(
    textOf(await page({ messages: read, answerDueAt: '2026-11-24T10:00:00Z' })).includes(
      'Nordwerk answers by 24 November 2026 at the latest.',
    ),
  )
  assert.ok(
    textOf(await page({ messages: read, answerDueAt: '2026-11-24T10:00:00Z', isAnswerLate: true })).includes('has not answered in time'),
  )
})

test('R-102 another’s conversation and an unknown one are not found', async () => {
  assert.equal((await pageOf({ conversation: null }, address, { cookie })).status, 404)
})

test('R-102 a message is sent without a script; a refusal keeps what was typed', async () => {
  const shop = await shopWith({
    conversation: conversation({ messages: [message(1, 'buyer')] }),
    writeMessage: ({ input }: { input: { text: string | null } }) =>
      input.text === 'No'
        ? { isMasked: null, refusal: { reason: 'x', message: 'Please wait.', fields: [] } }
        : { isMasked: input.text === 'Call me', refusal: null },
  })
  try {
    const sent = await shop.ask(address, { cookie, form: { do: 'write', text: 'Hello' } })
    assert.deepEqual([sent.status, sent.headers['location']], [303, `${address}#latest`])
    assert.deepEqual(shop.asked.at(-1), { orderId, input: { text: 'Hello', topic: null, attachments: [] } })
    assert.match(String(sent.headers['set-cookie']), /seller-message-sent/)
    const masked = await shop.ask(address, { cookie, form: { do: 'write', text: 'Call me' } })
    assert.match(String(masked.headers['set-cookie']), /seller-message-masked/)
    await shop.ask(address, { cookie, form: { do: 'quick', quickReply: 'thanks' } })
    assert.deepEqual(shop.asked.at(-1), { orderId, input: { quickReply: 'thanks' } })
    const refused = await shop.ask(address, { cookie, form: { do: 'write', text: 'No' } })
    assert.equal(refused.status, 422)
    assert.match(refused.body, /<form[^>]*id="write"[^>]*><div[^>]*role="alert".*Please wait\..*>No<\/textarea>/s, 'where the page opens')
    assert.equal(refused.body.match(/Please wait\./g)?.length, 1)
  } finally {
    await shop.close()
  }
})

test('rating an answer leads to its confirmation, which thanks and leads back', async () => {
  const shop = await shopWith({ conversation: conversation(), rateAnswer: { refusal: null } })
  try {
    const rated = await shop.ask(address, { cookie, form: { do: 'rate', seq: '2', stars: '4' } })
    assert.deepEqual([rated.status, rated.headers['location']], [303, '/seller-messages-review/confirmation'])
    assert.deepEqual(shop.asked.at(-1), { input: { orderId, seq: 2, stars: 4 } })
    const thanks = await shop.ask('/seller-messages-review/confirmation')
    assert.equal(thanks.status, 200)
    assert.ok(textOf(thanks.body).includes('Thank you for your rating'))
  } finally {
    await shop.close()
  }
})
