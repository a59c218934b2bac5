import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startShop, type Shop } from '@purlin/e2e/support/shop.ts'
import { goodsOf } from './goods.ts'
import { measureOrders, quantile, type OrderCost } from './order-cost.ts'
import { benchPages } from './pages.ts'

export interface CompareOptions {
  /** The other checkout, with its packages installed. */
  against: string
  products: number
  rounds: number
  /** Duration of each measurement. */
  seconds: number
  withPages: boolean
}

const buyersAtOnce = [1, 10, 20]

/** The target of a figure: an upper or lower bound, or a multiple of the figure before. */
const targets: Record<string, { atMost?: number; atLeastTimes?: number; atMostTimes?: number }> = {
  'orders/s, 1 buyer': { atLeastTimes: 2.5 },
  'orders/s, 10 buyers': { atLeastTimes: 1.35 },
  'orders/s, 20 buyers': { atLeastTimes: 1.35 },
  'p99 ms, 10 buyers': { atMostTimes: 0.5 },
  'place to payable ms, 1 buyer': { atMost: 30 },
  'card to paid ms, 1 buyer': { atMost: 30 },
  'statements, 20 buyers': { atMost: 35 },
  'WAL flushes, 20 buyers': { atMost: 5 },
  'CPU ms, 20 buyers': { atMost: 13 },
  'add to cart: rate': { atLeastTimes: 1.15 },
}

type Samples = Map<string, number[]>

/** Both shops run side by side and are measured in turn, so that changes in the machine's speed affect both. */
export async function compare({ against, products, rounds, seconds, withPages }: CompareOptions): Promise<void> {
  const shops: Shop[] = []
  try {
    for (const root of [against, undefined]) {
      const shop = await startShop({ products, quiet: true, ...(root !== undefined && { root }) })
      shops.push(shop)
      await countStatements(shop)
    }
    const [before, after] = shops.map((shop) => ({ shop, samples: new Map<string, number[]>() }))
    if (!before || !after) throw new Error('Exactly two shops are required')
    for (const { shop } of [before, after]) await buyWith(shop, 10, seconds)
    for (let round = 0; round < rounds; round++) {
      // The two shops alternate in going first.
      for (const side of round % 2 ? [after, before] : [before, after]) await measure(side.shop, side.samples, seconds, withPages)
      process.stderr.write(`round ${round + 1} of ${rounds}\n`)
    }
    print(before.samples, after.samples)
  } finally {
    for (const shop of shops) await shop.stop()
  }
}

async function measure(shop: Shop, samples: Samples, seconds: number, withPages: boolean): Promise<void> {
  const note = (name: string, value: number) => void samples.set(name, [...(samples.get(name) ?? []), value])
  for (const buyers of buyersAtOnce) {
    const cost = await buyWith(shop, buyers, seconds)
    const who = buyers === 1 ? '1 buyer' : `${buyers} buyers`
    note(`orders/s, ${who}`, cost.perSecond)
    note(`p99 ms, ${who}`, cost.p99)
    note(`place to payable ms, ${who}`, cost.placeToPayableMs)
    note(`card to paid ms, ${who}`, cost.cardToPaidMs)
    note(`statements, ${who}`, cost.statements)
    note(`commits, ${who}`, cost.commits)
    note(`WAL flushes, ${who}`, cost.walFlushes)
    note(`CPU ms, ${who}`, cost.cpuMs)
  }
  if (withPages) for (const { name, value } of await benchPages(shop.origin)) note(name, value)
}

async function buyWith(shop: Shop, buyers: number, seconds: number): Promise<OrderCost> {
  const { offers } = await goodsOf(shop.origin)
  return measureOrders({ origin: shop.origin, databaseUrl: shop.databaseUrl(), pid: shop.pid }, offers, buyers, seconds)
}

/** Enables statement counting in the shop's own Postgres. It is restarted for that; the shop brings it up again. */
async function countStatements(shop: Shop): Promise<void> {
  const ask = async (text: string): Promise<pg.QueryResult<Record<string, unknown>>> => {
    const client = new pg.Client({ connectionString: shop.databaseUrl() })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return await client.query<Record<string, unknown>>(text)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  await ask(`alter system set shared_preload_libraries = 'pg_stat_statements'`)
  const { rows } = await ask(`select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid`)
  process.kill(Number(rows[0]?.['pid']), 'SIGINT')
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(300)) {
    const isThere = await ask('create extension if not exists pg_stat_statements; select count(*) from pg_stat_statements').then(
      () => true,
      () => false,
    )
    const isReady =
      isThere &&
      (await fetch(`${shop.origin}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ))
    if (isReady) return
  }
  throw new Error('The shop did not come back after its database was restarted')
}

function print(before: Samples, after: Samples): void {
  const width = Math.max(...[...after.keys()].map((name) => name.length))
  console.log(`${'median'.padEnd(width)} ${'before'.padStart(10)} ${'after'.padStart(10)} ${'ratio'.padStart(7)}`)
  for (const [name, values] of after) {
    const [was, is] = [quantile(before.get(name) ?? [], 0.5), quantile(values, 0.5)]
    console.log(
      `${name.padEnd(width)} ${was.toFixed(2).padStart(10)} ${is.toFixed(2).padStart(10)} ${(is / was).toFixed(2).padStart(7)}  ${verdict(name, was, is)}`,
    )
  }
}

function verdict(name: string, was: number, is: number): string {
  const { atMost, atLeastTimes, atMostTimes } = targets[name] ?? {}
  const say = (isMet: boolean, target: string) => `${isMet ? 'ok  ' : 'MISS'} ${target}`
  if (atMost !== undefined) return say(is <= atMost, `<= ${atMost}`)
  if (atLeastTimes !== undefined) return say(is >= was * atLeastTimes, `>= ${atLeastTimes} x`)
  if (atMostTimes !== undefined) return say(is <= was * atMostTimes, `<= ${atMostTimes} x`)
  return ''
}
