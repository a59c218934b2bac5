import { demoPeople } from '@purlin/demo/people.ts'
import type { Settings } from '@purlin/server/foundation/platform/index.ts'
import { asCommand, log, type Pool, type Scope } from '@purlin/server/foundation/platform/index.ts'
import { changeAccount, scheduleSale, startRun } from '@purlin/server/after-sale/payouts/index.ts'
import { forgetCases, sentParts } from './demo-past-rows.ts'

/** An account of the banks' own examples. */
const iban = 'FR7630006000011234567890189'
const dayMs = 86_400_000

/**
 * The money of the past becomes the sellers': each sale is noted as it would have been on delivery, the owner who signs in has
 * named a bank account, and a run of last week waits for the worker, which settles, states and pays.
 */
export async function makeDemoPayout(pool: Pool, { hosts }: Pick<Settings, 'hosts'>, owners: readonly string[]): Promise<void> {
  const owner = demoPeople.find((person) => person.kind === 'seller' && person.isOwner)
  if (owner?.kind !== 'seller') return
  const { market, sub, email, givenName, familyName, sellerId } = owner
  const { origin } = hosts.site(market, 'b2c')
  const roles = [
    { role: 'seller' as const, market: null },
    { role: 'owner' as const, market: null },
  ]
  const principal = { kind: 'sellerMember' as const, id: sub, email, name: `${givenName} ${familyName}`, sellerId, roles }
  const site = { market, mode: 'b2c' as const, origin, principal, prefersVat: false, session: null, requestId: 'demo' }
  const act = <Value>(operation: (scope: Scope) => Promise<Value>): Promise<Value> =>
    asCommand(pool, ({ db, emit }) => operation({ ...site, now: new Date(), db, emit, log }))
  for (const part of await sentParts(pool.db, owners)) await act((scope) => scheduleSale(scope, part))
  const changed = await act((scope) => changeAccount(scope, { holder: principal.name, iban }))
  if (!changed.ok) log.warn({ sellerId }, 'the account of a seller of the demo could not be named')
  const cutoff = new Date(Date.now() - 7 * dayMs)
  for (const currency of ['EUR', 'GBP'] as const)
    await act((scope) => startRun({ db: scope.db, now: cutoff }, { key: `operator:${currency}:demo-past`, currency, cause: 'operator' }))
  await forgetCases(pool.db)
}
