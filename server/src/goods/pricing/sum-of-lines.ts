import type { TaxKey } from '@purlin/contract/money.ts'
import { inTaxMode } from './price-block.ts'
import type { Vat } from './vat.ts'

export interface LineOfSum {
  /** The tax mode of its price on pages. */
  taxKey: TaxKey
  /** With VAT, minor units. */
  total: number
  vat: Vat
}

/** The tax mode of a sum, as carts have it: without VAT only if that is so for every line. */
export function taxKeyOfSum(lines: readonly Pick<LineOfSum, 'taxKey'>[]): TaxKey {
  return lines.length > 0 && lines.every(({ taxKey }) => taxKey === 'without_vat') ? 'without_vat' : 'with_vat'
}

/** The sum in one tax mode: net and gross amounts never add up. */
export function sumInTaxMode(taxKey: TaxKey, lines: readonly LineOfSum[]): number {
  return lines.reduce((sum, { total, vat }) => sum + inTaxMode(taxKey, total, vat), 0)
}
