import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type GraphQLInputType,
  type GraphQLField,
  buildSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import { connectSearch, rebuildIndex } from '#listing'
import { testDatabase } from '#platform/testing'
import { testEngine } from '../../goods/listing/test-engine.ts'
import { limits } from './limits.ts'
import { loadSdl } from './load-schema.ts'
import { testGateway } from './testing.ts'

const engine = await testEngine()
connectSearch(engine)
const database = await testDatabase()
await rebuildIndex({ db: database.db, engine })
const gateway = await testGateway(database.pool)
const schema = buildSchema(loadSdl())

const post = async (query: string, variables: object) => {
  const { status, body, statements } = await gateway.post(query, variables)
  const { errors } = body as { errors?: { message: string }[] }
  return { status, message: errors?.[0]?.message ?? '', text: JSON.stringify(body), statements }
}

const long = 'x'.repeat(limits.textLength + 1)
/** Values that no field of the type accepts. */
const wrongFor: Record<string, unknown[]> = {
  Int: [1.5, '1e3', '7', 2 ** 31, -(2 ** 31) - 1, true, [], {}, '\0', long],
  Float: ['1.5', true, [], {}, '\0'],
  Boolean: [1, 'true', [], {}, '\0'],
  ID: [1.5, true, [], {}, 'a\0b', '\ud800', long],
  String: [1, true, [], {}, 'a\0b', '\udfff', long],
}

/** Every input a document can take: a valid value with one part made invalid. */
function* wrongValues(type: GraphQLInputType, path: string): Generator<{ path: string; value: unknown }> {
  const bare = getNullableType(type)
  const named = getNamedType(type)
  if (isListType(bare)) for (const { path: at, value } of wrongValues(bare.ofType, `${path}[0]`)) yield { path: at, value: [value] }
  else if (isEnumType(named)) for (const value of ['nonsense', 1, [], {}, 'a\0b', long]) yield { path, value }
  else if (isInputObjectType(named)) {
    for (const value of [1, 'x', [], { nonsense: 1 }]) yield { path, value }
    for (const field of Object.values(named.getFields()))
      for (const { path: at, value } of wrongValues(field.type, `${path}.${field.name}`)) {
        const right = rightValue(named)
        yield { path: at, value: { ...(typeof right === 'object' ? right : {}), [field.name]: value } }
      }
  } else for (const value of wrongFor[named.name] ?? []) yield { path, value }
}

const rightScalars: Record<string, unknown> = { Int: 1, Float: 1, Boolean: true }

function rightValue(type: GraphQLInputType): unknown {
  const bare = getNullableType(type)
  if (isListType(bare)) return [rightValue(bare.ofType)]
  const named = getNamedType(type)
  if (isEnumType(named)) return named.getValues()[0]?.name
  if (!isInputObjectType(named)) return rightScalars[named.name] ?? '1'
  return Object.fromEntries(Object.values(named.getFields()).map((field) => [field.name, rightValue(field.type)]))
}

function documentOf(kind: 'query' | 'mutation', field: GraphQLField<unknown, unknown>): string {
  const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ')
  const used = field.args.map(({ name }) => `${name}: $${name}`).join(', ')
  return `${kind} (${declared}) { ${field.name}(${used}) ${isObjectType(getNamedType(field.type)) ? '{ __typename }' : ''} }`
}

const roots = [
  ...Object.values(schema.getQueryType()?.getFields() ?? {}).map((field) => ['query', field] as const),
  ...Object.values(schema.getMutationType()?.getFields() ?? {}).map((field) => ['mutation', field] as const),
].filter(([, { args }]) => args.length > 0)

test('there are operations to test', () => assert.ok(roots.length >= 15, String(roots.length)))

for (const [kind, field] of roots) {
  test(`V-08 ${field.name} with wrong variables: 400 with the variable's path, never a 500 and no SQL`, async () => {
    const document = documentOf(kind, field)
    const right = Object.fromEntries(field.args.map(({ name, type }) => [name, rightValue(type)]))
    for (const { name, type } of field.args) {
      for (const { path, value } of wrongValues(type, name)) {
        const told = `${path} = ${JSON.stringify(value).slice(0, 80)}`
        const { status, message, text, statements } = await post(document, { ...right, [name]: value })
        assert.equal(status, 400, `${told}: ${text.slice(0, 200)}`)
        assert.match(message, new RegExp(`^Variable "\\$${name}" `), told)
        // For a nested value the whole path; for a list the schema may name the item.
        if (path.includes('.')) assert.ok(message.includes(`"${path}`), `${told}: ${message.slice(0, 200)}`)
        assert.ok(message.length < 300 && !/\.ts|node_modules/.test(text), `${told}: ${text.slice(0, 400)}`)
        assert.equal(statements, 0)
      }
    }
  })

  test(`V-08 A52 A63 ${field.name} with the strangest valid variables is not a 500`, async () => {
    const document = documentOf(kind, field)
    for (const strange of [
      '',
      ' ',
      '0',
      '-1',
      '1e3',
      '1.5',
      '99999999999999999999',
      "';--",
      '%00',
      '\u202e',
      '😀',
      'NaN',
      '{}',
      'x'.repeat(3999),
    ]) {
      const numbers = [0, -1, 2 ** 31 - 1, -(2 ** 31)]
      const number = numbers[strange.length % numbers.length]
      const shaped = JSON.parse(
        JSON.stringify(Object.fromEntries(field.args.map(({ name, type }) => [name, rightValue(type)]))).replaceAll(
          '"1"',
          JSON.stringify(strange),
        ),
        (_key, value: unknown) => (value === 1 ? number : value),
      ) as object
      const { status, text } = await post(document, shaped)
      assert.ok(status < 500, `${strange.slice(0, 20)}: ${status} ${text.slice(0, 200)}`)
    }
  })
}

test('V-08 a missing variable is named', async () => {
  const { status, message } = await post('query ($id: ID!) { product(id: $id) { id } }', {})
  assert.deepEqual([status, message], [400, 'Variable "$id" of required type "ID!" was not provided.'])
})

test('V-08 text that a variable may not contain is refused in the document, too', async () => {
  for (const id of ['"a\\u0000b"', '"\\ud800"', `"${long}"`, `"""${long}"""`]) {
    const { status, message } = await post(`{ product(id: ${id}) { id } }`, {})
    assert.equal(status, 400, id.slice(0, 20))
    assert.match(message, /^A text in the query|^Syntax Error/)
  }
})

test('V-08 variables with thousands of values, or endlessly nested, are refused', async () => {
  const many = { kind: 'search', filters: [{ key: 'a', values: Array.from({ length: 5000 }, String) }] }
  const document = 'query ($input: ListingInput!) { listing(input: $input) { total } }'
  assert.deepEqual((await post(document, { input: many })).message, `Variable "$input" has more than ${limits.values} values`)
  const nested = JSON.parse(`${'[['.repeat(10_000)}${']]'.repeat(10_000)}`) as object
  assert.equal((await post(document, { input: nested })).status, 400)
})

test('V-08 A67 variables nested too deeply for any serialiser are refused with 400, declared or not, in a text or a document of ours', async () => {
  const document = 'query ($input: ListingInput!) { listing(input: $input) { total } }'
  const [own] = Object.keys(knownDocuments)
  const requests = [{ query: document }, { extensions: { persistedQuery: { version: 1, sha256Hash: own } } }]
  for (const deep of [`${'{"1":'.repeat(10_000)}1${'}'.repeat(10_000)}`, `${'['.repeat(20_000)}${']'.repeat(20_000)}`])
    for (const variables of [`{"input":{"kind":"search"},"undeclared":${deep}}`, `{"input":${deep}}`])
      for (const request of requests) {
        const body = `${JSON.stringify(request).slice(0, -1)},"variables":${variables}}`
        const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
        const answer = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })
        assert.equal(answer.status, 400, body.slice(0, 200))
        assert.match(await answer.text(), /at most 32 levels/)
      }
})

test('a variable that may not be null has its default value when it is omitted, also once its document is compiled', async () => {
  const query =
    'query ($isShown: Boolean! = true, $text: String! = "drill") { site { market @include(if: $isShown) } suggestions(query: $text) { queries } }'
  const first = await post(query, {})
  assert.deepEqual([first.status, first.message], [200, ''])
  for (let run = 0; run < 110; run++) assert.equal((await post(query, {})).text, first.text, `run ${run}`)
  assert.doesNotMatch((await post(query, { isShown: false })).text, /"market"/)
})

test('V-08 undeclared variables are dropped, even if no declared one could hold them', async () => {
  const undeclared = { other: '\0', toString: [[[]]], '1': long }
  assert.equal((await post('query ($id: ID!) { product(id: $id) { id } }', { id: '1', ...undeclared })).status, 200)
  assert.equal((await post('{ site { market } }', undeclared)).status, 200)
})
