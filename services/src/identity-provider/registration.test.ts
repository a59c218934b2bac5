import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { identityOf } from '@purlin/server/people/auth/finish-sign-in.ts'
import fc from 'fast-check'
import { readRegistration } from './fields.ts'
import { type TestIdentity, ann, formsOf, mailsTo, openStep, startTestIdentity, testBrowser, url, withoutIds } from './testing.ts'

let identity: TestIdentity
before(async () => {
  identity = await startTestIdentity()
})
after(() => identity.server.close())

const password = 'seven quiet kettles'
const ben = { given_name: 'Ben', family_name: 'Okafor', password }

const accounts = async (email: string) => {
  const read = 'select id, given_name, company_name, is_demo, realm from identity.account where email = $1'
  return (
    await identity.database.pool.query<{ id: string; given_name: string; company_name: string | null; is_demo: boolean; realm: string }>(
      read,
      [email],
    )
  ).rows
}

async function register(email: string, fields: Record<string, string> = {}, browser = testBrowser(identity)) {
  const { page, begun } = await openStep(identity, 'b2c', 'register', browser)
  const sent = await browser.send(page, { ...ben, email, ...fields })
  return { browser, begun, sent }
}

test('the link in the mail completes a registration, and continues to the shop signed in', async () => {
  const email = 'ben@example.com'
  const { browser, begun, sent } = await register(email)
  assert.equal(sent.status, 200)
  assert.match(sent.html, /ben@example\.com/)
  assert.deepEqual(await accounts(email), [], 'no account before')
  const [mail] = await mailsTo(identity, email)
  assert.equal(mail?.template, 'confirm-address')
  const page = await browser.follow(mail?.link ?? '')
  assert.deepEqual(await accounts(email), [], 'looking at the link opens nothing')
  const end = await browser.send(page, {})
  const claims = (await begun.take(end.address)).claims()
  assert.deepEqual([claims?.['email'], claims?.['email_verified'], claims?.['name']], [email, true, 'Ben Okafor'])
  assert.equal((await browser.follow(mail?.link ?? '')).status, 410, 'the link works once')
})

test('the button of a confirmation pressed twice leads on to the shop, not to a dead link; in another browser the link is used', async () => {
  const confirmation = async (email: string) => {
    const { browser, begun } = await register(email)
    const link = (await mailsTo(identity, email))[0]?.link ?? ''
    return { browser, begun, link, page: await browser.follow(link) }
  }
  const click = ({ browser, page }: Awaited<ReturnType<typeof confirmation>>) =>
    browser.ask(page.address, {
      method: 'POST',
      body: new URLSearchParams(formsOf(page.html)[0]?.hidden).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: url },
    })
  const first = await confirmation('impatient@example.com')
  // The browser drops the response to the first click.
  assert.equal((await click(first)).status, 303)
  assert.equal((await testBrowser(identity).follow(first.link)).status, 410)
  const end = await first.browser.send(first.page, {})
  assert.equal((await first.begun.take(end.address)).claims()?.['email'], 'impatient@example.com')
  assert.equal((await accounts('impatient@example.com')).length, 1)
  assert.equal((await first.browser.follow(first.link)).status, 410, 'the link works once')

  const both = await confirmation('twofold@example.com')
  const responses = await Promise.all([click(both), click(both)])
  assert.deepEqual(
    responses.map(({ status }) => status),
    [303, 303],
  )
})

test('professionals enter company, trade, VAT number and role', async () => {
  const { page, browser, begun } = await openStep(identity, 'b2b', 'register')
  const email = 'nora@firm.example'
  const short = await browser.send(page, { ...ben, email, company: '', trade: 'astronaut', vat_number: '12', role: '' })
  assert.equal(short.status, 422)
  for (const name of ['company', 'trade', 'vat_number', 'role']) assert.match(short.html, new RegExp(`href="#${name}"`), name)
  const entered = { ...ben, email, company: 'Nora GmbH', trade: 'tiler', role: 'owner' }
  for (const [typed, reason] of [
    ['', 'Please give us a VAT number or a company register number.'],
    ['GB 123456789', 'This is the number of the example.'],
    ['GB999', 'This is not a valid VAT number.'],
  ] as const) {
    const refused = await browser.send(short, { ...entered, vat_number: typed })
    assert.deepEqual([refused.status, refused.html.includes(reason)], [422, true], typed)
  }
  const mistyped = await browser.send(short, { ...entered, vat_number: 'de 111 111 126' })
  assert.equal(mistyped.status, 422, 'a wrong check digit')
  assert.match(mistyped.html, /href="#vat_number"/)
  await browser.send(mistyped, { ...entered, vat_number: 'de 111 111 125' })
  const [mail] = await mailsTo(identity, email)
  const end = await browser.send(await browser.follow(mail?.link ?? ''), {})
  const claims = (await begun.take(end.address)).claims()
  assert.deepEqual(
    [claims?.['company_name'], claims?.['trade'], claims?.['vat_number'], claims?.['professional_role']],
    ['Nora GmbH', 'tiler', 'DE111111125', 'owner'],
  )
})

test('a business without a VAT number enters its number in the register of the shop’s country instead', async () => {
  const { page, browser, begun } = await openStep(identity, 'b2b', 'register')
  const email = 'small@firm.example'
  const entered = { ...ben, email, company: 'Small Tiling', trade: 'tiler', role: 'owner', vat_number: '' }
  const refused = await browser.send(page, { ...entered, register_number: 'HRB 12345' })
  assert.equal(refused.status, 422)
  assert.match(refused.html, /href="#register_number"/)
  assert.match(
    refused.html,
    /name="register_number"[^>]*value="HRB 12345"|value="HRB 12345"[^>]*name="register_number"/,
    'what was entered stays',
  )
  assert.doesNotMatch(refused.html, /href="#vat_number"/)
  const mistyped = await browser.send(refused, { ...entered, vat_number: 'DE111111126', register_number: '1234567' })
  assert.match(mistyped.html, /href="#vat_number"/, 'a number that was entered has to be right')
  assert.equal((await browser.send(mistyped, { ...entered, register_number: '123 4567' })).status, 200)
  const [mail] = await mailsTo(identity, email)
  const end = await browser.send(await browser.follow(mail?.link ?? ''), {})
  const claims = (await begun.take(end.address)).claims()
  assert.deepEqual([claims?.['company_name'], claims?.['vat_number'], claims?.['register_number']], ['Small Tiling', undefined, '01234567'])
})

test('one of the two numbers of a company is enough, and the form says so: neither is marked as required', async () => {
  const { page } = await openStep(identity, 'b2b', 'register')
  const [group = ''] = /<fieldset[^]*?<\/fieldset>/.exec(page.html) ?? []
  assert.match(group, /<legend[^>]*>One of these two numbers is enough\.<\/legend>/)
  assert.deepEqual(
    [...group.matchAll(/<input[^>]*name="([^"]+)"[^>]*>/g)].map(([input, name]) => [name, input.includes('required')]),
    [
      ['vat_number', false],
      ['register_number', false],
    ],
  )
  assert.match(page.html, /<input[^>]*name="company"[^>]*required|<input[^>]*required[^>]*name="company"/)
})

test('passwords that are short, common, or derived from the name are refused with a reason', async () => {
  const refusals: [string, RegExp][] = [
    ['short', /At least 10|at least 10/],
    ['password12345', /attackers try first/],
    ['1234567890', /attackers try first/],
    ['abcabcabcabc', /attackers try first/],
    ['okafor and sons', /must not contain your name/],
  ]
  for (const [weak, reason] of refusals) {
    const { sent } = await register('weak@example.com', { password: weak })
    assert.equal(sent.status, 422, weak)
    assert.match(sent.html, reason, weak)
  }
  assert.equal((await mailsTo(identity, 'weak@example.com')).length, 0)
})

test('A41 A43 registering an existing address gets the same response and mails its owner, who may choose a new password', async () => {
  const { sent: known } = await register(ann.email)
  const { sent: unknown } = await register('unknown@example.com')
  const plain = (page: { status: number; html: string }) => ({
    ...page,
    address: '',
    html: withoutIds(page.html).replace(/[\w.]+@example\.com/g, ''),
  })
  assert.deepEqual(plain(known), plain(unknown))
  const [mail] = await mailsTo(identity, ann.email)
  assert.equal(mail?.template, 'existing-account')
  assert.equal((await accounts(ann.email)).filter(({ realm }) => realm === 'b2c').length, 1)
  const { browser, page } = await openStep(identity, 'b2c')
  assert.equal((await browser.send(page, { email: ann.email, password })).status, 401, "the stranger's password opens nothing")
})

const lookAlikes: Record<string, [own: string, other: string, outcome: 'refused' | 'same account']> = {
  'full-width letters': ['wide@example.com', '\uff57\uff49\uff44\uff45@example.com', 'refused'],
  'a full-width domain': ['far@example.com', 'far@\uff45xample.com', 'refused'],
  'a ligature': ['fiona@example.com', '\ufb01ona@example.com', 'refused'],
  'a zero-width space': ['thin@example.com', 'th\u200bin@example.com', 'refused'],
  'an invisible joiner': ['join@example.com', 'jo\u034fin@example.com', 'refused'],
  'an invisible letter': ['blank@example.com', 'blank\u3164@example.com', 'refused'],
  'the Kelvin sign': ['kat@example.com', '\u212aat@example.com', 'same account'],
  capitals: ['tall@example.com', 'TALL@EXAMPLE.COM', 'same account'],
  'decomposed letters': ['zo\u00eb@example.com', 'zoe\u0308@example.com', 'same account'],
}
for (const [change, [own, other, outcome]] of Object.entries(lookAlikes))
  test(`A63 an address in ${change} is no second account of its look-alike: ${outcome}`, async () => {
    const { browser } = await register(own)
    const [mail] = await mailsTo(identity, own)
    await browser.send(await browser.follow(mail?.link ?? ''), {})
    assert.equal((await accounts(own)).length, 1)
    const { sent } = await register(other)
    assert.equal(sent.status, outcome === 'refused' ? 422 : 200)
    assert.equal((await mailsTo(identity, other)).length, 0, 'nothing is sent to the look-alike')
    const last = (await mailsTo(identity, own)).map(({ template }) => template)
    assert.equal(last.includes('existing-account'), outcome === 'same account')
  })

test('A43 an unconfirmed registration never takes over an address: the owner of the mailbox chooses password and name', async () => {
  const email = 'victim@example.com'
  await register(email, { password: 'attackers own words', given_name: 'Mallory' })
  const [mail] = await mailsTo(identity, email)
  const { browser: attacker, page } = await openStep(identity, 'b2c')
  assert.equal((await attacker.send(page, { email, password: 'attackers own words' })).status, 401, 'before the confirmation')

  const owner = testBrowser(identity)
  const confirm = await owner.follow(mail?.link ?? '')
  assert.equal(
    (await owner.send(confirm, { given_name: 'Vera', family_name: 'Stone', password: '' })).status,
    422,
    'a password must be chosen',
  )
  assert.equal((await owner.send(confirm, { given_name: 'Vera', family_name: 'Stone', password })).status, 200)
  assert.equal((await accounts(email))[0]?.given_name, 'Vera')
  const again = await openStep(identity, 'b2c')
  assert.equal((await again.browser.send(again.page, { email, password: 'attackers own words' })).status, 401, 'after the confirmation')
  const own = await openStep(identity, 'b2c')
  assert.ok((await own.browser.send(own.page, { email, password })).address.includes('code='))
})

test('A43 the owner of the mailbox keeps nothing of the company that a stranger has registered with their address', async () => {
  const stranger = await openStep(identity, 'b2b', 'register')
  const email = 'boss@corp.example'
  const entered = { ...ben, email, company: 'Stranger Danger Shell Ltd', trade: 'tiler', vat_number: 'DE111111125', role: 'owner' }
  await stranger.browser.send(stranger.page, { ...entered, given_name: 'Stranger' })
  const [mail] = await mailsTo(identity, email)
  const owner = testBrowser(identity)
  const page = await owner.follow(mail?.link ?? '')
  for (const theirs of ['Stranger', 'Okafor', 'DE111111125']) assert.ok(!page.html.includes(theirs), theirs)
  const own = { given_name: 'Vera', family_name: 'Stone', password, company: 'Corp Ltd', trade: 'carpenter', role: 'buyer' }
  const short = await owner.send(page, { ...own, company: '', vat_number: '' })
  assert.deepEqual([short.status, /href="#company"/.test(short.html), /href="#vat_number"/.test(short.html)], [422, true, true])
  assert.equal((await owner.send(short, { ...own, vat_number: 'DE136695976' })).status, 200)
  const { rows } = await identity.database.pool.query(
    'select given_name, company_name, vat_number, trade, professional_role from identity.account where email = $1',
    [email],
  )
  assert.deepEqual(rows, [
    { given_name: 'Vera', company_name: 'Corp Ltd', vat_number: 'DE136695976', trade: 'carpenter', professional_role: 'buyer' },
  ])
  const kept = await identity.database.pool.query('select 1 from identity.one_time_token where email = $1', [email])
  assert.equal(kept.rows.length, 0, 'the name and password entered for an address go with its registration')
})

test('A43 of two registrations of one address the first confirmed one wins and cancels the other', async () => {
  const email = 'twice@example.com'
  const first = await register(email)
  const second = await register(email, { password: 'another few words' })
  const [one, two] = await mailsTo(identity, email)
  await second.browser.send(await second.browser.follow(two?.link ?? ''), {})
  assert.equal((await first.browser.follow(one?.link ?? '')).status, 410)
  assert.equal((await accounts(email)).length, 1)
})

test('A43 lists, display names and line breaks are not valid addresses', async () => {
  for (const email of [
    'a@example.com,b@example.com',
    'Ann <ann@example.com>',
    'a@example.com\r\nBcc: b@example.com',
    'a@b',
    '@example.com',
    'a b@example.com',
    `${'x'.repeat(300)}@example.com`,
  ]) {
    const { sent } = await register(email)
    assert.equal(sent.status, 422, email)
  }
})

test('the shop signs in every address that the provider registers, and neither takes one that the other refuses', () => {
  const accepts = (email: string) => {
    const typed = new URLSearchParams({ ...ben, email })
    const { registration, problems } = readRegistration({ realm: 'b2c', site: undefined }, typed)
    const claims = { sub: ann.sub, email: registration.email, email_verified: true, name: 'Ben Okafor' }
    const known = identityOf('keycloak-b2c', { issuer: 'http://id.example', claims }, 'gb')
    return { provider: !problems['email'], shop: known.ok }
  }
  const right = ["o'neill@example.org", 'd&s/2@example.com', 'jörg@example.com', 'kim@müller.example', 'a@b.xn--p1ai', '!#$%*@x.example']
  for (const email of right) assert.deepEqual(accepts(email), { provider: true, shop: true }, email)
  const wrong = [
    'a\0b@example.com',
    'a\u200bb@example.com',
    'a@b',
    'a..b@example.com',
    '.a@example.com',
    'a@b.123',
    `a@${'b'.repeat(64)}.com`,
  ]
  for (const email of wrong) assert.deepEqual(accepts(email), { provider: false, shop: false }, JSON.stringify(email))
  const part = fc.string({ unit: fc.constantFrom(..."aé0-.&/'_+%ß例\0 @"), minLength: 1, maxLength: 8 })
  const typed = fc.oneof(
    fc.emailAddress(),
    fc.tuple(part, part, part).map(([a, b, c]) => `${a}@${b}.${c}`),
  )
  fc.assert(
    fc.property(typed, (email) => {
      const { provider, shop } = accepts(email)
      assert.equal(provider, shop)
    }),
    { numRuns: 500 },
  )
})

test('control characters in an address are a mistake to correct, on each form that asks for one', async () => {
  const email = 'nul\0@example.com'
  assert.equal((await register(email)).sent.status, 422)
  const forgotten = await openStep(identity, 'b2c', 'forgotten')
  assert.equal((await forgotten.browser.send(forgotten.page, { email })).status, 422)
  const { browser, page } = await openStep(identity, 'b2c')
  assert.equal((await browser.send(page, { email, password })).status, 401)
})

test('names are as long as the shop stores them', () => {
  const long = { given_name: 'x'.repeat(61), family_name: 'y'.repeat(60) }
  const { registration } = readRegistration({ realm: 'b2c', site: undefined }, new URLSearchParams({ ...long, email: 'a@example.com' }))
  assert.deepEqual([registration.givenName.length, registration.familyName.length], [60, 60])
})

test('A71 unknown fields change nothing', async () => {
  const email = 'more@example.com'
  const extra = { is_demo: 'true', realm: 'staff', id: ann.sub, role: 'admin', company: 'x', email_verified: 'true', sub: ann.sub }
  const { browser, page, begun } = await openStep(identity, 'b2c', 'register')
  const form = { ...ben, email }
  const hidden = Object.fromEntries(Object.entries(extra).map(([name, value]) => [name, value]))
  const key = /name="form_key" value="([^"]*)"/.exec(page.html)?.[1] ?? ''
  await browser.follow(page.address, {
    method: 'POST',
    body: new URLSearchParams({ form_key: key, ...form, ...hidden }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: url },
  })
  const [mail] = await mailsTo(identity, email)
  const end = await browser.send(await browser.follow(mail?.link ?? ''), {})
  const claims = (await begun.take(end.address)).claims()
  const [account] = await accounts(email)
  assert.notEqual(claims?.sub, ann.sub)
  assert.deepEqual([account?.realm, account?.is_demo, account?.company_name], ['b2c', false, null])
})

test('staff cannot register with the form', async () => {
  const { page } = await openStep(identity, 'staff', 'register')
  assert.equal(page.status, 404)
})

test('prompt=create opens the registration page', async () => {
  const { startSignIn } = await import('./testing.ts')
  const browser = testBrowser(identity)
  const begun = await startSignIn(await identity.shop('b2c'), 'b2c', { prompt: 'create' })
  const page = await browser.follow(begun.address)
  assert.match(page.html, /name="given_name"/)
  const signIn = await browser.follow(page.address.replace(/\/register$/, '?'))
  assert.ok(signIn.status < 400)
})

test('without a password an account is created and signed in to by links', async () => {
  const email = 'nopass@example.com'
  const { browser, begun } = await register(email, { password: '' })
  const [mail] = await mailsTo(identity, email)
  const end = await browser.send(await browser.follow(mail?.link ?? ''), { password: '' })
  assert.equal((await begun.take(end.address)).claims()?.['email'], email)
  const { browser: other, page } = await openStep(identity, 'b2c')
  assert.equal((await other.send(page, { email, password: '' })).status, 422, 'no password is not the empty one')
  assert.equal((await other.send(page, { email, password: ' ' })).status, 401)
})
