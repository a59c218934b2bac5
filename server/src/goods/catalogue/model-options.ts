import { markets, type Market } from '@purlin/contract/markets.ts'
import { productUrl, sheetUrl } from './addresses.ts'
import { attributeText, showAttribute } from './attributes.ts'
import type { AttributeValue, ProductSheet, Sibling } from './product.ts'
import type { Reference } from './reference.ts'

export interface ModelOption {
  key: string
  label: string
  values: ModelOptionValue[]
}

export interface ModelOptionValue {
  value: string
  label: string
  productId: string
  url: string
  selected: boolean
  available: boolean
  hex: string | null
}

/**
 * The options of a model: for each axis its values, and the product each leads to: the one that keeps
 * most of the other choices, then one in stock, then the oldest.
 */
export function modelOptions(sheet: ProductSheet, vocabulary: Pick<Reference, 'attributes' | 'words'>, market: Market): ModelOption[] {
  const { product, axes, siblings } = sheet
  return axes.flatMap((key) => {
    const values = distinctValues(siblings, key)
    const label = showAttribute(vocabulary, market, key, values[0] ?? '')?.label
    if (values.length < 2 || label === undefined) return []
    return [{ key, label, values: values.map((value) => optionValue(value)) }]

    function optionValue(value: AttributeValue): ModelOptionValue {
      const selected = product.attributes[key] === value
      const leadsTo = selected ? siblings.find(({ id }) => id === product.id) : undefined
      const target = leadsTo ?? nearest(siblings, product.attributes, axes, key, value)
      const shown = showAttribute(vocabulary, market, key, value)
      return {
        value: String(value),
        label: shown ? attributeText(shown) : String(value),
        productId: target.id,
        url: target.offered ? productUrl(target.slug, target.id) : sheetUrl(target.slug, target.id),
        selected,
        available: target.available,
        hex: (typeof value === 'string' ? vocabulary.words.get(value)?.hex : null) ?? null,
      }
    }
  })

  function distinctValues(of: Sibling[], key: string): AttributeValue[] {
    const values = [...new Set(of.flatMap(({ attributes }) => attributes[key] ?? []))]
    return values.sort((a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : collator(market).compare(String(a), String(b))))
  }
}

const collators = new Map<Market, Intl.Collator>()

function collator(market: Market): Intl.Collator {
  let known = collators.get(market)
  if (!known) collators.set(market, (known = new Intl.Collator(markets[market].locale, { numeric: true })))
  return known
}

function nearest(
  siblings: readonly Sibling[],
  current: Record<string, AttributeValue>,
  axes: readonly string[],
  key: string,
  value: AttributeValue,
): Sibling {
  const kept = (one: Sibling): number => axes.filter((axis) => axis !== key && one.attributes[axis] === current[axis]).length
  const candidates = siblings.filter(({ attributes }) => attributes[key] === value)
  const [best] = candidates.toSorted((a, b) => kept(b) - kept(a) || Number(b.available) - Number(a.available))
  if (!best) throw new Error(`No product of the model has ${key} ${value}`)
  return best
}
