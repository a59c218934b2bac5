import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { asCommand, eventValues, newId, storeEvents, takeNumbers, transaction } from '#platform'
import { type TestDatabase, testDatabase, webPool } from '#platform/testing'

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

test('a command that sends nothing holds no connection', async () => {
  const { totalCount } = database.pool
  assert.equal(await asCommand(database.pool, async (unit) => unit.statements()), 0)
  assert.equal(database.pool.totalCount, totalCount)
})

test('a command’s writes and events commit together', async () => {
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

test('a command that throws leaves nothing behind and releases its connection', async () => {
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

test('V-53 a statement outside a transaction cannot write: the database refuses it', async () => {
  await assert.rejects(database.db.reads.run(put, [4, 9]), /read-only transaction/)
  await assert.rejects(database.db.reports.run(put, [4, 9]), /read-only transaction/)
  assert.equal(await database.db.row(read, [4]), undefined)
})

test('V-53 when BEGIN alone fails, nothing sent with it is written, and its error is thrown', async () => {
  const { pool } = database
  const connect = async () => {
    const client = await pool.commands.connect()
    const query = (sent: string | { text: string }) => client.query(sent === 'begin read write' ? 'select 1 / 0' : sent)
    return { query, release: (broken?: boolean) => client.release(broken) }
  }
  const failing = { ...pool, commands: { waitingCount: 0, connect } } as unknown as typeof pool
  await assert.rejects(
    asCommand(failing, async ({ db, emit }) => {
      emit('cart.line-added', payload)
      await Promise.all([db.run(put, [4, 9]), db.run(put, [5, 9])])
    }),
    /division by zero/,
  )
  assert.deepEqual([await database.db.row(read, [4]), await database.db.row(read, [5])], [undefined, undefined])
})

test('V-53 independent statements run in order and share a round trip', async () => {
  const { pool } = database
  let packets = 0
  const connect = async () => {
    const client = await pool.commands.connect()
    const turns = new Set<object>()
    let turn = {}
    const query = (sent: never) => {
      if (!turns.has(turn)) packets++
      turns.add(turn)
      setImmediate(() => (turn = {}))
      return client.query(sent)
    }
    return { query, release: (broken?: boolean) => client.release(broken) }
  }
  const counting = { ...pool, commands: { waitingCount: 0, connect } } as unknown as typeof pool
  const seen = await asCommand(counting, async ({ db, emit }) => {
    emit('cart.line-added', payload)
    const [, first, , second] = await Promise.all([db.run(put, [20, 1]), db.row(read, [20]), db.run(put, [20, 2]), db.row(read, [20])])
    return [first, second]
  })
  assert.deepEqual(seen, [{ n: 1 }, { n: 2 }])
  assert.equal(packets, 2, 'begin with the statements, the event with the commit')
})

test('of statements sent together the failing one is reported, not those it aborted, and the command is rolled back', async () => {
  const before = (await database.events()).length
  const wrong = asCommand(database.pool, async ({ db, emit }) => {
    emit('cart.line-added', payload)
    await Promise.all([db.run(put, [21, 1]), db.run(put, [21, -1]), db.run(put, [22, 1])])
  })
  await assert.rejects(wrong, /check constraint/)
  assert.deepEqual([await database.db.row(read, [21]), await database.db.row(read, [22])], [undefined, undefined])
  assert.equal((await database.events()).length, before)
  assert.equal(database.pool.idleCount, database.pool.totalCount)
})

test('a failure the command ignores still rolls all of it back', async () => {
  await assert.rejects(
    asCommand(database.pool, async ({ db }) => {
      await db.run(put, [23, 1])
      await db.run(put, [23, -1]).catch(() => undefined)
    }),
    /check constraint/,
  )
  assert.equal(await database.db.row(read, [23]), undefined)
})

test('data a command merely consults is read outside its transaction and begins none', async () => {
  await asCommand(database.pool, async ({ db, statements }) => {
    await db.reads.row(read, [1])
    assert.equal(statements(), 1)
    await db.run(put, [24, 1])
    assert.equal(await db.reads.row(read, [24]), undefined)
    assert.deepEqual(await db.row(read, [24]), { n: 1 })
  })
})

test('a statement that is its own transaction stores its event with it, or no event if it wrote nothing', async () => {
  const guarded = {
    name: 'test.guarded',
    text: `with taken as (update public.thing set n = n - $2 where id = $1 and n >= $2 returning n),
      noted as (${storeEvents(3, 'exists (select 1 from taken)')}) select n from taken`,
  }
  await database.db.run(put, [25, 5])
  const before = (await database.events()).length
  const take = (n: number) =>
    asCommand(database.pool, async ({ db, statements }) => {
      const row = await db.alone.row(guarded, [25, n, ...eventValues('cart.line-added', payload)])
      return { row, statements: statements() }
    })
  assert.deepEqual(await take(3), { row: { n: 2 }, statements: 1 })
  assert.equal((await database.events()).length, before + 1)
  assert.deepEqual(await take(3), { row: undefined, statements: 1 })
  assert.equal((await database.events()).length, before + 1)
})

test('a statement that is its own transaction persists although the command is refused', async () => {
  await database.command({}, async ({ db }) => {
    await db.run(put, [26, 1])
    await db.alone.run(put, [27, 1])
    return { ok: false as const, reason: 'out-of-stock' as const }
  })
  assert.deepEqual([await database.db.row(read, [26]), await database.db.row(read, [27])], [undefined, { n: 1 }])
})

test('a prerequisite write, such as a new session, commits together with the statement that is its own transaction, or not at all', async () => {
  const both = (n: number) =>
    asCommand(database.pool, async (unit) => {
      unit.before(put, [30, 1], () => undefined)
      await unit.db.alone.run(put, [31, n])
      return unit.statements()
    })
  await assert.rejects(both(-1), /check constraint/)
  assert.deepEqual([await database.db.row(read, [30]), await database.db.row(read, [31])], [undefined, undefined])
  assert.equal(await both(1), 4)
  assert.deepEqual([await database.db.row(read, [30]), await database.db.row(read, [31])], [{ n: 1 }, { n: 1 }])
})

test('V-11 two statements of systems that the shop can do without, sent together at the beginning of a command, each give back their place', async () => {
  const pool = webPool(database)
  const putOptional = { ...put, name: 'history.put' }
  await asCommand(pool, async (unit) => {
    unit.before(put, [40, 1], () => undefined)
    await Promise.all([unit.db.alone.run(putOptional, [41, 1]), unit.db.alone.run(putOptional, [42, 1])])
  })
  // Both places are free: one command runs while another is under way.
  await asCommand(pool, async (outer) => {
    await outer.db.run(putOptional, [43, 1])
    await asCommand(pool, (inner) => inner.db.run(putOptional, [44, 1]))
  })
  await pool.end()
  assert.deepEqual([await database.db.row(read, [43]), await database.db.row(read, [44])], [{ n: 1 }, { n: 1 }])
})

test('V-11 a command of a system that the shop can do without waits for a lock for a third of the time that others wait', async () => {
  const pool = webPool(database)
  const keeper = await database.pool.connect()
  await keeper.query('begin; lock table public.thing in access exclusive mode')
  const waited = async (name: string, isAlone = false) => {
    const startedAt = performance.now()
    const command = asCommand(pool, async (unit) => {
      unit.before({ name: 'test.one', text: 'select 1' }, [], () => undefined)
      await (isAlone ? unit.db.alone : unit.db).run({ ...put, name }, [45, 1])
    })
    await assert.rejects(command, { code: '55P03' })
    return performance.now() - startedAt
  }
  const [own, optional, alone] = await Promise.all([waited('test.put'), waited('history.put'), waited('segments.put', true)])
  await keeper.query('rollback')
  keeper.release()
  await pool.end()
  assert.ok(own > 900, `${own} ms`)
  for (const ms of [optional, alone]) assert.ok(ms > 250 && ms < 800, `${ms} ms`)
})

test('V-53 transaction: inside a command the work joins it', async () => {
  const result = await database.command({}, async (scope) => {
    await scope.db.run(put, [28, 1])
    assert.deepEqual(await transaction(scope, ({ db }) => db.row(read, [28])), { n: 1 })
    return { ok: false as const, reason: 'out-of-stock' as const }
  })
  assert.equal(result.ok, false)
  assert.equal(await database.db.row(read, [28]), undefined)
})

test('V-53 a slow report holds up neither reads nor commands', async () => {
  const slow = database.db.reports.row({ name: 'test.slow', text: 'select pg_sleep(3), 1 as done' })
  const second = database.db.reports.row({ name: 'test.slow', text: 'select pg_sleep(3), 1 as done' })
  const third = database.db.reports.row({ name: 'test.slow', text: 'select pg_sleep(3), 1 as done' })
  await new Promise((resolve) => setTimeout(resolve, 100))
  const began = performance.now()
  await database.db.reads.row(read, [1])
  await asCommand(database.pool, ({ db }) => db.run(put, [29, 1]))
  assert.ok(performance.now() - began < 1000)
  // Longer than a page's statement may take.
  assert.deepEqual((await slow) && (await second) && Boolean(await third), true)
})

test('two commands that deadlock both succeed', async () => {
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

test('numeric ids are allocated once each, even concurrently', async () => {
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
