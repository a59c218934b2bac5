import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { testDatabase, type TestDatabase } from '#platform/testing'
import { testGateway, type TestGateway } from '../../edges/gateway/testing.ts'

/** Several clicks in one dialog, whose requests the shop handles in another order than they were sent. */

let database: TestDatabase
let gateway: TestGateway

before(async () => {
  database = await testDatabase()
  gateway = await testGateway(database.pool)
})
beforeEach(() => database.pool.query('delete from consent.choice'))
after(() => gateway.close())

const send = async (choice: string, click: object): Promise<{ status: number; cookies: string[] }> => {
  const answer = await fetch(`${gateway.url}/api/v1/consent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ choice, click }),
  })
  return { status: answer.status, cookies: answer.headers.getSetCookie() }
}
const counting = async () =>
  (
    await database.pool.query<{ purposes: string[]; click: number }>(
      'select purposes, click from consent.choice where replaced_at is null order by at',
    )
  ).rows

test('R-025 of two clicks the later one counts, whichever the shop handles first', async () => {
  const dialog = randomUUID()
  assert.equal((await send('all', { dialog, number: 1 })).status, 204)
  // The response to the first click got lost: the browser brings none of its cookies.
  await send('none', { dialog, number: 2 })
  assert.deepEqual(await counting(), [{ purposes: [], click: 2 }])

  const other = randomUUID()
  await send('none', { dialog: other, number: 2 })
  const late = await send('all', { dialog: other, number: 1 })
  assert.deepEqual(late, { status: 204, cookies: [] })
  assert.deepEqual(await counting(), [
    { purposes: [], click: 2 },
    { purposes: [], click: 2 },
  ])
})

test('R-025 of clicks that the shop handles at the same time the last one alone counts', async () => {
  for (let round = 0; round < 5; round++) {
    await database.pool.query('delete from consent.choice')
    const dialog = randomUUID()
    const numbers = [4, 1, 6, 3, 5, 2]
    const answers = await Promise.all(numbers.map((number) => send(number === 6 ? 'none' : 'all', { dialog, number })))
    assert.ok(answers.every(({ status }) => status === 204))
    assert.deepEqual(await counting(), [{ purposes: [], click: 6 }])
  }
})

test('a click is refused whose dialog or number is none', async () => {
  for (const click of [
    { dialog: 'x', number: 1 },
    { dialog: randomUUID(), number: -1 },
    { dialog: randomUUID(), number: 1e9 },
    { number: 1 },
  ])
    assert.equal((await send('all', click)).status, 400)
  assert.deepEqual(await counting(), [])
})
