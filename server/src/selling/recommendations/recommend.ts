import type { Market } from '@purlin/contract/markets.ts'
import type { ProductCard } from '@purlin/contract/product-card.ts'
import { cardsOf, historyFrom, type ListingScope, type Recommendations } from '#listing'
import { inMemory, log, type Db } from '#platform'
import { emptyConfiguration, noModel, recommendFrom, shareOut, type Model, type Placement, type Source, type Wanted } from './model.ts'
import { readModels, readPlacements, type PlacementRow } from './store.ts'

export const recommendationsTag = 'recommendations'

interface Known {
  models: ReadonlyMap<Market, Model>
  placements: readonly PlacementRow[]
}
/** A purge of its tag makes last night's model visible at once; this only bounds the delay after a lost purge. */
const keptMs = 3_600_000
const memory = inMemory<Known>('recommendations', { keptMs })

/** In order, so that a database that hangs holds one connection. */
const known = (db: Db): Promise<Known> =>
  memory.read(async () => {
    const models = await readModels(db.reads)
    const placements = await readPlacements(db.reads)
    // A model learned by an earlier release lacks its newer lists.
    return { models: new Map(models.map(({ market, model }) => [market, { ...noModel, ...model }])), placements }
  })

export function forgetRecommendations(): void {
  memory.forget()
}

export interface Recommendation {
  source: Source
  card: ProductCard
}

const shown = 8

/**
 * Products for a placement, each with its reason: the sources in the operator's order, nothing twice. A history counts from
 * the market's threshold on.
 * @throws with the specification's message when no placement is configured
 */
export async function recommend(
  scope: ListingScope,
  { placement, productIds, categoryId }: Pick<Wanted, 'productIds' | 'categoryId'> & { placement: Placement },
): Promise<Recommendation[]> {
  const { models, placements } = await known(scope.db)
  const sources = placements.find((row) => row.placement === placement)?.sources ?? []
  if (placements.every((row) => row.sources.length === 0)) throw new Error(emptyConfiguration)
  const model = models.get(scope.market) ?? noModel
  const reasons = new Map<string, Source>()
  for (const source of sources) {
    if (source === 'from_history' && productIds.length < historyFrom[scope.market]) continue
    for (const id of recommendFrom(model, source, { productIds, categoryId, limit: shown })) if (!reasons.has(id)) reasons.set(id, source)
  }
  const cards = (await cardsOf(scope, [...reasons.keys()])).flatMap((card) => {
    const source = reasons.get(card.productId)
    return source ? [{ source, card }] : []
  })
  return shareOut(
    sources.map((source) => cards.filter((each) => each.source === source)),
    shown,
  )
}

/** The service behind suggestions from history (`#listing`). */
export function recommendationService(db: Db): Recommendations {
  return {
    forHistory: async (market, productIds, limit) => {
      const { models } = await known(db)
      const model = [...models].find(([name]) => name === market)?.[1] ?? noModel
      return recommendFrom(model, 'from_history', { productIds, categoryId: null, limit })
    },
  }
}

/** Loads the models before the first visitor asks. */
export async function loadRecommendations(db: Db): Promise<void> {
  await known(db).catch((error: unknown) => log.warn({ err: error }, 'Recommendations are not loaded'))
}
