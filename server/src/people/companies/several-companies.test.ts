import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startPunchOutSession } from '#accounts'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../accounts/testing.ts'
import { fakeProvider, somebody } from '../auth/test-provider.ts'
import { gb, pro, testBrowser, type TestBrowser } from '../auth/testing.ts'
import { inviteMember } from './invite-member.ts'

/** People who belong to several companies: which of them they act for, now and after the next sign-in. */

const provider = await fakeProvider()
useSettings(provider.settings)
const database = await testDatabase()
const { db, pool } = database
const gateway = await testGateway(pool)
/** One realm for both storefronts, so that a person may sign in on either. */
const here = { provider: 'keycloak' }

interface Membership {
  id: string
  name: string
  role: string
  isCurrent: boolean
}
interface Answer {
  company?: { name: string } | null
  companies?: Membership[]
  result?: { refusal: { reason: string } | null }
}

/** The firm that invites, and its admin. */
async function firm(name = 'Hartley Roofing') {
  const company = await addCompany(db)
  await pool.query('update accounts.company set name = $2 where id = $1', [company.id, name])
  const customer = await addCustomer(db)
  await addMembership(db, customer.id, company.id, 'admin')
  return { company, admin: { kind: 'member', ...customer, role: 'admin', company } as const }
}
type Firm = Awaited<ReturnType<typeof firm>>

async function inviteTo({ admin }: Firm, email: string): Promise<string> {
  const site = { principal: admin, market: 'gb', mode: 'b2b' } as const
  assert.deepEqual(await database.command(site, (scope) => inviteMember(scope, { email, role: 'buyer' })), { ok: true })
  const { rows } = await pool.query('select body_text from mail.mail where recipient = $1 order by created_at desc limit 1', [email])
  return /company-invitation\/([\w-]{43})/.exec(rows[0]?.body_text ?? '')?.[1] ?? ''
}

async function ask(one: TestBrowser, query: string): Promise<Answer> {
  const { data, errors } = await one.graphql<Answer>(query, pro)
  assert.deepEqual(errors, undefined)
  return data ?? {}
}
const accept = async (one: TestBrowser, token: string) =>
  (await ask(one, `mutation { result: acceptInvitation(token: "${token}") { refusal { reason } } }`)).result?.refusal
const switchTo = async (one: TestBrowser, id: string) =>
  (await ask(one, `mutation { result: switchCompany(id: "${id}") { refusal { reason } } }`)).result?.refusal?.reason ?? 'ok'
const actsFor = async (one: TestBrowser) => (await ask(one, '{ company: myCompany { name } }')).company?.name ?? null
const companiesOf = async (one: TestBrowser) => (await ask(one, '{ companies: myCompanies { id name role isCurrent } }')).companies ?? []
const leave = async (one: TestBrowser) => {
  const { user } = await one.session(pro)
  return (await ask(one, `mutation { result: removeMember(id: "${user?.id ?? ''}") { refusal { reason } } }`)).result?.refusal
}

/** Somebody who registered on the professional storefront, which opened a company of their own. */
async function ben() {
  const person = somebody({ company_name: 'Ben Archer Joinery' })
  provider.person = person
  const one = testBrowser(gateway)
  await one.signIn(pro, here)
  assert.equal(await actsFor(one), 'Ben Archer Joinery')
  return { one, person, email: String(person['email']) }
}

async function onAnotherDevice(person: Record<string, unknown>, host = pro) {
  provider.person = person
  const other = testBrowser(gateway)
  await other.signIn(host, here)
  return other
}

/** Over to the professional storefront, as its link in the consumers' shop leads there. */
async function goToPro(one: TestBrowser) {
  let reply = await one.ask('/api/v1/exchange-to-pro', { host: gb })
  while (reply.location.includes('/api/')) {
    const url = new URL(reply.location)
    reply = await one.ask(url.pathname + url.search, { host: url.host })
  }
}

test('a colleague with a company of their own who joins another acts for that one at every later sign-in, wherever it begins', async () => {
  const { one, person, email } = await ben()
  assert.equal(await accept(one, await inviteTo(await firm(), email)), null)
  assert.equal(await actsFor(one), 'Hartley Roofing')
  await one.post('/api/v1/logout', { no_redirect: 'true' }, { host: pro })
  await one.signIn(pro, here)
  assert.equal(await actsFor(one), 'Hartley Roofing')
  assert.equal(await actsFor(await onAnotherDevice(person)), 'Hartley Roofing')
  const shopper = await onAnotherDevice(person, gb)
  await goToPro(shopper)
  assert.equal(await actsFor(shopper), 'Hartley Roofing')
  const renewed = await one.update({ type: 'role' }, pro)
  assert.equal(renewed.status, 200)
  assert.equal(await actsFor(one), 'Hartley Roofing')
})

test('a member of several companies switches between them, on all devices and for later sign-ins', async () => {
  const { one, person, email } = await ben()
  await accept(one, await inviteTo(await firm(), email))
  const [own, hartley] = await companiesOf(one)
  assert.deepEqual(
    [own, hartley].map((each) => [each?.name, each?.role, each?.isCurrent]),
    [
      ['Ben Archer Joinery', 'ADMIN', false],
      ['Hartley Roofing', 'BUYER', true],
    ],
  )
  const other = await onAnotherDevice(person)
  assert.equal(await switchTo(one, own?.id ?? ''), 'ok')
  for (const each of [one, other, await onAnotherDevice(person)]) assert.equal(await actsFor(each), 'Ben Archer Joinery')
  assert.deepEqual(
    (await companiesOf(other)).map(({ isCurrent }) => isCurrent),
    [true, false],
  )
  assert.equal(await switchTo(other, hartley?.id ?? ''), 'ok')
  assert.equal(await actsFor(one), 'Hartley Roofing')
})

test('V-51 nobody switches to a company they do not, or no longer, belong to, or to one that is closed', async () => {
  const { one, email } = await ben()
  const [left, closed, strange] = [await firm('Left Ltd'), await firm('Closed Ltd'), await firm('Strange Ltd')]
  for (const each of [left, closed]) await accept(one, await inviteTo(each, email))
  assert.equal(await switchTo(one, left.company.id), 'ok')
  assert.equal(await leave(one), null)
  await pool.query('update accounts.company set closed_at = now() where id = $1', [closed.company.id])
  for (const { company } of [left, closed, strange]) assert.equal(await switchTo(one, company.id), 'unknown-company')
  assert.equal(await switchTo(one, 'x'), 'unknown-company')
  assert.deepEqual(
    (await companiesOf(one)).map(({ name }) => name),
    ['Ben Archer Joinery'],
  )
})

test('whoever leaves the company they act for acts for another one of theirs at once, and may join again', async () => {
  const { one, person, email } = await ben()
  const hartley = await firm()
  await accept(one, await inviteTo(hartley, email))
  assert.equal(await leave(one), null)
  for (const each of [one, await onAnotherDevice(person)]) assert.equal(await actsFor(each), 'Ben Archer Joinery')
  assert.equal(await accept(one, await inviteTo(hartley, email)), null)
  assert.equal(await actsFor(await onAnotherDevice(person)), 'Hartley Roofing')
})

test('a buyer from a purchasing system neither sees the member’s other companies nor switches to them', async () => {
  const { company, admin } = await firm()
  const other = await addCompany(db)
  await addMembership(db, admin.id, other.id, 'admin')
  const until = new Date(Date.now() + 60_000)
  const { token } = await startPunchOutSession(db, { memberId: admin.id, companyId: company.id, until })
  const post = async (query: string, cookie = `__Host-purlin=${token}`): Promise<string> => {
    const { body } = await gateway.post(query, {}, { cookie, host: pro })
    return (body as { errors?: { extensions: { code: string } }[] }).errors?.[0]?.extensions.code ?? 'ok'
  }
  const choice = `mutation { result: switchCompany(id: "${other.id}") { refusal { reason } } }`
  assert.deepEqual([await post('{ companies: myCompanies { id } }'), await post(choice)], ['FORBIDDEN', 'FORBIDDEN'])
  const { token: own } = await signIn(db, { customerId: admin.id, companyId: company.id, family: 'b2b' })
  assert.equal(await post(choice, `__Host-purlin=${own}`), 'ok')
  const { rows } = await pool.query('select company_id from accounts.session where customer_id = $1 and is_punch_out', [admin.id])
  assert.deepEqual(rows, [{ company_id: company.id }], 'nor does the member’s own choice move the purchasing system')
})

test('members of several companies from before choices were kept act for the one they joined last', async () => {
  const [first, second] = [await firm(), await firm('Second Ltd')]
  const [several, single] = [await addCustomer(db), await addCustomer(db)]
  await addMembership(db, several.id, first.company.id, 'buyer')
  await addMembership(db, several.id, second.company.id, 'buyer')
  await addMembership(db, single.id, first.company.id, 'buyer')
  const backfill = readFileSync(join(import.meta.dirname, '../accounts/202611281801-acts-for.backfill.sql'), 'utf8')
  await pool.query(backfill, [null, 1000])
  const { rows } = await pool.query('select id, acts_for from accounts.customer where id = any($1)', [[several.id, single.id]])
  assert.deepEqual(Object.fromEntries(rows.map(({ id, acts_for: company }) => [id, company])), {
    [several.id]: second.company.id,
    [single.id]: null,
  })
})
