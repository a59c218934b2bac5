import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as oidc from 'openid-client'
import { type TestIdentity, ann, mailsTo, signInAt, startSignIn, startTestIdentity, testBrowser, url } from './testing.ts'

let identity: TestIdentity
const person = (n: number) => ({
  ...ann,
  realms: ['b2c'] as const,
  sub: `0199c0de-0000-7000-8000-0000000001${10 + n}`,
  email: `mover${n}@example.com`,
})
const people = Array.from({ length: 8 }, (_, n) => person(n))
before(async () => {
  identity = await startTestIdentity({ people: [ann, ...people] })
})
after(() => identity.server.close())

const account = `${url}/realms/b2c/account`
const emailIn = async (sub: string) =>
  (await identity.database.pool.query('select email from identity.account where id = $1 and realm = $2', [sub, 'b2c'])).rows[0]
    ?.email as string
const lastMail = async (email: string, template: string) => (await mailsTo(identity, email)).findLast((mail) => mail.template === template)

/** Requests the change: the browser, its tokens, and the links to the new and to the present address. */
async function ask(who: Pick<typeof ann, 'email' | 'password'>, email: string) {
  const signedIn = await signInAt(identity, 'b2c', who)
  const page = await signedIn.browser.follow(`${account}/email`)
  const sent = await signedIn.browser.send(page, { email, old_password: who.password })
  const link = (await lastMail(email.trim().toLowerCase(), 'new-address'))?.link ?? ''
  return { ...signedIn, sent, link, agree: (await lastMail(who.email, 'agree-address'))?.link ?? '' }
}
/** Opens a link in a new browser and presses its first button. */
async function press(link: string, fields: Record<string, string> = {}) {
  const browser = testBrowser(identity)
  return browser.send(await browser.follow(link), fields)
}
/** A change that both addresses have confirmed. */
async function move(who: Pick<typeof ann, 'email' | 'password'>, email: string) {
  const asked = await ask(who, email)
  await press(asked.link, { present: who.email })
  await press(asked.agree)
  return asked
}

test('R-293 an address is changed once both have confirmed by their links; the shop is told with the next tokens, both addresses by mail', async () => {
  const [who] = people
  const { config, tokens, link, agree } = await ask(who!, 'New.Home@example.com ')
  const page = await testBrowser(identity).follow(link)
  assert.match(page.html, /new\.home@example\.com/)
  assert.match((await testBrowser(identity).follow(agree)).html, /new\.home@example\.com/)
  await press(link, { present: ` ${who!.email.toUpperCase()}` })
  assert.equal(await emailIn(who!.sub), who!.email, 'opened links confirm nothing, and one of two is not enough')
  assert.match((await press(agree)).html, /new\.home@example\.com/)
  assert.equal(await emailIn(who!.sub), 'new.home@example.com')
  assert.equal((await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')).claims()?.['email'], 'new.home@example.com')
  assert.ok(await lastMail(who!.email, 'moved-address'))
  assert.match((await lastMail('new.home@example.com', 'address-news'))?.text ?? '', /sign in with it/)
  for (const spent of [link, agree]) assert.equal((await testBrowser(identity).follow(spent)).status, 410, 'once')
})

test('A42 a changed address takes over no account: not with a wrong password, not without a sign-in, not by a stranger’s click', async () => {
  const who = people[1]!
  const { browser } = await signInAt(identity, 'b2c', who)
  const page = await browser.follow(`${account}/email`)
  assert.equal((await browser.send(page, { email: 'x@example.com', old_password: 'not this one' })).status, 422)
  assert.equal((await testBrowser(identity).follow(`${account}/email`)).html.includes('old_password'), false, 'nobody signed in')
  const { link, agree } = await ask(who, 'victim@example.com')
  await press(agree)
  const shown = await testBrowser(identity).follow(link)
  assert.match(shown.html, /not the browser in which the change was requested/)
  assert.ok(!shown.html.includes(who.email), 'and does not say whose account it is')
  for (const present of ['', 'victim@example.com']) assert.equal((await press(link, { present })).status, 422)
  assert.equal(await emailIn(who.sub), who.email, 'the account’s own address is known to its owner')
})

test('A41 an address that has an account answers the same, and stays its owner’s', async () => {
  const who = people[2]!
  const text = (html: string) =>
    html
      .replaceAll(ann.email, '')
      .replaceAll('nobody-yet@example.com', '')
      .replace(/form_key" value="[^"]+/g, '')
  const shown: string[][] = []
  const asked: Awaited<ReturnType<typeof ask>>[] = []
  for (const email of [ann.email, 'nobody-yet@example.com']) {
    const change = await ask(who, email)
    const overview = text((await change.browser.follow(`${account}/email`)).html)
    const agreed = text((await press(change.agree)).html)
    const waits = text((await change.browser.follow(`${account}/email`)).html)
    shown.push([text(change.sent.html), overview, agreed, waits])
    asked.push(change)
  }
  assert.deepEqual(shown[0], shown[1])
  const [taken, free] = asked
  assert.equal(taken!.link, '')
  assert.ok(await lastMail(ann.email, 'existing-account'))
  assert.equal(await lastMail(ann.email, 'address-news'), undefined)
  // One that is taken between the request and the link.
  await identity.database.pool.query(`update identity.account set email = 'nobody-yet@example.com' where id = $1`, [people[3]!.sub])
  assert.equal((await press(free!.link, { present: who.email })).status, 410)
  assert.equal(await emailIn(who.sub), who.email)
  assert.match((await lastMail(who.email, 'address-news'))?.text ?? '', /can no longer be used/)
})

test('A42 the old address undoes the change: sessions end, the thief’s password is worth nothing, a new one is chosen by mail', async () => {
  const who = people[4]!
  const { config, tokens } = await move(who, 'thief@example.com')
  assert.equal(await emailIn(who.sub), 'thief@example.com')
  const undo = (await lastMail(who.email, 'moved-address'))?.link ?? ''
  const owner = testBrowser(identity)
  await owner.send(await owner.follow(undo), {})
  assert.equal(await emailIn(who.sub), who.email)
  await assert.rejects(oidc.refreshTokenGrant(config, tokens.refresh_token ?? ''))
  for (const email of ['thief@example.com', who.email]) {
    const stranger = testBrowser(identity)
    const page = await stranger.follow((await startSignIn(await identity.shop('b2c'), 'b2c')).address)
    assert.equal((await stranger.send(page, { email, password: who.password })).status, 401, email)
  }
  const reset = (await lastMail(who.email, 'reset-password'))?.link ?? ''
  await owner.send(await owner.follow(reset), { password: 'nine brave badgers' })
  assert.ok((await signInAt(identity, 'b2c', { ...who, password: 'nine brave badgers' })).tokens.refresh_token)
  assert.equal((await owner.follow(undo)).status, 410, 'once')
})

test('A42 a link of before the change opens nothing after it, and a newer request replaces an older one', async () => {
  const who = people[5]!
  const first = await ask(who, 'first@example.com')
  const second = await ask(who, 'second@example.com')
  for (const link of [first.link, first.agree]) assert.equal((await first.browser.follow(link)).status, 410)
  const stranger = testBrowser(identity)
  const start = await stranger.follow((await startSignIn(await identity.shop('b2c'), 'b2c')).address)
  await stranger.send(await stranger.follow(`${start.address}/forgotten`), { email: who.email })
  const reset = (await lastMail(who.email, 'reset-password'))?.link ?? ''
  await second.browser.send(await second.browser.follow(second.link), {})
  await press(second.agree)
  assert.equal((await stranger.follow(reset)).status, 410)
})

test('A42 the undo of the first address outranks those of later ones, and pending links end with it', async () => {
  const who = people[7]!
  await move(who, 'b.thief@example.com')
  await move({ ...who, email: 'b.thief@example.com' }, 'c.thief@example.com')
  const third = await ask({ ...who, email: 'c.thief@example.com' }, 'd.thief@example.com')
  const undoOf = async (email: string) => (await lastMail(email, 'moved-address'))?.link ?? ''
  const owner = testBrowser(identity)
  await owner.send(await owner.follow(await undoOf(who.email)), {})
  assert.equal(await emailIn(who.sub), who.email)
  const thief = testBrowser(identity)
  assert.equal((await thief.follow(await undoOf('b.thief@example.com'))).status, 410)
  for (const link of [third.link, third.agree]) assert.equal((await third.browser.follow(link)).status, 410)
  assert.equal(await emailIn(who.sub), who.email)
})

test('the page that was asked for is shown after the sign-in, and the forgotten password comes first where the shop asks for it', async () => {
  const browser = testBrowser(identity)
  const shop = encodeURIComponent('http://gb.localhost:3000')
  const page = await browser.follow(`${account}/email?shop=${shop}`)
  const end = await browser.send(page, { email: people[6]!.email, password: people[6]!.password })
  assert.match(end.address, /\/account\/email\?shop=/)
  const other = testBrowser(identity)
  const begun = await startSignIn(await identity.shop('b2c'), 'b2c', { purlin_step: 'forgotten' })
  const forgotten = await other.follow(begun.address)
  assert.match(forgotten.address, /\/forgotten$/)
  assert.match(
    (await other.follow(forgotten.address.replace(/\/forgotten$/, ''))).html,
    /name="password"/,
    'and the way to the sign-in page is open',
  )
})
