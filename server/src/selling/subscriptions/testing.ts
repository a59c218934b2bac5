import { randomBytes } from 'node:crypto'
import type { Market } from '@purlin/contract/markets.ts'
import { startPaymentProvider } from '../../../../services/src/payment-provider/index.ts'
import type { TestDatabase } from '#platform/testing'
import type { MemberRole } from '@purlin/contract/principal.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../../people/accounts/testing.ts'
import { embeddedProvider } from '../payments/embedded-provider.ts'
import { usePaymentProvider } from '../payments/settings.ts'

/** For tests: the embedded provider, listening, as the configured one. */
export async function connectProvider(webhookUrl: string, misbehave?: (path: string) => 'answer-500' | undefined) {
  const secrets = { secret: randomBytes(8).toString('hex'), webhookSecret: randomBytes(8).toString('hex') }
  const server = await startPaymentProvider({ port: 0, file: ':memory:', webhookUrl, ...secrets, ...(misbehave && { misbehave }) })
  const client = embeddedProvider({ url: `http://127.0.0.1:${server.port}`, ...secrets })
  usePaymentProvider(client)
  return { server, client }
}

/** Companies have different numbers: trials are counted by number. */
let numbers = 123456789

/** A company with an invoice address, and a member of it who is signed in. */
export async function addSubscriber(
  { db }: Pick<TestDatabase, 'db'>,
  {
    country = 'GB',
    role = 'admin',
    company,
    isConfirmed = true,
  }: { country?: string; role?: MemberRole; company?: string; isConfirmed?: boolean } = {},
) {
  const companyId = company ?? (await addCompany(db, { country, vatNumber: isConfirmed ? `${country}${numbers++}` : null })).id
  const customer = await addCustomer(db)
  await addMembership(db, customer.id, companyId, role)
  if (company === undefined)
    await db.run(
      {
        name: 'test.tax-record',
        text: `insert into tax.record (owner, legal_name, line1, postcode, city, country) values ($1, 'Lee Building Ltd', '1 High Street', 'M1 1AE', 'Manchester', $2)`,
      },
      [`company:${companyId}`, country],
    )
  const { token } = await signIn(db, { customerId: customer.id, family: 'b2b', companyId })
  return { companyId, customer, cookie: `__Host-purlin=${token}` }
}

/** The address of a storefront's own pages. */
export function proHost(market: Market): string {
  return `pro.${market}.localhost:3000`
}
