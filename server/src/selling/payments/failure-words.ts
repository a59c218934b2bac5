import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { asFailureCode } from './payment.ts'

/** Why the last card did not work, in the market's language; null when none has failed. */
export function failureMessage(market: Market, code: string | null): string | null {
  return code === null ? null : wordsFor(market)(`payment.failed.${asFailureCode(code)}`)
}
