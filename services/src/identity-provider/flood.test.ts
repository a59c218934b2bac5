import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import * as oidc from 'openid-client'
import { type QuotaName, countAttempt, quotas } from './attempts.ts'
import { type Turns, inTurn, shareOfNetwork } from './hash-turns.ts'
import {
  type TestBrowser,
  type TestIdentity,
  ann,
  formsOf,
  mailsTo,
  openStep,
  signInAt,
  startTestIdentity,
  testBrowser,
  url,
} from './testing.ts'

/** One address that floods the forms with passwords stops nobody else. */

const people = Array.from({ length: 7 }, (_, n) => ({ ...ann, sub: ann.sub.replace(/01$/, `2${n}`), email: `flood-${n}@example.com` }))
type Person = (typeof people)[number]
let identity: TestIdentity
let lookedUp = 0
/** A range API of breached passwords that knows none. */
const api = createServer((_request, response) => {
  lookedUp++
  response.end('')
})
before(async () => {
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  const breachedPasswordsUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  identity = await startTestIdentity({ trustProxy: 'loopback', people: [ann, ...people], breachedPasswordsUrl })
})
after(async () => {
  await identity.server.close()
  api.closeAllConnections()
  api.close()
})
beforeEach(() => identity.database.pool.query('delete from identity.attempt'))

const chosen = 'seven quiet kettles'
const registration = { given_name: 'Ben', family_name: 'Okafor', password: chosen }
let network = 0
const nextAddress = () => `192.0.2.${++network}`
const browserAt = (address: string) => testBrowser(identity, { 'x-forwarded-for': address })

/** Submits the page's form without following what it leads to. */
async function submit(browser: TestBrowser, page: { address: string; html: string }, fields: Record<string, string>) {
  const form = formsOf(page.html).find(({ names }) => Object.keys(fields).every((name) => names.has(name)))
  assert.ok(form, `no form with ${Object.keys(fields).join()}`)
  const response = await browser.ask(new URL(form.action, new URL(page.address, url)).href, {
    method: 'POST',
    body: new URLSearchParams({ ...form.hidden, ...fields }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: url },
  })
  return { status: response.status, retryAfter: response.headers.get('retry-after'), html: await response.text() }
}

/** Hashes that hold the whole share of a network until they are released. */
function occupy(share: string, count = shareOfNetwork.running + shareOfNetwork.waiting, turns: Turns = 'usual') {
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  const held = Array.from({ length: count }, () => inTurn(share, () => gate, turns).catch(() => undefined))
  return async () => {
    release()
    await Promise.all(held)
  }
}

async function useUp(quota: QuotaName, subject: string) {
  for (let n = 0; n < quotas[quota].free; n++) assert.equal(await countAttempt(identity.database.db, [{ quota, subject }]), undefined)
}

const byLink = ['new password by link', 'confirmation in another browser']
/** Every page on which a network can send a password to be hashed, opened in a browser at this address. */
async function pagesWithPasswords(address: string, [forgetful, holder]: readonly [Person, Person]) {
  const browser = browserAt(address)
  const register = await openStep(identity, 'b2c', 'register', browser)
  const signIn = await openStep(identity, 'b2c', '', browserAt(address))
  const forgotten = await openStep(identity, 'b2c', 'forgotten', browserAt(address))
  await forgotten.browser.send(forgotten.page, { email: forgetful.email })
  const reset = await forgotten.browser.follow((await mailsTo(identity, forgetful.email)).at(-1)?.link ?? '')
  const email = `elsewhere-${network}@example.com`
  const registered = await openStep(identity, 'b2c', 'register', browserAt(address))
  await registered.browser.send(registered.page, { ...registration, email })
  const reader = browserAt(address)
  const confirm = await reader.follow((await mailsTo(identity, email)).at(-1)?.link ?? '')
  const owner = browserAt(address)
  await signInAt(identity, 'b2c', holder, owner)
  const account = `${url}/realms/b2c/account?shop=${encodeURIComponent('http://gb.localhost:3000')}`
  await owner.follow(account)
  const [password, changed] = await Promise.all(['password', 'email'].map((step) => owner.follow(account.replace('?', `/${step}?`))))
  assert.ok(password && changed)
  const old_password = holder.password
  const forms = {
    registration: { browser, page: register.page, fields: { ...registration, email: 'busy@example.com' } },
    'sign-in': { browser: signIn.browser, page: signIn.page, fields: { email: ann.email, password: ann.password } },
    'new password by link': { browser: forgotten.browser, page: reset, fields: { password: chosen } },
    'confirmation in another browser': { browser: reader, page: confirm, fields: registration },
    'address of an account': { browser: owner, page: changed, fields: { old_password, email: 'moved@example.com' } },
    'password of an account': { browser: owner, page: password, fields: { old_password, password: chosen } },
  }
  await identity.database.pool.query('delete from identity.attempt')
  return Object.entries(forms)
}

async function signsIn(address: string, person = ann) {
  const { browser, page } = await openStep(identity, 'b2c', '', browserAt(address))
  const began = performance.now()
  const end = await browser.send(page, { email: person.email, password: person.password })
  return { took: performance.now() - began, isIn: end.address.includes('code='), status: end.status }
}

for (const [what, step, fieldsOf] of [
  ['registrations', 'register', (n: number) => ({ ...registration, email: `new-${n}@example.com` })],
  ['wrong passwords', '', (n: number) => ({ email: `made-up-${n}@example.com`, password: 'a guess of a stranger' })],
] as const)
  test(`V-11 A40 sixty parallel ${what} from one address leave the sign-in of another address quick, and none of them is a 500`, async () => {
    const { browser, page } = await openStep(identity, 'b2c', step, browserAt(nextAddress()))
    const other = await openStep(identity, 'b2c', '', browserAt(nextAddress()))
    let isOver = false
    let tooMany = () => {}
    const full = new Promise<void>((resolve) => (tooMany = resolve))
    const answers: Awaited<ReturnType<typeof submit>>[] = []
    // Each sender begins again at once.
    const flood = Array.from({ length: 60 }, async (_, n) => {
      for (let times = 0; !isOver; times++) {
        const sent = await submit(browser, page, fieldsOf(60 * times + n))
        answers.push(sent)
        if (sent.status >= 429) tooMany()
      }
    })
    await full
    const began = performance.now()
    const end = await other.browser.send(other.page, { email: ann.email, password: ann.password })
    const took = performance.now() - began
    isOver = true
    await Promise.all(flood)
    assert.ok(end.address.includes('code='), `the other address: ${end.status}`)
    assert.deepEqual(new Set(answers.map(({ status }) => status)).difference(new Set([200, 401, 429, 503])), new Set())
    for (const { status, retryAfter } of answers) if (status > 401) assert.ok(Number(retryAfter) > 0, String(status))
    // A quick one may have met a pause of the machine: then the sign-ins after it are quick.
    assert.ok(took < 2000 || (await signsIn(nextAddress())).took < 2000, `${Math.round(took)} ms`)
  })

test('V-11 a form with a password is 503 with Retry-After while its network’s share of the hashes is used up, and is shown again', async () => {
  const address = nextAddress()
  const pages = await pagesWithPasswords(address, [people[0]!, people[1]!])
  const release = occupy(address)
  try {
    for (const [name, { browser, page, fields }] of pages) {
      const busy = await submit(browser, page, fields)
      assert.deepEqual([busy.status, busy.retryAfter], [503, '3'], name)
      assert.match(busy.html, /role="alert"[^]*Many people are signing in right now/, name)
      const again = formsOf(busy.html).find(({ names }) => Object.keys(fields).every((field) => names.has(field)))
      assert.ok(again, `${name}: the form`)
    }
    assert.equal((await signsIn(nextAddress())).isIn, true, 'another network')
  } finally {
    await release()
  }
  for (const [name, { browser, page, fields }] of pages)
    assert.ok((await submit(browser, page, fields)).status < 400, `${name}, afterwards`)
})

test('V-11 the shop gets 503 with Retry-After for a change of password while the account’s share is used up', async () => {
  const { sub: id, password: currentPassword } = people[2]!
  const { access_token: token } = await oidc.clientCredentialsGrant(await identity.shop('b2c'))
  const change = () =>
    identity.fetch(`${url}/admin/realms/b2c/users/${id}/reset-password`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'password', value: chosen, currentPassword }),
    })
  const release = occupy(`account ${id}`)
  try {
    // More often than a password may be guessed.
    for (let n = 0; n < quotas.code.free + 1; n++) {
      const busy = await change()
      assert.deepEqual([busy.status, busy.headers.get('retry-after'), await busy.json()], [503, '3', { error: 'busy' }])
    }
  } finally {
    await release()
  }
  assert.equal((await change()).status, 204)
})

test('A40 passwords that were not checked, because too many were waiting, lock nobody out', async () => {
  const [flooding, home] = [nextAddress(), nextAddress()]
  const { browser, page } = await openStep(identity, 'b2c', '', browserAt(flooding))
  const release = occupy(flooding)
  try {
    for (let n = 0; n < quotas.account.free + 2; n++)
      assert.equal((await submit(browser, page, { email: people[3]!.email, password: 'a guess of a stranger' })).status, 503)
  } finally {
    await release()
  }
  assert.equal((await signsIn(home, people[3])).isIn, true)
})

test('V-11 when the queue of hashes is full, the longest lines give up a place to a network that has none', async () => {
  const releases = Array.from({ length: 6 }, () => occupy(nextAddress()))
  const { browser, page } = await openStep(identity, 'b2c', '', browserAt(nextAddress()))
  const end = browser.send(page, { email: ann.email, password: ann.password })
  await isCounted()
  await Promise.all(releases.map((release) => release()))
  assert.ok((await end).address.includes('code='))
})

/** Resolves when the sign-in under way has been counted three times, and the statements after that have run. */
async function isCounted(): Promise<void> {
  const { pool } = identity.database
  const counts = async () => (await pool.query('select 1 from identity.attempt')).rows.length
  while ((await counts()) < 3);
  for (let n = 0; n < 20; n++) await pool.query('select 1')
}

test('V-11 forms with a password are counted by network before anything is hashed or looked up; a network with too many gets 429', async () => {
  const address = nextAddress()
  const pages = (await pagesWithPasswords(address, [people[4]!, people[5]!])).filter(([name]) => !['sign-in', ...byLink].includes(name))
  await useUp('form', address)
  const release = occupy(address)
  lookedUp = 0
  try {
    for (const [name, { browser, page, fields }] of pages) {
      const refused = await submit(browser, page, fields)
      assert.equal(refused.status, 429, name)
      assert.ok(Number(refused.retryAfter) > 30, name)
      assert.match(refused.html, /role="alert"[^]*Too many forms were sent from your network/, name)
    }
    assert.equal(lookedUp, 0)
  } finally {
    await release()
  }
  const { browser, page } = await openStep(identity, 'b2c', 'register', browserAt(nextAddress()))
  assert.equal((await submit(browser, page, { ...registration, email: 'another@example.com' })).status, 200, 'another network')
})

test('V-11 a new password by a mailed link counts by the link: its network being used up keeps nobody from it, and the link has an end', async () => {
  const address = nextAddress()
  const pages = (await pagesWithPasswords(address, [people[4]!, people[5]!])).filter(([name]) => byLink.includes(name))
  assert.equal(pages.length, byLink.length)
  await useUp('form', address)
  for (const [name, { browser, page, fields }] of pages) {
    for (let n = 0; n < quotas.link.free; n++)
      assert.equal((await submit(browser, page, { ...fields, password: 'short' })).status, 422, name)
    lookedUp = 0
    const refused = await submit(browser, page, fields)
    assert.deepEqual([refused.status, lookedUp], [429, 0], name)
    assert.ok(Number(refused.retryAfter) > 30, name)
    assert.match(refused.html, /role="alert"[^]*This link was used too many times/, name)
  }
  await identity.database.pool.query('delete from identity.attempt')
  await useUp('form', address)
  for (const [name, { browser, page, fields }] of pages) assert.ok((await submit(browser, page, fields)).status < 400, name)
})

test('V-11 a network that has requested too many mails gets 429 with the pause that is left, on each form that sends one, and no mail', async () => {
  const [address, who] = [nextAddress(), people[6]!]
  const { email, password } = who
  const owner = browserAt(address)
  await signInAt(identity, 'b2c', who, owner)
  const change = { browser: owner, page: await owner.follow(`${url}/realms/b2c/account/email`) }
  const forms = [
    ['forgotten', await openStep(identity, 'b2c', 'forgotten', browserAt(address)), { email }],
    ['by-mail', await openStep(identity, 'b2c', 'by-mail', browserAt(address)), { email }],
    ['register', await openStep(identity, 'b2c', 'register', browserAt(address)), { ...registration, email }],
    ['address of an account', change, { email: 'too-many-mails@example.com', old_password: password }],
  ] as const
  await useUp('mailFrom', address)
  // The second pause is twice as long as the first one.
  await identity.database.pool.query(`update identity.attempt set blocked_until = now()`)
  await countAttempt(identity.database.db, [{ quota: 'mailFrom', subject: address }])
  const mails = async () => [...(await mailsTo(identity, email)), ...(await mailsTo(identity, 'too-many-mails@example.com'))].length
  const before = await mails()
  for (const [name, { browser, page }, fields] of forms) {
    const refused = await submit(browser, page, fields)
    assert.equal(refused.status, 429, name)
    const seconds = Number(refused.retryAfter)
    assert.ok(seconds > 60 && seconds <= 2 * quotas.mailFrom.pauseSeconds, `${name}: ${seconds} s`)
    assert.match(refused.html, /Try again in 2 minutes/, name)
  }
  assert.equal(await mails(), before)
  const elsewhere = await openStep(identity, 'b2c', 'forgotten', browserAt(nextAddress()))
  assert.equal((await submit(elsewhere.browser, elsewhere.page, { email })).status, 200, 'another network')
  assert.equal(await mails(), before + 1)
})

test('A40 a network that is refused adds no attempts and locks no account, real or made up', async () => {
  const { pool } = identity.database
  const flooding = nextAddress()
  const { browser, page } = await openStep(identity, 'b2c', '', browserAt(flooding))
  await useUp('address', flooding)
  const counts = async () => (await pool.query('select key, count from identity.attempt order by key')).rows
  const before = await counts()
  for (let n = 0; n < quotas.account.free + 2; n++)
    for (const email of [ann.email, `made-up-${n}@example.com`])
      assert.equal((await submit(browser, page, { email, password: 'a guess of a stranger' })).status, 429)
  assert.deepEqual(await counts(), before)
  assert.equal((await signsIn(nextAddress())).isIn, true)
})

test('V-11 A40 while the attempts of everybody are used up, the networks of one line have fifty passwords checked an hour, and other lines their own', async () => {
  const [home, elsewhere] = ['2001:db8:1:1::5', '2001:db8:2:1::5']
  for (const address of [home, elsewhere]) await signsIn(address)
  await useUp('realm', 'b2c')
  assert.deepEqual(
    [await signsIn(home), await signsIn(elsewhere)].map(({ isIn }) => isIn),
    [true, true],
    'networks of earlier sign-ins',
  )
  for (let n = 0; n < quotas.refused.free; n++) {
    const { browser, page } = await openStep(identity, 'b2c', '', browserAt(`2001:db8:1:${n + 2}::5`))
    assert.equal((await submit(browser, page, { email: `made-up-${n}@example.com`, password: 'a guess of a stranger' })).status, 429)
  }
  assert.deepEqual(
    [await signsIn(home), await signsIn(elsewhere)].map(({ isIn }) => isIn),
    [false, true],
  )
})

test('V-11 A40 while the attempts of everybody are used up, refused ones from any number of lines leave their turns to known browsers', async () => {
  const home = nextAddress()
  const { browser: known } = await signInAt(identity, 'b2c', ann, browserAt(home))
  known.jar.delete('__Host-purlin-id-b2c')
  await useUp('realm', 'b2c')
  const releases = Array.from({ length: 60 }, (_, n) => occupy(`2001:db8:${n}`, 3, 'refused'))
  try {
    const { page } = await openStep(identity, 'b2c', '', known)
    assert.ok((await known.send(page, { email: ann.email, password: ann.password })).address.includes('code='), 'a known browser')
    const stranger = await openStep(identity, 'b2c', '', browserAt(home))
    const refused = await submit(stranger.browser, stranger.page, { email: ann.email, password: ann.password })
    assert.equal(refused.status, 429, 'an attempt that was refused waits for its own turns')
    assert.match(refused.html, /sign-in link/)
  } finally {
    await Promise.all(releases.map((release) => release()))
  }
  assert.equal((await signsIn(home)).isIn, true, 'afterwards')
})
