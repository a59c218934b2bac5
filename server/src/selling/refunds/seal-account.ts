import { openBankAccount, sealAccountsAnew, sealBankAccount, type JobScope } from '#platform'
import { sealedRefunds } from './store.ts'

/** A buyer's bank account: stored sealed, and only until the money has arrived. */
export interface BankAccount {
  holder: string
  iban: string
}

/** Sealed for its refund, so that an account cannot be moved to another one. */
export function sealAccount(refundId: string, account: BankAccount): Buffer {
  return sealBankAccount('purlin refund accounts', refundId, account)
}

/** @throws when the text was tampered with or belongs to another refund */
export function openAccount(refundId: string, sealed: Buffer): BankAccount {
  return openBankAccount('purlin refund accounts', refundId, sealed) as BankAccount
}

/** Seals buyers' accounts again with the current key, so that the previous key may be changed. */
export async function sealRefundsAnew({ db }: Pick<JobScope, 'db'>): Promise<void> {
  await sealAccountsAnew(db, 'purlin refund accounts', sealedRefunds)
}
