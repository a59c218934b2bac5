import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { seedDemoShop } from '@purlin/demo/seed.ts'
import { createPool, migrate, schemaStatus, writeNote } from '@purlin/server/foundation/platform/index.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { startShopProcess } from '../faults/shop-process.ts'
import { checkInvariants } from '../invariants.ts'
import { firstRelease } from './first-release.ts'

/**
 * A database as created by the first release, with products and with orders in every state, is migrated while twenty writers
 * repeat that release's writes: they stand in for its processes, whose code is not here. Then this release runs on it.
 */
const products = 120
const ordersOfEach = 20
const states = 'draft awaiting-payment authorised paid part-shipped shipped delivered closed cancelled part-refunded refunded'.split(' ')

const server = await testDatabase({ upTo: 'markets' })
const name = `upgrade_${randomUUID().slice(0, 8)}`
await server.pool.query(`create database ${name}`)
const url = new URL(server.connectionString)
url.pathname = `/${name}`
const pool = createPool({ connectionString: url.href, limits: false, name: 'purlin test' })
after(async () => {
  await pool.end()
  await server.pool.query(`drop database ${name} with (force)`)
})

/** A buyer's writes on the first release: a cart, a line, an order's stock reserved and released. */
async function buy(offerId: string): Promise<void> {
  const cart = randomUUID()
  await pool.query(
    `with c as (insert into cart.cart (id, owner, market) values ($1, $2, 'gb') returning id)
     insert into cart.line (cart_id, offer_id, quantity, seen_price) select id, $3, 1, 100 from c`,
    [cart, `s:${cart}`, offerId],
  )
  const order = await insertOrder('draft')
  for (const delta of [-1, 1])
    await pool.query(
      `with moved as (update catalogue.offer set stock = stock + $2 where id = $1 and stock + $2 >= 0 returning id)
       insert into catalogue.stock_movement (id, offer_id, delta, reason, reference) select gen_random_uuid(), id, $2, 'reserved', $3 from moved`,
      [offerId, delta, order],
    )
  await pool.query(`update orders.customer_order set state = 'cancelled', updated_at = now() where id = $1`, [order])
  await pool.query('select * from catalogue.offer where id = $1', [offerId])
  await pool.query(`insert into accounts.session (id, market, mode) values ($1, 'gb', 'b2c')`, [randomUUID()])
}

async function insertOrder(state: string): Promise<string> {
  const id = randomUUID().replaceAll('-', '')
  await pool.query(
    `insert into orders.customer_order (id, owner, cart_id, market, mode, currency, tax_key, email, state, address, billing_address)
     values ($1, 's:upgrade', gen_random_uuid(), 'gb', 'b2c', 'GBP', 'with_vat', 'buyer@example.com', $2, '{}', '{}')`,
    [id, state],
  )
  return id
}

/** Today's demo products, in the tables and columns of the first release. */
async function fillAsThen(): Promise<void> {
  const source = await testDatabase()
  await seedDemoShop({ connectionString: source.connectionString, products })
  const { rows: tables } = await pool.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables where schemaname in ('catalogue', 'sellers', 'pricing', 'cart')`,
  )
  const moved: Record<string, string> = { 'pricing.price_history': 'catalogue.price_history' }
  // Dropped since; the demo's products never filled it.
  const dropped = ['cart.coupon_attempt']
  for (const { name: table } of tables) {
    if (dropped.includes(table)) continue
    const { rows } = await source.pool.query<{ all: string }>(
      `select coalesce(jsonb_agg(t), '[]')::text as all from ${moved[table] ?? table} t`,
    )
    await pool.query(
      `with off as materialized (select set_config('session_replication_role', 'replica', false) as done)
       insert into ${table} select r.* from off, jsonb_populate_recordset(null::${table}, $1::jsonb) r where off.done = 'replica'`,
      [rows[0]?.all],
    )
  }
  await pool.query('create schema demo')
  await pool.query('create table demo.seed_state (seed integer primary key)')
}

const p99 = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0

test(
  'V-56 a filled database of the first release is migrated beside twenty buyers: nothing fails, nobody waits long, and this release sells on it',
  { timeout: 240_000 },
  async () => {
    await migrate(url.href, { migrations: firstRelease() })
    await fillAsThen()
    await writeNote(pool.db, 'demo-shop', { products })
    for (const state of states) for (let n = 0; n < ordersOfEach; n++) await insertOrder(state)
    const offers = (
      await pool.query<{ id: string }>(`select id::text from catalogue.offer where market = 'gb' and stock > 5 and bulk is null limit 60`)
    ).rows
    // Buyers add drafts and cancelled orders; none of the others may be lost.
    const countOrders = async () =>
      (
        await pool.query(
          `select state, count(*)::int as orders from orders.customer_order
         where owner = 's:upgrade' and state not in ('draft', 'cancelled') group by state order by state`,
        )
      ).rows
    const before = await countOrders()

    let isOver = false
    const failures: unknown[] = []
    const took: { at: number; ms: number }[] = []
    const buyers = Array.from({ length: 20 }, async (_, buyer) => {
      for (let at = buyer; !isOver; at += 20) {
        const started = performance.now()
        await buy(offers[at % offers.length]?.id ?? '').catch((error: unknown) => failures.push(error))
        took.push({ at: started, ms: performance.now() - started })
      }
    })
    await sleep(3_000)
    const startsAt = performance.now()
    // Backfills too, which npm start leaves to the worker.
    const { left } = await migrate(url.href, { backfill: 'now' })
    const endsAt = performance.now()
    await sleep(1_000)
    isOver = true
    await Promise.all(buyers)

    assert.deepEqual(failures, [])
    // Contractions wait until no process of the former release is left.
    assert.deepEqual(
      left.filter(({ phase }) => phase !== 'contract'),
      [],
    )
    const alone = p99(took.filter(({ at, ms }) => at + ms < startsAt).map(({ ms }) => ms))
    const beside = p99(took.filter(({ at, ms }) => at + ms >= startsAt && at <= endsAt).map(({ ms }) => ms))
    assert.ok(beside < Math.max(2 * alone, 500), `p99 ${Math.round(alone)} ms alone, ${Math.round(beside)} ms beside the migrations`)
    assert.deepEqual(
      (await schemaStatus(url.href)).waiting.filter(({ phase }) => phase !== 'contract'),
      [],
    )
    assert.deepEqual(await countOrders(), before)

    const shop = await startShopProcess(url.href, { products })
    try {
      const host = { host: `gb.localhost:${shop.port}` }
      const page = await fetch(`http://127.0.0.1:${shop.port}/`, { headers: host })
      assert.equal(page.status, 200)
    } finally {
      await shop.stop()
    }
    // The made-up orders have no payments or lines; everything else must add up.
    const madeUp = (await pool.query<{ id: string }>(`select id from orders.customer_order where owner = 's:upgrade'`)).rows
    const violations = await checkInvariants(pool, { settled: false })
    assert.deepEqual(
      violations.filter(({ what }) => !madeUp.some(({ id }) => what.includes(id))),
      [],
    )
  },
)
