import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { asFailureCode } from './payment.ts'

/** The reason the last card failed, in the market's language; null if none has failed. */
export function failureMessage(market: Market, code: string | null): string | null {
  return code === null ? null : wordsFor(market)(`payment.failed.${asFailureCode(code)}`)
}
