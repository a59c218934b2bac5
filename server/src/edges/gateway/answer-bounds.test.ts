import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Action } from '@purlin/contract/actions.ts'
import { testDatabase } from '#platform/testing'
import { limits } from './limits.ts'
import { testGateway } from './testing.ts'

const database = await testDatabase({ upTo: 'accounts' })
const schema = `
  directive @listSize(assumedSize: Int!, sizedFields: [String!]) on FIELD_DEFINITION
  type Query { short: [Int!]! @listSize(assumedSize: 3) late: [Thing!]! @listSize(assumedSize: 3) page: Page! @listSize(assumedSize: 3, sizedFields: ["things"])
    text(of: String!, times: Int!): String! shared(of: String!, times: Int!): String! never: Int }
  type Page { things: [Thing!]! }
  type Thing { name: String! more: [Thing!]! @listSize(assumedSize: 3) }
  type Mutation { slowly: Int }`
const things = (count: number) => Array.from({ length: count }, () => ({ name: 'thing' }))
let begun = 0
const edges = [
  {
    actions: {
      ...Object.fromEntries(['short', 'late', 'page', 'text', 'shared', 'never'].map((field) => [`Query.${field}`, 'goods.see'])),
      'Mutation.slowly': 'cart.change',
    } satisfies Record<string, Action>,
    resolvers: {
      Query: {
        short: () => Array.from({ length: limits.rows + 1 }, () => 1),
        late: async () => things(200),
        page: async () => ({ things: things(limits.rows + 1) }),
        text: (_parent: unknown, { of, times }: { of: string; times: number }) => of.repeat(times),
        shared: (_parent: unknown, { of, times }: { of: string; times: number }, scope: { share?: (holds: () => boolean) => void }) => {
          scope.share?.(() => true)
          return of.repeat(times)
        },
        never: () => new Promise(() => void begun++),
      },
      Thing: { more: () => things(200) },
      Mutation: { slowly: () => new Promise((resolve) => setTimeout(() => resolve(1), limits.queryMs + 1000)) },
    },
  },
]
const gateway = await testGateway(database.pool, { edges, schema })
const said = (body: unknown) => (body as { errors?: { message: string }[] }).errors?.[0]?.message

test('V-01 whatever its declared list sizes, an operation returns a bounded number of rows', async () => {
  for (const query of ['{ short }', '{ page { things { name } } }', '{ late { more { name } } }', '{ late { more { more { name } } } }']) {
    for (const _ of ['interpreted', 'compiled']) {
      const { status, body } = await gateway.post(query)
      assert.equal(status, 400, query)
      assert.equal(said(body), `The result has more than ${limits.rows} rows`)
    }
  }
  assert.equal((await gateway.post('{ late { name } }')).status, 200)
})

const isTooLong = (status: number, body: unknown) => {
  assert.deepEqual([status, said(body)], [400, `The answer is longer than ${limits.answerBytes} bytes`])
}

for (const field of ['text', 'shared'])
  for (const [what, of] of [
    ['a letter of one byte', 'x'],
    ['a letter of three bytes in UTF-8', '€'],
    ['a character of six bytes in JSON', '\u0001'],
  ] as const)
    test(`V-01 A64 a response over a megabyte is refused: ${field} of ${what}`, async () => {
      const bytes = JSON.stringify(of).length - 2 === 1 ? Buffer.byteLength(of) : 6
      const ask = (times: number) => gateway.post(`query ($of: String!, $times: Int!) { ${field}(of: $of, times: $times) }`, { of, times })
      const around = `{"data":{"${field}":""}}`.length
      const most = Math.floor((limits.answerBytes - around) / bytes)
      assert.equal((await ask(most)).status, 200)
      const { status, body } = await ask(most + 1)
      isTooLong(status, body)
    })

test('V-01 the limit of bytes is that of a whole batch', async () => {
  const batch = async (times: number) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(['x', '€'].map((of) => ({ query: `{ text(of: "${of}", times: ${times}) }` }))),
    })
    return { status: response.status, body: await response.json() }
  }
  assert.equal((await batch(240_000)).status, 200)
  const { status, body } = await batch(260_000)
  isTooLong(status, body)
})

test('V-01 a query that takes too long ends with 504, while a command continues', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const headers = { host: 'gb.localhost:3000' }
  const asked = gateway.execute({ query: '{ never }', headers })
  const commanded = gateway.execute({ query: 'mutation { slowly }', headers })
  while (begun === 0) await new Promise(setImmediate)
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
  t.mock.timers.tick(limits.queryMs)
  const { errors } = await asked
  assert.deepEqual([errors?.[0]?.extensions?.status, errors?.[0]?.extensions?.code], [504, 'GATEWAY_TIMEOUT_ERROR'])
  t.mock.timers.tick(1000)
  assert.equal((await commanded).data?.['slowly'], 1)
})
