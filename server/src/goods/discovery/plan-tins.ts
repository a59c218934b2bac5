export interface TinSize {
  litres: number
  /** Minor units. */
  price: number
  /** Pieces available, in whole steps. */
  stock: number
  /** Sold in multiples of this. */
  step: number
}

/** Five centilitres: every usual size is a multiple. */
const perLitre = 20
/** More than a house front needs; it bounds the work of one request. */
export const litresMax = 300

/**
 * The cheapest tins that hold so many litres, as a count for each size; of equally cheap ones those with the least
 * paint left over. Null when the stock does not suffice.
 */
export function planTins(litres: number, sizes: readonly TinSize[]): number[] | null {
  const wanted = Math.ceil(Math.min(litres, litresMax) * perLitre - 1e-9)
  const bundles = sizes.flatMap(bundlesOf)
  // For each amount still needed: the lowest price, then the least paint, that covers it.
  const price = new Float64Array(wanted + 1).fill(Infinity)
  const paint = new Float64Array(wanted + 1).fill(Infinity)
  price[0] = paint[0] = 0
  const steps: { bundle: Bundle; isTaken: Uint8Array }[] = []
  for (const bundle of bundles) {
    const isTaken = new Uint8Array(wanted + 1)
    for (let need = wanted; need > 0; need -= 1) {
      const rest = Math.max(0, need - bundle.units)
      const cost = at(price, rest) + bundle.price
      const amount = at(paint, rest) + bundle.units
      if (cost < at(price, need) || (cost === at(price, need) && amount < at(paint, need))) {
        price[need] = cost
        paint[need] = amount
        isTaken[need] = 1
      }
    }
    steps.push({ bundle, isTaken })
  }
  if (at(price, wanted) === Infinity) return null
  const counts = sizes.map(() => 0)
  let need = wanted
  for (const { bundle, isTaken } of steps.toReversed()) {
    if (isTaken[need] !== 1) continue
    counts[bundle.size] = (counts[bundle.size] ?? 0) + bundle.count
    need = Math.max(0, need - bundle.units)
  }
  return counts
}

const at = (list: Float64Array, index: number): number => list[index] ?? Infinity

interface Bundle {
  /** Which of the sizes. */
  size: number
  count: number
  units: number
  price: number
}

/** 1, 2, 4 … tins of a size, and the rest: any number up to the stock is a sum of some of them. */
function bundlesOf({ litres, price, stock, step }: TinSize, size: number): Bundle[] {
  const bundles = []
  const perStep = Math.floor(litres * perLitre + 1e-9) * step
  if (perStep <= 0) return []
  let left = Math.min(Math.floor(stock / step), Math.ceil((litresMax * perLitre) / perStep))
  for (let steps = 1; left > 0; steps *= 2) {
    const taken = Math.min(steps, left)
    bundles.push({ size, count: taken * step, units: perStep * taken, price: price * taken * step })
    left -= taken
  }
  return bundles
}
