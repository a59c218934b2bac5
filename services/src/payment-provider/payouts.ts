import { randomBytes } from 'node:crypto'
import { Refusal } from './intent.ts'

/** Money on its way to a bank account in the United Kingdom. It arrives, or comes back, some time after it was accepted. */
export interface Payout {
  id: string
  amount: number
  currency: string
  /** The shop's own reference. */
  reference: string
  /** Last digits of the account: like test cards, they decide what becomes of it. */
  accountEnd: string
  created: number
}
export type PayoutStatus = 'pending' | 'paid' | 'failed' | 'returned'

/** Account numbers ending in these fail, come back after they have arrived, or take their time. */
const fates: Record<string, 'fails' | 'returns' | 'waits'> = { '0001': 'fails', '0002': 'returns', '0003': 'waits' }

export function newPayout(body: Record<string, unknown>, now: number): Payout {
  const { amount, currency, sort_code: sortCode, account_number: account, holder, reference } = body
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount <= 0)
    throw new Refusal(400, 'field', 'amount is a positive whole number')
  if (currency !== 'GBP') throw new Refusal(400, 'currency_unsupported', 'Payouts are in pounds')
  if (typeof sortCode !== 'string' || !/^\d{6}$/.test(sortCode) || typeof account !== 'string' || !/^\d{8}$/.test(account))
    throw new Refusal(400, 'account_invalid', 'The sort code has six digits, the account number eight')
  if (typeof holder !== 'string' || holder === '' || typeof reference !== 'string' || !/^[\w-]{1,64}$/.test(reference))
    throw new Refusal(400, 'field', 'holder or reference is missing')
  return { id: `po_${randomBytes(12).toString('base64url')}`, amount, currency, reference, accountEnd: account.slice(-4), created: now }
}

/** What has become of a payout by now. `arrivesMs` is how long banks take. */
export function statusOf({ accountEnd, created }: Payout, now: number, arrivesMs: number): PayoutStatus {
  const age = now - created
  const fate = fates[accountEnd]
  if (fate === 'waits' || age < arrivesMs) return 'pending'
  if (fate === 'fails') return 'failed'
  return fate === 'returns' && age >= 2 * arrivesMs ? 'returned' : 'paid'
}

export function payoutWire(payout: Payout, now: number, arrivesMs: number): object {
  const { id, amount, currency, reference } = payout
  const status = statusOf(payout, now, arrivesMs)
  const failureCode = status === 'failed' ? 'account_closed' : status === 'returned' ? 'returned_by_bank' : null
  return { id, status, amount, currency, reference, failure_code: failureCode }
}
