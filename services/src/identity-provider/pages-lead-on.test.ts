import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestIdentity, ann, mailsTo, openStep, startTestIdentity, testBrowser, url } from './testing.ts'

/** No page is a dead end: what was refused is said where it was entered, and what has expired leads back to the shop's sign-in. */

let identity: TestIdentity
before(async () => {
  identity = await startTestIdentity()
})
after(() => identity.server.close())

const errorOf = (html: string, field: string) => new RegExp(`id="${field}-error"[^>]*>.*?</p>`, 's').exec(html)?.[0] ?? ''

test('a sign-in with empty fields names them and counts no attempt', async () => {
  const { browser, page } = await openStep(identity, 'b2c')
  for (let times = 0; times < 12; times++) {
    const empty = await browser.send(page, { email: ann.email, password: '' })
    assert.equal(empty.status, 422)
    assert.match(errorOf(empty.html, 'password'), /Please fill in this field/)
    assert.equal(errorOf(empty.html, 'email'), '')
    assert.ok(empty.html.includes(`value="${ann.email}"`), 'what was entered stays')
  }
  assert.ok((await browser.send(page, { email: ann.email, password: ann.password })).address.includes('code='))
})

test('a sign-in page has one challenge for passkeys, however often it is opened', async () => {
  const challenges = async () =>
    (await identity.database.pool.query(`select 1 from identity.one_time_token where purpose = 'passkey'`)).rows.length
  const { browser, start } = await openStep(identity, 'b2c')
  const before = await challenges()
  for (let times = 0; times < 5; times++) await browser.follow(start.address)
  assert.equal(await challenges(), before)
})

test('a passkey that was not accepted is told on the sign-in page', async () => {
  const { browser, start } = await openStep(identity, 'b2c')
  const failed = await browser.follow(`${start.address}?passkey=failed`)
  assert.match(failed.html, /role="alert"[^]*The passkey did not work/)
})

test('a link that is unknown by now leads to the sign-in of its shop, in its language', async () => {
  const browser = testBrowser(identity, { 'accept-language': 'en' })
  for (const [realm, shop, words] of [
    ['b2c', 'http://fr.localhost:3000', 'Ce lien n’est plus valable'],
    ['b2b', 'http://pro.de.localhost:3000', 'Dieser Link gilt nicht mehr'],
  ] as const) {
    const page = await browser.follow(`${url}/realms/${realm}/link/${'x'.repeat(43)}?shop=${encodeURIComponent(shop)}`)
    assert.equal(page.status, 410)
    assert.ok(page.html.includes(words), realm)
    assert.ok(page.html.includes(`href="${shop}/login"`), realm)
  }
  const foreign = await browser.follow(`${url}/realms/b2c/link/${'x'.repeat(43)}?shop=${encodeURIComponent('http://evil.example')}`)
  assert.ok(!foreign.html.includes('evil.example'))
  assert.ok(foreign.html.includes('href="http://gb.localhost:3000/login"'))
})

test('the links of mails name their shop', async () => {
  const { browser, page } = await openStep(identity, 'b2c', 'forgotten')
  await browser.send(page, { email: ann.email })
  const mail = (await mailsTo(identity, ann.email)).at(-1)
  assert.match(mail?.text ?? '', /\/link\/[\w-]{43}\?shop=http%3A%2F%2Fgb\.localhost%3A3000/)
})

test('a form that is out of date is shown again, with its fields and the reason', async () => {
  const { browser, page } = await openStep(identity, 'b2c', 'forgotten')
  await browser.send(page, { email: ann.email })
  const link = (await mailsTo(identity, ann.email)).at(-1)?.link ?? ''
  const stale = (html: string) => html.replace(/name="form_key" value="[^"]*"/g, 'name="form_key" value="old"')
  const opened = await browser.follow(link)
  const refused = await browser.send({ ...opened, html: stale(opened.html) }, { password: 'seven quiet kettles' })
  assert.equal(refused.status, 403)
  assert.match(refused.html, /role="alert"[^]*This form was open for too long/)
  assert.equal((await browser.send(refused, { password: 'seven quiet kettles' })).status, 200)
})

test('errors of the protocol and expired sign-ins lead to the shop’s sign-in; those of staff to the offices', async () => {
  const browser = testBrowser(identity, { 'accept-language': 'en' })
  const request = `/realms/b2c/protocol/openid-connect/auth?client_id=purlin&redirect_uri=${encodeURIComponent('http://evil.example/')}`
  for (const address of [request, '/realms/b2c/interaction/of-another-day'])
    assert.ok((await browser.follow(url + address)).html.includes('href="http://gb.localhost:3000/login"'), address)
  const staff = await browser.follow(`${url}/realms/staff/interaction/of-another-day`)
  assert.ok(staff.html.includes('href="http://gb.localhost:3000/office"'))
})
