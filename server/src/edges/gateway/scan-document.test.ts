import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import { Kind, parse } from 'graphql'
import { hopelessness, scanDocument } from './scan-document.ts'
import { levelsOf, tokensOf } from './test-document.ts'

const names = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`).join(' ')

test('A64 V-01 our own documents have the tokens, levels and definitions that are counted without parsing them', () => {
  for (const text of Object.values(knownDocuments)) {
    const { definitions } = parse(text)
    const found = scanDocument(text)
    assert.equal(found.tokens, tokensOf(text), text)
    assert.equal(found.depth, levelsOf(parse(text)), text)
    assert.equal(found.definitions, definitions.length, text)
    const atTop = definitions.flatMap((each) => (each.kind === Kind.OPERATION_DEFINITION ? each.selectionSet.selections : []))
    assert.ok(found.rootFields >= atTop.length, text)
  }
})

test('A64 V-01 texts, comments and arguments hide no token and pretend none', () => {
  for (const text of [
    '{ a(text: "{{{ \\" # }") { b } } # { { {',
    '{ a(text: """ " \\""" { { """) { b } }',
    '{ a(input: { x: [{ y: 1 }], z: -1.5 }) @include(if: true) { ...F ... on A { b } } } fragment F on A { c }',
    'query ($a: [Int!]! = [1, 2], $b: In = { c: { d: 1 } }) { e(a: $a) { f } }',
  ]) {
    assert.equal(scanDocument(text).depth, levelsOf(parse(text)), text)
    assert.equal(scanDocument(text).tokens, tokensOf(text), text)
  }
  for (const unfinished of ['"', '"""', '{ a(b: "', '(', '}}}', '...', '#', '{', '\u0000'])
    assert.ok(scanDocument(unfinished).tokens <= 6, unfinished)
})

test('A64 V-01 no document of our own is hopeless, and none that is within the limits', () => {
  for (const text of [
    ...Object.values(knownDocuments),
    `fragment F on Card { ${names(13)} } { listing { cards { ...F } } }`,
    `{ __schema ${'{ a '.repeat(15)}${'}'.repeat(16)}`,
    `{ a(on: [${'{ b: 1 },'.repeat(70)}]) @include(if: true) }`,
    `{ ${'a @include(if: true) @skip(if: false) '.repeat(12)} }`,
  ])
    assert.equal(hopelessness(text), null, text)
})

test('A64 V-01 fields, aliases, directives, fragments and levels beyond the limits are counted without reading the document', () => {
  const cases: [string, RegExp][] = [
    [`{ ${names(13)} }`, /at most 12 fields at the top/],
    [`{ ${'...F '.repeat(13)} } fragment F on Query { a }`, /at most 12 fields at the top/],
    [`{ a { ${names(750)} } }`, /at most 750 fields/],
    [`{ a { b } } fragment F on Query { a { ${'... on B { c } '.repeat(400)} } }`, /at most 750 fields/],
    [`{ a { ${'x: b '.repeat(61)} } }`, /at most 60 aliases/],
    [`{ a ${'@b '.repeat(7)} }`, /at most 6 directives/],
    [`query ${'@b '.repeat(7)} { a }`, /at most 6 directives/],
    [`{ a } ${'fragment F on Query { a } '.repeat(60)}`, /at most 60 operations and fragments/],
    [`${'{ a '.repeat(13)}${'}'.repeat(13)}`, /at most 12 levels/],
    [`{ __schema ${'{ a '.repeat(20)}${'}'.repeat(21)}`, /at most 20 levels/],
    ['{ a } '.repeat(900), /operations and fragments/],
    [`{ a(b: [${'1 '.repeat(2500)}]) }`, /at most 2500 tokens/],
  ]
  for (const [text, problem] of cases) assert.match(hopelessness(text) ?? 'null', problem, text.slice(0, 80))
})

test('A64 V-01 the fields at the top are counted by their names, not by their aliases', () => {
  assert.equal(scanDocument('{ cart { id } }').rootFields, 1)
  assert.equal(scanDocument('mutation ($id: ID!) { added: addToCart(offerId: $id, quantity: 1) { refusal { reason } } }').rootFields, 1)
  assert.equal(scanDocument('{ a: cart { id } b : cart { id } }').rootFields, 2)
  assert.equal(scanDocument('{ cart { id } ... { cart { id } } }').rootFields, 2)
  assert.equal(scanDocument('{ cart @include(if: true) { id } }').rootFields, 1)
  assert.equal(scanDocument('{ cart{id}listing(input:{kind:search}){total} }').rootFields, 2)
})

test('A64 V-01 the longest body is scanned in a few milliseconds', () => {
  for (const text of ['{'.repeat(100_000), 'a '.repeat(50_000), `"${'\\"'.repeat(50_000)}`, '"""'.repeat(33_000), '#\n'.repeat(50_000)]) {
    let fastest = Infinity
    // The first rounds run before the scanner is compiled.
    for (let round = 0; round < 40; round++) {
      const startedAt = performance.now()
      scanDocument(text)
      fastest = Math.min(fastest, performance.now() - startedAt)
    }
    assert.ok(fastest < 5, `${fastest.toFixed(1)} ms`)
  }
})
