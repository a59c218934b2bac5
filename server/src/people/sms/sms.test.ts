import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSmsProvider } from '@purlin/services/sms-provider/index.ts'
import type { Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCustomer, signIn } from '../accounts/testing.ts'
import { changeOptIns } from '../profile/change-profile.ts'
import { agreeToSms, phoneCodeFor } from '../profile/testing.ts'
import { handlers, jobs } from './jobs.ts'
import { useSmsProvider } from './provider-of-shop.ts'
import { whenAwake } from './quiet-hours.ts'
import { restProvider, signatureOf } from './rest-provider.ts'
import { asPlainText, segmentsOf } from './segments.ts'
import { sendSms } from './send-sms.ts'
import { removeSmsOf } from './forget-sms.ts'

const database = await testDatabase()
const { db, pool } = database
const gateway = await testGateway(pool)
const token = randomBytes(20).toString('hex')
const webhookUrl = `${gateway.url}/webhooks/sms`
const service = await startSmsProvider({ port: 0, account: 'AC1', token, stepMs: 20 })
const provider = (options = {}) =>
  restProvider({ url: `http://127.0.0.1:${service.port}`, account: 'AC1', token, sender: '+441632960001', webhookUrl, ...options })
useSmsProvider(provider())
after(async () => {
  useSmsProvider()
  await service.close()
})

let numbers = 7000
/** A customer with a number of this end, who has agreed to text messages unless they have not. */
async function customer({ sms = true, end = '', of }: { sms?: boolean; end?: string; of?: string } = {}) {
  const person = await addCustomer(db)
  const does = <Value>(operation: (scope: Scope) => Promise<Value>) =>
    database.command({ principal: { kind: 'customer', ...person } }, operation)
  const phone = of ?? `+44 7700${end ? `90${end}` : String(900_000 + (numbers += 7))}`
  if (sms) await agreeToSms(does, phone)
  return {
    ...person,
    phone: phone.replace(' ', ''),
    does,
    agrees: (isWanted: boolean) =>
      isWanted ? agreeToSms(does, phone) : does((scope) => changeOptIns(scope, { email: false, sms: false })),
  }
}
const day = new Date('2026-11-24T12:00:00Z')
const send = (customerId: string, key: string, more: { text?: string; isAwaited?: boolean; now?: Date } = {}) =>
  database.command({ now: more.now ?? day }, (scope) =>
    sendSms(scope, { customerId, market: 'gb', text: more.text ?? 'Your order has been shipped.', key, isAwaited: more.isAwaited ?? true }),
  )
const messagesOf = async (customerId: string) =>
  (
    await pool.query<{ state: string; code: string | null; body: string }>(
      'select state, error_code as code, body from sms.message where customer_id = $1 order by id',
      [customerId],
    )
  ).rows
async function work(): Promise<void> {
  await pool.query(`update platform.job set run_at = now() where name = 'sms.send'`)
  await runWork(database, [], jobs)
}
async function ends(customerId: string, state: string): Promise<void> {
  for (const until = Date.now() + 5_000; (await messagesOf(customerId))[0]?.state !== state; await sleep(20))
    assert.ok(Date.now() < until, JSON.stringify(await messagesOf(customerId)))
}
const hook = (fields: Record<string, string>, signature?: string) =>
  fetch(webhookUrl, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'x-twilio-signature': signature ?? signatureOf(token, webhookUrl, new URLSearchParams(fields)) },
  })
const agrees = async (customerId: string) =>
  (
    await pool.query<{ granted: boolean; source: string }>(
      `select is_granted as granted, source from profile.consent where customer_id = $1 and channel = 'sms' order by at desc, id desc limit 1`,
      [customerId],
    )
  ).rows[0]

for (const [text, segments] of [
  ['a'.repeat(160), 1],
  ['a'.repeat(161), 2],
  ['a'.repeat(306), 2],
  ['a'.repeat(307), 3],
  [`${'a'.repeat(158)}€`, 1],
  [`${'a'.repeat(159)}€`, 2],
  [`${'a'.repeat(69)}ç`, 1],
  [`${'a'.repeat(70)}ç`, 2],
  [`${'a'.repeat(133)}ç`, 2],
  [`${'a'.repeat(134)}ç`, 3],
] as const)
  test(`a text of ${text.length} signs that ends in ${text.at(-1)} is sent in ${segments} segments`, () =>
    assert.equal(segmentsOf(text), segments))

test('typographic signs become those that a text message has', () => {
  assert.equal(asPlainText('liste d’envies\u00a0: « x » …'), "liste d'envies : « x » ...")
})

for (const [market, now, at] of [
  ['gb', '2026-11-24T12:00:00Z', '2026-11-24T12:00:00Z'],
  ['gb', '2026-11-24T19:59:00Z', '2026-11-24T19:59:00Z'],
  ['gb', '2026-11-24T20:00:00Z', '2026-11-25T08:00:00Z'],
  ['gb', '2026-11-22T12:00:00Z', '2026-11-22T12:00:00Z'],
  ['de', '2026-11-24T06:59:00Z', '2026-11-24T07:00:00Z'],
  ['de', '2026-11-22T12:00:00Z', '2026-11-23T07:00:00Z'],
  ['es', '2026-11-24T19:30:00Z', '2026-11-24T19:30:00Z'],
  ['fr', '2026-11-21T19:30:00Z', '2026-11-23T07:00:00Z'],
  // Public holidays: fixed, movable, and before a weekend.
  ['gb', '2026-12-25T12:00:00Z', '2026-12-27T08:00:00Z'],
  ['fr', '2026-05-14T12:00:00Z', '2026-05-15T06:00:00Z'],
  ['de', '2026-05-25T12:00:00Z', '2026-05-26T06:00:00Z'],
  ['de', '2026-05-08T12:00:00Z', '2026-05-08T12:00:00Z'],
  ['es', '2027-03-26T12:00:00Z', '2027-03-27T08:00:00Z'],
  ['it', '2026-06-02T12:00:00Z', '2026-06-03T07:00:00Z'],
  ['gb', '2027-03-29T12:00:00Z', '2027-03-30T07:00:00Z'],
  // Still the holiday in Paris, and already over in London.
  ['fr', '2026-07-14T21:00:00Z', '2026-07-15T06:00:00Z'],
  // The night in which clocks change.
  ['it', '2026-10-24T22:00:00Z', '2026-10-26T08:00:00Z'],
] as const)
  test(`a message of ${now} in ${market} is sent at ${at}`, () =>
    assert.equal(whenAwake(market, new Date(now)).toISOString(), new Date(at).toISOString()))

test('a message goes to a customer who has agreed, once per key, and its delivery is reported', async () => {
  const [ann, bob] = [await customer(), await customer({ sms: false })]
  assert.deepEqual([await send(ann.id, 'a1'), await send(ann.id, 'a1'), await send(bob.id, 'b1')], [true, false, false])
  await work()
  await ends(ann.id, 'delivered')
  assert.deepEqual(await messagesOf(bob.id), [])
})

test('an attempt that ended between sending and recording sends no second message, nor takes another one’s place', async () => {
  const ann = await customer()
  const seen = () => fetch(`http://127.0.0.1:${service.port}/`).then((page) => page.text())
  const count = async () => (await seen()).split(`→ ${ann.phone}`).length - 1
  await send(ann.id, 'crash 1', { text: 'Twice the same text.' })
  const { call } = (jobs[0] as unknown as { work: { call(context: object, payload: object): Promise<{ reference: string }> } }).work
  const { rows } = await pool.query<{ id: string }>('select id from sms.message where customer_id = $1', [ann.id])
  const attempt = (number: number) => call({ db, attempt: number, signal: AbortSignal.timeout(2_000) }, { smsId: rows[0]?.id })
  const first = await attempt(1)
  assert.deepEqual([await attempt(2), await count()], [first, 1])
  await pool.query(`update platform.job set attempts = 1 where name = 'sms.send'`)
  await work()
  await ends(ann.id, 'sent')
  assert.equal(await count(), 1)
  // The same words once more are another message, also at its second attempt.
  await send(ann.id, 'crash 2', { text: 'Twice the same text.' })
  await pool.query(`update platform.job set attempts = 1 where name = 'sms.send' and finished_at is null`)
  await work()
  assert.equal(await count(), 2)
})

test('a number that is refused or never reached fails, and one that is busy is tried again', async () => {
  const [invalid, lost, busy] = [await customer({ end: '0001' }), await customer({ end: '0002' }), await customer({ end: '0003' })]
  for (const { id } of [invalid, lost, busy]) await send(id, `fate ${id}`)
  await work()
  await ends(lost.id, 'failed')
  assert.equal((await messagesOf(lost.id))[0]?.code, '30005')
  const { rows } = await pool.query(`select j.name from platform.job j join sms.message m on m.id::text = j.key where m.customer_id = $1`, [
    busy.id,
  ])
  // On a busy machine the second attempt is over by now.
  assert.ok(rows.length === 1 || (await messagesOf(busy.id))[0]?.state !== 'failed')
  await work()
  await ends(busy.id, 'delivered')
  const [refused] = await messagesOf(invalid.id)
  assert.deepEqual([refused?.state, refused?.code], ['failed', '21211'])
})

test('offers by text message are capped at three a week, news about orders is not; a text of four segments is not sent', async () => {
  const ann = await customer()
  const offers = []
  for (const key of ['o1', 'o2', 'o3', 'o4']) offers.push(await send(ann.id, key, { isAwaited: false }))
  assert.deepEqual(offers, [true, true, true, false])
  assert.equal(await send(ann.id, 'order'), true)
  assert.equal(await send(ann.id, 'long', { text: 'a'.repeat(460) }), false)
})

test('accounts that share a number get three offers a week together', async () => {
  const [ann, bob] = [await customer({ of: '+44 7700900777' }), await customer({ of: '+44 7700900777' })]
  const offers = []
  for (const [index, { id }] of [ann, bob, ann, bob].entries()) offers.push(await send(id, `shared ${index}`, { isAwaited: false }))
  assert.deepEqual(offers, [true, true, true, false])
  assert.equal(await send((await customer()).id, 'other number', { isAwaited: false }), true)
})

test('the code for a number is sent to it at any hour, also before there is consent, and leaves no record; one replaced meanwhile is not sent', async () => {
  const ann = await customer({ sms: false })
  const wants = (phone: string) => ann.does((scope) => changeOptIns(scope, { email: false, sms: true, phone }))
  await wants('+44 7700900801')
  await wants('+44 7700900802')
  const code = await ann.does(phoneCodeFor)
  await runWork(database, handlers, jobs)
  const page = await fetch(`http://127.0.0.1:${service.port}/`).then((answer) => answer.text())
  assert.ok(page.includes('→ +447700900802') && page.includes(`${code} is your code`))
  assert.ok(!page.includes('+447700900801'))
  assert.deepEqual(await messagesOf(ann.id), [])
  const { rows } = await pool.query<{ inMinutes: number }>(
    `select round(extract(epoch from run_at - now()) / 60)::int as "inMinutes" from platform.job where name = 'sms.remove' and run_at > now() + interval '1 minute'`,
  )
  assert.deepEqual(rows, [{ inMinutes: 60 }], 'and is deleted at the provider an hour later')
})

test('what waits for the morning is not sent if consent has been withdrawn meanwhile', async () => {
  const ann = await customer()
  assert.equal(await send(ann.id, 'night', { now: new Date('2099-11-24T23:00:00Z') }), true)
  await runWork(database, [], jobs)
  assert.equal((await messagesOf(ann.id))[0]?.state, 'queued')
  await ann.agrees(false)
  await work()
  assert.equal((await messagesOf(ann.id))[0]?.state, 'dropped')
})

test('A70 STOP ends messages to that number alone, with proof; a forged one does not, and a repeated one ends no later consent', async () => {
  const [ann, bob] = [await customer(), await customer()]
  const stop = { MessageSid: 'SM-reply-1', From: ann.phone, To: '+441632960001', Body: ' Stop. ' }
  assert.equal((await hook(stop, 'forged')).status, 403)
  assert.equal((await hook({ ...stop, From: bob.phone }, signatureOf(token, webhookUrl, new URLSearchParams(stop)))).status, 403)
  assert.equal((await hook({ ...stop, Body: 'When will it arrive? Stop by any time' })).status, 204)
  assert.equal((await agrees(ann.id))?.granted, true)
  assert.equal((await hook(stop)).status, 204)
  assert.deepEqual(await agrees(ann.id), { granted: false, source: 'sms' })
  assert.equal((await agrees(bob.id))?.granted, true)
  assert.equal(await send(ann.id, 'after-stop'), false)
  await ann.agrees(true)
  assert.equal((await hook(stop)).status, 204)
  assert.equal((await agrees(ann.id))?.granted, true)
})

for (const body of ['STOP', 'Who is this? Quirinus Zwackelmann'])
  test(`a reply is deleted at the provider an hour after it arrived: ${body}`, async () => {
    await pool.query(`delete from platform.job where name = 'sms.remove'`)
    const ann = await customer()
    await send(ann.id, `replied with ${body}`)
    await work()
    const { rows } = await pool.query<{ reference: string }>('select reference from sms.message where customer_id = $1', [ann.id])
    await fetch(`http://127.0.0.1:${service.port}/reply`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ sid: rows[0]?.reference ?? '', body }),
    })
    const isThere = async () => (await fetch(`http://127.0.0.1:${service.port}/`).then((page) => page.text())).includes(`${ann.phone} →`)
    const removals = `name = 'sms.remove' and run_at between now() + interval '59 minutes' and now() + interval '1 hour'`
    const isDue = async () => (await pool.query(`update platform.job set run_at = now() where ${removals}`)).rowCount === 1
    assert.equal(await isThere(), true)
    for (const until = Date.now() + 5_000; !(await isDue()); await sleep(20)) assert.ok(Date.now() < until, 'no removal')
    await runWork(database, [], jobs)
    assert.equal(await isThere(), false)
  })

test('V-06 a report that is rightly signed and makes no sense is refused or ignored, and never an error of ours', async () => {
  const nonsense: Record<string, string>[] = [
    {},
    { MessageSid: '' },
    { MessageSid: 'SM1' },
    { MessageSid: 'SM1', MessageStatus: 'sent to the moon' },
  ]
  for (const fields of nonsense) assert.ok((await hook(fields)).status < 500, JSON.stringify(fields))
  assert.equal((await hook({ MessageSid: 'SM\u00001', MessageStatus: 'sent' })).status, 400)
})

test('late and repeated reports do not undo a delivery, and erasure deletes the messages, also at the provider', async () => {
  const ann = await customer()
  await send(ann.id, 'reported')
  await work()
  await ends(ann.id, 'delivered')
  const { rows } = await pool.query<{ reference: string }>('select reference from sms.message where customer_id = $1', [ann.id])
  for (const MessageStatus of ['sent', 'failed', 'nonsense']) await hook({ MessageSid: rows[0]?.reference ?? '', MessageStatus })
  assert.equal((await messagesOf(ann.id))[0]?.state, 'delivered')
  const seen = async () => (await fetch(`http://127.0.0.1:${service.port}/`).then((page) => page.text())).includes(`→ ${ann.phone}`)
  assert.equal(await seen(), true)
  await removeSmsOf(db, ann.id)
  assert.deepEqual(await messagesOf(ann.id), [])
  await work()
  assert.equal(await seen(), false, 'at the provider, too')
})

test('R-456 a shop without a provider of text messages offers none, and says so instead of a code that it has sent', async () => {
  const [ann, bob] = [await customer({ sms: false }), await customer({ sms: false })]
  const asked = async ({ id }: { id: string }, query: string) => {
    const { body } = await gateway.post(query, {}, { cookie: `__Host-purlin=${(await signIn(db, { customerId: id })).token}` })
    return (body as { data: Record<string, unknown> }).data
  }
  const change = (email: boolean) => `mutation { answer: changeOptIns(input: { email: ${email}, sms: true, phone: "07700 900811" }) {
    refusal { reason } codeRefusal { reason message fields { field message } } profile { receiveOffers phoneToConfirm isSmsOffered } } }`
  const offered = {
    refusal: null,
    codeRefusal: null,
    profile: { receiveOffers: false, phoneToConfirm: '+44 7700900811', isSmsOffered: true },
  }
  assert.deepEqual(await asked(bob, change(false)), { answer: offered })
  useSmsProvider(null)
  try {
    const refusal = { reason: 'profile-invalid', fields: [{ field: 'smsPhone', message: 'We do not send text messages at the moment.' }] }
    assert.deepEqual(await asked(ann, change(true)), {
      answer: {
        refusal: null,
        codeRefusal: { ...refusal, message: 'No code could be sent to this number. Your choice about e-mails is saved.' },
        profile: { receiveOffers: true, phoneToConfirm: null, isSmsOffered: false },
      },
    })
    const another = await asked(bob, 'mutation { answer: sendAnotherPhoneCode { refusal { reason fields { field message } } } }')
    assert.deepEqual(another, { answer: { refusal: { ...refusal, fields: [{ ...refusal.fields[0], field: 'code' }] } } })
  } finally {
    useSmsProvider(provider())
  }
})

test('wrong credentials are an error that passes, and a shop without a provider sends nothing', async () => {
  await assert.rejects(provider({ token: 'wrong' }).send({ to: '+447700900999', body: 'x' }, AbortSignal.timeout(1000)), /401, code 20003/)
  const ann = await customer()
  useSmsProvider(null)
  assert.equal(await send(ann.id, 'none'), false)
  assert.equal((await hook({ MessageSid: 'SM', From: '+441', Body: 'STOP' })).status, 404)
  useSmsProvider(provider())
})
