import {
  startCreditProvider,
  type CreditProviderOptions,
  type CreditProviderServer,
} from '../../../../services/src/credit-provider/index.ts'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach } from 'node:test'
import { forgetSwitches, setFlag } from '#flags'
import { newId, type Db, type Scope } from '#platform'
import type { TestDatabase } from '#platform/testing'
import { markets, type Market } from '@purlin/contract/markets.ts'
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

/** For the tests of a file: payment by invoice is on, and the provider reports its calls and misbehaves as the running test wishes. */
export function creditOfTests(database: TestDatabase, options: Partial<CreditProviderOptions> = {}) {
  const credit = {
    calls: [] as string[],
    misbehaviour: undefined as 'answer-500' | 'hang' | undefined,
    server: undefined as unknown as CreditProviderServer,
  }
  before(async () => {
    await database.command({}, (scope) => setFlag(scope, { market: '*', mode: 'b2b' }, 'pepePdpB2bBnpl', true))
    forgetSwitches()
    const misbehave = (path: string) => {
      credit.calls.push(path)
      return credit.misbehaviour
    }
    credit.server = await testCredit('http://127.0.0.1:9', { ...options, misbehave })
  })
  after(() => credit.server.close())
  beforeEach(() => {
    credit.calls.length = 0
    credit.misbehaviour = undefined
  })
  return credit
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

export type TestCompany = Awaited<ReturnType<typeof addBuyer>>

/** A call of the provider's API, as by its client or in its sandbox. */
export async function callCredit({ port }: CreditProviderServer, path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${creditSecrets.apiKey}`, 'idempotency-key': randomUUID() }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await answer.json()) as Record<string, unknown>
}

/**
 * An invoice of a company that the provider has taken over, as after a shipment; with its payment if the provider is to be asked about
 * it by itself. Returns the id of its claim.
 */
export async function addClaim(
  db: Db,
  server: CreditProviderServer,
  { principal, market = 'gb' }: TestCompany,
  { issuedOn, amount, hasPayment = false }: { issuedOn: string; amount: number; hasPayment?: boolean },
): Promise<string> {
  const [claimId, paymentId] = [newId(), newId()]
  const { id: companyId, country } = principal.company
  const { currency } = markets[market]
  const order = await callCredit(server, '/v2/orders', {
    external_code: paymentId,
    description: `O-${paymentId}`,
    amount,
    currency,
    market,
    return_url: `http://${market}.localhost/`,
    debtor: { external_code: companyId, name: 'Lee Building Ltd', registration_number: `${country}100000003`, country },
  })
  await callCredit(server, `/v2/orders/${String(order['uuid'])}/confirm`, {})
  if (hasPayment)
    await db.run(
      {
        name: 'test.add-payment',
        text: `insert into payments.payment (id, customer_order_id, placement, provider, state, amount, captured, currency, market, mode, origin, method,
          company_id, customer_id, provider_reference) values ($1, $2, 1, 'credit', 'captured', $3, $3, $4, $5, 'b2b', 'http://x', 'invoice', $6, $7, $8)`,
      },
      [paymentId, `O-${paymentId}`, amount, currency, market, companyId, principal.id, order['uuid']],
    )
  const number = `S1-F-2026-${claimId}`
  const shipment = { order: order['uuid'], external_code: claimId, number, shipment: 'x', amount, issued_on: issuedOn }
  const claim = await callCredit(server, '/v2/invoices', shipment)
  await db.run(
    {
      name: 'test.add-claim',
      text: `insert into credit.claim (id, number, payment_id, customer_order_id, seller_order_id, company_id, customer_id, market, mode, origin,
        currency, amount, reference, issued_on, due_on) values ($1, $2, $3, $4, $4, $5, $6, $7, 'b2b', $8, $9, $10, $11, $12, $13)`,
    },
    [
      claimId,
      number,
      paymentId,
      `O-${paymentId}`,
      companyId,
      principal.id,
      market,
      `http://pro.${market}.localhost`,
      currency,
      amount,
      claim['uuid'],
      issuedOn,
      claim['due_date'],
    ],
  )
  return claimId
}
