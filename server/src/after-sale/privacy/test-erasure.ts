import { connectSearch } from '#listing'
import { type Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { jobs as fileJobs } from '../../foundation/files/jobs.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { addCustomer } from '../../people/accounts/testing.ts'
import { jobs as authJobs } from '../../people/auth/jobs.ts'
import { fakeProvider } from '../../people/auth/test-provider.ts'
import { addOffer, fillShop, newBuyer } from '../../selling/checkout/testing.ts'
import { jobs } from './jobs.ts'

/** Erasure under difficult conditions: another tab, another account, a company, another key. */

export const provider = await fakeProvider()
useSettings(provider.settings)
export const work = [...jobs, ...fileJobs, ...authJobs]
export const database = await testDatabase()
export const { db, pool } = database
await fillShop(database)
await addOffer(database, { id: '9001' })
connectSearch({ version: () => 1, multiSearch: () => Promise.reject(new Error('no engine')) } as never)
export const gateway = await testGateway(pool)

export async function customer(email?: string) {
  const person = await addCustomer(db)
  if (email) await pool.query('update accounts.customer set email = $2 where id = $1', [person.id, email])
  const all = { ...person, email: email ?? person.email }
  const overrides: Partial<Scope> = { principal: { kind: 'customer', ...all }, session: { id: `session of ${person.id}` } }
  return { ...all, ...newBuyer(database, overrides) }
}
export const jobIsDue = () => pool.query(`update platform.job set run_at = now() where name = 'privacy.erase-late'`)
export const all = async (statement: string, values: unknown[] = []) => (await pool.query(statement, values)).rows

/** A return whose goods are on their way. */
export const sendBack = (orderId: string) =>
  pool.query(
    `insert into returns.request (id, number, seller_order_id, customer_order_id, seller_id, market, reason, basis, wish, method, state, lines, description,
        token_hash) values (gen_random_uuid(), (random() * 1e9)::int, $1 || '-1', $1, 1, 'gb', 'wrong', 'guarantee', 'refund', 'label', 'label-sent', '[]', '', sha256($1::bytea))`,
    [orderId],
  )
/** A refund that the card does not take. */
export async function refundOf(orderId: string): Promise<string> {
  const { rows } = await pool.query(
    `insert into refunds.refund (id, number, key, customer_order_id, seller_order_id, payment_id, cause, state, amount, currency, market, borne_by)
      values (gen_random_uuid(), (random() * 1e9)::int, gen_random_uuid(), $1, $1 || '-1', gen_random_uuid(), 'return', 'iban-needed', 100, 'GBP', 'gb', 'seller')
      returning id::text`,
    [orderId],
  )
  return rows[0].id
}
