import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { costLimit, planPrice, priceOf } from '@purlin/server/edges/gateway/price-query.ts'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import { buildSchema, getOperationAST, parse } from 'graphql'
import { root } from './find-tests.ts'
import { checkApi, generateApi, readApiSources, staleFiles } from './generate-api.ts'
import { checkWalls } from './walls.ts'

const sources = readApiSources()
const withDocument = (text: string) =>
  generateApi({ ...sources, documents: [...sources.documents, { path: 'storefront/src/planted/planted.graphql', text }] })

test('V-50 the generated files match the contract and the documents next to the pages', async () => {
  assert.equal(await checkApi(), '')
})

test('V-50 a changed contract leaves stale files behind, which verify reports', async () => {
  const stricter = await generateApi({ ...sources, sdl: sources.sdl.replace('label: String!', 'label: String') })
  assert.ok(staleFiles(stricter).includes('storefront/src/generated/documents.ts'))
})

const mistaken: Record<string, [document: string, says: RegExp]> = {
  'a field the contract lacks': ['query Planted { site { motto } }', /planted\.graphql: Cannot query field "motto" on type "Site"/],
  'an argument the contract lacks': ['query Planted { category(name: "x") { id } }', /planted\.graphql: Unknown argument "name"/],
  'a variable nobody declares': ['query Planted { category(id: $id) { name } }', /Variable "\$id" is not defined/],
  'a variable of another type': [
    'query Planted($id: String!) { category(id: $id) { name } }',
    /Variable "\$id" of type "String!" used in position expecting type "Int!"/,
  ],
  'a fragment nobody wrote': ['query Planted { site { ...Nowhere } }', /Unknown fragment "Nowhere"/],
  'a name that is taken': ['query Cart { cart { id } }', /There can be only one operation named "Cart"/],
}
for (const [what, [document, says]] of Object.entries(mistaken))
  test(`V-50 a document with ${what} is refused by verify, with its file`, async () => {
    await assert.rejects(withDocument(document), says)
  })

/** Files that compile as they are, each with one line to plant; the messages are the compiler's. */
const folder = join(root, 'node_modules/.cache/api-mistakes')
const head = `import type { GatewayClient } from '${root}/storefront/src/shell/context.ts'
import { CartCountDocument, ProductDocument, SetCartQuantityDocument, type CartQuery, type FunnelStep } from './generated/documents.ts'
export async function page(client: GatewayClient) {
  const { product } = await client.query(ProductDocument, { id: '1' })
  const { site } = await client.query(CartCountDocument)
  const set = await client.mutate(SetCartQuantityDocument, { offerId: '1', quantity: 2 })
  const cart = (await client.query(CartCountDocument)).site.cartCount
`
const compiled: Record<string, [line: string, says: RegExp | null]> = {
  right: ['return [product?.title, site.cartCount, set?.result.refusal?.message, cart]', null],
  'unknown-field': ['return [product?.weight, site, set, cart]', /Property 'weight' does not exist/],
  'missing-variable': ['return [await client.query(ProductDocument), product, site, set, cart]', /Expected 2 arguments, but got 1/],
  'wrong-variable': [
    'return [await client.query(ProductDocument, { id: 1 }), product, site, set, cart]',
    /Type 'number' is not assignable to type 'string'/,
  ],
  'nullable-as-certain': ['return [product.title, site, set, cart]', /'product' is possibly 'null'/],
  'refusal-as-certain': ['return [product, site, set?.result.refusal.message, cart]', /'set\.result\.refusal' is possibly 'null'/],
  'answer-told-again': [
    'return [await client.query<{ cart: CartQuery }>(CartCountDocument), product, site, set, cart]',
    /Expected 2 type arguments/,
  ],
  'case-left-out': [
    "const words: Record<FunnelStep, string> = { cart: '', register: '', address: '', delivery: '', payment: '', receipt: '' }\n  return [words, product, site, set, cart]",
    /Property 'gift' is missing/,
  ],
}

after(() => rmSync(folder, { recursive: true, force: true }))

/** One run of the compiler over these files; returns its messages by file name. */
function compile(name: string, files: Record<string, string>): (name: string) => string {
  const project = join(folder, name)
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { incremental: false, noUnusedLocals: false },
    include: ['*.ts'],
    exclude: [],
  }
  for (const [path, text] of Object.entries({ ...files, 'tsconfig.json': JSON.stringify(config) })) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project, '--pretty', 'false'], {
    encoding: 'utf8',
  })
  // A message continues in indented lines below it.
  const messages = stdout.split(/\n(?! )/)
  return (file) => messages.filter((message) => message.includes(`${file}.ts(`)).join('\n')
}

test('V-50 planted mistakes in pages do not compile: unknown field, missing variable, a nullable field used as non-null, a new enum value without a case', async () => {
  const grown = sources.sdl
    .replace('enum FunnelStep {\n', 'enum FunnelStep {\n  gift\n')
    .replace(/enum (?:CustomerOrderState|CartLineState|SortKey) \{\n/g, '$&  GIFTED\n')
  const generated = await generateApi({ ...sources, sdl: grown })
  const files: Record<string, string> = {
    'generated/documents.ts': generated.get('storefront/src/generated/documents.ts') ?? '',
    // The current page, against the contract with one more funnel step.
    'checkout/steps.ts': readFileSync(join(root, 'storefront/src/checkout/steps.ts'), 'utf8'),
    'account/order-tones.ts': readFileSync(join(root, 'storefront/src/account/order-tones.ts'), 'utf8'),
    'cart/unavailable-messages.ts': readFileSync(join(root, 'storefront/src/cart/unavailable-messages.ts'), 'utf8'),
    'listing/sort-of.ts': readFileSync(join(root, 'storefront/src/listing/sort-of.ts'), 'utf8'),
    'paths.ts': `export { paths } from '${root}/storefront/src/paths.ts'\n`,
    'uses-steps.ts':
      "export { pathOfStep } from './checkout/steps.ts'\nexport { tones } from './account/order-tones.ts'\nexport { unavailableMessages } from './cart/unavailable-messages.ts'\nexport { sortOf } from './listing/sort-of.ts'\n",
  }
  for (const [name, [line]] of Object.entries(compiled)) files[`${name}.ts`] = `${head}  ${line}\n}\n`
  const told = compile('pages', files)
  for (const [name, [, says]] of Object.entries(compiled)) {
    if (says) assert.match(told(name), says, name)
    else assert.equal(told(name), '')
  }
  assert.match(told('steps'), /Property 'gift' is missing/)
  for (const file of ['order-tones', 'unavailable-messages', 'sort-of']) assert.match(told(file), /Property '?GIFTED'? is missing/, file)
})

/** Resolvers, each with one line to plant. A parameter without a type annotation gets the contract's. */
const resolverHead = `import type { Resolvers } from '${root}/server/src/edges/generated/resolvers.ts'
import type { ActionsOf, SiteScope } from '${root}/server/src/foundation/platform/index.ts'
`
const planted: Record<string, [line: string, says: RegExp | null]> = {
  right: ['Query: { seller: (_parent, { id }, _scope: SiteScope) => (id > 0 ? null : null) }, Seller: { url: ({ slug }) => slug }', null],
  'answer-of-another-type': ['Query: { seller: () => null }, Seller: { url: ({ id }) => id }', /Type 'number' is not assignable/],
  'null-for-certain': ['Query: { seller: () => null }, Seller: { url: () => null }', /Type 'null' is not assignable/],
  'part-of-an-answer': ["Query: { seller: () => null }, Offer: { coupon: () => ({ code: 'A' }) }", /Property 'label' is missing/],
  'field-nobody-asks-for': ["Query: { seller: () => null }, Seller: { motto: () => '' }", /'motto' does not exist in type/],
  'argument-nobody-sends': ['Query: { seller: (_parent, { name }) => name }', /Property 'name' does not exist/],
  'argument-of-another-type': ['Query: { seller: (_parent, { id }) => (id.trim() ? null : null) }', /Property 'trim' does not exist/],
  'parent-of-another-type': ['Query: { seller: () => null }, Seller: { url: ({ motto }) => motto }', /Property 'motto' does not exist/],
  'who-acts-unsaid': ['Query: { seller: (_parent, _args, scope) => (scope.session ? null : null) }', /'"goods.see"' is not assignable/],
  'who-acts-in-a-site': [
    'Query: { seller: (_parent, _args, scope: SiteScope) => (scope.principal ? null : null) }',
    /Property 'principal' does not exist on type 'SiteScope'/,
  ],
}

test('V-50 a resolver of the wrong type does not pass verify; nor does an anonymous one that uses the principal', () => {
  const files: Record<string, string> = {}
  for (const [name, [line]] of Object.entries(planted))
    files[`${name}.ts`] =
      `${resolverHead}export const resolvers = {\n  ${line},\n} satisfies Resolvers\n` +
      "export const actions = { 'Query.seller': 'goods.see' } satisfies ActionsOf<typeof resolvers>\n"
  const told = compile('resolvers', files)
  for (const [name, [, says]] of Object.entries(planted)) {
    if (says) assert.match(told(name), says, name)
    else assert.equal(told(name), '')
  }
})

test('V-50 a module whose resolvers do not satisfy the generated type is refused by the import checks', () => {
  const path = 'server/src/goods/sellers/graphql.ts'
  const text = 'export const resolvers = {\n  Query: {},\n}'
  assert.equal(checkWalls([{ path, text }]).length, 1)
  assert.deepEqual(checkWalls([{ path, text: `${text} satisfies Resolvers\n` }]), [])
})

test('V-50 a page that casts a result, or restates its type, is refused by the import checks', () => {
  const cast = (text: string, path = 'storefront/src/planted/planted-page.tsx') => checkWalls([{ path, text }])
  const refused = [
    'const data = (await client.query(D)) as Answer',
    'const { product } = await context.client.query<{ product: Product }>(D)',
    'const shown = product as ShownProduct',
    'const shown = product as unknown as { id: string }',
    'const found = await context.client\n  .mutate(D, { id }) as Found',
  ]
  for (const text of refused) assert.deepEqual(cast(text).length, 1, text)
  assert.equal(cast('void ask<Answer>(D, {})', 'storefront/src/planted/planted.enhance.ts').length, 1)
  for (const text of [
    "const kinds = ['a'] as const",
    't(`a.${b}` as MessageKey)',
    '// as Answer',
    'const { product } = await client.query(D, { id })',
  ])
    assert.deepEqual(cast(text), [], text)
})

test('V-01 every document of our own costs less than half of the limit, even with lists at their maximum length', () => {
  const schema = buildSchema(sources.sdl)
  for (const text of Object.values(knownDocuments)) {
    const document = parse(text)
    const operation = getOperationAST(document)
    assert.ok(operation)
    const cost = priceOf(planPrice(schema, document, operation), { input: { pageSize: 100 } })
    assert.ok(cost < costLimit / 2, `${operation.name?.value}: ${cost}`)
  }
})
