import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isEqualTime, timeRatio } from '@purlin/contract/testing.ts'
import { countAttempt, quotas } from './attempts.ts'
import { type TestIdentity, ann, formsOf, mailsTo, openStep, signInAt, startTestIdentity, testBrowser, url } from './testing.ts'

/** Whether an account exists, asked by the clock. Each request has a network of its own, and quotas are emptied as they fill. */

let identity: TestIdentity
const people = Array.from({ length: 12 }, (_, n) => ({
  ...ann,
  realms: ['b2c'] as const,
  sub: ann.sub.replace(/01$/, String(10 + n)),
  email: `person-${n}@example.com`,
}))
before(async () => {
  identity = await startTestIdentity({ people, trustProxy: 'loopback' })
})
after(() => identity.server.close())

let network = 0
type Step = '' | 'forgotten' | 'by-mail' | 'register'

/** Sends a step's form for one address after another; only the answer to the form is timed. */
async function formsFor(step: Step, emailOf: (n: number) => string, fields: Record<string, string>, count: number) {
  const opened: Awaited<ReturnType<typeof openStep>>[] = []
  for (let n = 0; n < count; n++) {
    network++
    const browser = testBrowser(identity, { 'x-forwarded-for': `198.18.${network >> 8}.${network & 255}` })
    opened.push(await openStep(identity, 'b2c', step, browser))
  }
  const statuses = new Set<number>()
  return {
    statuses,
    send: async (n: number) => {
      const { browser, page } = opened[n % count]!
      statuses.add((await browser.send(page, { ...fields, email: emailOf(n) })).status)
    },
  }
}

const registration = { given_name: 'Ben', family_name: 'Okafor', password: 'seven quiet kettles' }
for (const [what, step, fields] of [
  ['a wrong password', '', { password: 'a guess of a stranger' }],
  ['a forgotten password', 'forgotten', {}],
  ['a sign-in link', 'by-mail', {}],
  ['a registration', 'register', registration],
] as const)
  test(`A41 ${what} is answered equally fast whether or not there is an account, by the clock`, async () => {
    const count = 12
    const known = await formsFor(step, (n) => people[n % count]!.email, fields, count)
    const unknown = await formsFor(step, (n) => `nobody-${n % count}@example.com`, fields, count)
    const noQuota = () => identity.database.pool.query('delete from identity.attempt')
    for (const { send } of [known, unknown]) await send(0)
    const ratio = await timeRatio(known.send, unknown.send, { samples: count, beforeRound: noQuota })
    assert.deepEqual([...known.statuses], [...unknown.statuses])
    assert.ok(isEqualTime(ratio), `ratio ${ratio.toFixed(2)}`)
  })

test('A41 in a network that has signed in to an account, too many wrong passwords are answered with the same pauses as without one', async () => {
  const [who] = people
  const home = () => testBrowser(identity, { 'x-forwarded-for': '198.51.100.91' })
  const { pool } = identity.database
  const guesses = async (email: string) => {
    await pool.query('delete from identity.attempt')
    const browser = home()
    const { page } = await openStep(identity, 'b2c', '', browser)
    const form = formsOf(page.html).find(({ names }) => names.has('password'))
    assert.ok(form)
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: url }
    const answers: [number, number][] = []
    const guess = async () => {
      const body = new URLSearchParams({ ...form.hidden, email, password: 'a guess of a colleague' }).toString()
      const response = await browser.ask(form.action, { method: 'POST', body, headers })
      // To the nearest five: a hash may take a second on a busy machine.
      answers.push([response.status, Math.ceil(Number(response.headers.get('retry-after')) / 5) * 5])
    }
    for (let n = 0; n <= quotas.account.free; n++) await guess()
    for (const seconds of [40, 70]) {
      await pool.query(`update identity.attempt set blocked_until = blocked_until - make_interval(secs => $1)`, [seconds])
      await guess()
      await guess()
    }
    return answers
  }
  await signInAt(identity, 'b2c', { ...ann, ...who! }, home())
  const [known, unknown] = [await guesses(who!.email), await guesses('nobody-at-home@example.com')]
  assert.deepEqual(known, unknown)
  assert.deepEqual(known.at(-1)?.[0], 429)
})

for (const [whose, quota, subjectOf] of [
  ['the account’s count', 'account', (email: string) => `b2c\n${email}`],
  ['the realm’s count', 'realm', () => 'b2c'],
] as const)
  test(`A41 while strangers have used up ${whose}, a wrong password in a network of earlier sign-ins is answered like one without an account, and as fast; the right one signs in`, async () => {
    const who = { ...ann, ...people[1]! }
    const home = () => testBrowser(identity, { 'x-forwarded-for': '198.51.100.92' })
    const { db, pool } = identity.database
    await pool.query('delete from identity.attempt')
    await signInAt(identity, 'b2c', who, home())
    const nobody = 'nobody-at-home@example.com'
    const useUp = async () => {
      await pool.query('delete from identity.attempt')
      for (const email of [who.email, nobody]) await countAttempt(db, [{ quota, subject: subjectOf(email) }])
      await pool.query(`update identity.attempt set blocked_until = now() + interval '10 minutes'`)
    }
    const { browser, page } = await openStep(identity, 'b2c', '', home())
    const guess = async (email: string) => {
      const { status, html } = await browser.send(page, { email, password: 'a guess of a colleague' })
      return [status, html.replace(/<[^>]*>/g, ' ').replaceAll(email, '')]
    }
    await useUp()
    // Also beyond what the network may try by itself.
    for (let n = 0; n < quotas.browser.free + 2; n++) {
      const [known, unknown] = [await guess(who.email), await guess(nobody)]
      assert.equal(known[0], 429)
      assert.deepEqual(known, unknown)
    }
    const ratio = await timeRatio(
      () => guess(who.email),
      () => guess(nobody),
      { samples: 8, beforeRound: useUp },
    )
    assert.ok(isEqualTime(ratio), `ratio ${ratio.toFixed(2)}`)

    await useUp()
    assert.ok((await signInAt(identity, 'b2c', who, home())).end.address.includes('code='))
    const stranger = await openStep(identity, 'b2c', '', testBrowser(identity, { 'x-forwarded-for': '198.51.100.93' }))
    assert.equal((await stranger.browser.send(stranger.page, { email: who.email, password: who.password })).status, 429)
    await pool.query('delete from identity.attempt')
  })

test('A41 wrong passwords in a network of earlier sign-ins count for strangers elsewhere as those at an address without an account do', async () => {
  const who = { ...ann, ...people[2]! }
  const from = (address: string) => testBrowser(identity, { 'x-forwarded-for': address })
  await identity.database.pool.query('delete from identity.attempt')
  await signInAt(identity, 'b2c', who, from('198.51.100.94'))
  const guess = async (email: string, address: string) => {
    const { browser, page } = await openStep(identity, 'b2c', '', from(address))
    return (await browser.send(page, { email, password: 'a guess of a colleague' })).status
  }
  for (const email of [who.email, 'nobody-at-home@example.com']) {
    await identity.database.pool.query('delete from identity.attempt')
    for (let n = 0; n < quotas.account.free; n++) assert.equal(await guess(email, '198.51.100.94'), 401)
    assert.equal(await guess(email, '198.51.100.95'), 429, email)
  }
})

test('A41 a change of one’s address to that of another account is answered as fast as to one without', async () => {
  const count = 12
  const me = { ...ann, ...people[0]! }
  const { browser } = await signInAt(identity, 'b2c', me)
  const page = await browser.follow(`${url}/realms/b2c/account/email`)
  const bodies = new Set<string>()
  const noQuota = () => identity.database.pool.query('delete from identity.attempt')
  const change = async (email: string) => {
    // The present address gets four mails in a row.
    await noQuota()
    const { status, html } = await browser.send(page, { email, old_password: me.password })
    bodies.add(`${status} ${html.replaceAll(email, '')}`)
  }
  const taken = (n: number) => change(people[1 + (n % (count - 1))]!.email)
  const free = (n: number) => change(`free-${n % (count - 1)}@example.com`)
  for (const send of [taken, free]) await send(0)
  bodies.clear()
  const ratio = await timeRatio(taken, free, { samples: count - 1 })
  assert.equal(bodies.size, 1)
  assert.ok(isEqualTime(ratio), `ratio ${ratio.toFixed(2)}`)
})

test('A41 a refused change of address is answered before the mail to a new address without an account is written', async () => {
  const { pool } = identity.database
  const who = { ...ann, ...people[3]! }
  const email = 'refused-later@example.com'
  await pool.query('delete from identity.attempt')
  const { browser } = await signInAt(identity, 'b2c', who)
  await browser.send(await browser.follow(`${url}/realms/b2c/account/email`), { email, old_password: who.password })
  const { link } = (await mailsTo(identity, who.email)).findLast(({ template }) => template === 'agree-address')!
  const reader = testBrowser(identity)
  const page = await reader.follow(link)

  // One with an account would be sent none; this one cannot be written for as long as the lock is held.
  await pool.query(`create function wait_for_lock() returns trigger language plpgsql as 'begin perform pg_advisory_xact_lock(41); return new; end';
    create trigger wait_for_lock before insert on mail.mail for each row when (new.recipient = '${email}') execute function wait_for_lock()`)
  const lock = await pool.connect()
  await lock.query('select pg_advisory_lock(41)')
  try {
    assert.equal((await reader.send(page, { answer: 'refuse' })).status, 200)
    assert.ok(!(await pool.query('select 1 from mail.mail where recipient = $1 and template = $2', [email, 'address-news'])).rowCount)
  } finally {
    await lock.query('select pg_advisory_unlock(41)')
    lock.release()
  }
  assert.ok((await mailsTo(identity, email)).some(({ template }) => template === 'address-news'))
})
