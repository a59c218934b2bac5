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
  /** The time of its last change of state or definition. */
  changedAt: Date
}

const all = {
  name: 'experiments.all',
  text: `select campaign_id as "campaignId", name, state, definition, stopped_because as "stoppedBecause", changed_at as "changedAt" from experiments.experiment order by 1`,
}
const put = {
  name: 'experiments.put',
  text: `insert into experiments.experiment (campaign_id, name, state, definition) values ($1, $2, $3, $4)
    on conflict (campaign_id) do update set name = excluded.name, state = excluded.state, definition = excluded.definition,
      stopped_because = null, changed_at = now()`,
}
const held = {
  name: 'experiments.customer',
  text: 'select unit, since from experiments.customer where customer_id = $1',
}
// Two devices that are first at the same time get the same.
const hold = {
  name: 'experiments.hold',
  text: `insert into experiments.customer (customer_id, unit) values ($1, $2)
    on conflict (customer_id) do update set unit = experiments.customer.unit returning unit`,
}
const seen = {
  name: 'experiments.expose',
  text: `insert into experiments.exposure (campaign_id, visitor_id, variation_id, unit, network) values ($1, $2, $3, $4, $5) on conflict do nothing`,
}
const counts = {
  name: 'experiments.exposures',
  text: `select campaign_id as "campaignId", variation_id as "variationId", count(distinct coalesce(unit, visitor_id))::int as visitors
    from experiments.exposure group by 1, 2`,
}
const shared = {
  name: 'experiments.shared-units',
  text: 'select distinct unit from experiments.exposure where campaign_id = $1 and unit is not null',
}
const seenBy = {
  name: 'experiments.seen-by',
  text: `select visitor_id as "visitorId", variation_id as "variationId", seen_at as "seenAt", unit, network from experiments.exposure
    where campaign_id = $1 and ($2::uuid is null or visitor_id > $2) and seen_at > now() - interval '90 days' order by visitor_id limit $3`,
}
const stop = {
  name: 'experiments.stop',
  text: `update experiments.experiment set state = 'stopped', stopped_because = $2, changed_at = now() where campaign_id = $1 and state = 'running'`,
}
const putOutcomes = {
  name: 'experiments.put-outcomes',
  text: `insert into experiments.outcome (campaign_id, variation_id, visitors, added, ordered, left_at_once, met_error, harm)
    select $1, "variationId", visitors, added, ordered, "leftAtOnce", "metError", harm
    from jsonb_to_recordset($2::jsonb) as o ("variationId" int, visitors int, added int, ordered int, "leftAtOnce" int, "metError" int, harm text)
    on conflict (campaign_id, variation_id) do update set visitors = excluded.visitors, added = excluded.added, ordered = excluded.ordered,
      left_at_once = excluded.left_at_once, met_error = excluded.met_error, harm = excluded.harm, counted_at = now()`,
}
const outcomes = {
  name: 'experiments.outcomes',
  text: `select campaign_id as "campaignId", variation_id as "variationId", visitors, added, ordered, left_at_once as "leftAtOnce", met_error as "metError", harm
    from experiments.outcome`,
}
const tidy = { name: 'experiments.tidy', text: "delete from experiments.exposure where seen_at < now() - interval '13 months'" }

export const readExperiments = (db: Db): Promise<ExperimentRow[]> => db.rows<ExperimentRow>(all)
export const writeExperiment = (
  db: Db,
  { campaignId, name, state, definition }: Omit<ExperimentRow, 'stoppedBecause' | 'changedAt'>,
): Promise<number> => db.run(put, [campaignId, name, state, JSON.stringify(definition)])
/** The visitor whose assignments a customer has on every device. */
export const readUnit = (db: Db, customerId: string) => db.row<{ unit: string; since: Date }>(held, [customerId])
/** The unit of a customer, which is this one if they have none yet. */
export const holdUnit = async (db: Db, customerId: string, unit: string): Promise<string> =>
  (await db.row<{ unit: string }>(hold, [customerId, unit]))?.unit ?? unit
export interface NewExposure {
  campaignId: number
  visitorId: string
  variationId: number
  /** Of a signed-in customer. */
  unit: string | null
  network: number
}
/** False if the visitor has been counted before. */
export const writeExposure = async (db: Db, { campaignId, visitorId, variationId, unit, network }: NewExposure): Promise<boolean> =>
  (await db.run(seen, [campaignId, visitorId, variationId, unit, network])) > 0
/** Units of signed-in customers, who may have several devices. */
export const readSharedUnits = async (db: Db, campaignId: number): Promise<string[]> =>
  (await db.rows<{ unit: string }>(shared, [campaignId])).map(({ unit }) => unit)
export const countExposures = (db: Db) => db.rows<{ campaignId: number; variationId: number; visitors: number }>(counts)
export interface Exposure {
  visitorId: string
  variationId: number
  seenAt: Date
  unit: string | null
  network: number | null
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
  /** What it makes worse than the control, as far as guardrails can tell. */
  harm: string | null
}
export const writeOutcomes = (db: Db, campaignId: number, rows: readonly OutcomeRow[]) =>
  db.run(putOutcomes, [campaignId, JSON.stringify(rows)])
export const readOutcomes = (db: Db) => db.rows<OutcomeRow & { campaignId: number }>(outcomes)
export const stopExperiment = (db: Db, campaignId: number, because: string) => db.run(stop, [campaignId, because])
export const deleteOldExposures = (db: Db) => db.run(tidy)

const mine = {
  name: 'experiments.of-customer',
  text: 'select campaign_id as "campaignId", variation_id as "variationId" from experiments.assignment where customer_id = $1',
}
const seenWithUnit = {
  name: 'experiments.seen-by-customer',
  text: `select e.campaign_id as "campaignId", e.variation_id as "variationId", e.seen_at as "seenAt" from experiments.exposure e
    join experiments.customer c on c.unit = e.unit where c.customer_id = $1 order by e.seen_at, e.campaign_id`,
}
/** What is stored about a customer: their unit, the variations seen with it, and those that an earlier release stored. */
export const readAssignments = async (db: Db, customerId: string) => [
  ...(await db.rows<{ unit: string; since: Date }>(held, [customerId])),
  ...(await db.rows<{ campaignId: number; variationId: number; seenAt: Date }>(seenWithUnit, [customerId])),
  ...(await db.rows<{ campaignId: number; variationId: number }>(mine, [customerId])),
]

const removeOf = {
  name: 'experiments.remove-customer',
  text: `with old as (delete from experiments.assignment where customer_id = $1 and assigned_at <= coalesce($2::timestamptz, 'infinity'))
    delete from experiments.customer where customer_id = $1 and since <= coalesce($2::timestamptz, 'infinity')`,
}
export const removeCustomer = (db: Db, customerId: string, until?: string): Promise<number> => db.run(removeOf, [customerId, until ?? null])

// What other devices of the customer saw stays, without the way to this one.
const forget = {
  name: 'experiments.forget',
  text: `with until as (select coalesce($2::timestamptz, 'infinity') as at),
      seen as (delete from experiments.exposure using until where visitor_id = $1 and seen_at <= until.at), others as (
      update experiments.exposure set unit = null from until where unit = $1 and visitor_id <> $1 and seen_at <= until.at
    ) delete from experiments.customer using until where unit = $1 and since <= until.at`,
}
export const forgetVisitor = (db: Db, visitorId: string, until?: string): Promise<number> => db.run(forget, [visitorId, until ?? null])
