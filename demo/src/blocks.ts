import { categories, leaves, type Leaf } from './categories.ts'
import { familyOf, type Family } from './grammar.ts'
import { chance, mix, pick, randomOf, shuffled } from './random.ts'

/** Products come in blocks from one leaf category; a block contains models and single products. */
export const blockSize = 6

const partitions = [[6], [4, 2], [3, 3], [4, 1, 1], [3, 2, 1], [2, 2, 1, 1], [5, 1], [1, 1, 1, 1, 1, 1]]

/** The shop's first 120 products: a sample of everything that a small demo or a test needs. */
const showcaseIds = [1004, 2214, 1305, 1103, 1409, 1403, 1211, 2003, 1502, 1702, 2215, 1602, 1207, 2603, 1007, 1806, 2303, 2029, 1914, 2216]
const showcase = showcaseIds.map((id) => categories.find((category) => category.id === id) as Leaf)

const round = leaves.flatMap((leaf) => Array.from({ length: leaf.weight ?? 1 }, () => leaf))
const rounds = new Map<string, Leaf[]>()

/** Every leaf appears in each round, so none is empty; only the order is random. */
function roundOf(seed: number, number: number): Leaf[] {
  const key = `${seed}|${number}`
  const known = rounds.get(key)
  if (known) return known
  if (rounds.size > 8) rounds.clear()
  const order = shuffled(round, randomOf(mix(mix(seed, 7001), number)))
  rounds.set(key, order)
  return order
}

export function leafOfBlock(seed: number, block: number): Leaf {
  const shown = showcase[block]
  if (shown) return shown
  const later = block - showcase.length
  return roundOf(seed, Math.floor(later / round.length))[later % round.length] as Leaf
}

/** The products of one model: the first one, how many there are, and which of them this product is. They are adjacent, except for paints. */
export interface Group {
  start: number
  size: number
  place: number
}

/** A paint is sold in colours and tins, which its own page shows together. */
export function isPaint({ attrs, variants }: Family): boolean {
  return 'coverage' in attrs && 'color' in attrs && variants.includes('volume')
}

/** A paint has a whole block, or two of the same round where its category has several. */
function paintGroupOf(seed: number, index: number): Group {
  const block = Math.floor(index / blockSize)
  const alone = { start: block * blockSize, size: blockSize, place: index % blockSize }
  if (block < showcase.length) return alone
  const leaf = leafOfBlock(seed, block)
  if (new Set(leaf.only?.['color'] ?? familyOf(leaf.family).attrs['color']).size < 2) return alone
  const number = Math.floor((block - showcase.length) / round.length)
  const first = showcase.length + number * round.length
  const blocks = roundOf(seed, number).flatMap((other, at) => (other === leaf ? [first + at] : []))
  const at = blocks.indexOf(block)
  const pair = blocks.slice(at - (at % 2), at - (at % 2) + 2)
  if (pair.length < 2) return alone
  return { start: pair[0]! * blockSize, size: 2 * blockSize, place: (at % 2) * blockSize + (index % blockSize) }
}

export function groupOf(seed: number, index: number): Group {
  const block = Math.floor(index / blockSize)
  if (isPaint(familyOf(leafOfBlock(seed, block).family))) return paintGroupOf(seed, index)
  // The showcase begins with whole models.
  const sizes = block < 2 ? [4, 2] : pick(partitions, chance(seed, block, 31))
  let start = block * blockSize
  for (const size of sizes) {
    if (index < start + size) return { start, size, place: index - start }
    start += size
  }
  throw new RangeError(`the sizes of block ${block} do not add up`)
}
