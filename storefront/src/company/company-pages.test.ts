import assert from 'node:assert/strict'
import { test } from 'node:test'
import { money } from '../testing/goods.ts'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

const host = 'pro.gb.localhost'
const cookie = 'who=professional'
const path = '/my-account/company'
const member = (more: object = {}) => ({
  id: 'm1',
  name: 'Priya Hartley',
  email: 'priya@hartley.example',
  role: 'ADMIN',
  since: '2026-11-20T10:00:00Z',
  isYou: true,
  ...more,
})
const credit = (more: object = {}) => ({
  companyName: 'Hartley Roofing Ltd',
  reason: null,
  isChecked: true,
  isCollective: false,
  canChooseStatements: true,
  limit: money(500),
  used: money(140),
  available: money(360),
  toPay: money(120),
  least: money(25),
  most: money(25_000),
  claims: [],
  ...more,
})
const company = (more: object = {}) => ({
  name: 'Hartley Roofing Ltd',
  canManage: true,
  members: [member(), member({ id: 'm2', name: 'Leah Novak', email: 'leah@hartley.example', role: 'BUYER', isYou: false })],
  invitations: [{ id: 'i1', email: 'kim@hartley.example', role: 'BUYER', expiresAt: '2026-11-29T10:00:00Z', isOpen: true }],
  ...more,
})

test('the company’s page shows members, roles and open invitations, and lets admins change them', async () => {
  const { status, body } = await pageOf({ myCompany: company() }, path, { cookie, host })
  assert.equal(status, 200)
  const text = textOf(body)
  for (const part of ['Hartley Roofing Ltd', 'Leah Novak', 'Administrator', 'kim@hartley.example', 'valid until 29 November 2026'])
    assert.ok(text.includes(part), part)
  for (const name of ['Remove Leah Novak', 'Save role of Leah Novak', 'Revoke the invitation of kim@hartley.example'])
    assert.ok(body.includes(`aria-label="${name}"`), name)
  assert.match(
    body,
    /<summary aria-label="Remove Leah Novak">Remove<\/summary><p>Leah Novak will no longer be able to buy[^<]*<\/p><form[^]*?value="remove"[^>]*>Remove Leah Novak<\/button>/,
    'a member is removed only after the consequences',
  )
  assert.match(body, /<summary>Leave the company<\/summary><p>[^<]*<\/p><form[^]*?value="leave"[^>]*>Leave now<\/button>/)
  const reader = await pageOf({ myCompany: company({ canManage: false, invitations: [] }) }, path, { cookie, host })
  assert.doesNotMatch(reader.body, /value="(?:role|remove|invite|revoke)"/)
  assert.match(reader.body, /value="leave"/)
})

test('the page of a registered company says how far its check has come, what it can do until then, and who may ask again', async () => {
  const shown = async (review: object | null) => (await pageOf({ myCompany: company({ review }) }, path, { cookie, host })).body
  for (const [state, words] of [
    ['CHECKING', 'asking the tax authority about the VAT number of Hartley Roofing Ltd'],
    ['IN_REVIEW', 'looking Hartley Roofing Ltd up in the registers'],
  ] as const) {
    const text = textOf(await shown({ state, isOwn: true }))
    assert.ok(text.includes(words) && text.includes('Paying by invoice follows once your company is confirmed'), state)
  }
  assert.match(await shown({ state: 'REFUSED', isOwn: true }), /<a href="\/pro-account\/signup">Check the numbers and ask again<\/a>/)
  const colleague = await shown({ state: 'REFUSED', isOwn: false })
  assert.ok(textOf(colleague).includes('The colleague who registered the company can check the numbers'))
  assert.ok(!colleague.includes('/pro-account/signup'))
  assert.ok(!textOf(await shown(null)).includes('checking your company'))
})

const companies = [
  { id: 'c1', name: 'Hartley Roofing Ltd', role: 'BUYER', isCurrent: true },
  { id: 'c2', name: 'Ben Archer Joinery', role: 'ADMIN', isCurrent: false },
]

test('members of several companies see which one they act for, and change to another by a form; the others see nothing of it', async () => {
  const { body } = await pageOf({ myCompany: company(), myCompanies: companies }, path, { cookie, host })
  const own = /<section[^>]*aria-labelledby="companies"[^]*?<\/section>/.exec(body)?.[0] ?? ''
  assert.ok(textOf(own).includes('You are acting for Hartley Roofing Ltd: its prices, budgets and orders apply.'))
  const [current = '', other = ''] = own.match(/<li[^]*?<\/li>/g) ?? []
  assert.ok(textOf(current).includes('acting for it now') && !current.includes('<form'))
  assert.match(other, /<form method="post">.*name="id" value="c2".*value="switch" name="do"[^>]*>Switch to Ben Archer Joinery/)
  for (const few of [[], companies.slice(0, 1)])
    assert.doesNotMatch(
      (await pageOf({ myCompany: company(), myCompanies: few }, path, { cookie, host })).body,
      /id="companies"|value="switch"/,
    )
})

test('the account of a member of several companies names the one they act for, with the way to change it', async () => {
  const work = { approvals: [], myQuotes: [], myStatements: [], myOrders: { total: 0, orders: [] }, customerSegments: null }
  const seen = async (own: object[]) => (await pageOf({ ...work, myCompanies: own }, '/customer-area', { cookie, host })).body
  assert.match(
    await seen(companies),
    /You are acting for Hartley Roofing Ltd\. <a href="\/my-account\/company#companies">Change company<\/a>/,
  )
  assert.ok(!(await seen(companies.slice(0, 1))).includes('You are acting for'))
})

test('an invitation that is refused as a whole opens the page at the reason', async () => {
  const refusal = { reason: 'registration-refused', message: 'We could not confirm your company.', fields: [] }
  const shop = await shopWith({ myCompany: company({ review: { state: 'REFUSED', isOwn: true } }), inviteMember: { refusal } })
  const { body } = await shop.ask(path, { cookie, host, form: { do: 'invite', email: 'kim@hartley.example', role: 'BUYER' } })
  assert.match(body, /role="alert" tabindex="-1" autofocus=""[^]*?We could not confirm your company\.[^]*?value="kim@hartley\.example"/i)
  await shop.close()
})

test('the company’s page shows the limit for invoices, what is used and left; an administrator chooses to pay once a month', async () => {
  const shop = await shopWith({ myCompany: company(), myCredit: credit(), chooseStatements: { isChosen: true } })
  const { body } = await shop.ask(path, { cookie, host })
  for (const amount of ['£500.00', '£140.00', '£360.00']) assert.ok(textOf(body).includes(amount), amount)
  assert.match(body, /value="pay-monthly"/)
  for (const [choice, isOn] of [
    ['pay-monthly', true],
    ['pay-each', false],
  ] as const) {
    const sent = await shop.ask(path, { cookie, host, form: { do: choice } })
    assert.deepEqual([sent.status, sent.headers['location'], shop.asked.at(-1)?.['isOn']], [303, path, isOn])
    assert.match(String(sent.headers['set-cookie']), /statements-chosen/)
  }
  await shop.close()
  const see = async (more: object) => (await pageOf({ myCompany: company(), myCredit: credit(more) }, path, { cookie, host })).body
  assert.match(await see({ isCollective: true }), /value="pay-each"/)
  const reader = await see({ canChooseStatements: false })
  assert.doesNotMatch(reader, /value="pay-/)
  assert.match(reader, /An administrator of your company can change this/)
  assert.doesNotMatch(await see({ reason: 'NOT_OFFERED' }), /id="credit"/)
  const pays = async (debit: object) => {
    const terms = { isOffered: true, canChange: true, creditorName: '', creditorId: '', noticeDays: 14, mandate: null, ...debit }
    return (await pageOf({ myCompany: company(), myCredit: credit({ isCollective: true }), directDebit: terms }, path, { cookie, host }))
      .body
  }
  assert.match(await pays({}), /paid by transfer.*href="\/my-account\/company\/direct-debit"/s)
  assert.doesNotMatch(await pays({ canChange: false }), /direct-debit"/)
  const mandate = {
    reference: 'PURLIN-M10001',
    state: 'ACTIVE',
    endedBy: null,
    holder: '',
    ibanEnd: '3000',
    signedAt: new Date(),
    endedAt: null,
  }
  assert.match(await pays({ mandate }), /direct debit from the account ending in 3000/)
  assert.doesNotMatch(await pays({ isOffered: false }), /paid by transfer/)
})

test('R-287 the company’s page is for members, on the professional storefront; consumers are invited to convert', async () => {
  assert.equal((await pageOf({ myCompany: company() }, path, { cookie })).status, 404)
  const consumer = await pageOf({ myCompany: null }, path, { cookie: 'who=consumer', host })
  assert.deepEqual([consumer.status, consumer.headers['location']], [302, `/pro-account/signup?from=${encodeURIComponent(path)}`])
  const guest = await pageOf({ myCompany: null }, path, { host })
  assert.deepEqual([guest.status, guest.headers['location']], [302, `/login?callbackUrl=${encodeURIComponent(path)}`])
})

test('each form of the company works without script and says what happened', async () => {
  let refusal: object | null = null
  const answer = () => ({ refusal })
  const shop = await shopWith({
    myCompany: company(),
    inviteMember: answer,
    changeMemberRole: answer,
    removeMember: answer,
    revokeInvitation: answer,
    switchCompany: answer,
  })
  const forms: [{ do: string } & Record<string, string>, to: string, flash: RegExp][] = [
    [{ do: 'invite', email: 'kim@hartley.example', role: 'BUYER' }, path, /member-invited/],
    [{ do: 'role', id: 'm2', role: 'APPROVER' }, path, /member-changed/],
    [{ do: 'remove', id: 'm2' }, path, /member-removed/],
    [{ do: 'revoke', id: 'i1' }, path, /invitation-revoked/],
    [{ do: 'leave', id: 'm1' }, '/customer-area', /company-left/],
    [{ do: 'switch', id: 'c2' }, path, /company-switched/],
  ]
  try {
    for (const [form, to, flash] of forms) {
      const sent = await shop.ask(path, { cookie, host, form })
      assert.deepEqual([sent.status, sent.headers['location']], [303, to], form.do)
      assert.match(String(sent.headers['set-cookie']), flash)
    }
    refusal = { reason: 'last-admin', message: 'A company needs an administrator.', fields: [] }
    const refused = await shop.ask(path, { cookie, host, form: { do: 'leave', id: 'm1' } })
    assert.equal(refused.status, 422)
    assert.ok(textOf(refused.body).includes('A company needs an administrator.'))
  } finally {
    await shop.close()
  }
})

const link = `/company-invitation/${'A'.repeat(43)}`
const invitation = (more: object = {}) => ({
  companyName: 'Hartley Roofing Ltd',
  role: 'BUYER',
  isOpen: true,
  email: 'ann@example.com',
  isForYou: true,
  ...more,
})

test('the link of an invitation lets the right account join, on either storefront, and tells others what they need', async () => {
  const shop = await shopWith({ companyInvitation: invitation(), acceptInvitation: { refusal: null } })
  try {
    const shown = await shop.ask(link, { cookie: 'who=consumer', host })
    assert.ok(textOf(shown.body).includes('Join Hartley Roofing Ltd'))
    const here = await shop.ask(link, { cookie: 'who=consumer', host, form: {} })
    assert.deepEqual([here.status, here.headers['location']], [303, path])
    const carried = await shop.ask(link, { cookie: 'who=consumer', form: {} })
    assert.match(
      String(carried.headers['location']),
      /^http:\/\/pro\.gb\.localhost[^/]*\/api\/v1\/exchange-to-pro\?callbackUrl=%2Fmy-account%2Fcompany$/,
    )
    const guest = (await shop.ask(link, { host })).body
    assert.match(guest, new RegExp(`href="/login\\?callbackUrl=${encodeURIComponent(link)}"`))
    assert.match(guest, /href="http:\/\/gb\.localhost[^"]*\/register\?callbackUrl=/)
  } finally {
    await shop.close()
  }
  const other = await pageOf({ companyInvitation: invitation({ isForYou: false }) }, link, { cookie, host })
  assert.ok(textOf(other.body).includes('This invitation is for ann@example.com'))
  const over = await pageOf({ companyInvitation: invitation({ isOpen: false, email: null, isForYou: false }) }, link, { cookie, host })
  assert.ok(textOf(over.body).includes('This invitation no longer works'))
  assert.equal((await pageOf({ companyInvitation: null }, link, { host })).status, 404)
})
