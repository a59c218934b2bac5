import { asCommand, createPool } from '#platform'
import { goldenCases } from './golden-cases.ts'
import { issue } from './issue-invoice.ts'
import { readInvoiceFor } from './store.ts'

/** For tests, a process of its own: issues its part of many invoices, in three series, and ends with 0 when all are there. */

const [connectionString = '', number = '0', workers = '1', wanted = '0'] = process.argv.slice(2)
const pool = createPool({ connectionString, sizes: { commands: 2, single: 1 }, name: 'issue-many' })
const [sold] = Object.values(goldenCases)
if (!sold) throw new Error('There is no golden case')

for (let each = 0; each < Number(wanted); each += 1) {
  // Every invoice is asked for by two workers.
  if (![0, 1].includes((each - Number(number) + Number(workers)) % Number(workers))) continue
  const source = `load:${each}`
  // A cut connection or a lock that took too long: the transaction is gone, and the invoice is issued by another.
  for (let attempt = 1; !(await issued(each, source)); attempt += 1) if (attempt === 100) throw new Error(`${source} cannot be issued`)
  process.stdout.write('.')
}
await pool.end()

async function issued(each: number, source: string): Promise<boolean> {
  const series = { issuer: `seller:${each % 3}`, kind: 'sale', day: each % 2 ? '2026-11-22' : '2025-11-22' } as const
  try {
    await asCommand(pool, ({ db }) =>
      issue({ db, now: new Date() }, series, async () => {
        if (await readInvoiceFor(db, source)) return undefined
        const nobody = { customerOrderId: null, sellerOrderId: null, owner: null, companyId: null, commission: 0, commissionVat: 0 }
        return sold && { source, sellerId: each % 3, ...nobody, document: sold }
      }),
    )
    return true
  } catch {
    return false
  }
}
