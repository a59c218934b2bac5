import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from './scope.ts'
import { readTogether } from './together.ts'

const db = {} as Db
const known = new Map(['a', 'b', 'c'].map((id) => [id, { id }]))

function reader(fails: () => boolean = () => false) {
  const statements: string[][] = []
  const read = readTogether((_db, ids) => {
    statements.push([...ids])
    return fails() ? Promise.reject(new Error('lost')) : Promise.resolve(ids.flatMap((id) => known.get(id) ?? []))
  })
  return { statements, read }
}

test('reads of one turn are one statement, and each gets its own row or none', async () => {
  const { statements, read } = reader()
  const rows = await Promise.all(['b', 'x', 'a', 'b'].map((id) => read(db, id)))
  assert.deepEqual(rows, [{ id: 'b' }, undefined, { id: 'a' }, { id: 'b' }])
  assert.deepEqual(statements, [['b', 'x', 'a']])
})

test('a read of a later turn sees what has changed since', async () => {
  const { statements, read } = reader()
  const first = read(db, 'a')
  await nextTurn()
  await nextTurn()
  assert.deepEqual(await Promise.all([first, read(db, 'a')]), [{ id: 'a' }, { id: 'a' }])
  assert.deepEqual(statements, [['a'], ['a']])
})

test('reads of different databases never share a statement', async () => {
  const { statements, read } = reader()
  await Promise.all([read(db, 'a'), read({} as Db, 'b')])
  assert.deepEqual(statements, [['a'], ['b']])
})

test('a failed statement fails the reads in it, and those of the next turn work', async () => {
  let isLost = true
  const { read } = reader(() => isLost)
  const answers = await Promise.allSettled([read(db, 'a'), read(db, 'b')])
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  isLost = false
  assert.deepEqual(await read(db, 'c'), { id: 'c' })
})
