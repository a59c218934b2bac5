import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isEqualTime, timeRatio } from '@purlin/contract/testing.ts'
import { takeQuota } from '#platform'
import { testDatabase, useSettings, type TestDatabase } from '#platform/testing'
import { testGateway, type TestGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { quotas } from '../../foundation/platform/quota-limits.ts'
import { removeSubscriptionsOf } from './index.ts'
import { jobs, schedules } from './jobs.ts'
import { subscribe as subscribeFrom } from './subscribe.ts'

let database: TestDatabase
let gateway: TestGateway
let behindProxy: TestGateway

before(async () => {
  useSettings({ OPERATOR_API_KEY: 'an-operator-key-of-thirty-two-bytes' })
  database = await testDatabase()
  gateway = await testGateway(database.pool)
  behindProxy = await testGateway(database.pool, { trustProxy: '127.0.0.1' })
})
after(() => gateway.close())

interface Answer {
  data?: { result?: { refusal: { reason: string; fields: { field: string }[] } | null }; confirmed?: boolean; ended?: boolean }
}
const ask = async (query: string, variables: object) => ((await gateway.post(query, variables)).body as Answer).data
const request = (email: string, website: string | null = null) =>
  ask(
    'mutation ($email: String!, $website: String) { result: subscribeToNewsletter(email: $email, website: $website) { refusal { reason fields { field } } } }',
    { email, website },
  )
/** Requests the newsletter, and lets the job send its mail. */
const subscribe = async (email: string, website: string | null = null) => {
  const answer = await request(email, website)
  await runWork(database, [], jobs)
  return answer
}
const confirm = async (token: string) =>
  (await ask('mutation ($token: String!) { confirmed: confirmSubscription(token: $token) }', { token }))?.confirmed

interface Mail {
  template: string
  text: string
  url: string | null
}
const mailsTo = async (email: string) =>
  (
    await database.pool.query<Mail>(
      'select template, body_text as text, unsubscribe_url as url from mail.mail where recipient = $1 order by id',
      [email],
    )
  ).rows
const secretIn = ({ text }: Mail) => /confirm-subscription\?token=([\w-]+)/.exec(text)?.[1] ?? ''
const state = async (email: string) =>
  (
    await database.pool.query<{ state: string; wording: string; isConfirmed: boolean }>(
      `select state, wording, confirmed_at is not null as "isConfirmed" from newsletter.subscription where email = $1`,
      [email],
    )
  ).rows[0]

test('R-154 R-055 R-191 an address is subscribed once its owner confirms; wording and times are kept as proof', async () => {
  assert.deepEqual(structuredClone(await subscribe(' Ann@Example.com ')), { result: { refusal: null } })
  const [mail] = await mailsTo('ann@example.com')
  assert.equal(mail?.template, 'newsletter-confirm')
  assert.doesNotMatch(mail.text, /great-deals/, 'a mail nobody agreed to yet does not advertise')
  assert.deepEqual(await state('ann@example.com'), {
    state: 'asked',
    wording: 'I would like to receive the newsletter by e-mail. I can unsubscribe at any time.',
    isConfirmed: false,
  })
  assert.equal(await confirm('x'.repeat(32)), false)
  assert.equal(await confirm("' or 1=1"), false)
  assert.equal(await confirm(secretIn(mail)), true)
  assert.equal(await confirm(secretIn(mail)), false, 'a link works once')
  assert.equal((await state('ann@example.com'))?.state, 'confirmed')
  assert.deepEqual(
    (await mailsTo('ann@example.com')).map(({ template }) => template),
    ['newsletter-confirm', 'newsletter-welcome'],
  )
})

test('R-155 R-162 a subscription ends with one click of a mail program or on the page, and its address is deleted', async () => {
  await subscribe('bob@example.com')
  await confirm(secretIn((await mailsTo('bob@example.com'))[0]!))
  const welcome = (await mailsTo('bob@example.com'))[1]!
  const path = new URL(welcome.url ?? '').pathname
  const token = path.split('/').at(-1) ?? ''
  assert.ok(welcome.text.includes(`/unsubscribe?newsletter=${token}`))
  const oneClick = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'List-Unsubscribe=One-Click' }
  assert.equal((await fetch(`${gateway.url}${path.replace(token, 'y'.repeat(32))}`, oneClick)).status, 204)
  assert.equal((await state('bob@example.com'))?.state, 'confirmed', 'another token ends nothing')
  assert.equal((await fetch(gateway.url + path)).status, 404, 'a GET ends nothing: scanners open every link')
  assert.equal((await fetch(gateway.url + path, oneClick)).status, 204)
  assert.equal(await state('bob@example.com'), undefined)
  const { rows } = await database.pool.query(`select email from newsletter.subscription where state = 'ended'`)
  assert.deepEqual(
    rows.map((row) => ({ ...(row as object) })),
    [{ email: null }],
  )
  await subscribe('bob@example.com')
  assert.equal((await state('bob@example.com'))?.state, 'asked', 'and may begin again')
  const ended = await ask('mutation ($token: String!) { ended: endSubscription(token: $token) }', { token: 'z'.repeat(32) })
  assert.equal(ended?.ended, true, 'the result does not tell whether there was one')
})

test('an address that opens an account may subscribe too', async () => {
  for (const email of ["o'neill@example.org", 'jörg@müller.example', 'a@b.xn--p1ai'])
    assert.deepEqual(structuredClone(await subscribe(email)), { result: { refusal: null } }, email)
})

test('the form tells nobody who is subscribed, sends a bot nothing, and does not fill a stranger’s mailbox', async () => {
  const known = await subscribe('ann@example.com')
  assert.deepEqual(structuredClone(known), { result: { refusal: null } })
  assert.equal((await mailsTo('ann@example.com')).length, 2, 'no third mail')
  await subscribe('trap@example.com', 'https://bot.example')
  assert.deepEqual(await mailsTo('trap@example.com'), [])
  await Promise.all(Array.from({ length: 8 }, () => request('eve@example.com')))
  await runWork(database, [], jobs)
  const toEve = await mailsTo('eve@example.com')
  assert.equal(toEve.length, 1, 'one mail while a request is open')
  assert.equal(await confirm(secretIn(toEve[0]!)), true, 'whose link still works')
  for (const bad of ['', 'eve', 'eve@', 'a@b.example, c@d.example', `${'x'.repeat(300)}@example.com`]) {
    const refused = await subscribe(bad)
    assert.deepEqual(structuredClone(refused), { result: { refusal: { reason: 'email-invalid', fields: [{ field: 'email' }] } } }, bad)
  }
})

test('A41 a subscribed address is answered equally fast, in as many statements, as one that nobody knows', async () => {
  // Each address as often as its quota allows, from networks of their own.
  const count = 40
  let network = 0
  const from = () => ({ host: 'localhost', headers: { 'x-forwarded-for': `198.18.${++network >> 8}.${network & 255}` } })
  const query = 'mutation ($email: String!) { subscribeToNewsletter(email: $email) { refusal { reason } } }'
  const known = (n: number) => `reader-${n % count}@example.com`
  const unknown = (n: number) => `nobody-${n % count}@example.com`
  await database.pool.query(
    `insert into newsletter.subscription (id, email, email_hash, market, mode, state, token, wording, asked_at, confirmed_at)
     select gen_random_uuid(), email, translate(encode(sha256(email::bytea), 'base64'), '+/=', '-_'), 'gb', 'b2c', 'confirmed', email, '', now(), now()
     from (select 'reader-' || n || '@example.com' as email from generate_series(0, $1::int - 1) n) readers`,
    [count],
  )
  const answers = new Set<string>()
  const send = async (email: string) => {
    const { status, body, statements } = await behindProxy.post(query, { email }, from())
    answers.add(JSON.stringify([status, body, statements]))
  }
  for (const email of [known(0), unknown(0)]) await send(email)
  answers.clear()
  const ratio = await timeRatio(
    (n) => send(known(n)),
    (n) => send(unknown(n)),
    { samples: 20, rounds: 4 },
  )
  assert.equal(answers.size, 1, [...answers].join('\n'))
  assert.ok(isEqualTime(ratio), `ratio ${ratio.toFixed(2)}`)
  await runWork(database, [], jobs)
  assert.deepEqual([(await mailsTo(known(1))).length, (await mailsTo(unknown(1))).length], [0, 1])
})

test('a sender over the limit does not use up the limit of the address', async () => {
  const remoteAddress = '192.0.2.60'
  const email = 'victim@example.com'
  await takeQuota('newsletter', { address: remoteAddress }, quotas.newsletter.address.units)
  for (let sent = 0; sent <= quotas.newsletter.email.units; sent++)
    await database.command({ remoteAddress }, (scope) => subscribeFrom(scope, { email }))
  await runWork(database, [], jobs)
  assert.deepEqual(await mailsTo(email), [])
  await subscribe(email)
  assert.equal((await mailsTo(email)).length, 1)
})

test('a link is valid for seven days, and requests nobody confirmed are deleted', async () => {
  await subscribe('late@example.com')
  await database.pool.query(`update newsletter.subscription set asked_at = now() - interval '8 days' where email = 'late@example.com'`)
  assert.equal(await confirm(secretIn((await mailsTo('late@example.com'))[0]!)), false)
  await subscribe('late@example.com')
  const again = await mailsTo('late@example.com')
  assert.equal(again.length, 2, 'once the link has expired, a new one can be requested')
  await database.pool.query(`update newsletter.subscription set asked_at = now() - interval '8 days' where email = 'late@example.com'`)
  for (const { run } of schedules) await database.command({}, run)
  assert.equal(await state('late@example.com'), undefined)
  assert.equal((await state('ann@example.com'))?.state, 'confirmed')
})

test('with its account an address leaves the newsletter too', async () => {
  await database.command({}, ({ db }) => removeSubscriptionsOf(db, { email: 'Ann@example.com', until: null }))
  assert.equal(await state('ann@example.com'), undefined)
})

test('an issue reaches the confirmed subscriptions of its storefront, each once, with a one-click end; no others', async () => {
  const subscribed = async (email: string) => {
    await subscribe(email)
    await confirm(secretIn((await mailsTo(email))[0]!))
  }
  await subscribed('fay@example.com')
  await subscribed('gil@example.com')
  await subscribe('waits@example.com')
  const issue = {
    key: 'week-48',
    market: 'gb',
    mode: 'b2c',
    subject: 'Warm through the winter',
    paragraphs: ['Radiators <b>compared</b>.', 'And what fits them.'],
    button: { label: 'Compare', path: '/our-comparisons' },
  }
  const send = async (body: object, key = 'an-operator-key-of-thirty-two-bytes') =>
    (
      await fetch(`${gateway.url}/api/v1/operator/newsletter`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status
  assert.equal(await send(issue, 'none'), 401)
  for (const wrong of [
    { subject: 'a\r\nBcc: x@y.example' },
    { paragraphs: [] },
    { button: { label: 'x', path: '//evil.example' } },
    { market: 'us' },
    { html: '<b>' },
  ])
    assert.equal(await send({ ...issue, ...wrong }), 400, JSON.stringify(wrong))
  assert.equal(await send({ ...issue, key: 'elsewhere', market: 'de' }), 202)
  for (const _ of [1, 2]) {
    assert.equal(await send(issue), 202)
    await runWork(database, [], jobs)
  }
  const issues = async (email: string) => (await mailsTo(email)).filter(({ template }) => template === 'newsletter-issue')
  for (const email of ['fay@example.com', 'gil@example.com']) {
    const [mail, ...more] = await issues(email)
    assert.equal(more.length, 0)
    assert.ok(mail?.text.includes('Radiators <b>compared</b>.') && mail.text.includes('/our-comparisons'))
    assert.match(mail?.url ?? '', /\/api\/v1\/newsletter\/unsubscribe\/[\w-]{32}$/)
  }
  assert.deepEqual(await issues('waits@example.com'), [])
  const { pathname } = new URL((await issues('fay@example.com'))[0]?.url ?? '')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal((await fetch(gateway.url + pathname, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' })).status, 204)
  assert.equal(await send({ ...issue, key: 'week-49' }), 202)
  await runWork(database, [], jobs)
  assert.equal((await issues('fay@example.com')).length, 1, 'nothing is sent once the subscription has ended')
  assert.equal((await issues('gil@example.com')).length, 2)
})
