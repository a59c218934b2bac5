import type { Market, Mode } from '@purlin/contract/markets.ts'
import * as v from 'valibot'

/** The platform config: eight keys per market and mode. Source: spec §3, R-407…R-414. */

const day = v.pipe(v.string(), v.isoDate())
const days = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(365))
const offer = v.strictObject({
  code: v.pipe(v.string(), v.regex(/^[A-Z0-9-]{3,30}$/)),
  percent: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(90)),
})

export const configInputs = {
  /** Announced at the top of every page; the prices themselves follow from the market's sales periods. */
  'sales-period': v.pipe(
    v.strictObject({ from: day, until: day }),
    v.check(({ from, until }) => from <= until, 'ends before it begins'),
  ),
  /** Whether the two storefronts link to each other. */
  b2b: v.strictObject({ isLinked: v.boolean() }),
  'loyalty-program': v.strictObject({ isAnnounced: v.boolean() }),
  /** Whether cards show the price with the other VAT treatment below the main one. */
  'main-price': v.strictObject({ withSecondary: v.boolean() }),
  'free-returns-b2b': v.strictObject({ days }),
  coupon: offer,
  'welcome-offer': offer,
  /** For customers of high value. */
  'welcome-offer-hvc': offer,
} as const

export type ConfigKey = keyof typeof configInputs
export const configKeys = Object.keys(configInputs) as ConfigKey[]
export const isConfigKey = (key: string): key is ConfigKey => Object.hasOwn(configInputs, key)
export type ConfigValues = { [Key in ConfigKey]: v.InferOutput<(typeof configInputs)[Key]> | null }

/** A newest version; the market or mode `*` stands for all. */
export interface ConfigRow {
  key: string
  market: string
  mode: string
  version: number
  value: unknown
}

export type PlatformConfig = { state: 'loading' } | { state: 'failed' } | ({ state: 'set'; version: number } & { values: ConfigValues })

/** The values of a storefront: the row of its market and mode counts before those of all. Invalid ones are off. */
export function configOf(rows: readonly ConfigRow[], { market, mode }: { market: Market; mode: Mode }): PlatformConfig {
  const rowOf = (key: string) =>
    rows
      .filter((row) => row.key === key && fits(row.market, market) && fits(row.mode, mode))
      .toSorted((a, b) => specificity(b) - specificity(a))[0]
  const read = <Key extends ConfigKey>(key: Key): v.InferOutput<(typeof configInputs)[Key]> | null => {
    const value = v.safeParse(configInputs[key], rowOf(key)?.value)
    return value.success ? value.output : null
  }
  const values: ConfigValues = {
    'sales-period': read('sales-period'),
    b2b: read('b2b'),
    'loyalty-program': read('loyalty-program'),
    'main-price': read('main-price'),
    'free-returns-b2b': read('free-returns-b2b'),
    coupon: read('coupon'),
    'welcome-offer': read('welcome-offer'),
    'welcome-offer-hvc': read('welcome-offer-hvc'),
  }
  return { state: 'set', version: Math.max(0, ...configKeys.map((key) => rowOf(key)?.version ?? 0)), values }
}

export const everywhere = '*'
export const fits = (stored: string, wanted: string): boolean => stored === everywhere || stored === wanted
/** A market alone counts before a mode alone. */
export const specificity = ({ market, mode }: { market: string; mode: string }): number =>
  (market === everywhere ? 0 : 2) + (mode === everywhere ? 0 : 1)
