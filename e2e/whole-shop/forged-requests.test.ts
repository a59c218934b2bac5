import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { flagNames, flagOverrides, flagOverridesCookie, flags } from '@purlin/contract/flags.ts'
import { isEqualTime, timeRatio } from '@purlin/contract/testing.ts'
import { log } from '@purlin/server/foundation/platform/index.ts'
import { hosts, shopWithVisitors, type VisitorName } from './visitors.ts'

/** Cookies, headers and fields that a client may invent: they open nothing, change no price and raise nobody's rights. */

const shop = await shopWithVisitors()
after(() => shop.close())

const pages = ['/', '/drills-11', '/p/cordless-drill-41', '/cart', '/customer-area', '/orders', '/office', '/my-account/company'] as const
/** What differs from one response to the next by design. */
const plain = (body: string) => body.replaceAll(/[\w-]{36,}/g, '')

async function sameAnswers(
  what: string,
  visitor: VisitorName,
  forged: { headers?: Record<string, string>; cookies?: string },
): Promise<void> {
  for (const mode of ['b2c', 'b2b'] as const)
    for (const path of pages) {
      const honest = await shop.ask(visitor, mode, path)
      const answer = await shop.ask(visitor, mode, path, forged)
      const told = (reply: typeof answer) => [reply.status, reply.headers.location, plain(reply.body)]
      assert.deepEqual(told(answer), told(honest), `${what}: ${visitor}, ${mode}, ${path}`)
    }
}

const forgedCookies = [
  'mm_b2b=1; mm_b2b=true',
  'mm_visitor_id=00000000-0000-4000-8000-000000000000; mm_session_id=1',
  'role=operator; isB2B=1; uuid=1; segments=%7B%22b2b_employee%22%3Atrue%7D',
]
for (const cookies of forgedCookies)
  test(`A39 no page changes for a visitor with the forged cookies ${cookies}`, async () => {
    for (const visitor of ['anonymous', 'customer', 'member'] as const) await sameAnswers('cookies', visitor, { cookies })
  })

/** Every flag turned to what it is not, and those that nobody may override as well. */
const overrides = Object.fromEntries(flagNames.map((name) => [name, !flags[name].fallback]))
const flagCookie = `${flagOverridesCookie}=${encodeURIComponent(JSON.stringify(overrides))}`

test('A39 flags overridden by a cookie change no price, no total, nobody’s rights and no page one may open', async () => {
  const overridable = flagNames.filter((name) => flags[name].isOverridable)
  assert.deepEqual(Object.keys(flagOverrides(flagCookie)), overridable, 'the shop reads all of them')
  assert.ok(!overridable.includes('pepeUnifyAuth'), 'none that decides how people sign in')
  const add = 'mutation { addToCart(offerId: "410", quantity: 3) { refusal { reason } } }'
  for (const visitor of ['customer', 'member'] as const)
    for (const mode of ['b2c', 'b2b'] as const) assert.match((await shop.graphql(visitor, mode, add)).body, /"refusal":null/)
  const forbidden = 'mutation { changeMemberRole(id: "00000000-0000-7000-8000-000000000000", role: ADMIN) { refusal { reason } } }'
  for (const visitor of ['anonymous', 'customer', 'member'] as const)
    for (const mode of ['b2c', 'b2b'] as const) {
      const told = async (cookies: string) => {
        const ask = async (query: string) => (await shop.ask(visitor, mode, '/graphql', { json: { query }, cookies })).body
        const opened = []
        for (const path of [...pages, '/search/drill']) {
          const { status, headers, body } = await shop.ask(visitor, mode, path, { cookies })
          opened.push([path, status, headers.location, body.match(/£\s?[\d.,]+/g), /data-page="(\w+)"/.exec(body)?.[1]])
        }
        const total = await ask('{ cart { itemCount totals { totalWithVat { amount } } } }')
        return { opened, total, forbidden: await ask(forbidden) }
      }
      const honest = await told('')
      assert.deepEqual(await told(flagCookie), honest, `${visitor}, ${mode}`)
      assert.match(honest.forbidden, visitor === 'anonymous' ? /UNAUTHENTICATED/ : /FORBIDDEN/)
      if (visitor !== 'anonymous') assert.match(honest.total, mode === 'b2c' ? /72490/ : /36490/)
    }
})

test('A39 a forged session cookie beside the real one signs nobody else in, and a session of the shop opens no office', async () => {
  const { cookies } = await import('node:crypto').then(({ randomBytes }) => ({
    cookies: `__Host-purlin-staff=${randomBytes(32).toString('base64url')}`,
  }))
  await sameAnswers('staff', 'customer', { cookies })
  const document = { query: '{ office { name } }' }
  assert.match((await shop.ask('customer', 'b2c', '/graphql', { json: document, cookies })).body, /UNAUTHENTICATED/)
})

const forgedHeaders: Record<string, Record<string, string>> = {
  'skip middleware': {
    'x-middleware-subrequest': 'middleware:middleware:middleware',
    'x-original-url': '/office',
    'x-rewrite-url': '/office',
  },
  'be on another host': { 'x-forwarded-host': hosts.b2b, forwarded: `host=${hosts.b2b};proto=https`, 'x-forwarded-prefix': '/office' },
  'be another client': { market: 'de', platform: 'b2b', channel: 'app', 'client-name': 'office', 'x-office': 'staff', 'x-user-id': '1' },
}
for (const [wish, headers] of Object.entries(forgedHeaders))
  test(`A45 headers that want to ${wish} change nothing`, async () => {
    for (const visitor of ['anonymous', 'customer'] as const) await sameAnswers(wish, visitor, { headers })
    const document = { query: '{ site { market mode currency } }' }
    const { body } = await shop.ask('customer', 'b2c', '/graphql', { json: document, headers })
    assert.deepEqual(JSON.parse(body), { data: { site: { market: 'gb', mode: 'b2c', currency: 'GBP' } } })
  })

const profile = async () => (await shop.graphql('customer', 'b2c', '{ customerProfile { id uuid firstName lastName } }')).body
const segments = async () => (await shop.graphql('customer', 'b2c', '{ customerSegments { b2b_employee loyalty_level } }')).body

test('A71 fields that the schema does not have refuse the whole mutation', async () => {
  const before = await profile()
  for (const field of ['market: "de"', 'isB2B: true', 'role: "operator"', 'uuid: "x"', 'createdAt: "2020-01-01"', 'loyaltyLevel: "GOLD"']) {
    const query = `mutation { changeProfile(input: { firstName: "Eve", lastName: "Eve", ${field} }) { refusal { reason } } }`
    assert.equal((await shop.ask('customer', 'b2c', '/graphql', { json: { query } })).status, 400, field)
  }
  assert.equal(await profile(), before)
})

const change = 'mutation ($input: ProfileInput!) { changeProfile(input: $input) { refusal { reason } } }'

test('A71 the same fields in a variable refuse it as well', async () => {
  const before = await profile()
  for (const extra of [{ sellerId: 1 }, { isGuest: false }, { segments: { loyalty_level: 'GOLD' } }]) {
    const variables = { input: { firstName: 'Eve', lastName: 'Eve', ...extra } }
    const answer = await shop.ask('customer', 'b2c', '/graphql', { json: { query: change, variables } })
    assert.equal(answer.status, 400, JSON.stringify(extra))
  }
  assert.equal(await profile(), before)
})

/** Fields as texts: in an object literal `__proto__` is not a field, and would not be sent. */
const prototypes = ['"__proto__":{"isB2B":true}', '"constructor":1', '"constructor":{"prototype":{"isB2B":true}}']
const eve = '"firstName":"Eve","lastName":"Eve"'
for (const fields of [...prototypes, prototypes.slice(0, 2).join()])
  test(`A59 A71 a request with ${fields} is refused, wherever it stands, and reaches no object`, async () => {
    const before = [await profile(), await segments()]
    const inVariables = (variables: string) => ({ path: '/graphql', text: `{"query":${JSON.stringify(change)},"variables":${variables}}` })
    const patch = (text: string) => ({ path: '/api/v2/customer-segment/customers', method: 'PATCH', text })
    for (const { path, text, ...more } of [
      inVariables(`{"input":{${eve},${fields}}}`),
      inVariables(`{"input":{${eve},"isB2B":{${fields}}}}`),
      inVariables(`{"input":{${eve},"title":{"deep":[{${fields}}]}}}`),
      patch(`{${fields}}`),
      patch(`{"b2b_vat_modal":{${fields}}}`),
    ]) {
      const { status } = await shop.ask('customer', 'b2c', path, { ...more, text })
      assert.ok(status === 400 || status === 422, `${status} for ${text}`)
      assert.deepEqual(Object.keys(Object.prototype), [])
      assert.equal(Reflect.get({}, 'isB2B'), undefined)
    }
    assert.deepEqual([await profile(), await segments()], before)
  })

test('A71 a PATCH of segments takes its three fields and no other, and gives nobody rights', async () => {
  const before = await segments()
  for (const json of [
    { loyalty_level: 'GOLD' },
    { b2b_vat_modal: true, b2b_employee: true },
    { role: 'operator' },
    [],
    null,
    { b2b_vat_modal: 'yes' },
  ]) {
    const { status } = await shop.ask('customer', 'b2c', '/api/v2/customer-segment/customers', { method: 'PATCH', json })
    assert.ok(status === 422 || status === 400, `${status} for ${JSON.stringify(json)}`)
  }
  assert.equal(await segments(), before)
  assert.equal(
    (await shop.ask('customer', 'b2c', '/api/v2/customer-segment/customers', { method: 'PATCH', json: { b2b_suspected_pro: 'YES' } }))
      .status,
    422,
  )
  assert.match((await shop.ask('customer', 'b2b', '/my-account/company')).headers.location ?? '', /^\/pro-account\/signup/)
})

test('A44 a report of a client error is bounded in size, and a flood of them writes a bounded number of warnings and no error', async (t) => {
  // Within one minute, whatever the clock says.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 120_000 })
  const [errors, warnings] = [t.mock.method(log, 'error', () => undefined), t.mock.method(log, 'warn', () => undefined)]
  const report = (form: Record<string, string>) => shop.ask('anonymous', 'b2c', '/api/auth/_log', { form: { code: 'A44', ...form } })
  assert.equal((await report({ level: 'error', error: 'x'.repeat(100_000) })).status, 413)
  const flood = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      report({ level: n % 2 ? 'error' : 'warn', error: `again\n${'y'.repeat(9_000)}`, customer_id: '1' }),
    ),
  )
  assert.ok(flood.every(({ status }) => status === 200 || status === 429))
  assert.equal(errors.mock.callCount(), 0)
  const lines = warnings.mock.calls.map(({ arguments: [fields] }) => JSON.stringify(fields))
  assert.ok(lines.length > 0 && lines.length <= 120, `${lines.length} lines`)
  assert.deepEqual(
    lines.filter((line) => line.length > 1_500 || line.includes('\\n') || line.includes('customer_id')),
    [],
  )
})

test('A41 a guest who becomes a customer learns neither by the answer nor by the clock whether an address has an account', async () => {
  const answers = new Set<string>()
  const convert = async (email: string) => {
    const path = `/api/v1/register?${new URLSearchParams({ callbackUrl: '/convert-guest', email })}`
    const { status, headers, body } = await shop.ask('guest', 'b2c', path)
    const to = new URL(headers.location ?? '', `http://${hosts.b2c}`)
    assert.equal(to.searchParams.get('login_hint'), email)
    for (const name of ['state', 'nonce', 'code_challenge', 'login_hint']) to.searchParams.delete(name)
    answers.add(JSON.stringify([status, to.href, body.replaceAll(encodeURIComponent(email), '')]))
  }
  const known = () => convert('customer@visitors.example')
  const unknown = () => convert('no-customer@visitors.example')
  await Promise.all([known(), unknown()])
  const ratio = await timeRatio(known, unknown)
  assert.equal(answers.size, 1, [...answers].join('\n'))
  assert.ok(isEqualTime(ratio), `ratio ${ratio.toFixed(2)}`)
})
