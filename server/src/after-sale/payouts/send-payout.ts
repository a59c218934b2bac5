import { book, type Entry } from '#ledger'
import { paymentProvider, ProviderRefusal, type ProviderPayout } from '#payments'
import type { CallContext, JobScope } from '#platform'
import { openBank } from './bank-account.ts'
import { notifyPayout } from './notify-payout.ts'
import type { Payout } from './payout.ts'
import { movePayout, readBankOfPayout, readPayout } from './payout-store.ts'

export type Sent = (Omit<ProviderPayout, 'reference'> & { reference: string | null }) | { refused: string }

/** Asks the provider to pay; the key belongs to the payout, so that repeated calls pay once. Null when there is nothing to send. */
export async function callProvider({ db, signal }: CallContext, payoutId: string): Promise<Sent | null> {
  const [payout, sealed] = await Promise.all([readPayout(db, payoutId), readBankOfPayout(db, payoutId)])
  if (payout?.state !== 'requested' || !sealed) return null
  const bank = openBank(payoutId, sealed)
  if (!('sortCode' in bank)) return null
  const { amount, currency } = payout
  return paymentProvider()
    .payOut({ payoutId, amount, currency, ...bank }, { key: `payout-${payoutId}`, signal })
    .catch((error: unknown) => {
      if (error instanceof ProviderRefusal) return { refused: error.code }
      throw error
    })
}

/** Applies what the provider, or the operator's bank, says about a payout. */
export async function applyNews(scope: JobScope, payoutId: string, news: Sent): Promise<boolean> {
  const payout = await readPayout(scope.db, payoutId)
  if (!payout) return false
  if ('refused' in news) return bringBack(scope, payout, 'failed', news.refused)
  const { status, reference, failureCode } = news
  if (status === 'pending') return movePayout(scope.db, payoutId, 'sent', { reference, now: scope.now })
  if (status === 'paid') return arrive(scope, payout, reference)
  // A payout may come back before anybody has heard that it arrived.
  if (status === 'returned' && payout.state !== 'paid') await arrive(scope, payout, reference)
  return bringBack(scope, payout, status, failureCode)
}

const paidFrom = ({ currency }: Pick<Payout, 'currency'>) =>
  currency === 'GBP' ? (`provider:${paymentProvider().name}` as const) : ('bank' as const)

async function write(scope: JobScope, { id, currency }: Payout, step: string, entries: readonly Entry[]): Promise<void> {
  await book(scope.db, { key: `payout:${id}:${step}`, kind: 'payout', customerOrderId: `payout:${id}`, currency, entries })
}

async function arrive(scope: JobScope, payout: Payout, reference: string | null): Promise<boolean> {
  if (!(await movePayout(scope.db, payout.id, 'paid', { reference, now: scope.now }))) return false
  await write(scope, payout, 'paid', [
    { account: 'payouts-due', amount: payout.amount },
    { account: paidFrom(payout), amount: -payout.amount },
  ])
  return true
}

/** The money is in the seller's balance again, for the next run; the seller is told. */
async function bringBack(scope: JobScope, payout: Payout, to: 'failed' | 'returned', failureCode: string | null): Promise<boolean> {
  const { id, sellerId, amount } = payout
  const before = await readPayout(scope.db, id)
  if (!(await movePayout(scope.db, id, to, { failureCode, now: scope.now }))) return false
  const account = before?.state === 'paid' ? paidFrom(payout) : 'payouts-due'
  await write(scope, payout, to, [
    { account, amount },
    { account: `payable:${sellerId}`, amount: -amount },
  ])
  await notifyPayout(scope, payout, to)
  return true
}
