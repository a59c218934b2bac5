import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import { StatusError, takeQuota } from '#platform'
import { testDatabase, useSettings } from '#platform/testing'
import { quotas } from '../../foundation/platform/quota-limits.ts'
import { secretHeader } from './foreign-documents.ts'
import { testGateway } from './testing.ts'

const sdl = `
  directive @cost(weight: Int!) on FIELD_DEFINITION
  directive @listSize(assumedSize: Int!, sizedFields: [String!]) on FIELD_DEFINITION
  type Query { where: String! who: String! words: [String!]! @listSize(assumedSize: 10) many: [Item!]! @listSize(assumedSize: 2000) long: String held: String never: String cart: String customerOrder: String broken: String }
  type Item { a: String b: String }
  type Mutation { note(text: String!): String! }`
const held = Promise.withResolvers<void>()
/** Each gateway says where it executed. */
const edgesAt = (place: string) => {
  const resolvers = {
    Query: {
      where: () => place,
      who: (_: unknown, _args: unknown, scope: { remoteAddress?: string }) => scope.remoteAddress ?? '',
      words: () => ['w'.repeat(200_000)],
      many: () => [],
      long: () => 'l'.repeat(900_000),
      held: () => held.promise,
      never: () => new Promise(() => undefined),
      cart: () => place,
      customerOrder: () => place,
      broken: () => {
        throw new StatusError(409, 'BROKEN', 'broken')
      },
    },
    Mutation: { note: () => place },
  }
  const queries = Object.fromEntries(Object.keys(resolvers.Query).map((field) => [`Query.${field}`, 'goods.see' as const]))
  const actions = { ...queries, 'Mutation.note': 'cart.change' as const }
  return [{ actions, resolvers: resolvers as never }]
}

const database = await testDatabase({ upTo: 'accounts' })
const secret = 'between processes'
const documents = await testGateway(database.pool, { edges: edgesAt('documents'), schema: sdl, trustProxy: '127.0.0.1' })
const seen: { url: string; headers: NodeJS.Dict<string | string[]> }[] = []
documents.mount((req, res) => {
  seen.push({ url: req.url ?? '', headers: req.headers })
  if (req.headers[secretHeader] === secret) return false
  res.writeHead(404).end()
  return true
})
const portOf = (url: string) => Number(new URL(url).port)
const web = await testGateway(database.pool, {
  edges: edgesAt('web'),
  schema: sdl,
  trustProxy: '127.0.0.1',
  documents: { port: portOf(documents.url), secret },
})
after(() => Promise.all([web.close(), documents.close()]))

const placeOf = ({ body }: { body: unknown }) => Object.values((body as { data: Record<string, string> }).data)[0]

test('V-01 a query of a stranger is executed by the documents process, with its own status, errors and statements', async () => {
  assert.equal(placeOf(await web.post('{ where }')), 'documents')
  const { status, body, headers } = await web.post('{ broken }')
  assert.deepEqual([status, (body as { errors: unknown[] }).errors.length], [409, 1])
  assert.ok(headers.has('x-sql-statements'))
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal((await web.post('{ nothing }')).status, 400)
})

test('V-01 the documents process learns the address of the client, and nothing that the client pretends', async () => {
  const answer = await web.post(
    '{ who }',
    {},
    { headers: { 'x-forwarded-for': '203.0.113.7', [secretHeader]: 'guessed', 'x-forwarded-host': 'evil' } },
  )
  assert.equal(placeOf(answer), '203.0.113.7')
  const { headers } = seen.at(-1) ?? assert.fail('nothing was passed on')
  assert.equal(headers[secretHeader], secret)
  assert.equal(headers['x-forwarded-host'], undefined)
})

test('V-01 nobody but a web process is answered by the documents process', async () => {
  const { status } = await fetch(`${documents.url}/graphql?query={where}`)
  assert.equal(status, 404)
})

test('V-12 a short step of a purchase and a single command are executed in the web process, as our own documents are', async () => {
  assert.equal(placeOf(await web.post('{ cart }')), 'web')
  assert.equal(placeOf(await web.post('query { order: customerOrder }')), 'web')
  const passedOn = seen.length
  await web.post('mutation { note(text: "a") }')
  assert.equal(seen.length, passedOn)
  assert.equal(placeOf(await web.post('{ cart where }')), 'documents')
  assert.equal(placeOf(await web.post('{ cart @include(if: true) where }')), 'documents')
  await web.post(`mutation { note(text: "a") b: note(text: "b") }`)
  assert.equal(seen.length, passedOn + 3)
})

test('V-01 a query by GET, a batch and the hash of a text sent before are executed by the documents process', async () => {
  const get = await fetch(`${web.url}/graphql?query=${encodeURIComponent('{ where }')}`)
  assert.equal(placeOf({ body: await get.json() }), 'documents')
  const batch = await fetch(`${web.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ query: '{ cart }' }, { query: '{ where }' }]),
  })
  assert.deepEqual(await batch.json(), [{ data: { cart: 'documents' } }, { data: { where: 'documents' } }])
})

test('A64 V-01 a document that is hopeless at a glance, and one that nobody may send, are refused without the documents process', async () => {
  seen.length = 0
  const deep = await web.post('{ where '.repeat(30) + '}'.repeat(30))
  assert.equal(deep.status, 400)
  assert.match(JSON.stringify(deep.body), /at most 12 levels/)
  const long = await web.post(`{ where(a: [${'1 '.repeat(2600)}]) }`)
  assert.match(JSON.stringify(long.body), /at most 2500 tokens/)
  // Everything else about them could be valid.
  const name = 'w: where '
  for (const [query, problem] of [
    [`{ ${'a: many { a b } '.repeat(3)} }`, /costs 12003/],
    [
      `{ where ...A ${'...B '.repeat(9)} } fragment A on Query { ${name.repeat(12)} } fragment B on Query { ${name} }`,
      /20 times the same field/,
    ],
    [`{ ...A } fragment A on Query { where ...A }`, /no fragment within itself/],
    [`{ where } fragment A on Query { where }`, /every fragment is used/],
    [`query A { where } query B { where }`, /no operation of this name/],
    [`{ where `, /Syntax Error/],
    [`{"query":"{ where }"}`, /JSON/],
  ] as const) {
    const { status, body } = await web.post(query)
    assert.equal(status, 400, query)
    assert.match(JSON.stringify(body), problem, query)
  }
  const asOnRealDomains = async (publicApi: string) => {
    useSettings({ ...process.env, PUBLIC_API: publicApi })
    try {
      return (await web.post('{ where }')).status
    } finally {
      useSettings()
    }
  }
  assert.deepEqual([await asOnRealDomains('off'), await asOnRealDomains('on')], [400, 401])
  const [hash = ''] = Object.keys(knownDocuments)
  const own = await fetch(`${web.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: hash } } }),
  })
  assert.equal(own.status, 400, 'this schema has no such fields')
  assert.equal(seen.length, 0)
})

test('V-07 F14 while the documents process is away its documents are 503 with Retry-After, and steps of a purchase go on', async () => {
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  const alone = await testGateway(database.pool, { edges: edgesAt('web'), schema: sdl, documents: { port, secret } })
  after(() => alone.close())
  const { status, headers } = await alone.post('{ where }')
  assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
  assert.equal(placeOf(await alone.post('{ cart }')), 'web')
})

test('V-01 a web process has sixty-four requests at the documents process at most; more are refused at once', async () => {
  const held = Array.from({ length: 64 }, (_, at) =>
    web.post('{ never }', {}, { headers: { 'x-forwarded-for': `203.0.113.${at}` } }).catch(() => null),
  )
  for (const end = Date.now() + 5000; Date.now() < end && seen.length < 32;) await new Promise((resolve) => setTimeout(resolve, 20))
  const startedAt = performance.now()
  const { status } = await web.post('{ where }')
  assert.equal(status, 503)
  // Those that are held wait for five seconds.
  assert.ok(performance.now() - startedAt < 2000)
  assert.equal(placeOf(await web.post('{ cart }')), 'web')
  await Promise.all(held)
})

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

test('V-01 one network has a quarter of the places for documents', async () => {
  const answered: number[] = []
  const asked = Array.from({ length: 20 }, async () => {
    const { status } = await web.post('{ held }', {}, from('203.0.113.200'))
    answered.push(status)
  })
  while (answered.length < 4) await new Promise((resolve) => setTimeout(resolve, 10))
  assert.deepEqual(answered, [503, 503, 503, 503])
  assert.equal(placeOf(await web.post('{ where }', {}, from('203.0.113.201'))), 'documents')
  held.resolve()
  await Promise.all(asked)
  assert.equal(answered.filter((status) => status === 200).length, 16)
})

test('V-01 A67 readers who take nothing of long answers keep no place from others', async () => {
  // As if no byte of an answer fitted into the buffers of the connection.
  const takeNothing = (socket: Socket) => socket.cork()
  web.server.on('connection', takeNothing)
  const body = JSON.stringify({ query: '{ long }' })
  const before = seen.length
  const silent: Socket[] = []
  while (silent.length < 64) {
    for (let nth = 0; nth < 8; nth++) {
      const network = Math.floor(silent.length / 16)
      const head = ['POST /graphql HTTP/1.1', 'host: localhost', `x-forwarded-for: 198.51.100.${network}`, 'sec-fetch-site: same-origin']
      const socket = connect(portOf(web.url), '127.0.0.1').on('error', () => undefined)
      socket.write([...head, 'content-type: application/json', `content-length: ${body.length}`, '', body].join('\r\n'))
      silent.push(socket)
    }
    for (const end = Date.now() + 10_000; seen.length < before + silent.length;) {
      assert.ok(Date.now() < end, `${seen.length - before} of ${silent.length} were passed on`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  web.server.off('connection', takeNothing)
  const status = async () => (await web.post('{ where }', {}, from('198.51.100.99'))).status
  for (const end = Date.now() + 8_000; (await status()) !== 200;) {
    assert.ok(Date.now() < end, 'others are served')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  for (const socket of silent) socket.destroy()
})

test('V-08 A67 a request nested too deeply for any serialiser is refused with 400 and not passed on', async () => {
  const { length } = seen
  const deep = `${'{"1":'.repeat(5_000)}1${'}'.repeat(5_000)}`
  for (const body of [`{"query":"{ where }","variables":{"a":${deep}}}`, `[{"query":"{ where }","other":${deep}}]`]) {
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
    const answer = await fetch(`${web.url}/graphql`, { method: 'POST', headers, body })
    assert.equal(answer.status, 400)
    assert.match(await answer.text(), /at most 32 levels/)
  }
  assert.equal(seen.length, length)
})

test('V-11 A64 documents refused before they are executed use up the quota of their network, which is then refused unread', async () => {
  const address = '203.0.113.150'
  await takeQuota('query', { address }, quotas.query.address.units - 2_500)
  for (let n = 0; n < 3; n++)
    assert.equal((await web.post('{ where }', {}, from(address))).status, 200, 'what is executed has its own cost')
  const hopeless = '{ where '.repeat(30) + '}'.repeat(30)
  assert.equal((await web.post(hopeless, {}, from(address))).status, 400)
  for (const query of [hopeless, `{ ${'a: many { a b } '.repeat(3)} }`, '{ where ']) {
    const { status, headers, body } = await web.post(query, {}, from(address))
    assert.equal(status, 429, query)
    assert.ok(Number(headers.get('retry-after')) >= 1)
    assert.match(JSON.stringify(body), /TOO_MANY_REQUESTS/)
  }
  assert.equal((await web.post(hopeless, {}, from('203.0.113.151'))).status, 400)
})

test('A64 with PUBLIC_API=on a text that cannot be a key is refused before its document is read', async () => {
  useSettings({ ...process.env, PUBLIC_API: 'on' })
  try {
    const headers = { 'x-api-key': 'x' }
    for (const query of ['{ where', '{ where '.repeat(30) + '}'.repeat(30)]) {
      const { status, body } = await web.post(query, {}, { headers })
      assert.deepEqual([status, /API_KEY_INVALID/.test(JSON.stringify(body))], [401, true], query)
    }
    const possible = { 'x-api-key': `pka_${'x'.repeat(43)}` }
    assert.equal((await web.post('{ where', {}, { headers: possible })).status, 400)
  } finally {
    useSettings()
  }
})
