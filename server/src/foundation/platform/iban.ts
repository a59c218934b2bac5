import { electronicFormatIBAN, isSEPACountry, isValidIBAN } from 'ibantools'

export type IbanFault = 'iban-invalid' | 'iban-not-sepa'

/** An IBAN as typed in its electronic form, or the reason it cannot be used. */
export function parseIban(typed: string): { ok: true; iban: string } | { ok: false; fault: IbanFault } {
  const iban = electronicFormatIBAN(typed) ?? ''
  if (!isValidIBAN(iban)) return { ok: false, fault: 'iban-invalid' }
  return isSEPACountry(iban.slice(0, 2)) ? { ok: true, iban } : { ok: false, fault: 'iban-not-sepa' }
}

/** The name of an account's holder, at most as long as banks transmit it; null if it is missing or too long. */
export function parseHolder(typed: string): string | null {
  const holder = typed.normalize('NFC').replace(/\s+/g, ' ').trim()
  return holder.length < 2 || holder.length > 70 ? null : holder
}
