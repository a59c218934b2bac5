import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { testOperator, testSellerMember } from '@purlin/contract/testing.ts'
import { loadJobs } from '@purlin/server/edges/worker/load-jobs.ts'
import { runWork } from '@purlin/server/edges/worker/testing.ts'
import { connectObjectStore, folderStore } from '@purlin/server/foundation/files/index.ts'
import type { Scope } from '@purlin/server/foundation/platform/index.ts'
import { testDatabase, type TestDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place, type Buyer } from '@purlin/server/selling/checkout/testing.ts'
import { applyProviderState } from '@purlin/server/selling/payments/apply-provider-state.ts'
import { embeddedProvider } from '@purlin/server/selling/payments/embedded-provider.ts'
import type { ProviderPayment } from '@purlin/server/selling/payments/provider.ts'
import { usePaymentProvider } from '@purlin/server/selling/payments/settings.ts'
import { readPaymentOfOrder } from '@purlin/server/selling/payments/store.ts'
import type { Listed } from '../invariants.ts'

/** A shop on a database of its own with a payment provider in the process, and a hand that cuts its connections. */
export interface ModelShop {
  database: TestDatabase
  /** A captured order of these lines by a guest. */
  sell(lines: readonly { offerId: string; quantity: number }[]): Promise<{ id: string; buyer: Buyer }>
  as: { seller: Partial<Scope>; operator: Partial<Scope> }
  /** All events and jobs that wait, until none are left; what a cut connection has postponed is tried again at once. */
  work(): Promise<void>
  /** Ends every connection that is at work. Returns how many there were. */
  cut(): Promise<number>
  payments(): Listed[]
  close(): Promise<void>
}

const worked = /^(fulfilment|returns|invoices|refunds|payouts|messages|disputes|reviews)\./
const offers = [
  { id: '9101', price: 1999, stock: 1_000_000 },
  { id: '9102', price: 333, stock: 1_000_000 },
  { id: '9103', price: 12_050, stock: 1_000_000 },
]
export const offerIds = offers.map(({ id }) => id)

export async function openModelShop(): Promise<ModelShop> {
  const database = await testDatabase()
  const { pool, db } = database
  await fillShop(database)
  for (const offer of offers) await addOffer(database, offer)
  connectObjectStore(folderStore(mkdtempSync(join(tmpdir(), 'model-'))))
  const table = await loadJobs()
  const handlers = table.handlers.filter(({ name }) => worked.test(name))
  const jobs = table.jobs.filter(({ name }) => name === 'payouts.run')
  const taken = new Map<string, ProviderPayment>()
  const given = new Map<string, ProviderPayment>()
  usePaymentProvider({
    ...embeddedProvider({ url: 'http://127.0.0.1:9', secret: 'none', webhookSecret: 'none' }),
    refund: async (reference, amount, { key }) => {
      const [known, payment] = [given.get(key), taken.get(reference)]
      if (known) return known
      if (!payment) throw new Error(`The provider does not know ${reference}`)
      const refunded = payment.refunded + amount
      if (refunded > payment.captured) throw new Error(`${reference}: ${refunded} of ${payment.captured} would be refunded`)
      const next: ProviderPayment = { ...payment, refunded, status: refunded === payment.captured ? 'refunded' : 'part-refunded' }
      taken.set(reference, next)
      given.set(key, next)
      return next
    },
  })
  const knife = new pg.Client({ connectionString: database.connectionString })
  await knife.connect()

  return {
    database,
    as: {
      seller: { principal: testSellerMember() },
      operator: { principal: testOperator({ roles: [{ role: 'support', market: null }] }) },
    },
    sell: async (lines) => {
      const buyer = newBuyer(database)
      const id = await draftOrder(buyer, [...lines])
      must(await place(buyer, id))
      const payment = await readPaymentOfOrder(db, id)
      if (!payment) throw new Error(`${id} has no payment`)
      const { id: paymentId, amount, currency } = payment
      const seen = { reference: `pi_${paymentId}`, paymentId, amount, currency, refunded: 0, failureCode: null, card: null, frameUrl: null }
      for (const [status, captured] of [
        ['authorised', 0],
        ['captured', amount],
      ] as const) {
        taken.set(seen.reference, { ...seen, status, captured })
        await database.command({}, (scope) => applyProviderState(scope, paymentId, { ...seen, status, captured }, 'model'))
      }
      return { id, buyer }
    },
    work: async () => {
      for (let round = 0; round < 60; round++) {
        await pool.query(
          `update platform.outbox set available_at = now(), locked_until = null, attempts = least(attempts, 3) where done_at is null and parked_at is null`,
        )
        await pool.query(
          `update platform.job set locked_until = null, run_at = least(run_at, now()), attempts = least(attempts, 3) where name = 'payouts.run' and parked_at is null`,
        )
        const done = await runWork(database, handlers, jobs)
        if (done === 0) return
      }
      throw new Error('The work of the shop does not end')
    },
    cut: async () => {
      const { rowCount } = await knife.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
      )
      return rowCount ?? 0
    },
    payments: () => [...taken.values()].filter(({ captured }) => captured > 0),
    close: () => knife.end(),
  }
}
