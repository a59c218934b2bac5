import { markets, type Language, type Market } from '@purlin/contract/markets.ts'
import { inLanguage } from './category-tree.ts'
import type { AttributeValue } from './product.ts'
import type { Reference } from './reference.ts'

export interface ShownAttribute {
  key: string
  label: string
  /** Without unit: "18", "blue". */
  value: string
  unit: string | null
}

type Vocabulary = Pick<Reference, 'attributes' | 'words'>

const formats = new Map<string, Intl.NumberFormat>()

/** An attribute in the market's language; null when the catalogue does not know its key. */
export function showAttribute(vocabulary: Vocabulary, market: Market, key: string, value: AttributeValue): ShownAttribute | null {
  const attribute = vocabulary.attributes.get(key)
  if (!attribute) return null
  const { language } = markets[market]
  const unit = attribute.units ? inLanguage(attribute.units, language) || null : null
  return { key, label: inLanguage(attribute.names, language), value: showValue(vocabulary, market, value, attribute.decimals), unit }
}

/** All attributes of a product in the market's language: measurements before texts, as in a table of technical data. */
export function showAttributes(
  vocabulary: Vocabulary,
  market: Market,
  attributes: Readonly<Record<string, AttributeValue>>,
): (ShownAttribute & { raw: AttributeValue })[] {
  const shown = Object.entries(attributes).flatMap(([key, raw]) => {
    const attribute = showAttribute(vocabulary, market, key, raw)
    return attribute ? [{ ...attribute, raw }] : []
  })
  return shown.toSorted((a, b) => Number(typeof b.raw === 'number') - Number(typeof a.raw === 'number'))
}

/** "18 V", "blue": value and unit, as shown in a facet or a table. */
export function attributeText({ value, unit }: ShownAttribute): string {
  return unit ? `${value} ${unit}` : value
}

function showValue({ words }: Vocabulary, market: Market, value: AttributeValue, decimals: number): string {
  if (typeof value === 'number') return numberFormat(market, Number.isInteger(value) ? decimals : Math.max(decimals, 2)).format(value)
  const word = words.get(value)
  return word ? inLanguage(word.names, markets[market].language) : inPlainText(value, markets[market].language)
}

/** Dimensions are stored with a decimal comma ("4,0 x 40"); English uses a point. */
function inPlainText(value: string, language: Language): string {
  return language === 'en' ? value.replace(/(\d),(\d)/g, '$1.$2') : value
}

function numberFormat(market: Market, decimals: number): Intl.NumberFormat {
  const key = `${market}${decimals}`
  let format = formats.get(key)
  if (!format) {
    // "min2": 1200 stays ungrouped, 12 000 does not, which suits a facet of watts.
    format = new Intl.NumberFormat(markets[market].locale, { maximumFractionDigits: Math.min(decimals, 3), useGrouping: 'min2' })
    formats.set(key, format)
  }
  return format
}
