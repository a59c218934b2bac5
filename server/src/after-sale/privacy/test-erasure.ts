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
