import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { embeddedProvider } from '@purlin/server/selling/payments/embedded-provider.ts'
import { demoSecrets } from '@purlin/server/foundation/platform/environment.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { checkInvariants } from '../invariants.ts'
import { draft, pay, place, type Draft } from './buyer.ts'
import { startShopProcess, type ShopProcess } from './shop-process.ts'

const database = await testDatabase()
const one = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row> => {
  const row = (await database.pool.query<Row>(text, values)).rows[0]
  assert.ok(row, text)
  return row
}
let shop: ShopProcess
before(async () => {
  shop = await startShopProcess(database.connectionString)
})
after(() => shop.stop())

const units = 10
async function eightAtOnce<Item>(items: readonly Item[], work: (item: Item, index: number) => Promise<void>): Promise<void> {
  const waiting = [...items.entries()]
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await work(next[1], next[0])
    }),
  )
}

test(
  'F1 F2 I1 I2 I3 I4 I5 I6: 50 buyers race for 10 units while worker, app and provider are killed: 10 are sold, paid once, told once',
  { timeout: 240_000 },
  async () => {
    const { id: offerId, stock } = await one<{ id: string; stock: number }>(
      `select o.id::text, o.stock from catalogue.offer o join sellers.seller s on s.id = o.seller_id
      where o.market = 'gb' and o.stock > 0 and o.bulk is null and not o.is_sample and not s.is_b2b and s.status = 'active' order by o.id limit 1`,
    )
    await database.pool.query(
      `with set as (update catalogue.offer set stock = $2 where id = $1)
      insert into catalogue.stock_movement (id, offer_id, delta, reason) values (gen_random_uuid(), $1, $2 - $3::int, 'correction')`,
      [offerId, units, stock],
    )
    const drafts: Draft[] = []
    await eightAtOnce(
      Array.from({ length: 50 }),
      async (_, index) => void drafts.push(await draft(shop.port, offerId, `buyer${index}@example.com`)),
    )

    const outcomes: { draft: Draft; outcome: string }[] = []
    let asked = 0
    await eightAtOnce(drafts, async (each) => {
      asked += 1
      if (asked === 3) assert.ok(shop.kill('worker') > 0)
      if (asked === 6) assert.ok(shop.kill('app') > 0)
      outcomes.push({ draft: each, outcome: await place(each) })
    })
    const sold = outcomes.filter(({ outcome }) => outcome === 'sold').map((each) => each.draft)
    assert.equal(sold.length, units)
    assert.deepEqual([...new Set(outcomes.map(({ outcome }) => outcome))].sort(), ['sold', 'sold-out'])

    const cards = ['4000000000000002', '4000000000000218', '5200000000000007', '4000000000000226', '4000000000000010']
    const paying = Promise.all(sold.map((each, index) => pay(each, cards[index % cards.length] ?? '')))
    await sleep(150)
    shop.kill('worker')
    await sleep(400)
    shop.kill('services')
    await sleep(300)
    shop.kill('app', 2)
    await sleep(300)
    shop.kill('worker')
    await paying

    const provider = embeddedProvider({
      url: `http://localhost:${shop.port + 1}`,
      secret: demoSecrets.PAYMENT_SECRET,
      webhookSecret: demoSecrets.PAYMENT_WEBHOOK_SECRET,
    })
    const acknowledged = sold.map(({ orderId }) => orderId)
    const look = async () =>
      checkInvariants(database.pool, {
        acknowledged,
        provider: { name: 'embedded', payments: await provider.list({ since: new Date(0) }, {}) },
      })
    let found = await look()
    for (const end = Date.now() + 60_000; found.length > 0 && Date.now() < end; found = await look()) await sleep(500)
    assert.deepEqual(found, [])
    assert.equal((await one<{ stock: number }>('select stock from catalogue.offer where id = $1', [offerId])).stock, 0)
    const { paid } = await one<{ paid: number }>(
      // The people of the demo have paid orders of the year before.
      `select count(*)::int as paid from orders.customer_order where state = 'paid' and created_at > now() - interval '1 hour'`,
    )
    assert.equal(paid, units)
  },
)
