import { balanceOf, book } from '#ledger'
import { enqueue, newId, takeNumbers, type JobScope } from '#platform'
import { openBank, sealBank } from './bank-account.ts'
import { payoutOf } from './payout.ts'
import { insertPayout, lockAccount, readSettled, type Run } from './payout-store.ts'

const firstNumber = 30_001

/** Pays what a seller is owed after their sales are settled, or carries it forward. Once per run and seller. */
export async function closePayout(scope: JobScope, run: Run, sellerId: number): Promise<void> {
  const { db, now } = scope
  const { id: runId, currency } = run
  const account = await lockAccount(db, sellerId, currency)
  const { count, settled, isClosed } = await readSettled(db, runId, sellerId)
  if (isClosed) return
  const owed = -(await balanceOf(db, `payable:${sellerId}`, currency))
  if (owed === 0 && count === 0) return
  const { bank = null, usableFrom = null } = account ?? {}
  const { amount, carryReason } = payoutOf(owed, currency, bank && usableFrom ? { usableFrom } : null, now)
  const id = newId()
  const isPaid = amount > 0 && bank !== null
  await insertPayout(db, {
    id,
    number: String(await takeNumbers(db, 'payout', 1, firstNumber)),
    runId,
    sellerId,
    currency,
    opening: owed - settled,
    settled,
    amount,
    closing: owed - amount,
    state: isPaid ? 'requested' : 'carried',
    carryReason,
    bank: isPaid ? sealBank(id, openBank(`${sellerId}:${currency}`, bank)) : null,
    bankEnd: isPaid ? (account?.bankEnd ?? null) : null,
    createdAt: now,
  })
  if (isPaid)
    await book(db, {
      key: `payout:${id}`,
      kind: 'payout',
      customerOrderId: `payout:${id}`,
      currency,
      entries: [
        { account: `payable:${sellerId}`, amount },
        { account: 'payouts-due', amount: -amount },
      ],
    })
  // Pounds go through the payment provider; euros wait for the bank's file.
  if (isPaid && currency === 'GBP') scope.emit('payout.requested', { payoutId: id })
  await enqueue(db, { name: 'payouts.archive', key: id, payload: { payoutId: id } })
}
