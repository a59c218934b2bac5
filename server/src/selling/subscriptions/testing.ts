import { randomBytes } from 'node:crypto'
import type { Market } from '@purlin/contract/markets.ts'
import { startPaymentProvider } from '../../../../services/src/payment-provider/index.ts'
import type { TestDatabase } from '#platform/testing'
import type { MemberRole } from '@purlin/contract/principal.ts'
import { testMember } from '@purlin/contract/testing.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../../people/accounts/testing.ts'
import { embeddedProvider } from '../payments/embedded-provider.ts'
import { usePaymentProvider } from '../payments/settings.ts'
import type { SubscriptionPeriod } from './plan.ts'
import { applySetup } from './set-up-card.ts'
import { showSubscription } from './show-subscription.ts'
import { startSubscription } from './start-subscription.ts'

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

/** A company and its admin, who chooses plans and enters cards. Without a VAT number it is not confirmed. */
export async function addChooser(database: TestDatabase, vatNumber: string | null) {
  const { companyId, customer } = await addSubscriber(database, { isConfirmed: vatNumber !== null })
  const { pool } = database
  if (vatNumber !== null) await pool.query('update accounts.company set vat_number = $2 where id = $1', [companyId, vatNumber])
  const principal = testMember({ id: customer.id, role: 'admin', company: { id: companyId, country: 'GB' } })
  const member = { principal, mode: 'b2b' } as const
  const choose = (period: SubscriptionPeriod, market: Market = 'gb') =>
    database.command({ ...member, market }, (scope) => startSubscription(scope, period))
  /** Of all card forms, the oldest first. */
  const forms = async () => {
    const { rows } = await pool.query<{ id: string }>(
      `select u.id from subscriptions.setup u join subscriptions.subscription s on s.id = u.subscription_id where s.company_id = $1
        order by u.created_at, u.id`,
      [companyId],
    )
    return rows.map(({ id }) => id)
  }
  /** In the newest form, unless another one is still shown on some page. */
  const enterCard = async ({ form, last4 = '0002', isDone }: { form?: string; last4?: string; isDone?: () => Promise<void> } = {}) => {
    const id = form ?? (await forms()).at(-1) ?? ''
    const card = { reference: `card ${last4}`, brand: 'visa', last4, expiryYear: 2099, expiryMonth: 4, savedAt: new Date() }
    await database.command({}, async (scope) => {
      await applySetup(scope, id, { reference: `setup ${id}`, status: 'done', failureCode: null, card, frameUrl: null })
      await isDone?.()
    })
  }
  const see = () => showSubscription(database.scope(member))
  return { companyId, member, choose, forms, enterCard, see }
}

/** The address of a storefront's own pages. */
export function proHost(market: Market): string {
  return `pro.${market}.localhost:3000`
}
