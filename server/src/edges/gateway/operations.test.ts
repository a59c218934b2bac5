import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import { executableSchema } from './build-schema.ts'
import { loadResolvers, loadSdl } from './load-schema.ts'
import { createOperations, type Operations } from './operations.ts'
import type { RequestScope } from './request-scope.ts'

const schema = executableSchema(loadSdl(), await loadResolvers())
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** A document of 16 KB that costs little: 1,320 fields of twelve listings with one product each. */
function heavyDocument(n: number): string {
  const fields = 'productId articleId title brandName url condition isLocal market rating offerId sellerId '.repeat(10)
  const listings = Array.from(
    { length: 12 },
    (_, at) => `l${at}: listing(input: { kind: search, query: "x${n}", pageSize: 1 }) {cards{${fields}}}`,
  )
  return `{${listings.join(' ')}}`
}

async function runThrice(operations: Operations, source: string): Promise<void> {
  const prepared = operations.prepare(source)
  assert.ok(prepared.ok)
  const scope = { spend() {}, sharing: { asked: 0, holds: [], isPersonal: false } } as unknown as RequestScope
  // There is no database: what is measured is the document, not its result.
  for (let run = 0; run < 3; run++) await Promise.resolve(prepared.operation.run(scope, {})).catch(() => undefined)
}

test('V-01 V-13 different documents of strangers, each run again and again, hold no more memory than their cache may', async () => {
  const operations = createOperations(schema, { isPublic: false, maxBytes: 4 * 2 ** 20 })
  for (let n = 0; n < 5; n++) await runThrice(operations, heavyDocument(n))
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  for (let n = 5; n < 45; n++) await runThrice(operations, heavyDocument(n))
  collectGarbage()
  const grownMb = (process.memoryUsage().heapUsed - before) / 2 ** 20
  assert.ok(grownMb < 8, `${grownMb.toFixed(1)} MB`)
})

test('V-01 V-13 documents that are run so often that they are compiled are weighed as such', async () => {
  const operations = createOperations(schema, { isPublic: false, maxBytes: 4 * 2 ** 20 })
  const often = async (n: number) => {
    for (let again = 0; again < 35; again++) await runThrice(operations, heavyDocument(n))
  }
  await often(0)
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const first = operations.prepare(heavyDocument(1))
  for (let n = 1; n <= 12; n++) await often(n)
  collectGarbage()
  const grownMb = (process.memoryUsage().heapUsed - before) / 2 ** 20
  assert.ok(grownMb < 6, `${grownMb.toFixed(1)} MB`)
  assert.notEqual(operations.prepare(heavyDocument(1)), first)
})

test('V-13 a document is prepared once while it is used, and again after heavier ones needed its place', () => {
  const operations = createOperations(schema, { isPublic: false, maxBytes: 2 ** 20 })
  const first = operations.prepare('{ site { market } }')
  assert.equal(operations.prepare('{ site { market } }'), first)
  for (let n = 0; n < 3; n++) operations.prepare(heavyDocument(n))
  assert.notEqual(operations.prepare('{ site { market } }'), first)
})

test('V-13 refused documents are bounded by their length, and evict no valid one', () => {
  const operations = createOperations(schema, { isPublic: false })
  const valid = operations.prepare('{ site { market } }')
  const long = (n: number) => `{ nothing${n}(of: "${'x'.repeat(3_900)}", and: "${'y'.repeat(3_900)}") }`
  const first = operations.prepare(long(0))
  assert.ok(!first.ok)
  assert.equal(operations.prepare(long(0)), first)
  for (let n = 1; n <= 300; n++) operations.prepare(long(n))
  assert.notEqual(operations.prepare(long(0)), first)
  assert.equal(operations.prepare('{ site { market } }'), valid)
})

test('V-01 our own documents are never evicted', () => {
  const operations = createOperations(schema, { isPublic: true, maxBytes: 1 })
  const [id = ''] = Object.keys(knownDocuments)
  assert.equal(operations.prepareKnown(id), operations.prepareKnown(id))
})
