import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import type { DisputeStep } from './dispute.ts'

/** A step of a dispute as a sentence, for pages and mails. */
export function stepText(market: Market, { action, actor }: Pick<DisputeStep, 'action' | 'actor'>, seller: string): string {
  const t = wordsFor(market)
  const isBoth = action === 'add' || action === 'appeal'
  return isBoth && actor === 'seller' ? t(`dispute.step.${action}-seller`, { seller }) : t(`dispute.step.${action}`, { seller })
}
