import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { addCompany, signIn } from '../../people/accounts/testing.ts'
import { insertUpload, settleUpload } from '../../people/uploads/store.ts'
import { chaseAnswers } from './chase-answers.ts'
import { limits } from './conversation.ts'
import {
  type Answer,
  type Person,
  ask,
  clerk,
  cookieOf,
  customer,
  database,
  db,
  gateway,
  isStaff,
  mails,
  markRead,
  operator,
  ordered,
  pool,
  sellerOne,
  sellerTwo,
  shown,
  unread,
  write,
} from './test-messages.ts'

test('R-133 a buyer writes about a seller order, the seller answers, and the buyer sees one unread conversation until it is read', async () => {
  const ann = await customer()
  const [part] = await ordered(ann)
  assert.deepEqual((await shown(ann.cookie, part))?.messages, [])
  assert.deepEqual(await write(ann.cookie, part, { text: 'When will it arrive?', topic: 'delivery' }), {
    seq: 1,
    isMasked: false,
    refusal: null,
  })
  const waiting = await shown(sellerOne, part)
  assert.deepEqual([waiting?.viewer, waiting?.messages[0]?.isUnread], ['seller', true])
  assert.ok(waiting?.answerDueAt)
  assert.equal(await unread(ann.cookie), 0)

  assert.equal((await write(sellerOne, part, { text: 'On Tuesday.' }))?.seq, 2)
  assert.equal(await unread(ann.cookie), 1)
  const read = await shown(ann.cookie, part)
  assert.deepEqual(
    read?.messages.map(({ author, body, isUnread }) => [author, body, isUnread]),
    [
      ['buyer', 'When will it arrive?', false],
      ['seller', 'On Tuesday.', true],
    ],
  )
  assert.equal(read?.answerDueAt, null)
  await markRead(ann.cookie, part, 2)
  assert.equal(await unread(ann.cookie), 0)
})

test('R-133 both sides are told of messages by mail; the buyer’s mail opens the conversation for a guest too', async () => {
  const ann = await customer()
  const [, part] = await ordered(ann)
  await write(ann.cookie, part, { text: 'Is it waterproof?' })
  await write(sellerTwo, part, { text: 'Yes.' })
  const [toBuyer] = await mails(ann.email)
  assert.match(toBuyer?.subject ?? '', /^Seller 2 has written to you about order P/)
  const link = new RegExp(`http://gb\\.localhost:3000/my-messages/conversation/${part}\\?access=([\\w-]{43})`).exec(toBuyer?.text ?? '')
  assert.ok(link, 'the mail has a link')
  assert.ok((await mails('seller2@example.com')).some(({ text }) => text.includes('Is it waterproof?')))

  const { token } = await signIn(db, {})
  const guest = cookieOf(token)
  assert.equal(await shown(guest, part), null)
  await ask(guest, 'mutation ($token: String!) { openOrderByToken(token: $token) { order { id } } }', { token: link[1] })
  assert.equal((await shown(guest, part))?.messages.length, 2)
  assert.equal((await write(guest, part, { text: 'Thank you.' }))?.seq, 3)
})

test('A1 A2 A16 another’s conversation is not found: for another customer, a stranger, another seller, another market and an unknown id alike', async () => {
  const [ann, eve] = [await customer(), await customer()]
  const [part] = await ordered(ann)
  await write(ann.cookie, part, { text: 'Private' })
  for (const [who, cookie] of Object.entries({ eve: eve.cookie, 'another seller': sellerTwo })) {
    assert.equal(await shown(cookie, part), null, who)
    assert.equal((await write(cookie, part, { text: 'x' }))?.refusal?.reason, 'unknown-order', who)
    const body = (
      await ask(
        cookie,
        `mutation ($i: ReportMessageInput!) { reportMessage: ${isStaff(cookie) ? 'reportBuyerMessage' : 'reportMessage'}(input: $i) { refusal { reason } } }`,
        {
          i: { orderId: part, seq: 1, reason: 'spam' },
        },
      )
    ).data
    assert.deepEqual(body, { reportMessage: { refusal: { reason: 'unknown-order' } } }, who)
  }
  for (const id of ['P0000000000000000-1', part.replace(/-1$/, ''), part.replace(/-1$/, '-7'), '', "'; drop table"]) {
    assert.equal(await shown(ann.cookie, id), null, id)
    assert.equal((await write(ann.cookie, id, { text: 'x' }))?.refusal?.reason, 'unknown-order', id)
  }
  const abroad = await gateway.execute({
    query: 'query ($orderId: ID!) { conversation(orderId: $orderId) { viewer } }',
    variables: { orderId: part },
    headers: { host: 'fr.localhost', cookie: ann.cookie, 'sec-fetch-site': 'same-origin' },
  })
  assert.equal(abroad.data?.['conversation'] ?? null, null)
  const listed = (
    await ask<{ sellerConversations: { conversations: { orderId: string }[] } }>(
      sellerTwo,
      '{ sellerConversations { conversations { orderId } } }',
    )
  ).data
  assert.ok(listed?.sellerConversations.conversations.every(({ orderId }) => orderId.endsWith('-2')))
  assert.equal((await shown(ann.cookie, part))?.messages.length, 1, 'nothing was written')
})

test('R-133 a company’s approver reads and lists a colleague’s conversation; another company’s does not', async () => {
  const [company, other] = [await addCompany(db), await addCompany(db)]
  const [buyer, approver, foreign] = [await customer(company.id), await customer(company.id, 'approver'), await customer(other.id, 'admin')]
  const [part] = await ordered(buyer)
  await write(buyer.cookie, part, { text: 'For the site in Leeds' })
  const list = async (cookie: string) =>
    (await ask<{ conversations: { total: number } }>(cookie, '{ conversations { total } }')).data?.conversations.total
  assert.deepEqual([await list(buyer.cookie), await list(approver.cookie), await list(foreign.cookie)], [1, 1, 0])
  assert.equal((await shown(approver.cookie, part))?.messages.length, 1)
  assert.equal(await shown(foreign.cookie, part), null)
  await write(approver.cookie, part, { text: 'Is it on its way?' })
  await write(sellerOne, part, { text: 'It is' })
  const unread = async () => (await ask<{ unreadConversations: number }>(buyer.cookie, '{ unreadConversations }')).data?.unreadConversations
  assert.equal(await unread(), 1)
  await pool.query('update accounts.membership set ended_at = now() where customer_id = $1', [buyer.id])
  assert.deepEqual([await list(buyer.cookie), await unread(), await shown(buyer.cookie, part)], [0, 0, null], 'no member any more')
})

test('contact data are removed before anybody reads a message, and the sender is told', async () => {
  const ann = await customer()
  const [part] = await ordered(ann)
  assert.equal((await write(ann.cookie, part, { text: 'Call me: 07700 900123, or gb.localhost/help' }))?.isMasked, true)
  const [message] = (await shown(sellerOne, part))?.messages ?? []
  assert.deepEqual([message?.body, message?.isMasked], ['Call me: […], or gb.localhost/help', true])
  const stored = await pool.query(`select count(*)::int as n from messages.message where body like '%900123%'`)
  assert.equal(stored.rows[0].n, 0)
  assert.ok((await mails('seller1@example.com')).every(({ text }) => !text.includes('900123')))
})

test('V-18 concurrent answers are all kept, each with a number of its own, and one deadline is met once', async () => {
  const ann = await customer()
  const [part] = await ordered(ann)
  const colleague = await clerk(1)
  await write(ann.cookie, part, { text: 'Hello?' })
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => write([sellerOne, colleague, ann.cookie][index % 3] ?? '', part, { text: `Answer ${index}` })),
  )
  assert.deepEqual(
    answers.map((answer) => answer?.seq).toSorted((a, b) => Number(a) - Number(b)),
    Array.from({ length: 12 }, (_, index) => index + 2),
  )
  const conversation = await shown(ann.cookie, part)
  assert.deepEqual(
    conversation?.messages.map(({ seq }) => seq),
    Array.from({ length: 13 }, (_, index) => index + 1),
  )
})

test('two first messages at the same time open one conversation', async () => {
  const ann = await customer()
  const [part] = await ordered(ann)
  await Promise.all([
    write(ann.cookie, part, { text: 'One' }),
    write(ann.cookie, part, { text: 'Two' }),
    write(sellerOne, part, { text: 'Three' }),
  ])
  assert.deepEqual((await shown(ann.cookie, part))?.messages.map(({ body }) => body).toSorted(), ['One', 'Three', 'Two'])
})

test('a double click writes once; empty, too long and unprintable messages and too many are refused', async () => {
  const ann = await customer()
  const [part] = await ordered(ann)
  await Promise.all([1, 2].map(() => write(ann.cookie, part, { text: 'Same' })))
  assert.equal((await shown(ann.cookie, part))?.messages.length, 1)
  for (const [text, reason] of [
    ['  \n ', 'message-empty'],
    ['x'.repeat(limits.bodyLength + 1), 'message-invalid'],
  ])
    assert.equal((await write(ann.cookie, part, { text }))?.refusal?.reason, reason)
  assert.equal((await write(ann.cookie, part, { quickReply: 'shipped' }))?.refusal?.reason, 'message-empty', 'a quick reply of the seller')
  for (let sent = 1; sent < limits.perHour.buyer; sent++) await write(ann.cookie, part, { text: `Message ${sent}` })
  assert.equal((await write(ann.cookie, part, { text: 'One more' }))?.refusal?.reason, 'too-many-messages')
})

test('quick replies are sentences in the market’s language, each side its own', async () => {
  const ann = await customer()
  const [part] = await ordered(ann)
  const [first] = (await shown(ann.cookie, part))?.quickReplies ?? []
  assert.deepEqual(first, { id: 'when', text: 'When will my order arrive?' })
  await write(ann.cookie, part, { quickReply: 'when' })
  const [message] = (await shown(sellerOne, part))?.messages ?? []
  assert.equal(message?.body, 'When will my order arrive?')
  assert.deepEqual(
    (await shown(sellerOne, part))?.quickReplies.map(({ id }) => id),
    ['looking-into-it', 'shipped', 'photo', 'return'],
  )
})

async function upload(person: Person, name = 'scratch.jpg'): Promise<string> {
  const id = randomUUID()
  await insertUpload(db, { id, owner: `c:${person.id}`, bytes: 100 })
  await settleUpload(db, id, { key: `upload/${id}`, name, bytes: 100 })
  return id
}

test('R-133 V-58 an attachment is the sender’s own and used once; its address opens for the parties alone', async () => {
  const [ann, eve] = [await customer(), await customer()]
  const [part, otherPart] = await ordered(ann)
  const [mine, theirs] = [await upload(ann), await upload(eve)]
  for (const id of [theirs, randomUUID(), '../x'])
    assert.equal((await write(ann.cookie, part, { text: 'See', attachments: [id] }))?.refusal?.reason, 'attachment-gone', id)
  assert.deepEqual((await shown(ann.cookie, part))?.messages, [], 'nothing is sent without its file')
  assert.equal((await write(ann.cookie, part, { text: 'See', attachments: [mine] }))?.seq, 1)
  assert.equal((await write(ann.cookie, otherPart, { text: 'See', attachments: [mine] }))?.refusal?.reason, 'attachment-gone')
  const [file] = (await shown(sellerOne, part))?.messages[0]?.files ?? []
  assert.deepEqual(file, { url: `/api/v1/seller/conversations/${part}/files/${mine}`, name: 'scratch.jpg' })
  const status = async (cookie: string, path: string) =>
    (await fetch(gateway.url + path, { headers: { cookie, host: 'localhost' } })).status
  assert.equal(await status(eve.cookie, `/api/v1/conversations/${part}/files/${mine}`), 404)
  assert.equal(await status(eve.cookie, file?.url ?? ''), 401)
  assert.equal(await status(sellerTwo, file?.url ?? ''), 404)
  assert.equal(await status(ann.cookie, `/api/v1/conversations/${part}/files/${theirs}`), 404)
})

test('a seller is reminded after one working day; after two the operator and the buyer are told, each once, by a test clock', async () => {
  const ann = await customer()
  const [part] = await ordered(ann)
  // A Friday at noon: Monday is one working day later, Tuesday two.
  const friday = new Date('2026-11-20T12:00:00Z')
  const { principal } = { principal: { kind: 'customer' as const, id: ann.id, email: ann.email, name: ann.name, market: ann.market } }
  const { writeMessage } = await import('./write-message.ts')
  await database.command({ principal, now: friday }, (scope) => writeMessage(scope, 'conversation.write', part, { text: 'Hello?' }))
  const at = async (now: string) => {
    await database.command({ now: new Date(now) }, (scope) => chaseAnswers(scope))
    const count = async (to: string, template: string) =>
      (await mails(to)).filter((mail) => mail.template === template && mail.subject.includes(part)).length
    return [
      await count('seller1@example.com', 'message-reminder'),
      await count('help@purlin.example', 'message-notice-of-conversation'),
      await count(ann.email, 'message-late'),
    ]
  }
  assert.deepEqual(await at('2026-11-23T11:59:00Z'), [0, 0, 0])
  assert.deepEqual(await at('2026-11-23T12:00:00Z'), [1, 0, 0])
  assert.deepEqual(await at('2026-11-24T11:59:00Z'), [1, 0, 0])
  assert.deepEqual(await at('2026-11-24T12:00:00Z'), [1, 1, 1])
  assert.deepEqual(await at('2026-11-25T12:00:00Z'), [1, 1, 1])
  await write(sellerOne, part, { text: 'Sorry for the wait.' })
  assert.equal((await shown(ann.cookie, part))?.isAnswerLate, false)
})

test('the operator reads a conversation, joins it, and sees and closes reports; without the key nothing of it', async () => {
  const ann = await customer()
  const [part] = await ordered(ann)
  await write(ann.cookie, part, { text: 'Hello' })
  await write(sellerOne, part, { text: 'Pay me directly.' })
  const report = (seq: number) =>
    ask(ann.cookie, 'mutation ($i: ReportMessageInput!) { reportMessage(input: $i) { refusal { reason } } }', {
      i: { orderId: part, seq, reason: 'elsewhere' },
    })
  assert.deepEqual((await report(1)).data, { reportMessage: { refusal: { reason: 'unknown-message' } } }, 'one’s own')
  await Promise.all([report(2), report(2)])
  interface Reports {
    reports: { messageId: string; orderId: string; reason: string; body: string }[]
  }
  const open = async () =>
    ((await (await operator('GET', 'message-reports')).json()) as Reports).reports.filter(({ orderId }) => orderId === part)
  const [reported, ...more] = await open()
  assert.deepEqual([reported?.reason, reported?.body, more.length], ['elsewhere', 'Pay me directly.', 0])
  assert.equal((await operator('POST', `message-reports/${reported?.messageId}/close`)).status, 200)
  assert.deepEqual(await open(), [])

  const joined = await operator('POST', `conversations/${part}/messages`, { text: 'Please pay on Purlin alone.' })
  assert.deepEqual([joined.status, await joined.json()], [201, { seq: 3 }])
  assert.deepEqual(
    (await shown(ann.cookie, part))?.messages.map(({ author }) => author),
    ['buyer', 'seller', 'operator'],
  )
  assert.ok((await mails(ann.email)).some(({ subject }) => subject.startsWith('Purlin has written')))
  const read = (await (await operator('GET', `conversations/${part}`)).json()) as { messages: unknown[] }
  assert.equal(read.messages.length, 3)
  assert.equal((await operator('POST', 'conversations/P0000000000000000-1/messages', { text: 'x' })).status, 404)
  assert.equal((await fetch(`${gateway.url}/api/v1/operator/conversations/${part}`)).status, 401)
})

test('a buyer rates an answer, may change the rating, and rates neither their own messages nor the operator’s', async () => {
  const ann = await customer()
  const [part] = await ordered(ann)
  await write(ann.cookie, part, { text: 'Hello' })
  await write(sellerOne, part, { text: 'Hello, how can we help?' })
  const rate = async (cookie: string, seq: number, stars: number) =>
    (
      await ask<{ rateAnswer: { refusal: { reason: string } | null } }>(
        cookie,
        'mutation ($i: RateAnswerInput!) { rateAnswer(input: $i) { refusal { reason } } }',
        { i: { orderId: part, seq, stars } },
      )
    ).data?.rateAnswer.refusal?.reason
  assert.equal(await rate(ann.cookie, 1, 5), 'unknown-message')
  assert.equal(await rate(ann.cookie, 2, 3), undefined)
  assert.equal(await rate(ann.cookie, 2, 99), undefined)
  assert.equal((await shown(ann.cookie, part))?.messages[1]?.rating, 5)
})

test('a seller’s list is read by cursor, without gaps, and can be limited to conversations that wait for an answer', async () => {
  const seen: string[] = []
  let after: string | null = null
  for (let page = 0; page < 20; page++) {
    const { data }: Answer<{ sellerConversations: { conversations: { orderId: string }[]; next: string | null } }> = await ask(
      sellerOne,
      'query ($after: String) { sellerConversations(after: $after) { conversations { orderId } next } }',
      { after },
    )
    seen.push(...(data?.sellerConversations.conversations ?? []).map(({ orderId }) => orderId))
    after = data?.sellerConversations.next ?? null
    if (after === null) break
  }
  const all = await pool.query('select seller_order_id as id from messages.conversation where seller_id = 1 order by last_at desc, id desc')
  assert.ok(all.rows.length > limits.listPage)
  assert.deepEqual(
    seen,
    all.rows.map(({ id }) => id),
  )
  const waiting = await pool.query('select count(*)::int as n from messages.conversation where seller_id = 1 and answer_due_at is not null')
  const { data } = await ask<{ sellerConversations: { conversations: unknown[] } }>(
    sellerOne,
    '{ sellerConversations(isWaiting: true) { conversations { orderId } } }',
  )
  assert.equal(data?.sellerConversations.conversations.length, Math.min(limits.listPage, waiting.rows[0].n))
})

test('the name of an attachment cannot carry contact data, and a text is as long as it is stored', async () => {
  const ann = await customer()
  const [part] = await ordered(ann)
  const file = await upload(ann, 'write to ann.lee@example.com.jpg')
  await write(ann.cookie, part, { text: 'See', attachments: [file] })
  const [message] = (await shown(sellerOne, part))?.messages ?? []
  assert.doesNotMatch(message?.files[0]?.name ?? '@', /@|example/)
  // One sign that stands for eighteen letters.
  assert.equal((await write(ann.cookie, part, { text: '\ufdfa'.repeat(1_000) }))?.refusal?.reason, 'message-invalid')
})
