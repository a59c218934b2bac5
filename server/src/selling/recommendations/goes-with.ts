import type { Learnable, Model } from './model.ts'

interface Rule {
  from: readonly string[]
  to: readonly string[]
  /** What both must agree in; null when one of them lacks it. */
  from_: (product: Learnable) => string | null
  to_: (product: Learnable) => string | null
}

const valueOf =
  (name: string) =>
  (product: Learnable): string | null => {
    const value = product.attributes[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null
  }
/** A battery fits the tools of its brand and voltage. */
const platform = (product: Learnable): string | null => {
  const voltage = valueOf('voltage')(product)
  return voltage === null ? null : `${product.brandId}:${voltage}`
}
const anything = () => ''

/** The plug for a screw, in millimetres: a screw of 5 mm needs a plug of 8 mm. */
const plugFor: Readonly<Record<string, string>> = { 3: '5', 3.5: '5', 4: '6', 4.5: '6', 5: '8', 6: '8', 8: '10' }
const plugOf = (product: Learnable): string | null => plugFor[valueOf('diameter')(product) ?? ''] ?? null

function rule(from: string[], to: string[], by: Rule['from_'], toBy: Rule['from_'] = by): Rule[] {
  return [
    { from, to, from_: by, to_: toBy },
    { from: to, to: from, from_: toBy, to_: by },
  ]
}

/** Accessories by attributes: battery platform, blade and plug diameter, drive, socket, protocol, mounting. */
const rules: readonly Rule[] = [
  ...rule(['cordless_drill', 'impact_driver'], ['tool_battery'], platform),
  ...rule(['circular_saw', 'mitre_saw'], ['saw_blade'], valueOf('blade_d')),
  ...rule(['screws'], ['wall_plugs'], plugOf, valueOf('diameter')),
  ...rule(['screws'], ['screwdriver_set'], valueOf('drive')),
  ...rule(['pendant_light'], ['led_bulb'], valueOf('type')),
  ...rule(['smart_thermostat'], ['smart_plug'], valueOf('type')),
  ...rule(['balcony_kit'], ['solar_mounting'], valueOf('type')),
  ...rule(['cordless_drill'], ['drill_bits'], anything),
]

/** For each product the accessories that fit it, the most popular first, in turn from each family. */
export function goesWith(goods: readonly Learnable[], limit: number): Model['goesWith'] {
  const byFamily = Map.groupBy(
    goods.toSorted((a, b) => b.popularity - a.popularity),
    ({ family }) => family,
  )
  const found = new Map<Rule, Map<string, string[]>>()
  for (const each of rules) {
    const byKey = new Map<string, string[]>()
    for (const family of each.to)
      for (const product of byFamily.get(family) ?? []) {
        const key = each.to_(product)
        if (key !== null) byKey.set(key, [...(byKey.get(key) ?? []), product.id])
      }
    found.set(each, byKey)
  }
  const lists: Model['goesWith'] = {}
  for (const product of goods) {
    const own = rules.filter(({ from }) => from.includes(product.family))
    const fitting = own.map((each) => found.get(each)?.get(each.from_(product) ?? ' ') ?? [])
    const list = inTurn(fitting, limit)
    if (list.length > 0) lists[product.id] = list
  }
  return lists
}

function inTurn(lists: readonly (readonly string[])[], limit: number): string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const all = Array.from({ length: Math.min(longest, limit) }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat()
  return [...new Set(all)].slice(0, limit)
}
