import { bareCheckouts } from './bare-checkout.ts'
import { newBuyer } from './buyer.ts'
import { figure, type Figure } from './figures.ts'
import { goodsOf } from './goods.ts'

/** Enough to keep the shop busy: ten of them wait for each other's steps as much as they work. */
const buyersAtOnce = 20
/** A warmed-up shop: the first hundreds of orders are slower, until the code is compiled. */
const warmSeconds = 20
const seconds = 10

/**
 * Must show 4: paid orders per second, end to end over HTTP from the first product to "paid", and in the same run the
 * bare selling transaction, in SQL on the same database.
 */
export async function benchOrders(origin: string, databaseUrl: string): Promise<Figure[]> {
  const { offers } = await goodsOf(origin)
  await buy(origin, offers, warmSeconds)
  const paid = await buy(origin, offers, seconds)
  const bare = await bareCheckouts(origin, databaseUrl, offers)
  return [
    figure('paid orders', paid.perSecond, 'orders/s'),
    figure('paid orders: p99', paid.p99, 'ms'),
    figure('bare checkout transaction', bare, 'transactions/s'),
    figure('paid orders: of the bare transaction', (100 * paid.perSecond) / bare, '%', '>= 10'),
  ]
}

async function buy(origin: string, offers: readonly string[], during: number): Promise<{ perSecond: number; p99: number }> {
  const startedAt = performance.now()
  const took: number[] = []
  await Promise.all(
    Array.from({ length: buyersAtOnce }, async (_, first) => {
      for (let at = first; performance.now() - startedAt < during * 1000; at += buyersAtOnce) {
        const began = performance.now()
        const buyer = newBuyer(origin)
        await buyer.pay(await buyer.draft(offers[at % offers.length]!))
        took.push(performance.now() - began)
      }
    }),
  )
  took.sort((a, b) => a - b)
  return { perSecond: (took.length * 1000) / (performance.now() - startedAt), p99: took[Math.ceil(took.length * 0.99) - 1] ?? 0 }
}
