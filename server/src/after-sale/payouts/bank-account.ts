import type { Currency } from '@purlin/contract/markets.ts'
import { openBankAccount, parseHolder, parseIban, sealBankAccount, type IbanFault } from '#platform'

/** Where a seller's money goes: an IBAN for euros, sort code and account number for pounds. */
export type Bank = { holder: string; iban: string } | { holder: string; sortCode: string; accountNumber: string }

export const bankFields = ['holder', 'iban', 'sortCode', 'accountNumber'] as const
export type BankField = (typeof bankFields)[number]
export type BankFault = IbanFault | 'holder-missing' | 'sort-code-invalid' | 'account-number-invalid'
export type BankInput = Partial<Record<BankField, string | null>>

/** The account as it is stored, or what is wrong with each field. */
export function checkBank(
  currency: Currency,
  input: BankInput,
): { ok: true; bank: Bank; end: string } | { ok: false; faults: Partial<Record<BankField, BankFault>> } {
  const faults: Partial<Record<BankField, BankFault>> = {}
  const holder = parseHolder(input.holder ?? '')
  if (holder === null) faults.holder = 'holder-missing'
  if (currency === 'EUR') {
    const parsed = parseIban(input.iban ?? '')
    if (!parsed.ok) faults.iban = parsed.fault
    if (!parsed.ok || holder === null) return { ok: false, faults }
    return { ok: true, bank: { holder, iban: parsed.iban }, end: parsed.iban.slice(-4) }
  }
  const digits = (text: string | null | undefined): string => (text ?? '').replace(/[\s-]/g, '')
  const [sortCode, accountNumber] = [digits(input.sortCode), digits(input.accountNumber)]
  if (!/^\d{6}$/.test(sortCode)) faults.sortCode = 'sort-code-invalid'
  if (!/^\d{8}$/.test(accountNumber)) faults.accountNumber = 'account-number-invalid'
  if (holder === null || Object.keys(faults).length > 0) return { ok: false, faults }
  return { ok: true, bank: { holder, sortCode, accountNumber }, end: accountNumber.slice(-4) }
}

/** Sealed for its row, so that an account cannot be moved to another seller or payout. */
export function sealBank(id: string, bank: Bank): Buffer {
  return sealBankAccount('purlin seller accounts', id, bank)
}

/** @throws when the text was tampered with or belongs to another row */
export function openBank(id: string, sealed: Buffer): Bank {
  return openBankAccount('purlin seller accounts', id, sealed) as Bank
}
