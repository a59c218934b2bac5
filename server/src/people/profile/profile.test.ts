import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { hasFiscalNumbers, isFiscalNumber } from '@purlin/contract/fiscal-numbers.ts'
import { testGuest } from '@purlin/contract/testing.ts'
import { takeQuota, type Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addCustomer, signIn } from '../accounts/testing.ts'
import { changeOptIns, changeProfile } from './change-profile.ts'
import { endSmsOffers, offerChannels, readConsentHistory } from './index.ts'
import { insertConsent } from './store.ts'
import { confirmPhone, sendAnotherPhoneCode } from './confirm-phone.ts'
import { showProfile } from './show-profile.ts'
import { connectSms } from './ports.ts'
import { phoneCodeFor } from './testing.ts'

const database = await testDatabase({ upTo: 'profile' })
connectSms(() => true)

async function customer(market: Market = 'gb') {
  const person = await addCustomer(database.db, { market })
  const overrides: Partial<Scope> = { principal: { kind: 'customer', ...person }, session: { id: 's' }, market }
  return {
    ...person,
    does: <Value>(operation: (scope: Scope) => Promise<Value>) => database.command(overrides, operation),
    profile: () => showProfile(database.scope(overrides)),
  }
}

test('R-292…R-298 R-451 a profile has every field of the specification, even before anything is entered; guests and staff have none', async () => {
  const ann = await customer()
  const profile = await ann.profile()
  assert.deepEqual(Object.keys(profile ?? {}).toSorted(), [
    'createdAt',
    'email',
    'firstName',
    'fiscalNumber',
    'id',
    'isGuest',
    'isSmsOffered',
    'language',
    'lastName',
    'market',
    'phone',
    'phoneToConfirm',
    'platform',
    'profileImage',
    'receiveOffers',
    'receiveOffersPhoneNumber',
    'receiveSmsOffers',
    'refererId',
    'socialAuthIds',
    'timeZone',
    'unconfirmedPhone',
    'updatedAt',
    'username',
    'uuid',
  ])
  assert.deepEqual(
    [profile?.firstName, profile?.lastName, profile?.email, profile?.language, profile?.timeZone, profile?.receiveOffers, profile?.isGuest],
    ['Ann', 'Lee', ann.email, 'en', 'Europe/London', false, false],
  )
  assert.equal(await showProfile(database.scope({ principal: testGuest({ id: 'g', email: 'g@example.com' }) })), null)
})

test('R-293 R-294 R-295 R-296 R-297 R-298 the gateway answers a customer with the whole profile, and everybody else with none', async (t) => {
  const gateway = await testGateway(database.pool)
  t.after(() => gateway.close())
  const person = await addCustomer(database.db, { market: 'es' })
  const { token } = await signIn(database.db, { customerId: person.id })
  const query = `{ customerProfile { id uuid firstName lastName email platform timeZone language fiscalNumber receiveOffers receiveSmsOffers
    receiveOffersPhoneNumber username phone profileImage createdAt updatedAt socialAuthIds refererId isGuest market } }`
  const change = `mutation { changeProfile(input: { firstName: "Ann", lastName: "Lee", phone: "612 345 678", fiscalNumber: "12345678z" }) { refusal { reason } } }`
  const asked = async (text: string, cookie?: string) => {
    const { body } = await gateway.post(text, {}, { host: 'es.localhost:3000', ...(cookie && { cookie }) })
    return (body as { data?: { customerProfile?: Record<string, unknown> | null } | null }).data
  }
  const cookie = `__Host-purlin=${token}`
  await asked(change, cookie)
  const { createdAt, updatedAt, ...profile } = (await asked(query, cookie))?.customerProfile ?? {}
  assert.deepEqual(
    { ...profile },
    {
      id: person.id,
      uuid: person.id,
      firstName: 'Ann',
      lastName: 'Lee',
      email: person.email,
      platform: 'es-b2c',
      timeZone: 'Europe/Madrid',
      language: 'es',
      fiscalNumber: '12345678Z',
      receiveOffers: false,
      receiveSmsOffers: false,
      receiveOffersPhoneNumber: null,
      username: person.email,
      phone: '+34 612345678',
      profileImage: null,
      socialAuthIds: [],
      refererId: null,
      isGuest: false,
      market: 'es',
    },
  )
  assert.ok(!Number.isNaN(Date.parse(String(createdAt))) && Date.parse(String(updatedAt)) >= Date.parse(String(createdAt)))
  assert.equal((await asked(query))?.customerProfile ?? null, null)
})

test('R-313 R-454 name, phone and language can be changed, and the new name shows everywhere from the next request on', async () => {
  const ann = await customer('fr')
  assert.deepEqual(
    await ann.does((scope) =>
      changeProfile(scope, { firstName: ' Anne  Marie ', lastName: 'Le Goff', phone: '06 12 34 56 78', language: 'de' }),
    ),
    { ok: true },
  )
  const profile = await ann.profile()
  assert.deepEqual(
    [profile?.firstName, profile?.lastName, profile?.phone, profile?.language],
    ['Anne Marie', 'Le Goff', '+33 612345678', 'de'],
  )
  const { rows } = await database.pool.query('select name from accounts.customer where id = $1', [ann.id])
  assert.deepEqual(rows, [{ name: 'Anne Marie Le Goff' }])
})

test('R-454 each invalid field is named, and nothing is changed', async () => {
  const ann = await customer('es')
  const wrong = { firstName: ' ', lastName: 'a\u202eb', phone: 'call me', language: 'xx', fiscalNumber: '12345678A' }
  assert.deepEqual(await ann.does((scope) => changeProfile(scope, wrong)), {
    ok: false,
    reason: 'profile-invalid',
    fields: { firstName: 'missing', lastName: 'signs', phone: 'phone-format', language: 'language', fiscalNumber: 'fiscal-number' },
  })
  assert.equal((await ann.profile())?.firstName, 'Ann')
})

test('R-294 fiscal numbers of Spain and Italy are accepted when their check character is correct', () => {
  const right = [
    ['ES', '12345678Z'],
    ['ES', 'X1234567L'],
    ['IT', 'RSSMRA85T10A562S'],
    ['IT', 'RSSMRA85T10A56NH'],
  ]
  for (const [country = '', number = ''] of right) assert.ok(isFiscalNumber(country, number), number)
  const wrong = [
    ['ES', '12345678A'],
    ['ES', '1234567Z'],
    ['ES', 'X1234567A'],
    ['IT', 'RSSMRA85T10A562T'],
    ['IT', 'RSSMRA85Z10A562S'],
    ['GB', '12345678Z'],
    ['ES', ''],
  ]
  for (const [country = '', number = ''] of wrong) assert.equal(isFiscalNumber(country, number), false, `${country} ${number}`)
  assert.deepEqual(['ES', 'IT', 'GB', 'FR', 'DE'].map(hasFiscalNumbers), [true, true, false, false, false])
})

test('R-295 R-304 R-313 R-456 consent and its withdrawal take effect at once and are documented: wording, time, source, in order', async () => {
  const ann = await customer('de')
  await ann.does((scope) => changeOptIns(scope, { email: true, sms: false }))
  await ann.does((scope) => changeOptIns(scope, { email: true, sms: true, phone: '0151 23456789' }))
  await ann.does(async (scope) => confirmPhone(scope, await phoneCodeFor(scope)))
  let profile = await ann.profile()
  assert.deepEqual([profile?.receiveOffers, profile?.receiveSmsOffers, profile?.receiveOffersPhoneNumber], [true, true, '+49 15123456789'])
  await ann.does((scope) => changeOptIns(scope, { email: false, sms: true, phone: '0151 23456789' }))
  profile = await ann.profile()
  assert.deepEqual([profile?.receiveOffers, profile?.receiveSmsOffers], [false, true])
  const proof = await readConsentHistory(database.db, ann.id)
  assert.deepEqual(
    proof.map(({ channel, isGranted, isConfirmed, source, phone }) => [channel, isGranted, isConfirmed, source, phone]),
    [
      ['email', true, false, 'settings', null],
      ['sms', true, true, 'settings', '+49 15123456789'],
      ['email', false, false, 'settings', null],
    ],
  )
  assert.ok(proof.every(({ wording, at }) => /Purlin/.test(wording) && at instanceof Date))
})

test('R-456 text messages need a phone number; without one no consent is recorded', async () => {
  const ann = await customer()
  assert.deepEqual(await ann.does((scope) => changeOptIns(scope, { email: true, sms: true })), {
    ok: false,
    reason: 'profile-invalid',
    fields: { smsPhone: 'missing' },
  })
  assert.equal((await ann.profile())?.receiveOffers, false)
  await ann.does((scope) => changeProfile(scope, { firstName: 'Ann', lastName: 'Lee', phone: '07700 900123' }))
  assert.deepEqual(await ann.does((scope) => changeOptIns(scope, { email: false, sms: true })), { ok: true })
  assert.equal((await ann.profile())?.phoneToConfirm, '+44 7700900123')
})

test('R-456 text messages begin once the code sent to the number is entered, and end when another number is given, until that is confirmed', async () => {
  const ann = await customer()
  const seen = async () => {
    const profile = await ann.profile()
    return [profile?.receiveSmsOffers, profile?.receiveOffersPhoneNumber, profile?.phoneToConfirm]
  }
  const wants = (phone: string, email = false) => ann.does((scope) => changeOptIns(scope, { email, sms: true, phone }))
  const enter = async (change: (code: string) => string = (code) => code) =>
    ann.does(async (scope) => confirmPhone(scope, change(await phoneCodeFor(scope))))
  await wants('07700 900200')
  assert.deepEqual(await seen(), [false, null, '+44 7700900200'])
  assert.deepEqual(await enter((code) => `${code.slice(0, 3)} ${code.slice(3)} `), { ok: true })
  assert.deepEqual(await seen(), [true, '+44 7700900200', null])
  await wants('07700 900200', true)
  assert.deepEqual(await seen(), [true, '+44 7700900200', null], 'the number that is confirmed needs no other code')
  await wants('07700 900201')
  assert.deepEqual(await seen(), [false, null, '+44 7700900201'])
  await enter()
  assert.deepEqual(await seen(), [true, '+44 7700900201', null])
  await ann.does((scope) => changeOptIns(scope, { email: false, sms: false }))
  assert.deepEqual(await seen(), [false, null, null])
  await wants('07700 900201')
  assert.deepEqual(await seen(), [false, null, '+44 7700900201'], 'a customer who has opted out confirms again')
})

test('a consent from before numbers were confirmed does not count', async () => {
  const ann = await customer()
  await insertConsent(database.db, ann.id, { channel: 'sms', isGranted: true, wording: 'Yes', source: 'settings', phone: '+44 7700900202' })
  assert.deepEqual(await offerChannels(database.db, ann.id), { email: false, sms: null })
  const profile = await ann.profile()
  assert.deepEqual(
    [profile?.receiveSmsOffers, profile?.receiveOffersPhoneNumber, profile?.unconfirmedPhone],
    [false, null, '+44 7700900202'],
  )
})

for (const [how, source, withdraw] of [
  ['in the settings', 'settings', (scope) => changeOptIns(scope, { email: false, sms: false })],
  ['by STOP', 'sms', ({ db }) => endSmsOffers(db, { phone: '+447700900203', wording: 'STOP' })],
] as [string, string, (scope: Scope) => Promise<unknown>][])
  test(`a consent from before numbers were confirmed is withdrawn with a proof ${how}, once`, async () => {
    const ann = await customer()
    await insertConsent(database.db, ann.id, { channel: 'sms', isGranted: true, wording: 'Yes', source: 'before', phone: '+44 7700900203' })
    for (let time = 1; time <= 2; time++) await ann.does(withdraw)
    const proof = (await readConsentHistory(database.db, ann.id)).map((consent) => [consent.isGranted, consent.source])
    assert.deepEqual(proof, [
      [true, 'before'],
      [false, source],
    ])
    assert.equal((await ann.profile())?.unconfirmedPhone, null)
  })

test('a consent from before numbers were confirmed is confirmed without a withdrawal in between', async () => {
  const ann = await customer()
  await insertConsent(database.db, ann.id, { channel: 'sms', isGranted: true, wording: 'Yes', source: 'before', phone: '+44 7700900204' })
  await ann.does((scope) => changeOptIns(scope, { email: false, sms: true, phone: '+44 7700900204' }))
  await ann.does(async (scope) => confirmPhone(scope, await phoneCodeFor(scope)))
  const proof = (await readConsentHistory(database.db, ann.id)).map(({ isGranted, isConfirmed }) => [isGranted, isConfirmed])
  assert.deepEqual(proof, [
    [true, false],
    [true, true],
  ])
  const profile = await ann.profile()
  assert.deepEqual([profile?.receiveOffersPhoneNumber, profile?.unconfirmedPhone], ['+44 7700900204', null])
})

for (const phone of ['+44 2079460123', '+1 9005550123'])
  test(`a customer whose consent from before names ${phone}, which gets no code, withdraws the one to e-mails in the same form`, async () => {
    const ann = await customer()
    await insertConsent(database.db, ann.id, { channel: 'email', isGranted: true, wording: 'Yes', source: 'before', phone: null })
    await insertConsent(database.db, ann.id, { channel: 'sms', isGranted: true, wording: 'Yes', source: 'before', phone })
    // As the page shows it: the box is ticked, and the number filled in.
    assert.deepEqual(await ann.does((scope) => changeOptIns(scope, { email: false, sms: true, phone })), {
      ok: true,
      codeRefused: 'phone-mobile',
    })
    const profile = await ann.profile()
    assert.deepEqual([profile?.receiveOffers, profile?.receiveSmsOffers, profile?.unconfirmedPhone], [false, false, phone])
  })

test('the code for a number has five attempts and ten minutes, and a wrong, used, foreign or expired one, or none, get the same words', async () => {
  const wrong = { ok: false, reason: 'profile-invalid', fields: { code: 'code-wrong' } }
  const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  const wants = (who: Awaited<ReturnType<typeof customer>>, phone: string) =>
    who.does((scope) => changeOptIns(scope, { email: false, sms: true, phone }))
  const [ann, bob, eve] = [await customer(), await customer(), await customer()]
  assert.deepEqual(await ann.does((scope) => confirmPhone(scope, '123456')), wrong, 'none was requested')

  await wants(ann, '07700 900210')
  const code = await ann.does(phoneCodeFor)
  assert.match(code, /^\d{6}$/)
  for (let attempt = 1; attempt <= 4; attempt++) assert.deepEqual(await ann.does((scope) => confirmPhone(scope, other(code))), wrong)
  assert.deepEqual(await ann.does((scope) => confirmPhone(scope, code)), { ok: true }, 'the fifth')
  assert.deepEqual(await ann.does((scope) => confirmPhone(scope, code)), wrong, 'used')

  await wants(bob, '07700 900211')
  const bobs = await bob.does(phoneCodeFor)
  assert.deepEqual(await eve.does((scope) => confirmPhone(scope, bobs)), wrong, 'of somebody else')
  for (let attempt = 1; attempt <= 5; attempt++) assert.deepEqual(await bob.does((scope) => confirmPhone(scope, other(bobs))), wrong)
  assert.deepEqual(await bob.does((scope) => confirmPhone(scope, bobs)), { ...wrong, reason: 'too-many-attempts' }, 'after five attempts')

  await wants(eve, '07700 900212')
  const eves = await eve.does(phoneCodeFor)
  const after = (minutes: number) => (scope: Scope) => confirmPhone({ ...scope, now: new Date(Date.now() + minutes * 60_000) }, eves)
  assert.deepEqual(await eve.does(after(10.1)), wrong, 'expired')
  assert.deepEqual(await eve.does(after(9.9)), { ok: true })
})

test('a number is sent five codes a day, whoever requests them, and a customer five an hour', async () => {
  const refused = { ok: true, codeRefused: 'too-many-codes' }
  const ask = (who: Awaited<ReturnType<typeof customer>>, phone: string) =>
    who.does((scope) => changeOptIns(scope, { email: false, sms: true, phone }))
  for (let time = 1; time <= 5; time++) assert.deepEqual(await ask(await customer(), '07700 900220'), { ok: true })
  assert.deepEqual(await ask(await customer(), '+44 7700 900 220'), refused)
  const ann = await customer()
  for (let time = 1; time <= 5; time++) assert.deepEqual(await ask(ann, `07700 90023${time}`), { ok: true })
  assert.deepEqual(await ask(ann, '07700 900239'), refused)
})

test('a number written with a trunk zero, or in another country, counts as the same one', async () => {
  const ask = async (market: Market, phone: string) =>
    (await customer(market)).does((scope) => changeOptIns(scope, { email: false, sms: true, phone }))
  const ways = ['+44 7700 900250', '+44 07700 900250', '0044 (0)7700 900250', '+44 (0) 7700-900250', '+44 7700/900250'] as const
  for (const phone of ways) assert.deepEqual(await ask('de', phone), { ok: true }, phone)
  assert.deepEqual(await ask('gb', '07700 900250'), { ok: true, codeRefused: 'too-many-codes' })
})

test('all addresses of a line together have a hundred codes sent a day', async () => {
  const ask = async (network: string) => {
    const ann = await customer()
    return ann.does((scope) =>
      changeOptIns({ ...scope, remoteAddress: `2001:db8:77:${network}::1` }, { email: false, sms: true, phone: '07700 900251' }),
    )
  }
  for (let n = 1; n <= 99; n++) await takeQuota('phone-code', { line: `2001:db8:77:${n}::1` })
  assert.deepEqual(await ask('a00'), { ok: true })
  assert.deepEqual(await ask('a01'), { ok: true, codeRefused: 'too-many-codes' })
})

test('no code is sent to landlines, premium and personal numbers, and numbers of other countries, also of the profile', async () => {
  const refused = { ok: true, codeRefused: 'phone-mobile' }
  const ann = await customer()
  const ask = (phone: string | null) => ann.does((scope) => changeOptIns(scope, { email: false, sms: true, phone }))
  for (const phone of ['020 7946 0123', '0909 879 0123', '070 1234 5678', '+1 900 555 0123', '+371 29 123 456', 'call me'])
    assert.deepEqual(await ask(phone), refused, phone)
  await ann.does((scope) => changeProfile(scope, { firstName: 'Ann', lastName: 'Lee', phone: '0909 879 0123' }))
  assert.deepEqual(await ask(null), refused)
  assert.equal((await ann.profile())?.phoneToConfirm, null)
})

test('while a number waits for its code, other choices are saved without another one, however often; the customer asks for it', async () => {
  const ann = await customer()
  const wants = (email: boolean) => ann.does((scope) => changeOptIns(scope, { email, sms: true, phone: '07700 900260' }))
  await wants(true)
  const code = await ann.does(phoneCodeFor)
  for (let time = 1; time <= 6; time++) assert.deepEqual(await wants(time % 2 === 0), { ok: true })
  await wants(false)
  assert.equal((await ann.profile())?.receiveOffers, false)
  assert.equal(await ann.does(phoneCodeFor), code)
  assert.deepEqual(await ann.does(sendAnotherPhoneCode), { ok: true })
  const another = await ann.does(phoneCodeFor)
  assert.notEqual(another, code)
  const { rows } = await database.pool.query(`select 1 from platform.outbox where payload ->> 'customerId' = $1::text`, [ann.id])
  assert.equal(rows.length, 2, 'sent codes')
  assert.deepEqual(await ann.does((scope) => confirmPhone(scope, another)), { ok: true })
  assert.deepEqual(await ann.does(sendAnotherPhoneCode), { ok: false, reason: 'profile-invalid', fields: { code: 'code-wrong' } })
})

test('a customer who has used up their codes still withdraws the consent to e-mails, and text messages stay as they were', async () => {
  const ann = await customer()
  await ann.does((scope) => changeOptIns(scope, { email: true, sms: true, phone: '07700 900270' }))
  await ann.does(async (scope) => confirmPhone(scope, await phoneCodeFor(scope)))
  for (let n = 1; n <= 4; n++) await takeQuota('phone-code', { customer: ann.id })
  const other = { sms: true, phone: '07700 900271' }
  assert.deepEqual(await ann.does((scope) => changeOptIns(scope, { ...other, email: false })), { ok: true, codeRefused: 'too-many-codes' })
  const profile = await ann.profile()
  assert.deepEqual([profile?.receiveOffers, profile?.receiveOffersPhoneNumber, profile?.phoneToConfirm], [false, '+44 7700900270', null])
  const bob = await customer()
  await bob.does((scope) => changeOptIns(scope, { email: false, sms: true, phone: '07700 900272' }))
  for (let n = 1; n <= 4; n++) await takeQuota('phone-code', { customer: bob.id })
  assert.deepEqual(await bob.does(sendAnotherPhoneCode), { ok: false, reason: 'too-many-attempts', fields: { code: 'too-many-codes' } })
  assert.equal((await bob.profile())?.phoneToConfirm, '+44 7700900272', 'the code that was sent stays valid')
})

test('the database holds no code: neither its digits nor a hash of them', async () => {
  const ann = await customer()
  await ann.does((scope) => changeOptIns(scope, { email: false, sms: true, phone: '07700 900240' }))
  const code = await ann.does(phoneCodeFor)
  const { rows } = await database.pool.query<{ row: string }>(
    `select c::text as row from profile.phone_code c where customer_id = $1 union all select payload::text from platform.outbox where payload ->> 'customerId' = $1::text`,
    [ann.id],
  )
  assert.equal(rows.length, 2)
  const forms = [
    code,
    ...['sha256', 'sha1', 'md5'].flatMap((name) => [
      createHash(name).update(code).digest('hex'),
      createHash(name).update(code).digest('base64'),
    ]),
  ]
  for (const { row } of rows) for (const form of forms) assert.ok(!row.includes(form), row)
})
