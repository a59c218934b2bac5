import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzz } from './send.ts'

// The full run: FUZZ_REQUESTS=200000 node --test search/fuzz
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 6_000)

test(`${requests} malformed or hostile requests: no crash, no 5xx, each under a second, errors in Algolia's shape`, async (t) => {
  const report = await fuzz(requests, 42)
  t.diagnostic(JSON.stringify({ statuses: report.statuses, slowestMs: Math.round(report.slowestMs) }))
  assert.deepEqual(report.faults, [])
  assert.ok((report.statuses[400] ?? 0) > requests / 10, 'hostile requests are refused')
  assert.ok((report.statuses[200] ?? 0) > requests / 100, 'some of them are fine after all')
})
