import type { Experiment } from '@purlin/contract/experiments.ts'
import type { Db } from '#platform'

export const states = ['draft', 'running', 'stopped'] as const
export type State = (typeof states)[number]
export interface ExperimentRow {
  campaignId: number
  name: string
  state: State
  definition: Omit<Experiment, 'campaignId' | 'name'>
  /** The broken guardrail that stopped it; null for those that an operator stopped. */
  stoppedBecause: string | null
}

const all = {
  name: 'experiments.all',
  text: `select campaign_id as "campaignId", name, state, definition, stopped_because as "stoppedBecause" from experiments.experiment order by 1`,
}
const put = {
  name: 'experiments.put',
  text: `insert into experiments.experiment (campaign_id, name, state, definition) values ($1, $2, $3, $4)
    on conflict (campaign_id) do update set name = excluded.name, state = excluded.state, definition = excluded.definition,
      stopped_because = null, changed_at = now()`,
}
const held = {
  name: 'experiments.assignments',
  text: 'select campaign_id as "campaignId", variation_id as "variationId" from experiments.assignment where customer_id = $1',
}
const hold = {
  name: 'experiments.assign',
  text: `insert into experiments.assignment (customer_id, campaign_id, variation_id)
    select $1, n.* from unnest($2::int[], $3::int[]) n on conflict do nothing`,
}
const seen = {
  name: 'experiments.expose',
  text: `insert into experiments.exposure (campaign_id, visitor_id, variation_id) values ($1, $2, $3) on conflict do nothing`,
}
const counts = {
  name: 'experiments.exposures',
  text: `select campaign_id as "campaignId", variation_id as "variationId", count(*)::int as visitors from experiments.exposure group by 1, 2`,
}
const seenBy = {
  name: 'experiments.seen-by',
  text: `select visitor_id as "visitorId", variation_id as "variationId", seen_at as "seenAt" from experiments.exposure
    where campaign_id = $1 and ($2::uuid is null or visitor_id > $2) and seen_at > now() - interval '90 days' order by visitor_id limit $3`,
}
const stop = {
  name: 'experiments.stop',
  text: `update experiments.experiment set state = 'stopped', stopped_because = $2, changed_at = now() where campaign_id = $1 and state = 'running'`,
}
const putOutcomes = {
  name: 'experiments.put-outcomes',
  text: `insert into experiments.outcome (campaign_id, variation_id, visitors, added, ordered, left_at_once, met_error)
    select $1, "variationId", visitors, added, ordered, "leftAtOnce", "metError"
    from jsonb_to_recordset($2::jsonb) as o ("variationId" int, visitors int, added int, ordered int, "leftAtOnce" int, "metError" int)
    on conflict (campaign_id, variation_id) do update set visitors = excluded.visitors, added = excluded.added, ordered = excluded.ordered,
      left_at_once = excluded.left_at_once, met_error = excluded.met_error, counted_at = now()`,
}
const outcomes = {
  name: 'experiments.outcomes',
  text: `select campaign_id as "campaignId", variation_id as "variationId", visitors, added, ordered, left_at_once as "leftAtOnce", met_error as "metError"
    from experiments.outcome`,
}
const tidy = { name: 'experiments.tidy', text: "delete from experiments.exposure where seen_at < now() - interval '13 months'" }

export const readExperiments = (db: Db): Promise<ExperimentRow[]> => db.rows<ExperimentRow>(all)
export const writeExperiment = (db: Db, { campaignId, name, state, definition }: Omit<ExperimentRow, 'stoppedBecause'>): Promise<number> =>
  db.run(put, [campaignId, name, state, JSON.stringify(definition)])
export const readHeld = (db: Db, customerId: string) => db.rows<{ campaignId: number; variationId: number }>(held, [customerId])
export const holdAssignments = (db: Db, customerId: string, given: readonly { campaignId: number; variationId: number }[]) =>
  db.run(hold, [customerId, given.map(({ campaignId }) => campaignId), given.map(({ variationId }) => variationId)])
/** False if the visitor has been counted before. */
export const writeExposure = async (db: Db, campaignId: number, visitorId: string, variationId: number): Promise<boolean> =>
  (await db.run(seen, [campaignId, visitorId, variationId])) > 0
export const countExposures = (db: Db) => db.rows<{ campaignId: number; variationId: number; visitors: number }>(counts)
export interface Exposure {
  visitorId: string
  variationId: number
  seenAt: Date
}
/** In the order of visitors, from the one after `after` on. */
export const readExposures = (db: Db, campaignId: number, { after, limit }: { after: string | null; limit: number }) =>
  db.rows<Exposure>(seenBy, [campaignId, after, limit])
export interface OutcomeRow {
  variationId: number
  visitors: number
  added: number
  ordered: number
  leftAtOnce: number
  metError: number
}
export const writeOutcomes = (db: Db, campaignId: number, rows: readonly OutcomeRow[]) =>
  db.run(putOutcomes, [campaignId, JSON.stringify(rows)])
export const readOutcomes = (db: Db) => db.rows<OutcomeRow & { campaignId: number }>(outcomes)
export const stopExperiment = (db: Db, campaignId: number, because: string) => db.run(stop, [campaignId, because])
export const deleteOldExposures = (db: Db) => db.run(tidy)

const removeOf = { name: 'experiments.remove-customer', text: 'delete from experiments.assignment where customer_id = $1' }
export const removeAssignmentsOf = (db: Db, customerId: string): Promise<number> => db.run(removeOf, [customerId])

const forget = { name: 'experiments.forget', text: 'delete from experiments.exposure where visitor_id = $1' }
export const forgetExposures = (db: Db, visitorId: string): Promise<number> => db.run(forget, [visitorId])
