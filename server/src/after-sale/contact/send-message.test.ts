import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '@purlin/contract/principal.ts'
import { marketCodes } from '@purlin/contract/markets.ts'
import { newId, takeQuota } from '#platform'
import { testDatabase } from '#platform/testing'
import { smtpTransport, useMailSettings } from '#mail'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { jobs as mailJobs } from '../../foundation/mail/jobs.ts'
import { fakeMailServer } from '../../foundation/mail/testing.ts'
import { addCustomer, signIn } from '../../people/accounts/testing.ts'
import { quotas } from '../../foundation/platform/quota-limits.ts'
import { addOffer, draftOrder, fillShop, newBuyer } from '../../selling/checkout/testing.ts'
import { paidOrder } from '../fulfilment/testing.ts'
import { sendMessage } from './send-message.ts'

const database = await testDatabase({ upTo: 'contact' })
await fillShop(database)
await addOffer(database, { id: '8901', stock: 100 })
const gateway = await testGateway(database.pool)
test.after(() => gateway.close())

const document = `mutation ($input: MessageInput!) { sendMessage(input: $input) { reference isAcknowledged refusal { reason message fields { field message } } } }`
interface Answer {
  reference: string | null
  isAcknowledged: boolean
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
async function bought(): Promise<{ orderId: string; email: string }> {
  const email = someone()
  const { orderId } = await paidOrder(database, [[1, 1]], { principal: { kind: 'guest', id: newId(), email } })
  return { orderId, email }
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

test('V-21 a withdrawal from a paid order is acknowledged at once with the declaration and the time of receipt', async () => {
  const { orderId, email } = await bought()
  const input = message({ kind: 'withdrawal', email: email.toUpperCase(), orderId, text: 'the saw, see https://evil.example/x' })
  await send(input, { market: 'de' })
  const mail = (await mails(email)).at(-1)
  assert.match(mail!.subject, /Eingangsbestätigung Ihres Widerrufs \d+/)
  assert.match(mail!.text, /ist am \d+\. \w+ 20\d\d um \d\d:\d\d Uhr eingegangen/)
  assert.match(mail!.text, new RegExp(`Name: Ada Beam\\s+Bestellnummer: ${orderId}\\s+Waren: the saw, see \\[…\\]`))
})

test('a withdrawal that names an unpaid or another person’s order is acknowledged with reference and time, without the typed words', async () => {
  const { orderId } = await bought()
  const draftBuyer = newBuyer(database)
  const draft = await draftOrder(draftBuyer, [{ offerId: '8901', quantity: 1 }])
  for (const typed of [{ orderId }, { orderId: 'Call 0900 now' }, { orderId: draft, email: draftBuyer.email }]) {
    const input = message({ kind: 'withdrawal', name: 'Fraud Desk', text: 'Call 0900 123 456 with your card', ...typed })
    const { reference, isAcknowledged } = await send(input)
    assert.equal(isAcknowledged, true)
    const mail = (await mails(input.email)).at(-1)
    assert.match(mail!.text, new RegExp(`arrived on \\d+ \\w+ 20\\d\\d at \\d\\d:\\d\\d. Its reference is ${reference}`))
    assert.doesNotMatch(mail!.text, /0900|Fraud Desk/)
    assert.ok(!mail!.text.includes(typed.orderId))
  }
})

test('the words of a customer signed in are repeated to the address of the account', async () => {
  const customer: Principal = { kind: 'customer', id: newId(), email: someone(), name: 'Ada', market: 'gb' }
  await database.command({ principal: customer }, (scope) =>
    sendMessage(scope, { ...message({ kind: 'withdrawal', orderId: 'unknown' }), email: customer.email }),
  )
  assert.match((await mails(customer.email))[0]!.text, /Name: Ada Beam/)
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

test('A57 A62 line breaks in a name and an order number reach no mail header and add no recipient', async (t) => {
  const { url, arrived, close } = await fakeMailServer()
  const smtp = smtpTransport(url)
  const { orderId, email } = await bought()
  await runWork(database, [], mailJobs)
  useMailSettings({ sender: 'Purlin <orders@purlin.example>', smtp })
  t.after(() => {
    useMailSettings()
    smtp.close()
    return close()
  })
  const name = 'Ada\r\nBcc: all@buyer.example\r\n\r\nBcc: all@buyer.example'
  await send(message({ kind: 'withdrawal', name, email, orderId }))
  await send(message({ kind: 'order', name, email, orderId: 'A-1\r\nBcc: all@buyer.example' }))
  await runWork(database, [], mailJobs)
  assert.deepEqual(arrived.flatMap(({ recipients }) => recipients).toSorted(), ['help@purlin.example', 'help@purlin.example', email, email])
  for (const { headers } of arrived) {
    assert.equal(headers.filter((line) => line.startsWith('Subject: ')).length, 1)
    assert.ok(!headers.some((line) => /\bbcc\b|buyer\.example\.?$/i.test(line) && !line.startsWith('To: ')), headers.join('\n'))
  }
  assert.match((await mails(email))[0]!.text, /Name: Ada Bcc: all@buyer example Bcc: all@buyer example\s/)
})

test('filling in the hidden field reports success, and nothing is stored', async () => {
  const input = message({ website: 'https://spam.example' })
  assert.deepEqual(await send(input), { reference: null, isAcknowledged: true, refusal: null, cookie: '' })
  assert.deepEqual(await stored(input.email), [])
})

test('messages per session and network address are limited for a period', async () => {
  let { cookie } = await send(message())
  for (let sent = 1; sent < quotas.message.session.units; sent++) ({ cookie } = await send(message(), { cookie }))
  assert.equal((await send(message(), { cookie })).refusal?.reason, 'too-many-messages')

  for (let sent = 0; sent < quotas.message.address.units; sent++) assert.equal((await send(message(), { from: '192.0.2.1' })).refusal, null)
  assert.equal((await send(message(), { from: '192.0.2.1' })).refusal?.reason, 'too-many-messages')
  assert.equal((await send(message(), { from: '192.0.2.2' })).refusal, null)
})

test('customers of one address write as many messages as an office does, whichever accounts they use', async () => {
  const from = '192.0.2.7'
  const write = async () => {
    const { id } = await addCustomer(database.db)
    return send(message(), { cookie: `__Host-purlin=${(await signIn(database.db, { customerId: id })).token}`, from })
  }
  assert.equal((await write()).refusal, null)
  await takeQuota('customer-message', { address: from }, quotas['customer-message'].address.units - 2)
  assert.equal((await write()).refusal, null)
  assert.equal((await write()).refusal?.reason, 'too-many-messages')
})

test('a customer whose address has used up its messages keeps all of their own for another network', async () => {
  const from = '192.0.2.8'
  const { id } = await addCustomer(database.db)
  const cookie = `__Host-purlin=${(await signIn(database.db, { customerId: id })).token}`
  await takeQuota('customer-message', { address: from }, quotas['customer-message'].address.units)
  assert.equal((await send(message(), { cookie, from })).refusal?.reason, 'too-many-messages')
  await takeQuota('message', { customer: id }, quotas.message.customer.units - 1)
  assert.equal((await send(message(), { cookie, from: '192.0.2.9' })).refusal, null)
})

test('customers write although strangers behind their provider’s address have used up its share, and have a share of their own', async () => {
  for (let sent = 0; sent < quotas.message.address.units; sent++) assert.equal((await send(message(), { from: '192.0.2.5' })).refusal, null)
  const { id } = await addCustomer(database.db)
  const cookie = `__Host-purlin=${(await signIn(database.db, { customerId: id })).token}`
  for (let sent = 0; sent < quotas.message.customer.units; sent++)
    assert.equal((await send(message(), { cookie, from: '192.0.2.5' })).refusal, null)
  assert.equal((await send(message(), { cookie, from: '192.0.2.6' })).refusal?.reason, 'too-many-messages')
})

test('a stranger who writes with an address stops confirmations to it, not its owner’s messages, and the sender is told', async () => {
  const email = someone()
  const replies = await Promise.all(Array.from({ length: 12 }, () => send(message({ email }))))
  assert.ok(replies.every(({ refusal }) => refusal === null))
  assert.equal(replies.filter(({ isAcknowledged }) => isAcknowledged).length, quotas.acknowledgement.email.units)
  assert.equal((await mails(email)).length, quotas.acknowledgement.email.units)
  const own = await send(message({ email: email.toUpperCase() }))
  assert.deepEqual([own.refusal, own.isAcknowledged], [null, false])
  const withdrawn = await send(message({ kind: 'withdrawal', email, orderId: 'O-77' }))
  assert.equal(withdrawn.isAcknowledged, true)
  assert.match((await mails(email)).at(-1)!.subject, /cancellation/)
})

test('acknowledgements to addresses that are not the order’s are limited per network; those to a buyer are not', async () => {
  const from = '192.0.2.90'
  const most = quotas['unmatched-withdrawal'].address.units
  const declare = (more: object = {}) => send(message({ kind: 'withdrawal', orderId: 'O-77', ...more }), { from })
  for (let sent = 0; sent < most; sent++) assert.equal((await declare()).isAcknowledged, true)
  const unmatched = await declare()
  assert.deepEqual([unmatched.refusal, unmatched.isAcknowledged], [null, false])
  assert.equal((await declare(await bought())).isAcknowledged, true)
})

test('V-11 withdrawals that anybody declares, from any network, put five mails a day in a mailbox', async () => {
  const email = someone()
  const declared = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      send(message({ kind: 'withdrawal', orderId: 'A123456', email }), { from: `192.0.2.${100 + (n % 3)}` }),
    ),
  )
  assert.ok(
    declared.every(({ refusal }) => refusal === null),
    'each is received',
  )
  assert.equal(declared.filter(({ isAcknowledged }) => isAcknowledged).length, quotas['unmatched-withdrawal'].email.units)
  assert.equal((await mails(email)).length, quotas['unmatched-withdrawal'].email.units)
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
  for (let sent = 0; sent <= quotas.message.session.units; sent++) assert.equal((await send(message(declared))).refusal, null)
  assert.equal((await stored(email)).length, quotas.message.session.units + 1)
})

test('A62 what looks like a placeholder or an expression of a template is sent as it was typed', async () => {
  const typed = '{reference} {{1234*5678}} ${1234*5678} <%= 1234*5678 %> #{1234*5678} {id} $& %s'
  const { orderId, email } = await bought()
  await send(message({ kind: 'withdrawal', orderId, email, name: 'Ada {reference} ${1234*5678}', text: typed }))
  const sent = (await mails(email)).at(-1)?.text ?? ''
  assert.ok(sent.includes('Ada {reference} ${1234*5678}') && sent.includes(typed), sent)
  assert.ok(!sent.includes('7006652'), sent)
})

test('A62 text repeated to an unconfirmed address contains no link', async () => {
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
