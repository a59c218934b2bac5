import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { Model, Placement, Source } from './model.ts'

const models = { name: 'recommendations.models', text: 'select market, model from recommendations.model' }
const write = {
  name: 'recommendations.write',
  text: `insert into recommendations.model (market, learned_at, model) values ($1, $2, $3)
    on conflict (market) do update set learned_at = excluded.learned_at, model = excluded.model`,
}
const placed = { name: 'recommendations.placements', text: 'select placement, sources from recommendations.placement order by placement' }
const place = {
  name: 'recommendations.place',
  text: 'insert into recommendations.placement (placement, sources) values ($1, $2) on conflict (placement) do update set sources = excluded.sources',
}

export interface PlacementRow {
  placement: Placement
  sources: Source[]
}

export const readModels = (db: Db): Promise<{ market: Market; model: Model }[]> => db.rows<{ market: Market; model: Model }>(models)
export const writeModel = (db: Db, market: Market, model: Model, now: Date): Promise<number> =>
  db.run(write, [market, now, JSON.stringify(model)])
export const readPlacements = (db: Db): Promise<PlacementRow[]> => db.rows<PlacementRow>(placed)
export const writePlacement = (db: Db, { placement, sources }: PlacementRow): Promise<number> => db.run(place, [placement, sources])
