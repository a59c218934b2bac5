import { writeFileSync } from 'node:fs'
import pg from 'pg'
import { buyDuringDeploys } from './buy-during-deploys.ts'
import { checkInvariants } from '../invariants.ts'
import { startShop } from '../support/shop.ts'
import { offersForSale, restock } from './buyers.ts'
import { partsOf } from './faults.ts'

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
    const { requests, failed, placed, paid } = await buyDuringDeploys({
      port: Number(new URL(shop.origin).port),
      webProcesses: () => partsOf({ shop }, 'app'),
      documentsProcess: () => partsOf({ shop }, 'documents'),
      offers,
      buyers,
      deploys,
      everyMs: (minutes * 60_000) / deploys,
    })
    const violations = await checkInvariants(pool, { acknowledged: placed, settled: false })
    const written = [
      `# Rolling restarts while guests bought`,
      ``,
      `${deploys} restarts of all web processes and of the process for documents in ${minutes} minutes, ${buyers} buyers: ${requests} requests, ${failed.length} failed;`,
      `${placed.length} orders placed, ${paid} paid, ${violations.length} violations of I1 to I6 and I8.`,
      ``,
      ...[...Map.groupBy(failed, (what) => what.replace(/[\da-f]{8,}[\da-f-]*/g, '…'))].map(
        ([what, all]) => `- failed: ${all.length} × ${what}`,
      ),
      ...violations.slice(0, 40).map(({ id, what }) => `- ${id}: ${what}`),
    ].join('\n')
    process.stdout.write(`${written}\n`)
    if (log !== undefined) writeFileSync(log, `${written.trimEnd()}\n`)
    return failed.length === 0 && violations.length === 0 && placed.length > 0 && paid === placed.length
  } finally {
    await pool.end()
    await shop.stop()
  }
}
