import type { AttributeValue, Attributes, Family } from './grammar.ts'
import type { Leaf } from './categories.ts'
import { shuffled, type Random } from './random.ts'

/** Possible attribute values of a leaf's products. */
export function valuesIn(family: Family, leaf: Pick<Leaf, 'only'>): Record<string, AttributeValue[]> {
  return { ...family.attrs, ...leaf.only }
}

/** One product's attributes; linked ones take the same position in their lists. */
export function drawAttributes(family: Family, values: Record<string, AttributeValue[]>, random: Random): Attributes {
  const places: Record<string, number> = {}
  for (const tie of family.ties) {
    const place = random()
    for (const name of tie) {
      const falls = name.startsWith('-')
      places[falls ? name.slice(1) : name] = Math.min(0.999, Math.max(0, (falls ? 1 - place : place) + (random() - 0.5) * 0.08))
    }
  }
  return Object.fromEntries(
    Object.entries(values).map(([key, list]) => [key, list[Math.floor((places[key] ?? random()) * list.length)] as AttributeValue]),
  )
}

export interface Options {
  axes: string[]
  /** Attribute changes of each model option; the requested number, or fewer if there are not enough values. */
  options: Attributes[]
}

/** How the products of a model differ: along one or two axes of the family, without duplicates. */
export function drawOptions(family: Family, values: Record<string, AttributeValue[]>, wanted: number, random: Random): Options {
  const distinct = (axis: string) => [...new Set(values[axis])]
  const able = shuffled(
    family.variants.filter((axis) => distinct(axis).length > 1),
    random,
  )
  if (wanted < 2 || able.length === 0) return { axes: [], options: [] }
  const [first, second] = able as [string, string?]
  const axes = second && (wanted > distinct(first).length || random() < 0.5) ? [first, second] : [first]
  let options: Attributes[] = [{}]
  for (const axis of axes) options = options.flatMap((option) => distinct(axis).map((value) => ({ ...option, [axis]: value })))
  const chosen = shuffled(options, random).slice(0, wanted)
  if (chosen.length < 2) return { axes: [], options: [] }
  const used = axes.filter((axis) => new Set(chosen.map((option) => option[axis])).size > 1)
  return { axes: used, options: chosen.map((option) => withTies(family, values, option)) }
}

/** The tins people expect, before the sizes between them. */
const usualTins: readonly AttributeValue[] = [2.5, 10, 5, 0.75, 15, 1, 0.5]

/** A paint comes in every colour in the same tins: two sizes of each colour; where there is one colour, all sizes. */
export function paintOptions(values: Record<string, AttributeValue[]>, wanted: number, random: Random): Options {
  const colours = shuffled([...new Set(values['color'])], random)
  const tins = usualTins.filter((volume) => values['volume']?.includes(volume))
  const sizes = colours.length > 1 ? tins.slice(0, 2) : tins.slice(0, wanted)
  const shown = colours.slice(0, Math.floor(wanted / sizes.length))
  const options = shown.flatMap((color) => sizes.map((volume): Attributes => ({ color, volume })))
  const axes = [...(shown.length > 1 ? ['color'] : []), ...(sizes.length > 1 ? ['volume'] : [])]
  return options.length < 2 ? { axes: [], options: [] } : { axes, options }
}

/** A longer tool box also carries more: attributes linked to an axis follow it. */
function withTies(family: Family, values: Record<string, AttributeValue[]>, option: Attributes): Attributes {
  const full = { ...option }
  for (const tie of family.ties) {
    const axis = tie.find((name) => name in option)
    const list = axis === undefined ? undefined : values[axis]
    if (axis === undefined || !list) continue
    const place = (list.indexOf(option[axis] as AttributeValue) + 0.5) / list.length
    for (const name of tie) {
      const falls = name.startsWith('-')
      const key = falls ? name.slice(1) : name
      const others = values[key]
      if (key in option || !others) continue
      full[key] = others[Math.floor((falls ? 1 - place : place) * others.length)] as AttributeValue
    }
  }
  return full
}
