import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorsToLog, resultCode } from './gateway.ts'
import { httpStatus } from './http-status.ts'

const query = { kind: 'query' } as const
const mutation = { kind: 'mutation' } as const
const data = { product: { id: '1' } }
const timeout = { message: 'upstream Timeout of 300 ms' }
const failed = { message: 'boom' }

test('R-641 OK when data exists', () => assert.equal(resultCode({ data }, query), 'OK'))

test('R-642 GATEWAY_TIMEOUT_ERROR when an error message contains "timeout"', () => {
  assert.equal(resultCode({ errors: [failed, timeout] }, query), 'GATEWAY_TIMEOUT_ERROR')
})

test('R-643 INTERNAL_ERROR on any other error', () => {
  assert.equal(resultCode({ data: null, errors: [failed] }, query), 'INTERNAL_ERROR')
  assert.equal(resultCode({ errors: [failed] }, mutation), 'INTERNAL_ERROR')
})

test('R-644 NOT_FOUND when there is neither data nor error', () => {
  assert.equal(resultCode({}, query), 'NOT_FOUND')
  assert.equal(resultCode({ data: null, errors: [] }, query), 'NOT_FOUND')
})

test('R-645 a mutation with no data and no error, or an empty data object, is NO_CONTENT', () => {
  assert.equal(resultCode({}, mutation), 'NO_CONTENT')
  assert.equal(resultCode({ data: {} }, mutation), 'NO_CONTENT')
})

test('R-646 partial data with errors is failed unless partial results are accepted', () => {
  assert.equal(resultCode({ data, errors: [failed] }, query), 'INTERNAL_ERROR')
  assert.equal(resultCode({ data, errors: [failed] }, { ...query, acceptPartial: true }), 'OK')
  assert.equal(resultCode({ data: { product: null }, errors: [failed] }, { ...query, acceptPartial: true }), 'INTERNAL_ERROR')
})

test('R-647 an empty data object of a query is NOT_FOUND', () => assert.equal(resultCode({ data: {} }, query), 'NOT_FOUND'))

test('R-648 errors are logged, except messages about a 404 status', () => {
  assert.deepEqual(errorsToLog([failed, { message: 'Request failed with status code 404' }]), [failed])
  assert.deepEqual(errorsToLog([{ message: 'item 14041 broke' }]).length, 1)
})

test('the enumerated statuses are in the contract', () => {
  const known: number[] = Object.values(httpStatus)
  for (const status of [200, 201, 204, 301, 307, 308, 400, 401, 403, 404, 410, 422, 424, 429, 500, 504])
    assert.ok(known.includes(status), String(status))
})
