import type { Mode } from '@purlin/contract/markets.ts'
import type { SearchEngine } from '@purlin/search/types.ts'
import type { ProductDocument } from './document.ts'

/** The signals by which buyers' behaviour orders hits whose words fit equally well, in the order of the weights. */
export const rankingSignals = [
  'place',
  'popularity',
  'rating',
  'ratings',
  'price',
  'discount',
  'freeDelivery',
  'nextDay',
  'inStock',
] as const
/** A weight per signal. */
export type RankingWeights = readonly number[]
/** The engine's own order. */
export const ownOrder: RankingWeights = rankingSignals.map((signal) => (signal === 'place' ? 1 : 0))

/** As kept with the settings of an index, where every process finds them. */
export function rankingData(weights: RankingWeights): { ranking: RankingWeights } {
  return { ranking: weights }
}

const known = new WeakMap<SearchEngine, Map<string, { version: number; weights: RankingWeights | null }>>()

/** The learned weights of an index; null when nothing has been learned. */
export async function rankingOfIndex(engine: SearchEngine, index: string, version: number): Promise<RankingWeights | null> {
  let indexes = known.get(engine)
  if (!indexes) known.set(engine, (indexes = new Map()))
  const found = indexes.get(index)
  if (found?.version === version) return found.weights
  const { userData } = await engine.settings(index)
  const { ranking } = (userData ?? {}) as { ranking?: unknown }
  const isUsable = Array.isArray(ranking) && ranking.length === rankingSignals.length && ranking.every(Number.isFinite)
  const weights = isUsable ? (ranking as number[]) : null
  indexes.set(index, { version, weights })
  return weights
}

export type Rankable = Pick<
  ProductDocument,
  'popularity' | 'rating' | 'ratingCount' | 'price' | 'discount' | 'hasFreeDelivery' | 'has1dayDelivery' | 'inStock'
>

/** A rating counts as much as its number allows: this many ratings of four stars are added. */
const assumed = { ratings: 5, stars: 4 }
const farthest = 2

/** The signals of hits in their order, each as its distance from the mean of the page in standard deviations. */
export function signalsOf(hits: readonly Rankable[]): number[][] {
  const raw = hits.map((hit, place) => [
    -Math.log2(place + 2),
    Math.log1p(hit.popularity),
    ((hit.rating ?? assumed.stars) * hit.ratingCount + assumed.stars * assumed.ratings) / (hit.ratingCount + assumed.ratings),
    Math.log1p(hit.ratingCount),
    Math.log(Math.max(1, hit.price)),
    Number(hit.discount > 0),
    Number(hit.hasFreeDelivery),
    Number(hit.has1dayDelivery),
    Number(hit.inStock),
  ])
  const scales = rankingSignals.map((_, signal) => {
    const values = raw.map((row) => row[signal] ?? 0)
    const mean = meanOf(values)
    return { mean, spread: Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2))) }
  })
  return raw.map((row) =>
    scales.map(({ mean, spread }, signal) => {
      if (spread < 1e-9) return 0
      return Math.max(-farthest, Math.min(farthest, ((row[signal] ?? 0) - mean) / spread))
    }),
  )
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

function valueOf(signals: readonly number[], weights: RankingWeights): number {
  return signals.reduce((sum, signal, at) => sum + signal * (weights[at] ?? 0), 0)
}

/** Places in the order of the weights, best first; equals keep their order. */
export function placesBy(signals: readonly (readonly number[])[], weights: RankingWeights): number[] {
  return signals
    .map((row, place) => ({ place, value: valueOf(row, weights) }))
    .toSorted((a, b) => b.value - a.value || a.place - b.place)
    .map(({ place }) => place)
}

/** Hits whose words fit at least this well compared with the first of them count as equals. */
const amongEquals = 0.9

type Ranked = Rankable & { pro?: Partial<Rankable> | null; _rankingInfo?: { promoted?: boolean; filters?: number; score?: number } }

/**
 * Orders a page of a search by what buyers chose: within hits whose words fit equally well, never across. Cards that an operator
 * has pinned keep their places.
 */
export function orderLearned<T extends Ranked>(hits: readonly T[], weights: RankingWeights, mode: Mode): T[] {
  const free = hits.filter((hit) => hit._rankingInfo?.promoted !== true)
  const shown = free.map((hit): Rankable => (mode === 'b2b' && hit.pro ? { ...hit, ...hit.pro } : hit))
  const values = signalsOf(shown).map((row) => valueOf(row, weights))
  // Runs of equals, in the order of the hits.
  const runs: { hit: T; value: number }[][] = []
  for (const [place, hit] of free.entries()) {
    const run = runs.at(-1)
    const valued = { hit, value: values[place] ?? 0 }
    if (run?.[0] && areEqual(run[0].hit._rankingInfo, hit._rankingInfo)) run.push(valued)
    else runs.push([valued])
  }
  const ordered = runs.flatMap((run) => run.toSorted((a, b) => b.value - a.value).map(({ hit }) => hit)).values()
  return hits.map((hit) => (hit._rankingInfo?.promoted === true ? hit : (ordered.next().value ?? hit)))
}

function areEqual(first: Ranked['_rankingInfo'], other: Ranked['_rankingInfo']): boolean {
  return (first?.filters ?? 0) === (other?.filters ?? 0) && (other?.score ?? 0) >= (first?.score ?? 0) * amongEquals
}
