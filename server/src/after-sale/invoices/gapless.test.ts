import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'

/** `INVOICES=10000 npm test -- invoices/gapless` runs the large number. */
const wanted = Number(process.env['INVOICES'] ?? 2000)
const workers = 8
const database = await testDatabase()
const { pool } = database

/** A worker from its beginning to its end; killed after so many invoices of this life, in the middle of whatever it does. */
function live(number: number, killedAfter: number): Promise<'done' | 'killed'> {
  const script = join(import.meta.dirname, 'issue-many.ts')
  const parameters = [script, database.connectionString, String(number), String(workers), String(wanted)]
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'] })
  let steps = 0
  child.stdout.on('data', (dots: Buffer) => {
    steps += dots.length
    if (steps >= killedAfter) setTimeout(() => child.kill('SIGKILL'), Math.random() * 10)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code === 0 ? 'done' : 'killed'))
  })
}

test(`I9 ${wanted} invoices by eight workers that are killed and cut off: no gap, no duplicate, nothing lost`, async () => {
  let kills = 0
  const lives = Math.ceil(wanted / 2000)
  const ended = Array.from({ length: workers }, async (_, number) => {
    // A killed worker begins again from the start: what it has issued is not issued twice.
    for (let life = 0; life < lives + 20; life += 1) {
      if ((await live(number, life < lives ? 5 + (Math.random() * wanted) / 6 : Infinity)) === 'done') return
      kills += 1
    }
    throw new Error('a worker never reached its end')
  })
  const cutting = setInterval(() => {
    // The connection of a random worker is cut.
    void pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like '%issue-many%' order by random() limit 1`,
    )
  }, 2000)
  await Promise.all(ended)
  clearInterval(cutting)
  assert.ok(kills >= workers, `${kills} kills`)

  const { rows } = await pool.query<{ issuer: string; series: string; year: number; count: number; last: number; counted: number }>(
    `select issuer, series, year, count(*)::int as count, max(serial) as last, count(distinct serial)::int as counted
     from invoices.invoice group by 1, 2, 3 order by 1, 2, 3`,
  )
  for (const { issuer, series, year, count, last, counted } of rows) {
    assert.deepEqual([count, counted], [last, last], `${issuer} ${series} ${year}`)
    const counter = await pool.query('select last from invoices.counter where issuer = $1 and series = $2 and year = $3', [
      issuer,
      series,
      year,
    ])
    assert.equal(counter.rows[0].last, last)
  }
  assert.equal(
    rows.reduce((all, { count }) => all + count, 0),
    wanted,
  )
  assert.deepEqual(
    (await pool.query('select count(*)::int as jobs from platform.job where name = $1', ['invoices.archive'])).rows,
    [{ jobs: wanted }],
    'each has the job that makes its files',
  )
})
