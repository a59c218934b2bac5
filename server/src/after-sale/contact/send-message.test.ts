import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes } from '@purlin/contract/markets.ts'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { quotas } from '../../foundation/platform/quota-limits.ts'

const database = await testDatabase({ upTo: 'contact' })
const gateway = await testGateway(database.pool)
test.after(() => gateway.close())

const document = `mutation ($input: MessageInput!) { sendMessage(input: $input) { reference refusal { reason message fields { field message } } } }`
interface Answer {
  reference: string | null
  refusal: { reason: string; message: string; fields: { field: string; message: string }[] } | null
}
let people = 0
const someone = () => `person${++people}@buyer.example`
const message = (more: object = {}) => ({ kind: 'question', name: 'Ada Beam', email: someone(), text: 'Where is my saw?', ...more })

async function send(input: object, { market = 'gb', cookie = '', from = '10.0.0.1' } = {}) {
  const { data, errors, setCookies } = await gateway.execute({
    query: document,
    variables: { input },
    headers: { host: `${market}.localhost`, ...(cookie && { cookie }), 'sec-fetch-site': 'same-origin' },
    remoteAddress: from,
  })
  assert.equal(errors, undefined)
  return { ...(data?.['sendMessage'] as Answer), cookie: setCookies?.[0]?.split(';')[0] ?? cookie }
}
const stored = (email: string) =>
  database.db.rows<{ kind: string; body: string; orderId: string | null }>(
    { name: 'test.messages', text: 'select kind, body, order_id as "orderId" from contact.message where email = $1' },
    [email],
  )
const mails = (recipient: string) =>
  database.db.rows<{ subject: string; text: string }>(
    { name: 'test.mails', text: 'select subject, body_text as text from mail.mail where recipient = $1 order by id' },
    [recipient],
  )

test('V-21 a message is stored, acknowledged with its reference in the market’s language, and forwarded to the operator', async () => {
  for (const market of marketCodes) {
    const input = message({ text: 'My saw has not come.' })
    const { reference, refusal } = await send(input, { market })
    assert.ok(reference && refusal === null, market)
    assert.deepEqual(await stored(input.email), [{ kind: 'question', body: 'My saw has not come.', orderId: null }])
    const [mail, ...more] = await mails(input.email)
    assert.ok(mail, market)
    assert.ok(mail.subject.includes(reference) && mail.text.includes(reference), market)
    assert.equal(more.length, 0, market)
    assert.ok(!mail.text.includes('My saw'), 'strangers are not sent the words of strangers')
  }
  const subjects = (await mails('help@purlin.example')).map(({ subject }) => subject)
  assert.equal(subjects.filter((subject) => subject.includes('question')).length, 5)
})

test('V-21 a withdrawal is acknowledged at once with the declaration and the time of receipt', async () => {
  const input = message({ kind: 'withdrawal', orderId: 'ORDER-1234567', text: 'the saw, see https://evil.example/x' })
  const { reference } = await send(input, { market: 'de' })
  const [mail] = await mails(input.email)
  assert.match(mail!.subject, new RegExp(`Eingangsbestätigung Ihres Widerrufs ${reference}`))
  assert.match(mail!.text, /ist am \d+\. \w+ 20\d\d um \d\d:\d\d Uhr eingegangen/)
  assert.match(mail!.text, /Name: Ada Beam\s+Bestellnummer: ORDER-1234567\s+Waren: the saw, see \[…\]/)
})

test('missing or invalid fields are reported one by one in the market’s language, and nothing is stored', async () => {
  const { refusal } = await send({ kind: 'question', name: ' ', email: 'nobody', text: '' }, { market: 'fr' })
  assert.equal(refusal?.reason, 'message-invalid')
  assert.deepEqual(refusal?.fields.map(({ field }) => field).toSorted(), ['email', 'name', 'text'])
  assert.match(refusal.fields.find(({ field }) => field === 'email')!.message, /adresse e-mail/)
  assert.deepEqual(
    (await send({ kind: 'withdrawal', name: 'A', email: someone() })).refusal?.fields.map(({ field }) => field),
    ['orderId'],
  )
  for (const wrong of [
    { text: 'x'.repeat(3_001) },
    { name: 'x'.repeat(121) },
    { name: 'Ada <b>' },
    { email: `${'x'.repeat(250)}@x.example` },
    { name: 'A\u202eB' },
  ]) {
    const input = message(wrong)
    assert.equal((await send(input)).refusal?.reason, 'message-invalid', JSON.stringify(wrong).slice(0, 40))
    assert.deepEqual(await stored(input.email), [])
  }
})

test('a line break in a name reaches no mail header', async () => {
  const input = message({ name: 'Ada\r\nBcc: all@buyer.example', kind: 'withdrawal', orderId: 'ORDER-7' })
  await send(input)
  assert.match((await mails(input.email))[0]!.text, /Name: Ada Bcc: all@buyer\.example\s/)
})

test('filling in the hidden field reports success, and nothing is stored', async () => {
  const input = message({ website: 'https://spam.example' })
  assert.deepEqual(await send(input), { reference: null, refusal: null, cookie: '' })
  assert.deepEqual(await stored(input.email), [])
})

test('messages per e-mail address, session and network address are limited for a period', async () => {
  const email = someone()
  for (let sent = 0; sent < quotas.message.email.units; sent++) assert.equal((await send(message({ email }))).refusal, null)
  assert.equal((await send(message({ email: email.toUpperCase() }))).refusal?.reason, 'too-many-messages')

  let { cookie } = await send(message())
  for (let sent = 1; sent < quotas.message.session.units; sent++) ({ cookie } = await send(message(), { cookie }))
  assert.equal((await send(message(), { cookie })).refusal?.reason, 'too-many-messages')

  for (let sent = 0; sent < quotas.message.address.units; sent++) assert.equal((await send(message(), { from: '192.0.2.1' })).refusal, null)
  assert.equal((await send(message(), { from: '192.0.2.1' })).refusal?.reason, 'too-many-messages')
  assert.equal((await send(message(), { from: '192.0.2.2' })).refusal, null)
})

test('sixty concurrent messages from one address are limited just like sequential ones', async () => {
  const email = someone()
  const replies = await Promise.all(Array.from({ length: 60 }, () => send(message({ email }))))
  assert.equal(replies.filter(({ refusal }) => refusal === null).length, quotas.message.email.units)
})

test('concurrent messages of one sender to sixty addresses are limited just like sequential ones', async () => {
  const replies = await Promise.all(Array.from({ length: 60 }, () => send(message(), { from: '192.0.2.77' })))
  assert.equal(replies.filter(({ refusal }) => refusal === null).length, quotas.message.address.units)
})

test('the addresses of one IPv6 network count as one', async () => {
  for (let sent = 0; sent < quotas.message.address.units; sent++)
    assert.equal((await send(message(), { from: `2001:db8:0:7::${(sent + 1).toString(16)}` })).refusal, null)
  assert.equal((await send(message(), { from: '2001:0db8:0:7:ffff:1:2:3' })).refusal?.reason, 'too-many-messages')
  assert.equal((await send(message(), { from: '2001:db8:0:8::1' })).refusal, null)
})

test('a declaration of withdrawal is never dropped: neither because of the hidden field nor because of the limits', async () => {
  const email = someone()
  const declared = { kind: 'withdrawal', email, orderId: 'O-77', text: '', website: 'filled in by a browser' }
  for (let sent = 0; sent <= quotas.message.email.units; sent++) assert.equal((await send(message(declared))).refusal, null)
  assert.equal((await stored(email)).length, quotas.message.email.units + 1)
})

test('text repeated to an unconfirmed address contains no link', async () => {
  for (const wrong of [{ name: 'You won: https://evil.example/win' }, { orderId: 'www.evil.example' }, { name: 'see evil.example/pay' }]) {
    const { refusal } = await send(message({ kind: 'withdrawal', orderId: 'O-77', ...wrong }))
    assert.equal(refusal?.reason, 'message-invalid', JSON.stringify(wrong))
  }
})

test('V-58 a message whose file is missing or not the sender’s is refused, not sent without it', async () => {
  for (const attachments of [['018f0000-0000-7000-8000-000000000000'], ['../x']]) {
    const input = message({ attachments })
    assert.equal((await send(input)).refusal?.reason, 'attachment-gone')
    assert.deepEqual(await stored(input.email), [])
  }
  assert.equal((await send(message({ attachments: Array.from({ length: 4 }, () => 'x') }))).refusal?.reason, 'message-invalid')
})

test('our own proxy, through which all visitors arrive, is exempt from the limit per person', async () => {
  for (let sent = 0; sent <= quotas.message.address.units; sent++)
    assert.equal((await send(message(), { from: sent % 2 ? '::ffff:127.0.0.1' : '192.168.3.4' })).refusal, null)
})
