import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { cpuMsOf } from '@purlin/contract/testing.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { copyRows } from './copy.ts'
import { seedDemoShop } from './seed.ts'

const now = new Date('2026-11-21T10:00:00Z')
const database = await testDatabase()
const { connectionString } = database

async function ask<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<Row>(text)
  await client.end()
  return rows
}

const counted = () =>
  ask<
    Record<string, number>
  >(`select (select count(*) from catalogue.product)::int as products, (select count(*) from catalogue.offer)::int as offers,
    (select count(*) from catalogue.category)::int as categories, (select count(*) from demo.seed_state)::int as notes`)

test('a seed killed half way leaves an empty shop that the next seed fills', async () => {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { seedDemoShop } from ${JSON.stringify(new URL('./seed.ts', import.meta.url).href)}
       await seedDemoShop({ connectionString: process.env.AT, products: 50000, progress: (done) => { if (done >= 500) console.log('half way') } })`,
    ],
    { env: { ...process.env, AT: connectionString }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const halfWay = new Promise<string>((resolve) => child.stdout.once('data', (data: Buffer) => resolve(String(data))))
  assert.match(await Promise.race([halfWay, ended.then(() => 'ended before it was half way')]), /^half way/)
  child.kill('SIGKILL')
  await ended
  // The server notices the broken connection a moment later.
  for (let tries = 0; tries < 100; tries += 1) {
    const [busy] = await ask<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where application_name = 'purlin seed' and datname = current_database()`,
    )
    if (busy?.n === 0) break
    await sleep(50)
  }
  assert.deepEqual(await counted(), [{ products: 0, offers: 0, categories: 0, notes: 0 }])
})

test('a small shop is seeded with a second and a half of work, and with progress reports', async () => {
  const told: [number, number][] = []
  let written = 0
  const took = await cpuMsOf(async () => {
    ;({ written } = await seedDemoShop({ connectionString, products: 120, now, progress: (done, total) => told.push([done, total]) }))
  })
  assert.equal(written, 120)
  assert.ok(took < 1500, `${took} ms`)
  assert.deepEqual(told.at(-1), [120, 120])
  const [shop] = await counted()
  assert.equal(shop?.products, 120)
  assert.ok((shop?.offers ?? 0) > 600)
})

test('a second seed of the same size writes nothing', async () => {
  const before = await counted()
  const result = await seedDemoShop({ connectionString, products: 120, now })
  assert.equal(result.written, 0)
  assert.deepEqual(await counted(), before)
})

test('a larger seed adds what is missing, even when two run at once', async () => {
  const results = await Promise.all([
    seedDemoShop({ connectionString, products: 320, now }),
    seedDemoShop({ connectionString, products: 320, now }),
  ])
  assert.deepEqual(
    results.map(({ written }) => written).toSorted((a, b) => a - b),
    [0, 200],
  )
  assert.equal((await counted())[0]?.products, 320)
  assert.deepEqual(
    await ask('select m.id from catalogue.model m where not exists (select 1 from catalogue.product p where p.model_id = m.id)'),
    [],
  )
})

test('another seed is refused rather than mixed in', async () => {
  await assert.rejects(seedDemoShop({ connectionString, products: 500, seed: 7, now }), /demo shop of seed 42/)
})

test('a shop generated from other data is kept but not extended', async () => {
  await ask(`update demo.seed_state set made_from = 'before'`)
  assert.equal((await seedDemoShop({ connectionString, products: 320, now })).written, 0)
  await assert.rejects(seedDemoShop({ connectionString, products: 400, now }), /has changed since/)
  assert.equal((await counted())[0]?.products, 320)
})

test('stock is the sum of its movements, and the price is the last of its history', async () => {
  assert.deepEqual(
    await ask(
      `select o.id from catalogue.offer o left join catalogue.stock_movement m on m.offer_id = o.id group by o.id having o.stock <> coalesce(sum(m.delta), -1)`,
    ),
    [],
  )
  assert.deepEqual(
    await ask(`select o.id from catalogue.offer o where o.price is distinct from
      (select h.price from catalogue.price_history h where h.offer_id = o.id order by h.valid_from desc limit 1)`),
    [],
  )
})

test('texts with quotes, umlauts and line breaks arrive as they were written', async () => {
  const [seller] = await ask<{ about: Record<string, string> }>('select about from sellers.seller where id = 1')
  assert.match(seller?.about.fr ?? '', /Nos rayons : Outillage/)
  const [product] = await ask<{ text: string; flags: string[]; path: number[] }>(
    `select p.descriptions->>'de' as text, p.flags, c.path from catalogue.product p join catalogue.category c on c.id = p.category_id where p.id = 100001`,
  )
  assert.match(product?.text ?? '', /\n\n.*Akkukapazität: /)
  assert.deepEqual(product?.flags.includes('battery'), true)
  assert.deepEqual(product?.path, [1000, 1001, 1002, 1004])
})

test('coupons of the demo shop can be used', async () => {
  const [row] = await ask<{ n: number }>(
    `select count(*)::int as n from cart.coupon where market = 'de' and starts_on <= '2026-11-21' and ends_on >= '2026-11-21'`,
  )
  assert.ok((row?.n ?? 0) >= 4)
})

test('any text, list or document is copied unchanged', async () => {
  const odd = ['tab\there', 'line\nbreak\r', 'back\\slash', '\\N', '"quoted", {braced}', '', 'naïve – 1/2" ß 🪚']
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(
    'create table demo.odd (id integer, text text, list text[], numbers integer[], document jsonb, at timestamptz, flag boolean)',
  )
  await copyRows(
    client,
    'demo.odd',
    odd.map((text, id) => ({
      id,
      text,
      list: [text, 'b'],
      numbers: id ? [id, 2] : [],
      document: { json: { text } },
      at: id ? now : null,
      flag: id % 2 === 0,
    })),
  )
  const { rows } = await client.query('select * from demo.odd order by id')
  await client.query('drop table demo.odd')
  await client.end()
  assert.deepEqual(
    rows,
    odd.map((text, id) => ({
      id,
      text,
      list: [text, 'b'],
      numbers: id ? [id, 2] : [],
      document: { text },
      at: id ? now : null,
      flag: id % 2 === 0,
    })),
  )
})
