import { writeFileSync } from 'node:fs'
import pg from 'pg'
import { buyDuringDeploys } from './buy-during-deploys.ts'
import { checkInvariants } from '../invariants.ts'
import { startShop } from '../support/shop.ts'
import { offersForSale, restock } from './buyers.ts'
import { judgeDeploys, lostOrders } from './judge-deploys.ts'
import { partsOf } from './parts.ts'

interface Options {
  minutes: number
  buyers: number
  products: number
  deploys: number
  log: string | undefined
}

/** Rolling restarts, evenly spread over the time, while guests buy (F14). True if no request failed and no order was lost. */
export async function runDeploys({ minutes, buyers, products, deploys, log }: Options): Promise<boolean> {
  process.env['DOCUMENTS_PROCESS'] ??= 'on'
  const shop = await startShop({ products, quiet: true })
  const pool = new pg.Pool({ connectionString: shop.databaseUrl(), max: 2 })
  try {
    const offers = await offersForSale(pool)
    await restock(pool, offers)
    const parts = (['app', 'documents', 'worker'] as const).map((part) => ({ part, count: partsOf({ shop }, part).length }))
    for (const { part, count } of parts) if (count === 0) throw new Error(`No process of the kind ${part} is found`)
    const done = await buyDuringDeploys({
      port: Number(new URL(shop.origin).port),
      webProcesses: () => partsOf({ shop }, 'app'),
      documentsProcess: () => partsOf({ shop }, 'documents'),
      worker: () => partsOf({ shop }, 'worker'),
      offers,
      buyers,
      deploys,
      everyMs: (minutes * 60_000) / deploys,
    })
    const { requests, failed, placed, paid, replaced } = done
    const violations = await checkInvariants(pool, { acknowledged: placed, settled: false })
    const { rows } = await pool.query<{ id: string; state: string }>('select id, state from orders.customer_order where id = any($1)', [
      placed,
    ])
    const wanted = deploys * parts.reduce((sum, { count }) => sum + count, 0)
    const broken = judgeDeploys({ ...done, wanted, lost: lostOrders(done, rows), violations })
    const written = [
      `# Rolling restarts while guests bought`,
      ``,
      `${deploys} restarts in ${minutes} minutes, in which ${replaced} of ${wanted} processes were replaced (${parts.map(({ part, count }) => `${count} × ${part}`).join(', ')}); ${buyers} buyers: ${requests} requests, ${failed.length} failed or refused;`,
      `${placed.length} orders placed, ${paid.length} paid, ${violations.length} violations of I1 to I6 and I8.`,
      ``,
      ...broken.slice(0, 60).map((what) => `- ${what}`),
    ].join('\n')
    process.stdout.write(`${written}\n`)
    if (log !== undefined) writeFileSync(log, `${written.trimEnd()}\n`)
    return broken.length === 0
  } finally {
    await pool.end()
    await shop.stop()
  }
}
