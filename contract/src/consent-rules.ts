import type { Market } from './markets.ts'

/** The legal requirements of a market, as data. */
export interface ConsentRules {
  /** How long a choice holds before the visitor is asked again. */
  choiceDays: number
  /** How long the record of a choice is kept after it has been replaced. */
  proofDays: number
}

const eprivacy = { choiceDays: 180, proofDays: 1095 } as const
export const consentRules: Readonly<Record<Market, ConsentRules>> = {
  es: { ...eprivacy, choiceDays: 365 }, // AEPD: at most 24 months
  fr: eprivacy, // CNIL: six months
  gb: { ...eprivacy, choiceDays: 365, proofDays: 2190 }, // PECR; limitation of six years
  de: { ...eprivacy, choiceDays: 365 }, // TDDDG § 25
  it: eprivacy, // Garante: no sooner than six months
}
