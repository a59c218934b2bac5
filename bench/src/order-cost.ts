import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newBuyer } from './buyer.ts'
import { processTreeCpuMs } from './process-cpu.ts'

/** The cost per order of the whole shop: all its processes and the database, without the client. */
export interface OrderCost {
  perSecond: number
  p99: number
  placeToPayableMs: number
  cardToPaidMs: number
  /** Without BEGIN and COMMIT; needs pg_stat_statements, else NaN. */
  statements: number
  commits: number
  walFlushes: number
  /** NaN if the processes cannot be inspected. */
  cpuMs: number
}

interface Counters {
  statements: number
  commits: number
  walFlushes: number
  cpuMs: number
}

export interface RunningShop {
  origin: string
  databaseUrl: string
  /** Its first process; the others are its descendants. */
  pid?: number
}

/** Has a number of buyers buy one item after another for some seconds. */
export async function measureOrders(shop: RunningShop, offers: readonly string[], buyers: number, seconds: number): Promise<OrderCost> {
  const database = new pg.Client({ connectionString: shop.databaseUrl, application_name: 'purlin bench' })
  await database.connect()
  try {
    const before = await countersOf(database, shop.pid)
    const startedAt = performance.now()
    const took: number[] = []
    const payable: number[] = []
    const paid: number[] = []
    await Promise.all(
      Array.from({ length: buyers }, async (_, first) => {
        for (let at = first; performance.now() - startedAt < seconds * 1000; at += buyers) {
          const began = performance.now()
          const buyer = newBuyer(shop.origin)
          const { placeToPayableMs, cardToPaidMs } = await buyer.pay(await buyer.draft(offers[at % offers.length]!))
          took.push(performance.now() - began)
          payable.push(placeToPayableMs)
          paid.push(cardToPaidMs)
        }
      }),
    )
    const perSecond = (took.length * 1000) / (performance.now() - startedAt)
    // Follow-up work of an order, such as its mail and late webhooks, counts towards that order.
    await sleep(1500)
    const after = await countersOf(database, shop.pid)
    const each = (name: keyof Counters) => (after[name] - before[name]) / took.length
    return {
      perSecond,
      p99: quantile(took, 0.99),
      placeToPayableMs: quantile(payable, 0.5),
      cardToPaidMs: quantile(paid, 0.5),
      statements: each('statements'),
      commits: each('commits'),
      walFlushes: each('walFlushes'),
      cpuMs: each('cpuMs'),
    }
  } finally {
    await database.end()
  }
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

async function countersOf(database: pg.Client, pid: number | undefined): Promise<Counters> {
  const one = async (text: string) => Number(((await database.query(text)).rows[0] as { n: unknown } | undefined)?.n)
  // Backends report their statistics when idle, after a second at the latest.
  await sleep(1100)
  const version = await one(`select current_setting('server_version_num')::int as n`)
  return {
    statements: await one(
      `select sum(calls)::float8 as n from pg_stat_statements where query !~* '^(begin|commit|rollback|set|deallocate)'`,
    ).catch(() => Number.NaN),
    commits: await one(`select xact_commit::float8 as n from pg_stat_database where datname = current_database()`),
    walFlushes: await one(
      version >= 180_000
        ? `select sum(fsyncs)::float8 as n from pg_stat_io where object = 'wal'`
        : `select wal_sync::float8 as n from pg_stat_wal`,
    ),
    cpuMs: pid === undefined ? Number.NaN : processTreeCpuMs(pid),
  }
}
