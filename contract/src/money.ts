import type { Currency } from './markets.ts'

/** An amount in integer minor units (cents, pence). Never a float. */
export interface Money {
  amount: number
  currency: Currency
}

/** Selects one of an offer's two prices. Source: spec §3, price helper. */
export type TaxKey = 'with_vat' | 'without_vat'

/** Minor units per major unit; both currencies of the shop have two decimals. */
export const minorPerMajor = 100
