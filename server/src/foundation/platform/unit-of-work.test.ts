import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { asCommand, newId, takeNumbers } from '#platform'
import { type TestDatabase, testDatabase } from '#platform/testing'

let database: TestDatabase
before(async () => {
  database = await testDatabase({ upTo: 'markets' })
  await database.pool.query('create table public.thing (id int primary key, n int not null check (n >= 0))')
})

const put = {
  name: 'test.put',
  text: 'insert into public.thing (id, n) values ($1, $2) on conflict (id) do update set n = $2 returning id, n',
}
const read = { name: 'test.read', text: 'select n from public.thing where id = $1' }
const payload = { cartId: 'c1', offerId: 'o1', quantity: 1 }

test('a command that only asks sends nothing but its questions', async () => {
  await asCommand(database.pool, async (unit) => {
    await unit.db.row(read, [1])
    assert.equal(unit.statements(), 1)
  })
})

test('a command writes, emits and commits as one', async () => {
  await asCommand(database.pool, async (unit) => {
    await unit.db.run(put, [1, 5])
    unit.emit('cart.line-added', payload)
    assert.equal((await database.events()).length, 0)
  })
  assert.deepEqual(await database.db.row(read, [1]), { n: 5 })
  assert.deepEqual(
    (await database.events()).map(({ type, payload }) => ({ type, payload })),
    [{ type: 'cart.line-added', payload }],
  )
})

test('a refused command leaves neither rows nor events', async () => {
  const before = (await database.events()).length
  const result = await database.command({}, async (scope) => {
    await scope.db.run(put, [2, 5])
    scope.emit('cart.line-added', payload)
    return { ok: false as const, reason: 'out-of-stock' as const }
  })
  assert.equal(result.ok, false)
  assert.equal(await database.db.row(read, [2]), undefined)
  assert.equal((await database.events()).length, before)
})

test('a command that throws leaves nothing and gives its connection back', async () => {
  await assert.rejects(
    asCommand(database.pool, async (unit) => {
      await unit.db.run(put, [3, 5])
      await unit.db.run(put, [3, -1])
    }),
    /check constraint/,
  )
  assert.equal(await database.db.row(read, [3]), undefined)
  assert.equal(database.pool.idleCount, database.pool.totalCount)
})

test('an atomic write takes its events along in one statement', async () => {
  const before = (await database.events()).length
  const statements = await asCommand(database.pool, async (unit) => {
    unit.emit('cart.line-added', payload)
    unit.emit('product.changed', { productId: '7' })
    const rows = await unit.db.atomic<{ id: number; n: number }>(put, [4, 9])
    assert.deepEqual(rows, [{ id: 4, n: 9 }])
    return unit.statements()
  })
  assert.equal(statements, 1)
  assert.equal((await database.events()).length, before + 2)
})

test('an atomic write that finds nothing to write stores no event', async () => {
  const before = (await database.events()).length
  const guarded = { name: 'test.guarded', text: 'update public.thing set n = n - $2 where id = $1 and n >= $2 returning n' }
  await asCommand(database.pool, async (unit) => {
    unit.emit('cart.line-added', payload)
    assert.deepEqual(await unit.db.atomic(guarded, [4, 100]), [])
  })
  assert.equal((await database.events()).length, before)
})

test('an atomic write may be a list of parts, of which "written" decides', async () => {
  const listed = {
    name: 'test.listed',
    text: `with old as (select n from public.thing where id = $1),
      written as (update public.thing set n = $2 where id = $1 returning n)
      select old.n as old, written.n as new from old, written`,
  }
  const before = (await database.events()).length
  await asCommand(database.pool, async (unit) => {
    unit.emit('cart.line-added', payload)
    assert.deepEqual(await unit.db.atomic(listed, [4, 1]), [{ old: 9, new: 1 }])
  })
  assert.equal((await database.events()).length, before + 1)
})

test('a write after the atomic write is a mistake that is told', async () => {
  await assert.rejects(
    asCommand(database.pool, async (unit) => {
      await unit.db.atomic(put, [5, 1])
      await unit.db.run(put, [5, 2])
    }),
    /already ended/,
  )
})

test('a write that is not waited for is done before what comes after it, and with the command', async () => {
  await asCommand(database.pool, async (unit) => {
    await unit.db.later(put, [20, 1])
    await unit.db.later(put, [20, 2])
    assert.deepEqual(await unit.db.row({ ...read, name: 'test.read-locked', text: `${read.text} for update` }, [20]), { n: 2 })
    await unit.db.later(put, [20, 3])
    assert.deepEqual(await database.db.row(read, [20]), undefined)
    assert.equal(unit.statements(), 5)
  })
  assert.deepEqual(await database.db.row(read, [20]), { n: 3 })
})

test('what goes wrong with a write that is not waited for is told by the next statement, or by the commit, and undoes the command', async () => {
  const wrongThenMore = asCommand(database.pool, async (unit) => {
    await unit.db.run(put, [21, 1])
    await unit.db.later(put, [21, -1])
    await unit.db.run(put, [22, 1])
  })
  await assert.rejects(wrongThenMore, /check constraint/)
  const before = (await database.events()).length
  const wrongAtTheEnd = asCommand(database.pool, async (unit) => {
    await unit.db.run(put, [21, 1])
    unit.emit('cart.line-added', payload)
    await unit.db.later(put, [21, -1])
  })
  await assert.rejects(wrongAtTheEnd, /check constraint/)
  assert.deepEqual([await database.db.row(read, [21]), await database.db.row(read, [22])], [undefined, undefined])
  assert.equal((await database.events()).length, before)
  assert.equal(database.pool.idleCount, database.pool.totalCount)
})

test('a refused command takes back what it did not wait for', async () => {
  await database.command({}, async (scope) => {
    await scope.db.later(put, [23, 1])
    return { ok: false as const, reason: 'out-of-stock' as const }
  })
  assert.equal(await database.db.row(read, [23]), undefined)
})

test('outside a command a write that is not waited for is done at once', async () => {
  await database.db.later(put, [24, 4])
  assert.deepEqual(await database.db.row(read, [24]), { n: 4 })
  await assert.rejects(database.db.later(put, [24, -1]), /check constraint/)
})

test('commands that lock each other crosswise both get through', async () => {
  await database.db.run(put, [10, 0])
  await database.db.run(put, [11, 0])
  const grow = { name: 'test.grow', text: 'update public.thing set n = n + 1 where id = $1' }
  const both = (first: number, second: number) =>
    asCommand(database.pool, async (unit) => {
      await unit.db.run(grow, [first])
      await new Promise((resolve) => setTimeout(resolve, 30))
      await unit.db.run(grow, [second])
    })
  await Promise.all([both(10, 11), both(11, 10)])
  assert.deepEqual(await database.db.row(read, [10]), { n: 2 })
})

test('numbers are taken once each, also by many at a time', async () => {
  const firsts = await Promise.all(
    Array.from({ length: 20 }, () => asCommand(database.pool, (unit) => takeNumbers(unit.db, 'test', 3, 100))),
  )
  assert.deepEqual(
    firsts.toSorted((a, b) => a - b),
    Array.from({ length: 20 }, (_, index) => 100 + 3 * index),
  )
})

test('ids made later sort later', () => {
  const ids = Array.from({ length: 1000 }, newId)
  assert.deepEqual(ids.toSorted(), ids)
})
