import { markets, type Language, type Market } from '@purlin/contract/markets.ts'
import type { Condition } from '@purlin/contract/product-card.ts'

type Words = Record<Language, string>

const labels: Record<Condition, Words> = {
  new: { en: 'New', fr: 'Neuf', de: 'Neu', es: 'Nuevo', it: 'Nuovo' },
  never_used: { en: 'Never used', fr: 'Jamais utilisé', de: 'Unbenutzt', es: 'Sin usar', it: 'Mai usato' },
  refurbished_good: {
    en: 'Refurbished - good condition',
    fr: 'Reconditionné - bon état',
    de: 'Generalüberholt - guter Zustand',
    es: 'Reacondicionado - buen estado',
    it: 'Ricondizionato - buone condizioni',
  },
  refurbished_very_good: {
    en: 'Refurbished - very good condition',
    fr: 'Reconditionné - très bon état',
    de: 'Generalüberholt - sehr guter Zustand',
    es: 'Reacondicionado - muy buen estado',
    it: 'Ricondizionato - ottime condizioni',
  },
  used_good: {
    en: 'Used - good condition',
    fr: 'Occasion - bon état',
    de: 'Gebraucht - guter Zustand',
    es: 'Usado - buen estado',
    it: 'Usato - buone condizioni',
  },
  used_very_good: {
    en: 'Used - very good condition',
    fr: 'Occasion - très bon état',
    de: 'Gebraucht - sehr guter Zustand',
    es: 'Usado - muy buen estado',
    it: 'Usato - ottime condizioni',
  },
}

/** "Refurbished - very good condition", in the market's language. */
export function conditionLabel(market: Market, condition: Condition): string {
  return labels[condition][markets[market].language]
}

/** The bracketed marker a second-hand title carries: "[Used - good condition]"; null for new goods (decision 14). */
export function conditionMarker(market: Market, condition: Condition): string | null {
  return condition === 'new' ? null : `[${conditionLabel(market, condition)}]`
}

/** Title as shown: second-hand goods say so. */
export function withMarker(market: Market, title: string, condition: Condition): string {
  const marker = conditionMarker(market, condition)
  return marker ? `${title} ${marker}` : title
}

export function isSecondHand(condition: Condition): boolean {
  return condition !== 'new'
}
