/** Hashes two numbers into one: the seed of an item from the shop's seed and the item's number. */
export function mix(a: number, b: number): number {
  let hash = (a ^ Math.imul(b + 0x9e3779b9, 0x85ebca6b)) >>> 0
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** A number of 0…1 that depends only on its arguments. */
export function chance(...parts: number[]): number {
  return parts.reduce(mix, 17) / 4294967296
}

export type Random = () => number

/** The same sequence of numbers of 0…1 for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** One item of the list, chosen by a number of 0…1. */
export function pick<Item>(list: readonly Item[], at: number): Item {
  const item = list[Math.min(list.length - 1, Math.floor(at * list.length))]
  if (item === undefined) throw new RangeError('nothing to pick from')
  return item
}

export function shuffled<Item>(list: readonly Item[], random: Random): Item[] {
  const items = [...list]
  for (let i = items.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1))
    const kept = items[i] as Item
    items[i] = items[j] as Item
    items[j] = kept
  }
  return items
}
