import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMsOf } from '@purlin/contract/testing.ts'
import { buildSchema, isListType, isObjectType, getNamedType, getNullableType, parse, getOperationAST } from 'graphql'
import fc from 'fast-check'
import { connectSearch } from '#listing'
import { testDatabase } from '#platform/testing'
import { testEngine } from '../../goods/listing/test-engine.ts'
import { fieldPrice } from './field-price.ts'
import { loadSdl } from './load-schema.ts'
import { foreignCostLimit, planPrice, priceOf } from './price-query.ts'
import { testGateway } from './testing.ts'

connectSearch(await testEngine())
const database = await testDatabase({ upTo: 'notify' })
// Prices of the shop's own services need a rate.
await database.pool.query(
  `insert into pricing.vat_rule (id, market, category_id, rate_bp, valid_from) values (1, 'gb', null, 2000, '2020-01-01')`,
)
const gateway = await testGateway(database.pool)
const schema = buildSchema(loadSdl())
const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !type.name.startsWith('__'))
const said = (body: unknown) => (body as { errors?: { message: string }[] }).errors?.[0]?.message ?? ''

function price(query: string, variables: Record<string, unknown> = {}): number {
  const document = parse(query)
  const node = getOperationAST(document)
  assert.ok(node)
  return priceOf(planPrice(schema, document, node), variables)
}

/** The least CPU time of up to ten runs, client and server together: garbage collection falls into some of them. */
async function refusedIn(
  query: string,
  variables: object = {},
): Promise<{ status: number; ms: number; message: string; statements: number }> {
  let shortest = Infinity
  let last = await gateway.post(query, variables)
  for (let round = 0; round < 10 && shortest >= 20; round++) {
    // A different text each time, so that a cached refusal does not answer.
    const took = await cpuMsOf(async () => (last = await gateway.post(`${query} #${round}`, variables)))
    shortest = Math.min(shortest, took)
  }
  return { status: last.status, ms: shortest, message: said(last.body), statements: last.statements }
}

const amount = 'integer decimal asString asFloat ranges { min max }'
const wholeCard = `productId articleId title defaultTitle brandId brandName banner bulk categories { L0 { id name } L1 { id name } L2 { id name }
  last { id name } } commercialOperationIds coupon { code label } deliveryOffers { minFee minFeeTime minTime minTimeFee } imagePath market modelId
  modelMarkets offerId prices { main { ${amount} } retail { ${amount} } secondary { ${amount} } unit { label amount { ${amount} } } } rating
  thumbnails url technicalInfoValues { key label value } commercialAnimation { tags } badges { type label } condition`
const everyCard = `cards { ${wholeCard} }`
const down = (levels: number): string => (levels === 0 ? 'id name url' : `id name url children { ${down(levels - 1)} }`)
const hostile: Record<string, [query: string, variables?: object]> = {
  'the whole tree of categories, many levels deep': [`{ categoryTree { ${down(6)} } }`],
  'aliases of a large list': [`{ ${[...Array(12).keys()].map((index) => `a${index}: categoryTree { ${down(3)} }`).join(' ')} }`],
  'a list as long as it may be, of everything': [`{ listing(input: { kind: search, pageSize: 500 }) { ${everyCard} } }`],
  'the same with the length in a variable': [
    `query ($input: ListingInput!) { listing(input: $input) { ${everyCard} } }`,
    { input: { kind: 'search', pageSize: 500 } },
  ],
  'the same with the length in a field of a variable': [
    `query ($size: Int) { listing(input: { kind: search, pageSize: $size }) { ${everyCard} } }`,
    { size: 500 },
  ],
  'the same with a default': [`query ($size: Int = 500) { listing(input: { kind: search, pageSize: $size }) { ${everyCard} } }`],
  'a list behind fragments': [
    `{ ...a } fragment a on Query { ...b ... on Query { ...b } x: listing(input: { kind: search, pageSize: 500 }) { ...c } }
     fragment b on Query { listing(input: { kind: deals, pageSize: 500 }) { ...c } } fragment c on Listing { ${everyCard} }`,
  ],
  'a list behind a directive': [
    `query ($yes: Boolean = true) { listing(input: { kind: search, pageSize: 500 }) @include(if: $yes) { ${everyCard} } }`,
  ],
}

for (const [what, [query, variables]] of Object.entries(hostile)) {
  test(`V-01 ${what} is refused in under 20 ms, with its cost and the limit, before any SQL`, async () => {
    const { status, ms, message, statements } = await refusedIn(query, variables)
    assert.equal(status, 400, message)
    const [, cost, limit] = /^The query costs (\d+), more than the limit of (\d+)$/.exec(message) ?? []
    assert.ok(Number(cost) > foreignCostLimit && Number(limit) === foreignCostLimit, message)
    assert.equal(statements, 0)
    assert.ok(ms < 20, `${ms.toFixed(1)} ms`)
  })
}

test('V-01 no query can go from a category up to its parents and down again', async () => {
  for (const up of ['categoryTree { children { parents { children { id } } } }', 'product(id: "1") { categories { children { id } } }']) {
    const { status, body } = await gateway.post(`{ ${up} }`)
    assert.equal(status, 400)
    assert.match(said(body), /Cannot query field "children" on type "CategoryParent"/)
  }
})

test('V-01 the only cycle between types is down the category tree', () => {
  const back: string[] = []
  const walk = (start: string, name: string, seen: Set<string>) => {
    const type = schema.getType(name)
    if (!isObjectType(type)) return
    for (const field of Object.values(type.getFields())) {
      const next = getNamedType(field.type).name
      if (next === start) back.push(`${name}.${field.name}`)
      if (!seen.has(next)) walk(start, next, seen.add(next))
    }
  }
  for (const { name } of types) walk(name, name, new Set())
  assert.deepEqual([...new Set(back)], ['Category.children'])
})

test('V-01 every list of the API declares its assumed size, every query and mutation its cost', () => {
  const silent: string[] = []
  for (const type of types) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const declared = (field.astNode?.directives ?? []).map(({ name }) => name.value)
      if (isListType(getNullableType(field.type)) && !declared.includes('listSize')) silent.push(`${type.name}.${field.name}`)
      if (type === schema.getMutationType() && fieldPrice(schema, field).weight < 1000) silent.push(`${type.name}.${field.name}`)
    }
  }
  assert.deepEqual(silent, [])
})

test('V-01 the cost is that of the fields times the lengths of the lists above them', () => {
  assert.equal(price('{ site { market mode } }'), 3)
  assert.equal(price('{ a: site { market } b: site { market ...m } } fragment m on Site { mode ... { currency } }'), 6)
  assert.equal(price('{ categoryTree { id } }'), 10 + 16)
  assert.equal(price('{ categoryTree { children { id name } } }'), 10 + 16 * (1 + 10 * 2))
  assert.equal(price('{ listing(input: { kind: deals }) { total cards { title thumbnails } } }'), 100 + 1 + 1 + 48 * (1 + 1 + 6))
  assert.equal(price('{ listing(input: { kind: deals, pageSize: 10 }) { cards { title } } }'), 100 + 1 + 10)
  assert.equal(price('{ listing(input: { kind: deals, pageSize: 9000 }) { cards { title } } }'), 100 + 1 + 500)
  assert.equal(price('{ listing(input: { kind: deals, pageSize: -9 }) { cards { title } } }'), 100 + 1 + 48)
  assert.equal(price('query ($i: ListingInput!) { listing(input: $i) { cards { title } } }', { i: { pageSize: 7 } }), 100 + 1 + 7)
  assert.equal(price('mutation { removeCoupon { refusal { message } } }'), 1000 + 2)
})

test('V-01 the requests of a batch share one limit', async () => {
  const query = `{ ${[...Array(1).keys()].map((index) => `a${index}: categoryTree { ${down(2)} }`).join(' ')} }`
  assert.ok(price(query) < foreignCostLimit)
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Array.from({ length: 10 }, () => ({ query }))),
  })
  const answers = ((await response.json()) as object[]).map(said)
  assert.equal(answers[0], '')
  assert.match(answers.at(-1) ?? '', /^The query costs \d+, more than the limit of \d+$/)
})

const objectFields = new Map(types.map((type) => [type.name, isObjectType(type) ? Object.values(type.getFields()) : []]))
const argumentsOf = { ID: '"1"', Int: '1', String: '"x"', ListingInput: '{ kind: search, pageSize: 500 }' } as Record<string, string>

/** Any document the schema allows and a few it does not: depth, breadth, aliases, fragments, directives, long lists. */
const anySelection = (typeName: string, levels: number): fc.Arbitrary<string> =>
  fc.array(fc.tuple(fc.nat(200), fc.nat(60), fc.nat(9), fc.nat(9)), { minLength: 1, maxLength: 14 }).chain((picks) => {
    const fields = objectFields.get(typeName) ?? []
    const parts = picks.map(([index, alias, form, size]) => {
      const field = fields[index % fields.length]
      if (!field) return fc.constant('__typename')
      const named = getNamedType(field.type)
      const given = field.args.map(({ name, type }) => `${name}: ${argumentsOf[getNamedType(type).name] ?? 'null'}`)
      const head = `${form > 2 ? `a${alias}${size}: ` : ''}${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''}${form === 4 ? ' @include(if: true)' : ''}`
      if (!isObjectType(named)) return fc.constant(head)
      if (levels === 0) return fc.constant(`${head} { __typename }`)
      return anySelection(named.name, levels - 1).map((inner) =>
        form === 5 ? `${head} { ... on ${named.name} { ${inner} } ... { ${inner} } }` : `${head} { ${inner} }`,
      )
    })
    return fc.tuple(...parts).map((all) => all.join(' '))
  })

test('V-01 any generated document is answered within its bounds or refused quickly with 400, and the shop keeps responding', async () => {
  const documents = fc.sample(
    fc.nat(7).chain((levels) => anySelection('Query', levels)),
    { numRuns: 120, seed: 7 },
  )
  let refused = 0
  for (const document of documents) {
    const started = performance.now()
    const answer = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: `{ ${document} }` }),
    })
    const text = await answer.text()
    const took = performance.now() - started
    if (answer.status === 413) continue
    if (answer.status === 400) {
      refused++
      assert.ok(took < 1000, `${took.toFixed(0)} ms for ${document.length} characters`)
    }
    // 401 and 403: an anonymous visitor requested account data.
    assert.ok([200, 400, 401, 403, 503].includes(answer.status), `${answer.status} ${text.slice(0, 300)}`)
    assert.ok(Buffer.byteLength(text) <= 1_000_000)
  }
  assert.ok(refused > 20, `${refused} of ${documents.length}`)
  assert.equal((await gateway.post('{ site { market } }')).status, 200)
})
