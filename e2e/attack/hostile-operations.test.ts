import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadSdl } from '@purlin/server/edges/gateway/load-schema.ts'
import { hopelessness } from '@purlin/server/edges/gateway/scan-document.ts'
import { buildSchema, Lexer, Source, TokenKind, parse, visit } from 'graphql'
import { seeded } from '../support/random.ts'
import { hostileOperations } from './hostile-operations.ts'

function tokensOf(text: string): number {
  const lexer = new Lexer(new Source(text))
  let tokens = 0
  while (lexer.advance().kind !== TokenKind.EOF) tokens++
  return tokens
}

function levelsOf(text: string): number {
  let level = 0
  let deepest = 0
  visit(parse(text), {
    SelectionSet: { enter: () => void (deepest = Math.max(deepest, ++level)), leave: () => void level-- },
  })
  return deepest
}

test('A64 A65 V-01 of two thousand hostile operations only those are hopeless that the limits refuse anyway', () => {
  const next = hostileOperations(buildSchema(loadSdl()), seeded(5))
  let hopeless = 0
  for (let at = 0; at < 2000; at++) {
    const { query } = next()
    if (hopelessness(query) === null) continue
    hopeless++
    assert.ok(tokensOf(query) > 2500 || levelsOf(query) > 12, query.slice(0, 200))
  }
  assert.ok(hopeless > 200, `${hopeless} of 2,000`)
})
