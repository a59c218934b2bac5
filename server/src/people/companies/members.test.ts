import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../accounts/testing.ts'
import { maxInvitations, maxMailsOfCompany, maxMailsToRecipient } from './invite-member.ts'

const database = await testDatabase()
const { db, pool } = database
const gateway = await testGateway(pool)

interface Company {
  canManage: boolean
  members: { id: string; role: string; isYou: boolean }[]
  invitations: { id: string; email: string }[]
}
interface Reply {
  data: {
    company?: Company | null
    result?: { refusal: { reason: string } | null }
    invitation?: { isOpen: boolean; isForYou: boolean; email: string | null } | null
  } | null
  errors?: { extensions: { code: string } }[]
}

async function person(company?: { id: string }, role = 'buyer') {
  const customer = await addCustomer(db)
  if (company) await addMembership(db, customer.id, company.id, role)
  const { token } = await signIn(db, { customerId: customer.id, family: 'b2b', ...(company && { companyId: company.id }) })
  const post = async (query: string, variables?: object): Promise<Reply> =>
    (await gateway.post(query, variables, { cookie: `__Host-purlin=${token}`, host: 'pro.gb.localhost:3000' })).body
  const change = async (query: string, variables: object) => {
    const { data, errors } = await post(query, variables)
    return errors?.[0]?.extensions.code ?? data?.result?.refusal?.reason ?? 'ok'
  }
  return {
    ...customer,
    see: async () =>
      (await post('{ company: myCompany { canManage members { id role isYou } invitations { id email } } }')).data?.company ?? null,
    invite: (email: string, as = 'BUYER') =>
      change('mutation ($email: String!, $role: MemberRole!) { result: inviteMember(email: $email, role: $role) { refusal { reason } } }', {
        email,
        role: as,
      }),
    revoke: (id: string) => change('mutation ($id: ID!) { result: revokeInvitation(id: $id) { refusal { reason } } }', { id }),
    accept: (link: string) =>
      change('mutation ($token: String!) { result: acceptInvitation(token: $token) { refusal { reason } } }', { token: link }),
    open: async (link: string) =>
      (await post('query ($token: String!) { invitation: companyInvitation(token: $token) { isOpen isForYou email } }', { token: link }))
        .data?.invitation,
    give: (id: string, as: string) =>
      change('mutation ($id: ID!, $role: MemberRole!) { result: changeMemberRole(id: $id, role: $role) { refusal { reason } } }', {
        id,
        role: as,
      }),
    remove: (id: string) => change('mutation ($id: ID!) { result: removeMember(id: $id) { refusal { reason } } }', { id }),
  }
}

/** Statements of this database that wait for a lock. */
const lockWaiters = async () =>
  (await pool.query(`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
    .rows[0]?.n as number

/** The token of the link in the latest mail to somebody. */
async function linkTo(email: string): Promise<string> {
  const { rows } = await pool.query(`select body_text from mail.mail where recipient = $1 order by created_at desc, id desc limit 1`, [
    email,
  ])
  return /company-invitation\/([\w-]{43})/.exec(rows[0]?.body_text ?? '')?.[1] ?? ''
}

test('an invitation by mail lets the invited account join, with its role, once', async () => {
  const company = await addCompany(db)
  const admin = await person(company, 'admin')
  const ben = await person()
  assert.equal(await admin.invite(ben.email.toUpperCase(), 'APPROVER'), 'ok')
  const link = await linkTo(ben.email)
  assert.deepEqual(await ben.open(link), { isOpen: true, isForYou: true, email: ben.email })
  assert.equal(await ben.accept(link), 'ok')
  assert.deepEqual(
    (await ben.see())?.members.map(({ role, isYou }) => [role, isYou]),
    [
      ['ADMIN', false],
      ['APPROVER', true],
    ],
    'in the session under way, too',
  )
  assert.equal(await ben.accept(link), 'invitation-over')
  assert.deepEqual(await ben.open(link), { isOpen: false, isForYou: false, email: null }, 'a used link tells no address')
  assert.equal(await admin.invite(ben.email), 'already-member')
})

test('A35 a forwarded, revoked, replaced, expired or invented link joins nobody', async () => {
  const company = await addCompany(db)
  const admin = await person(company, 'admin')
  const [ben, thief] = [await person(), await person()]
  await admin.invite(ben.email)
  const first = await linkTo(ben.email)
  assert.equal(await thief.accept(first), 'other-email')
  assert.deepEqual((await thief.open(first))?.isForYou, false)
  await admin.invite(ben.email)
  assert.equal(await ben.accept(first), 'invitation-over', 'the second invitation ends the first')
  const second = await linkTo(ben.email)
  const [open] = (await admin.see())?.invitations ?? []
  assert.equal(await admin.revoke(open?.id ?? ''), 'ok')
  assert.equal(await ben.accept(second), 'invitation-over')
  await admin.invite(ben.email)
  await pool.query(`update companies.invitation set expires_at = now() where company_id = $1`, [company.id])
  assert.equal(await ben.accept(await linkTo(ben.email)), 'invitation-over')
  for (const invented of ['x', 'A'.repeat(43)]) assert.equal(await ben.accept(invented), 'invitation-over')
  assert.equal(await ben.open('A'.repeat(43)), null)
  assert.equal(await ben.see(), null)
})

test('an invitation works only while its sender is an admin of the company', async () => {
  const company = await addCompany(db)
  const [admin, second] = [await person(company, 'admin'), await person(company, 'admin')]
  const [ben, eve] = [await person(), await person()]
  await second.invite(ben.email)
  await second.invite(eve.email)
  assert.equal(await admin.give(second.id, 'BUYER'), 'ok')
  assert.equal(await ben.accept(await linkTo(ben.email)), 'invitation-over')
  assert.equal(await admin.give(second.id, 'ADMIN'), 'ok')
  assert.equal(await ben.accept(await linkTo(ben.email)), 'ok', 'the refusal has not used it up')
  assert.equal(await admin.remove(second.id), 'ok')
  assert.equal(await eve.accept(await linkTo(eve.email)), 'invitation-over')
  assert.equal((await admin.see())?.members.length, 2)
})

test('of ten who use one link at once, and of one who uses it ten times, one membership comes', async () => {
  const company = await addCompany(db)
  const admin = await person(company, 'admin')
  const ben = await person()
  await admin.invite(ben.email)
  const link = await linkTo(ben.email)
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => ben.accept(link)))
  assert.equal(outcomes.filter((outcome) => outcome === 'ok').length, 1)
  assert.equal((await admin.see())?.members.length, 2)
})

test('a company keeps an admin: the last one neither goes nor becomes a buyer, and two do not remove each other at once', async () => {
  const company = await addCompany(db)
  const admin = await person(company, 'admin')
  assert.deepEqual(
    [await admin.give(admin.id, 'BUYER'), await admin.remove(admin.id), await admin.give(admin.id, 'ADMIN')],
    ['last-admin', 'last-admin', 'ok'],
  )
  const second = await person(company, 'admin')
  await Promise.all([admin.remove(second.id), second.remove(admin.id)])
  const { rows } = await pool.query(
    `select count(*)::int as admins from accounts.membership where company_id = $1 and role = 'admin' and ended_at is null`,
    [company.id],
  )
  assert.deepEqual(rows, [{ admins: 1 }])
})

test('an invitation takes no role away: an admin who opens an older one as a buyer stays admin', async () => {
  const company = await addCompany(db)
  const [first, ben] = [await person(company, 'admin'), await person()]
  await first.invite(ben.email)
  const link = await linkTo(ben.email)
  await addMembership(db, ben.id, company.id, 'admin')
  assert.equal(await ben.accept(link), 'ok')
  assert.equal((await ben.see())?.members.find(({ isYou }) => isYou)?.role, 'ADMIN')
  assert.equal(await first.remove(first.id), 'ok', 'so that the company keeps one when the other goes')
})

test('an admin who loses the role while waiting for another change no longer changes anything', async () => {
  const company = await addCompany(db)
  const [ann, ben] = [await person(company, 'admin'), await person(company, 'admin')]
  await person(company, 'admin')
  const other = await pool.connect()
  await other.query('begin')
  await other.query('select id from accounts.company where id = $1 for update', [company.id])
  // Both are still admins when they begin, and take turns from here on.
  const both = Promise.all([ann.give(ben.id, 'BUYER'), ben.give(ann.id, 'BUYER')])
  while ((await lockWaiters()) < 2) await sleep(10)
  await other.query('commit')
  other.release()
  assert.deepEqual((await both).toSorted(), ['ok', 'unknown-member'])
})

test('an admin who loses the role does not keep it by giving it to themselves at the same moment, and may still leave', async () => {
  const company = await addCompany(db)
  const [ann, ben] = [await person(company, 'admin'), await person(company, 'admin')]
  const race = async (own: () => Promise<string>) => {
    const other = await pool.connect()
    await other.query('begin')
    await other.query('select id from accounts.company where id = $1 for update', [company.id])
    const demoted = ann.give(ben.id, 'BUYER')
    while ((await lockWaiters()) < 1) await sleep(10)
    const tried = own()
    while ((await lockWaiters()) < 2) await sleep(10)
    await other.query('commit')
    other.release()
    return [await demoted, await tried]
  }
  assert.deepEqual(await race(() => ben.give(ben.id, 'ADMIN')), ['ok', 'unknown-member'])
  const roles = (await ann.see())?.members.map(({ role }) => role)
  assert.deepEqual(roles, ['ADMIN', 'BUYER'])
  assert.equal(await ann.give(ben.id, 'ADMIN'), 'ok')
  assert.deepEqual(await race(() => ben.remove(ben.id)), ['ok', 'ok'])
})

test('who is removed acts for nobody from the next request on; members may go by themselves', async () => {
  const company = await addCompany(db)
  const admin = await person(company, 'admin')
  const [ben, eve] = [await person(company), await person(company)]
  assert.equal(await admin.give(ben.id, 'APPROVER'), 'ok')
  assert.equal((await ben.see())?.members.find(({ isYou }) => isYou)?.role, 'APPROVER')
  assert.equal(await admin.remove(ben.id), 'ok')
  assert.equal(await ben.see(), null)
  assert.equal(await eve.remove(eve.id), 'ok')
  assert.deepEqual(
    (await admin.see())?.members.map(({ id }) => id),
    [admin.id],
  )
  assert.equal(await admin.invite(eve.email), 'ok')
  assert.equal(await eve.accept(await linkTo(eve.email)), 'ok', 'and may come back')
})

test('V-51 members and invitations of another company are not found; those who do not manage it change nothing', async () => {
  const [company, other] = [await addCompany(db), await addCompany(db)]
  const admin = await person(company, 'admin')
  const [buyer, rival] = [await person(company), await person(other, 'admin')]
  await admin.invite('new@example.com')
  const [invitation] = (await admin.see())?.invitations ?? []
  assert.ok(invitation)
  assert.deepEqual(
    [await rival.give(buyer.id, 'ADMIN'), await rival.remove(buyer.id), await rival.revoke(invitation.id)],
    ['unknown-member', 'unknown-member', 'unknown-invitation'],
  )
  assert.deepEqual(
    [
      await buyer.invite('x@example.com'),
      await buyer.give(buyer.id, 'ADMIN'),
      await buyer.revoke(invitation.id),
      await buyer.remove(admin.id),
    ],
    ['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'unknown-member'],
  )
  assert.deepEqual((await buyer.see())?.invitations, [], 'invitations are shown to those who send them')
  assert.equal((await admin.see())?.members.length, 2)
})

test('invitations are limited, and a mail to a stranger has no link but its own', async () => {
  const company = await addCompany(db)
  await pool.query(`update accounts.company set name = 'Win at https://evil.example/now' where id = $1`, [company.id])
  const admin = await person(company, 'admin')
  assert.equal(await admin.invite('no address'), 'email-invalid')
  for (let sent = 0; sent < maxInvitations; sent++) assert.equal(await admin.invite(`kim${sent}@stranger.example`), 'ok')
  assert.equal(await admin.invite('one.more@stranger.example'), 'too-many-invitations')
  for (const { email, id } of (await admin.see())?.invitations ?? []) if (email !== 'kim0@stranger.example') await admin.revoke(id)
  let more = 0
  while (more < 100 && (await admin.invite(`lee${more}@stranger.example`)) === 'ok') {
    const last = (await admin.see())?.invitations.find(({ email }) => email === `lee${more}@stranger.example`)
    await admin.revoke(last?.id ?? '')
    more++
  }
  assert.equal(maxInvitations + more, maxMailsOfCompany, 'inviting and revoking in turn sends no more mails')
  assert.equal(await admin.invite('one.more@stranger.example'), 'too-many-invitations-today')
  const { rows } = await pool.query(`select subject, body_text from mail.mail where recipient = 'kim0@stranger.example'`)
  assert.doesNotMatch(`${rows[0].subject} ${rows[0].body_text}`, /evil\.example/)
})

test('one person gets three invitation mails a day, from however many companies, also at the same moment and to spellings of one mailbox', async () => {
  const spelling = (at: number) => `popular${at % 2 ? `+${at}` : ''}@stranger.example`
  const admins = await Promise.all(Array.from({ length: 6 }, async () => person(await addCompany(db), 'admin')))
  const outcomes = await Promise.all(admins.map((admin, at) => admin.invite(spelling(at))))
  assert.deepEqual(
    [outcomes.filter((each) => each === 'ok').length, outcomes.filter((each) => each === 'too-many-invitations-today').length],
    [maxMailsToRecipient, 6 - maxMailsToRecipient],
  )
  const { rows } = await pool.query(`select 1 from mail.mail where recipient like 'popular%'`)
  assert.equal(rows.length, maxMailsToRecipient)
  await pool.query(`update companies.invitation_mail set sent_at = now() - interval '25 hours'`)
  assert.equal(await admins[outcomes.indexOf('too-many-invitations-today')]?.invite(spelling(0)), 'ok', 'the day after')
})
