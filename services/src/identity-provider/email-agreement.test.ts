import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { dateFormat } from '@purlin/words/date-format.ts'
import * as oidc from 'openid-client'
import { continueChanges } from './continue-changes.ts'
import { codeNow } from './second-factor.ts'
import { type TestIdentity, ann, hosts, mailsTo, openStep, signInAt, startSignIn, startTestIdentity, testBrowser, url } from './testing.ts'

/** What the present address of an account decides about another one, by answering or by saying nothing. */

let identity: TestIdentity
const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const people = Array.from({ length: 17 }, (_, n) => ({
  ...ann,
  realms: n === 16 ? (['staff'] as const) : (['b2c'] as const),
  sub: `0199c0de-0000-7000-8000-0000000004${10 + n}`,
  email: `owner${n}@example.com`,
  ...(n >= 15 && { totpSecret }),
}))
type Person = Pick<(typeof people)[number], 'sub' | 'email' | 'password'>
let next = 0
const somebody = (): Person => people[next++]!
before(async () => {
  identity = await startTestIdentity({ people })
})
// All of them share a network, which may request thirty mails an hour.
beforeEach(() => identity.database.pool.query('delete from identity.attempt'))
after(() => identity.server.close())

const account = `${url}/realms/b2c/account`
const query = async (text: string, values: unknown[]) => (await identity.database.pool.query(text, values)).rows
const emailOf = async ({ sub }: Person) => (await query('select email from identity.account where id = $1', [sub]))[0]?.email as string
const linkTo = async (email: string, template: string) =>
  (await mailsTo(identity, email)).findLast((mail) => mail.template === template)?.link ?? ''
const newsTo = async (email: string) => (await mailsTo(identity, email)).filter(({ template }) => template === 'address-news')
const status = async (link: string) => (await testBrowser(identity).follow(link)).status

async function ask(who: Person, email: string) {
  const { browser, ...signedIn } = await signInAt(identity, 'b2c', who)
  await browser.send(await browser.follow(`${account}/email`), { email, old_password: who.password })
  return { ...signedIn, browser, confirm: await linkTo(email, 'new-address'), answer: await linkTo(who.email, 'agree-address') }
}
/** Opens a link in a new browser and sends its form. */
async function press(link: string, fields: Record<string, string> = {}) {
  const browser = testBrowser(identity)
  return browser.send(await browser.follow(link), fields)
}
const confirmed = ({ email }: Person, link: string) => press(link, { present: email })
/** Moves a change into the past, and does what its day asks for. */
async function afterDays({ sub }: Person, days: number) {
  await query(
    `update identity.email_change set requested_at = requested_at - make_interval(days => $2), confirmed_at = confirmed_at - make_interval(days => $2),
      reminded_at = reminded_at - make_interval(days => $2) where account_id = $1`,
    [sub, days],
  )
  await continueChanges({ pool: identity.database.pool, url, hosts })
}

async function longAfter(who: Person) {
  await afterDays(who, 5)
  await afterDays(who, 4)
}

for (const first of ['confirm', 'answer'] as const)
  test(`an address changes when both sides have confirmed, the ${first === 'confirm' ? 'new' : 'present'} one first`, async () => {
    const who = somebody()
    const links = await ask(who, `both-${first}@example.com`)
    const second = first === 'confirm' ? 'answer' : 'confirm'
    const send = { confirm: () => confirmed(who, links.confirm), answer: () => press(links.answer) }
    await send[first]()
    assert.equal(await emailOf(who), who.email)
    await send[second]()
    assert.equal(await emailOf(who), `both-${first}@example.com`)
    assert.ok(await linkTo(who.email, 'moved-address'), 'and can be undone')
  })

test('A42 mail scanners that open every link change nothing', async () => {
  const who = somebody()
  const { confirm, answer } = await ask(who, 'scanned@example.com')
  for (const link of [confirm, answer, `${answer}?answer=refuse`]) assert.equal(await status(link), 200)
  assert.equal(await emailOf(who), who.email)
  assert.deepEqual(await query('select confirmed_at, agreed_at from identity.email_change where account_id = $1', [who.sub]), [
    { confirmed_at: null, agreed_at: null },
  ])
})

test('A42 the present address refuses: nothing changes, both are told, and the other link is worth nothing', async () => {
  const who = somebody()
  const { confirm, answer } = await ask(who, 'refused@example.com')
  await confirmed(who, confirm)
  const page = await testBrowser(identity).follow(`${answer}?answer=refuse`)
  assert.ok(page.html.indexOf('value="refuse"') < page.html.indexOf('value="agree"'), 'the button of the mail comes first')
  assert.match((await press(answer, { answer: 'refuse' })).html, new RegExp(who.email))
  for (const email of [who.email, 'refused@example.com']) assert.match((await newsTo(email))[0]?.text ?? '', /was refused/, email)
  await longAfter(who)
  assert.equal(await emailOf(who), who.email)
  for (const link of [confirm, answer]) assert.equal(await status(link), 410)
})

test('A42 a thief in an unlocked browser moves no account while its owner reads their mails: the refusal stands before and after the thief confirms', async () => {
  const who = somebody()
  for (const [isConfirmed, email] of [
    [false, 'thief-a@example.com'],
    [true, 'thief-b@example.com'],
  ] as const) {
    const { confirm, answer } = await ask(who, email)
    if (isConfirmed) await confirmed(who, confirm)
    await press(answer, { answer: 'refuse' })
    assert.equal(await status(confirm), 410)
  }
  await longAfter(who)
  assert.equal(await emailOf(who), who.email)
})

test('A42 an account without a password is moved by no unlocked browser alone', async () => {
  const who = somebody()
  const { browser } = await signInAt(identity, 'b2c', who)
  await query('update identity.account set password = null where id = $1', [who.sub])
  await browser.send(await browser.follow(`${account}/email`), { email: 'no-password@example.com' })
  await confirmed(who, await linkTo('no-password@example.com', 'new-address'))
  assert.equal(await emailOf(who), who.email)
  await press(await linkTo(who.email, 'agree-address'), { answer: 'refuse' })
  assert.equal(await emailOf(who), who.email)
})

test('an owner who has lost the old mailbox gets the new address seven days after it confirmed, with a reminder three days before', async () => {
  const who = somebody()
  const { browser, confirm } = await ask(who, 'new-mailbox@example.com')
  await confirmed(who, confirm)
  const reminders = async () => (await mailsTo(identity, who.email)).filter(({ template }) => template === 'address-reminder')
  await afterDays(who, 3)
  assert.equal((await reminders()).length, 0)
  await afterDays(who, 2)
  await afterDays(who, 0)
  assert.equal((await reminders()).length, 1)
  const inThreeDays = dateFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(Date.now() + 3 * 86_400_000))
  assert.match((await browser.follow(account)).html, new RegExp(`new-mailbox@example\\.com has confirmed.* on ${inThreeDays}`))
  await afterDays(who, 2)
  assert.equal(await emailOf(who), who.email)
  await afterDays(who, 2)
  assert.equal(await emailOf(who), 'new-mailbox@example.com')
  assert.match((await newsTo('new-mailbox@example.com'))[0]?.text ?? '', /sign in with it/)
  await press(await linkTo(who.email, 'moved-address'))
  assert.equal(await emailOf(who), who.email, 'and the old address can still undo it')
})

test('A42 both the first mail and the reminder refuse; a reminder that comes late leaves three days all the same', async () => {
  const who = somebody()
  const { confirm, answer } = await ask(who, 'late-reminder@example.com')
  await confirmed(who, confirm)
  await afterDays(who, 8)
  await afterDays(who, 2)
  assert.equal(await emailOf(who), who.email)
  const reminder = await linkTo(who.email, 'address-reminder')
  assert.deepEqual([await status(answer), await status(reminder)], [200, 200])
  await press(reminder, { answer: 'refuse' })
  assert.deepEqual([await status(answer), await status(reminder)], [410, 410])
  await afterDays(who, 8)
  assert.equal(await emailOf(who), who.email)
})

test('A42 a change that the new address does not confirm within a day ends, also one that the present address has agreed to', async () => {
  const who = somebody()
  const { browser, confirm, answer } = await ask(who, 'never@example.com')
  await press(answer)
  await query(`update identity.email_change set requested_at = now() - interval '25 hours' where account_id = $1`, [who.sub])
  assert.equal((await confirmed(who, confirm)).status, 410)
  await afterDays(who, 0)
  assert.deepEqual(await query('select 1 from identity.email_change where account_id = $1', [who.sub]), [])
  assert.doesNotMatch((await browser.follow(account)).html, /never@example\.com/)
})

test('too many changes of address are refused with the pause that is left, which doubles', async () => {
  const who = somebody()
  const { browser } = await signInAt(identity, 'b2c', who)
  const page = await browser.follow(`${account}/email`)
  const change = (n: number) => browser.send(page, { email: `again-${n}@example.com`, old_password: who.password })
  for (let n = 1; n <= 4; n++) assert.equal((await change(n)).status, 200)
  const refused = async (minutes: number) => {
    const { status, html } = await change(0)
    assert.equal(status, 429)
    assert.match(html, new RegExp(`Try again in ${minutes} minutes`))
    await query('update identity.attempt set blocked_until = blocked_until - make_interval(mins => $1)', [minutes])
  }
  await refused(5)
  assert.equal((await change(5)).status, 200)
  await refused(10)
  assert.equal((await change(6)).status, 200)
  await refused(20)
})

test('the account page says what a change waits for and cancels it; a link replayed afterwards opens nothing', async () => {
  const who = somebody()
  const { browser, confirm, answer } = await ask(who, 'pending@example.com')
  const shown = async () => (await browser.follow(account)).html
  assert.match(await shown(), /waits for both addresses/)
  const opened = testBrowser(identity)
  const page = await opened.follow(answer)
  await confirmed(who, confirm)
  assert.match(await shown(), /waits for your present address to agree/)
  const overview = await browser.follow(account)
  assert.match((await browser.send(overview, {})).html, /The change of address is cancelled/)
  assert.doesNotMatch(await shown(), /pending@example\.com/)
  assert.equal((await opened.send(page, {})).status, 410, 'a page opened before')
  for (const link of [confirm, answer]) assert.equal(await status(link), 410)
  await longAfter(who)
  assert.equal(await emailOf(who), who.email)
})

/** Lets forms go when all of them wait for the change. */
async function atOnce<Reply>({ sub }: Person, forms: readonly (() => Promise<Reply>)[]): Promise<Reply[]> {
  const client = await identity.database.pool.connect()
  await client.query('begin')
  await client.query('select 1 from identity.email_change where account_id = $1 for update', [sub])
  const replies = Promise.all(forms.map((send) => send()))
  const waiting = async () =>
    (await query(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`, [])).length
  for (let n = 0; n < 500 && (await waiting()) < forms.length; n++) await sleep(10)
  await client.query('commit')
  client.release()
  return replies
}

test('A42 both links at the same moment make one change, and agreement and refusal at the same moment one decision', async () => {
  const who = somebody()
  const open = async (link: string, fields: Record<string, string>) => {
    const browser = testBrowser(identity)
    const page = await browser.follow(link)
    return () => browser.send(page, fields)
  }
  const { confirm, answer } = await ask(who, 'race@example.com')
  const present = { present: who.email }
  const forms = await Promise.all([open(confirm, present), open(answer, {}), open(confirm, present), open(answer, {})])
  const statuses = (await atOnce(who, forms)).map((reply) => reply.status)
  assert.deepEqual(statuses.toSorted(), [200, 200, 410, 410])
  assert.equal(await emailOf(who), 'race@example.com')
  assert.equal((await mailsTo(identity, who.email)).filter(({ template }) => template === 'moved-address').length, 1)
  const back = { ...who, email: 'race@example.com' }
  const again = await ask(back, who.email)
  await confirmed(back, again.confirm)
  const [agree, refuse] = [await open(again.answer, {}), await open(again.answer, { answer: 'refuse' })]
  const replies = await atOnce(who, [agree, refuse])
  assert.deepEqual(replies.map((reply) => reply.status).toSorted(), [200, 410])
  assert.equal(await emailOf(who), replies[0]?.status === 200 ? who.email : back.email)
})

test('A42 signing out everywhere ends a change that waits', async () => {
  const who = somebody()
  const { confirm, answer } = await ask(who, 'signed-out@example.com')
  await confirmed(who, confirm)
  const owner = await signInAt(identity, 'b2c', who)
  await owner.browser.send(await owner.browser.follow(account), { device: 'all' })
  assert.equal(await status(answer), 410)
  await longAfter(who)
  assert.equal(await emailOf(who), who.email)
})

test('A42 somebody who registers the new address meanwhile keeps it, and the waiting account its own', async () => {
  const who = somebody()
  const { confirm } = await ask(who, 'registered@example.com')
  await confirmed(who, confirm)
  const { browser, page } = await openStep(identity, 'b2c', 'register')
  await browser.send(page, { given_name: 'Ben', family_name: 'Okafor', password: 'seven quiet kettles', email: 'registered@example.com' })
  await browser.send(await browser.follow(await linkTo('registered@example.com', 'confirm-address')), {})
  await longAfter(who)
  assert.equal(await emailOf(who), who.email)
  assert.match((await newsTo(who.email))[0]?.text ?? '', /can no longer be used/)
  assert.ok((await signInAt(identity, 'b2c', { email: 'registered@example.com', password: 'seven quiet kettles' })).tokens.refresh_token)
})

/** Signs in with the second step. */
async function signInWithCode(realm: 'b2c' | 'staff', { email, password }: Person) {
  const begun = await startSignIn(await identity.shop(realm), realm)
  const browser = testBrowser(identity)
  const second = await browser.send(await browser.follow(begun.address), { email, password })
  await browser.send(second, { code: codeNow(totpSecret) })
  return browser
}

for (const [realm, who, stays] of [
  ['b2c', people[15]!, false],
  ['staff', people[16]!, true],
] as const)
  test(`A42 undoing a change ${stays ? 'leaves staff their authenticator app, however young, but no passkey' : 'drops an authenticator app and a passkey'} added since the request`, async () => {
    const home = `${url}/realms/${realm}/account`
    const browser = await signInWithCode(realm, who)
    await browser.send(await browser.follow(`${home}/email`), { email: `${realm}-thief@example.com`, old_password: who.password })
    await confirmed(who, await linkTo(`${realm}-thief@example.com`, 'new-address'))
    await query(`insert into identity.passkey (realm, id, account_id, public_key, counter, name) values ($1, $2, $3, '', 0, '')`, [
      realm,
      `key of ${realm}`,
      who.sub,
    ])
    await longAfter(who)
    assert.equal(await emailOf(who), `${realm}-thief@example.com`)
    await press(await linkTo(who.email, 'moved-address'))
    assert.equal(await emailOf(who), who.email)
    assert.equal((await query('select 1 from identity.totp where account_id = $1', [who.sub])).length, stays ? 1 : 0)
    assert.equal((await query('select 1 from identity.passkey where account_id = $1', [who.sub])).length, 0)
  })

test('A42 undoing a change drops what was added on the day of the request, however long the change has waited', async () => {
  const who = somebody()
  const { confirm, config, tokens } = await ask(who, 'patient-thief@example.com')
  await confirmed(who, confirm)
  await query(
    `insert into identity.passkey (realm, id, account_id, public_key, counter, name, created_at)
      values ('b2c', 'of the day', $1, '', 0, '', now() - interval '9 days')`,
    [who.sub],
  )
  await longAfter(who)
  assert.equal(await emailOf(who), 'patient-thief@example.com')
  await press(await linkTo(who.email, 'moved-address'))
  assert.deepEqual(await query('select 1 from identity.passkey where account_id = $1', [who.sub]), [])
  await assert.rejects(oidc.refreshTokenGrant(config, tokens.refresh_token ?? ''))
})
