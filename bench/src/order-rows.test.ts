import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestOptions } from '@purlin/e2e/support/ask.ts'
import { addRows, checkRows, readyRows } from './order-rows.ts'

const products = Array.from({ length: 700 }, (_, at) => String(at))
/** Every seventh product has no number. */
const codesOf = async (ids: readonly string[]) => ids.map((id) => (Number(id) % 7 === 0 ? null : `M${id}`))
/** A shop in which no product whose number ends with 3 can be ordered. */
function shop() {
  const sizes: number[] = []
  const send = async ({ body = '' }: RequestOptions) => {
    const { query, variables } = JSON.parse(body) as { query: string; variables: { rows: { code: string }[] } }
    const rows = variables.rows.map(({ code }) => ({ code, problem: code.endsWith('3') ? { message: 'Sold out' } : null }))
    const ready = rows.filter(({ problem }) => problem === null).length
    sizes.push(rows.length)
    return JSON.stringify({ data: query.startsWith('mutation') ? { addQuickOrder: { added: ready } } : { quickOrder: { ready, rows } } })
  }
  return { send, sizes }
}

test('the rows of a bench are products that have a number and can be ordered, as many as are measured', async () => {
  const { send, sizes } = shop()
  const rows = await readyRows(products, 300, codesOf, send)
  assert.deepEqual([rows.length, new Set(rows.map(({ productId }) => productId)).size], [300, 300])
  assert.deepEqual(
    rows.filter(({ productId, code }) => code !== `M${productId}` || Number(productId) % 7 === 0 || code.endsWith('3')),
    [],
  )
  assert.ok(sizes.length === 2 && Math.max(...sizes) <= 300, 'no more are requested than are needed, nor than an order holds')
})

test('a shop with too few products, and rows that cannot be ordered, end a bench', async () => {
  const { send } = shop()
  await assert.rejects(readyRows(products.slice(0, 380), 300, codesOf, send), /Of 380 products only \d+ can be ordered, not 300/)
  const rows = await readyRows(products, 200, codesOf, send)
  const wrong = rows.map((row, at) => (at === 100 ? { code: 'M3', quantity: '1' } : row))
  await checkRows(send, rows, 200)
  await checkRows(send, wrong, 199)
  await addRows(send, rows)
  await assert.rejects(checkRows(send, wrong, 200), /Not 200 of 200 rows are ready/)
  await assert.rejects(checkRows(send, rows, 20), /Not 20 of 200/)
  await assert.rejects(addRows(send, wrong), /Not all of 200 rows were added/)
})
