import {
  startCreditProvider,
  type CreditProviderOptions,
  type CreditProviderServer,
} from '../../../../services/src/credit-provider/index.ts'
import { newId, type Db, type Scope } from '#platform'
import type { Market } from '@purlin/contract/markets.ts'
import { embeddedCredit } from '../payments/embedded-credit.ts'
import { useCreditProvider } from '../payments/settings.ts'

/** For tests: the embedded credit provider, and companies that buy. */

export const creditSecrets = { apiKey: 'credit-key-of-the-tests', webhookSecret: 'credit-secret-of-the-tests' }

export async function testCredit(shopUrl: string, options: Partial<CreditProviderOptions> = {}): Promise<CreditProviderServer> {
  const server = await startCreditProvider({
    port: 0,
    file: ':memory:',
    webhookUrl: `${shopUrl}/webhooks/credit`,
    reviewMs: 0,
    ...creditSecrets,
    ...options,
  })
  useCreditProvider(embeddedCredit({ url: `http://127.0.0.1:${server.port}`, timeoutMs: 400, ...creditSecrets }))
  return server
}

/** A member of a new company with this VAT number, on the professional storefront. */
export async function addBuyer(
  db: Db,
  vatNumber: string | null,
  { market = 'gb', country = 'GB', role = 'admin' }: { market?: Market; country?: string; role?: 'admin' | 'buyer' } = {},
): Promise<Partial<Scope> & { principal: Extract<Scope['principal'], { kind: 'member' }> }> {
  const [id, companyId] = [newId(), newId()]
  const statement = (text: string) => ({ name: `test.${text.slice(0, 40)}`, text })
  await db.run(statement('insert into accounts.customer (id, email, name, market) values ($1, $2, $3, $4)'), [
    id,
    `${id}@example.com`,
    'Ann',
    market,
  ])
  await db.run(statement(`insert into accounts.company (id, name, country, vat_number) values ($1, 'Lee Building Ltd', $2, $3)`), [
    companyId,
    country,
    vatNumber,
  ])
  await db.run(statement('insert into accounts.membership (customer_id, company_id, role) values ($1, $2, $3)'), [id, companyId, role])
  const company = { id: companyId, country }
  const principal = { kind: 'member', id, email: `${id}@example.com`, name: 'Ann', market, role, company } as const
  return { principal, session: { id: newId() }, market, mode: 'b2b' }
}
