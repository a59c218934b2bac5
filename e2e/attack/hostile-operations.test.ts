import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadSdl } from '@purlin/server/edges/gateway/load-schema.ts'
import { limits, tooLarge } from '@purlin/server/edges/gateway/limits.ts'
import { hopelessness } from '@purlin/server/edges/gateway/scan-document.ts'
import { levelsOf } from '@purlin/server/edges/gateway/test-document.ts'
import { buildSchema, parse } from 'graphql'
import { seeded } from '../support/random.ts'
import { hostileOperations } from './hostile-operations.ts'

/** Whether the limits refuse a document once it has been read. */
function isRefused(text: string): boolean {
  try {
    const document = parse(text, { maxTokens: limits.foreign.tokens })
    return levelsOf(document) > 20 || tooLarge(document, limits.foreign.fields) !== null
  } catch {
    return true
  }
}

test('A64 A65 V-01 of two thousand hostile operations only those are hopeless that the limits refuse anyway', () => {
  const next = hostileOperations(buildSchema(loadSdl()), seeded(5))
  let hopeless = 0
  for (let at = 0; at < 2000; at++) {
    const { query } = next()
    if (hopelessness(query) === null) continue
    hopeless++
    assert.ok(isRefused(query), query.slice(0, 200))
  }
  assert.ok(hopeless > 1000, `${hopeless} of 2,000`)
})
