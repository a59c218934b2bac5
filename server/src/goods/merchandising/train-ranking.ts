import { ownOrder, placesBy, rankingSignals, type RankingWeights } from '#listing'

/** One visitor's look at a list, from the top: the signals of its products, and which of them were chosen. */
export interface Look {
  signals: readonly (readonly number[])[]
  productIds: readonly string[]
  chosen: ReadonlySet<number>
  /** Kept for the evaluation; decided by the look alone, so that the looks of others change nothing about it. */
  isHeldBack: boolean
}

export const learningRules = {
  /** Places of a list that are learned from, and stored. */
  places: 24,
  /** Days whose weights count, and the looks and products below which a day says nothing. */
  days: 14,
  /** Days that are needed for all of them to count; fewer are filled up with the engine's own order. */
  leastDays: 7,
  looks: 200,
  products: 10,
  /** A look, and a product, weighs at most this many times the mean of those that count. */
  timesMean: 1.5,
  /** Share of the looks that are kept for the evaluation: one in five. */
  heldBack: 5,
  /** Looks of a day that may be forged: one of each of so many lines. */
  forged: 60,
  /** How far, times their share, forged looks of one kind move a weight at most, as simulated. */
  reach: 12,
} as const

/** The probability that a visitor looks at a place: clicks further down are rarer, and weigh as much more. */
const isSeen = (place: number): number => 1 / (place + 1) ** 0.7
const mostWeight = 10
const steps = 80
const stepSize = 0.6
/** Pull towards the engine's own order: without evidence nothing changes. */
const pull = 0.02

export interface DayOfLearning {
  weights: RankingWeights
  /** Discounted gain of the looks held back, corrected for places: in the engine's order and in the learned one. */
  own: number
  learned: number
  looks: number
}

/** A product that was chosen from a list, the signals of those that were not, and how much that counts. */
interface Choice {
  look: Look
  at: number
  productId: string
  signals: readonly number[]
  others: readonly (readonly number[])[]
  weight: number
}

/** Learns from one day: what was chosen is worth more than what was shown with it. Null when there is too little. */
export function learnDay(looks: readonly Look[]): DayOfLearning | null {
  const choices = choicesOf(looks)
  const products = new Set(choices.map(({ productId }) => productId))
  if (looks.length < learningRules.looks || products.size < learningRules.products) return null
  const weights = fit(choices.filter(({ look }) => !look.isHeldBack))
  const others = choices.filter(({ look }) => look.isHeldBack)
  const [own, learned] = [gainOf(others, ownOrder), gainOf(others, weights)]
  // What does not help those whom it has not seen is not used.
  return { weights: learned > own ? weights : ownOrder, own, learned, looks: looks.length }
}

/** Each choice weighs as much more as its place is seldom seen, and no look and no product much more than others. */
function choicesOf(looks: readonly Look[]): Choice[] {
  const choices = looks.flatMap((look) => {
    const others = look.signals.filter((_, place) => !look.chosen.has(place))
    return look.signals.flatMap((signals, at): Choice[] => {
      const productId = look.productIds[at]
      if (productId === undefined || !look.chosen.has(at)) return []
      return [{ look, at, productId, signals, others, weight: Math.min(mostWeight, 1 / isSeen(at)) }]
    })
  })
  const even = evenOut(choices, ({ look }) => look)
  return evenOut(even, ({ productId }) => productId)
}

/** The choices, with as much less weight as what they are of weighs more than others do. */
function evenOut(choices: readonly Choice[], of: (choice: Choice) => unknown): Choice[] {
  const weights = new Map<unknown, number>()
  for (const choice of choices) weights.set(of(choice), (weights.get(of(choice)) ?? 0) + choice.weight)
  let most = Infinity
  // The mean shrinks with what is cut off.
  for (let round = 0; round < 20; round++)
    most = (learningRules.timesMean / weights.size) * [...weights.values()].reduce((sum, weight) => sum + Math.min(weight, most), 0)
  return choices.map((choice) => ({ ...choice, weight: choice.weight * Math.min(1, most / (weights.get(of(choice)) ?? 1)) }))
}

/** Pairwise logistic regression, over the differences between what was chosen and each of what was not. */
function fit(choices: readonly Choice[]): RankingWeights {
  const { differences, forces } = pairsOf(choices)
  let weights = ownOrder
  for (let step = 0; step < steps; step++) {
    const gradient = gradientOf(differences, forces, Float64Array.from(weights))
    weights = weights.map((weight, signal) => weight + stepSize * ((gradient[signal] ?? 0) - pull * (weight - (ownOrder[signal] ?? 0))))
  }
  return weights
}

/**
 * Each difference once, with the force of all choices that have it: lists are seen often, and a day has hundreds of thousands of pairs.
 * Typed arrays, since the worker has other things to do.
 */
function pairsOf(choices: readonly Choice[]): { differences: Float64Array; forces: Float64Array } {
  const total = choices.reduce((sum, { weight }) => sum + weight, 0)
  const products = numbered()
  const forces = new Map<number, number>()
  for (const { signals, others, weight } of choices) {
    const chosen = products.numberOf(signals) * maxProducts
    const force = weight / others.length / total
    for (const other of others) {
      const pair = chosen + products.numberOf(other)
      forces.set(pair, (forces.get(pair) ?? 0) + force)
    }
  }
  const size = rankingSignals.length
  const differences = new Float64Array(forces.size * size)
  let at = 0
  for (const pair of forces.keys()) {
    const [chosen, other] = [products.signals[Math.floor(pair / maxProducts)], products.signals[pair % maxProducts]]
    for (let signal = 0; signal < size; signal++) differences[at++] = (chosen?.[signal] ?? 0) - (other?.[signal] ?? 0)
  }
  return { differences, forces: Float64Array.from(forces.values()) }
}

/** More than any day has; the numbers of two fit exactly in a number. */
const maxProducts = 2 ** 26

/** Numbers equal signals alike. */
function numbered() {
  const signals: (readonly number[])[] = []
  const byText = new Map<string, number>()
  const known = new Map<readonly number[], number>()
  const numberOf = (one: readonly number[]): number => {
    const before = known.get(one)
    if (before !== undefined) return before
    const text = one.join(' ')
    const number = byText.get(text) ?? signals.push(one) - 1
    byText.set(text, number)
    known.set(one, number)
    return number
  }
  return { signals, numberOf }
}

function gradientOf(differences: Float64Array, forces: Float64Array, weights: Float64Array): Float64Array {
  const size = weights.length
  const gradient = new Float64Array(size)
  for (let pair = 0, at = 0; pair < forces.length; pair++, at += size) {
    let margin = 0
    for (let signal = 0; signal < size; signal++) margin += (differences[at + signal] ?? 0) * (weights[signal] ?? 0)
    const error = (forces[pair] ?? 0) / (1 + Math.exp(margin))
    for (let signal = 0; signal < size; signal++) gradient[signal] = (gradient[signal] ?? 0) + error * (differences[at + signal] ?? 0)
  }
  return gradient
}

function gainOf(choices: readonly Choice[], weights: RankingWeights): number {
  const orders = new Map<Look, number[]>()
  let gain = 0
  let total = 0
  for (const { look, at, weight } of choices) {
    let order = orders.get(look)
    if (!order) orders.set(look, (order = placesBy(look.signals, weights)))
    gain += weight / Math.log2(order.indexOf(at) + 2)
    total += weight
  }
  return total === 0 ? 0 : gain / total
}

/** The weights that a day has taught, and the looks it had. */
export type TaughtDay = Pick<DayOfLearning, 'weights' | 'looks'>

/** The middle of the days of a window, by signal: without two sevenths of them at either end. */
function middleOf(days: readonly TaughtDay[], signal: number): { least: number; most: number } {
  const all = Array.from({ length: Math.max(days.length, learningRules.leastDays) }, (_, at) => days[at]?.weights ?? ownOrder)
  const values = all.map((weights) => weights[signal] ?? 0).toSorted((a, b) => a - b)
  const leftOut = Math.floor((values.length * 2) / 7)
  return { least: values[leftOut] ?? 0, most: values.at(-1 - leftOut) ?? 0 }
}

/** How far forgers may have moved the weights of a window's days. */
function doubtOf(days: readonly TaughtDay[]): number {
  if (days.length === 0) return 0
  const looks = days.map((one) => one.looks).toSorted((a, b) => a - b)[Math.floor(days.length / 2)] ?? 0
  return (learningRules.reach * learningRules.forged) / Math.max(1, looks)
}

/**
 * The weights in use after another night, signal by signal: those of the night before, unless they are farther outside of the middle of
 * the last days than forgers could have moved it, both tonight and as it was a night ago; then they go as far as both ask for. Where
 * fewer than `leastDays` have been learned from, the others count in the engine's own order. So while the taste of buyers does not change,
 * no order does, whatever sixty lines send, on however many days (decision 098).
 */
export function weightsAfter(before: RankingWeights, tonight: readonly TaughtDay[], aNightAgo: readonly TaughtDay[]): RankingWeights {
  if (tonight.length === 0) return ownOrder
  const doubt = Math.max(doubtOf(tonight), doubtOf(aNightAgo))
  return rankingSignals.map((_, signal) => {
    const middles = [tonight, aNightAgo].map((days) => middleOf(days, signal))
    const least = Math.min(...middles.map((middle) => middle.least))
    const most = Math.max(...middles.map((middle) => middle.most))
    const used = before[signal] ?? 0
    const wanted = Math.min(most, Math.max(least, used))
    return Math.abs(wanted - used) > doubt ? wanted : used
  })
}
