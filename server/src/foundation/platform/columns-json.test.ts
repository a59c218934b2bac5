import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnsJson, rowsOf } from './columns-json.ts'
import { testDatabase } from './testing.ts'

const { pool } = await testDatabase({ upTo: 'accounts' })

test('rows that travel by column arrive as they were selected, with their nulls and their order', async () => {
  const read = async (rows: string) =>
    rowsOf(
      (
        await pool.query<{ found: { id: string[]; sum: number[] } }>(
          `select ${columnsJson(['id', 'sum'])} as found from (${rows}) as r(id, sum)`,
        )
      ).rows[0]!.found,
    )
  assert.deepEqual(await read(`values ('b', 2), ('a', null), ('c', 3)`), [
    { id: 'b', sum: 2 },
    { id: 'a', sum: null },
    { id: 'c', sum: 3 },
  ])
  assert.deepEqual(await read(`select 'a', 1 where false`), [])
})
