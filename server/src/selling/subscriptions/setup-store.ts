import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { SubscriptionPeriod } from './plan.ts'

/** What the page says next to the fields of a first card: its price follows from market and period. */
export interface Promised {
  market: Market
  period: SubscriptionPeriod
  hasTrial: boolean
}

export interface Setup {
  id: string
  subscriptionId: string
  state: 'requested' | 'open' | 'done' | 'failed'
  reference: string | null
  frameUrl: string | null
  failure: string | null
  createdAt: Date
  /** Null for another card of a subscription that has begun. */
  promised: Promised | null
  /** Of another card: whether the provider's button says that an overdue charge is paid with it. Null for a first one, and from before it was stored. */
  pays: boolean | null
}

const columns = `id, subscription_id as "subscriptionId", state, reference, frame_url as "frameUrl", failure, created_at as "createdAt",
  case when period is not null then json_build_object('market', market, 'period', period, 'hasTrial', has_trial) end as promised, pays`
const byId = { name: 'subscriptions.setup', text: `select ${columns} from subscriptions.setup where id = $1` }
const newest = 'order by created_at desc, id desc limit 1'
const latest = {
  name: 'subscriptions.latest-setup',
  text: `select ${columns} from subscriptions.setup
    where subscription_id = $1 and (market, period, has_trial) is not distinct from ($2::text, $3::text, $4::boolean)
      and pays is not distinct from $5::boolean ${newest}`,
}
/**
 * SQL: the latest setup that promises what a subscription, selected as `found`, says now, as JSON; `setupFromJson` parses it. Those from
 * before promises were stored are taken for ones that do.
 */
export const latestSetupJson = `(select row_to_json(setup) from (
  select ${columns} from subscriptions.setup where subscription_id = found.id and (period is null and (pays is null or pays = (found.state = 'past-due'))
    or found.state = 'incomplete' and (market, period, has_trial) = (found.market, found.period, found."hasTrial")) ${newest}) setup)`
const insert = {
  name: 'subscriptions.insert-setup',
  text: `insert into subscriptions.setup (id, subscription_id, state, created_at, market, period, has_trial, pays)
    values ($1, $2, 'requested', $3, $4, $5, $6, $7)`,
}
const write = {
  name: 'subscriptions.write-setup',
  text: `update subscriptions.setup set state = $2, reference = $3, frame_url = $4, failure = $5 where id = $1 and state in ('requested', 'open')`,
}
const unfinished = {
  name: 'subscriptions.unfinished-setups',
  text: `select id from subscriptions.setup where state in ('requested', 'open') and created_at between $1 and $2 order by created_at limit 100`,
}

export function readSetup(db: Db, id: string): Promise<Setup | undefined> {
  return db.row<Setup>(byId, [id])
}
/** The latest setup of a subscription with this promise and this button. */
export function readLatestSetup(
  db: Db,
  subscriptionId: string,
  { promised, pays }: Pick<Setup, 'promised' | 'pays'>,
): Promise<Setup | undefined> {
  return db.row<Setup>(latest, [subscriptionId, ...columnsOf(promised), pays])
}
const columnsOf = (promised: Promised | null) => [promised?.market ?? null, promised?.period ?? null, promised?.hasTrial ?? null]
export function setupFromJson(setup: Setup | null): Setup | undefined {
  return setup ? { ...setup, createdAt: new Date(setup.createdAt) } : undefined
}
export async function insertSetup(
  db: Db,
  { id, subscriptionId, createdAt, promised, pays }: Pick<Setup, 'id' | 'subscriptionId' | 'createdAt' | 'promised' | 'pays'>,
): Promise<void> {
  await db.run(insert, [id, subscriptionId, createdAt, ...columnsOf(promised), pays])
}
/** False when it was finished before. */
export async function writeSetup(
  db: Db,
  { id, state, reference, frameUrl, failure }: Omit<Setup, 'subscriptionId' | 'createdAt' | 'promised' | 'pays'>,
): Promise<boolean> {
  return (await db.run(write, [id, state, reference, frameUrl, failure])) === 1
}
/** Cards that were being entered within this time: for customers who never came back to the page. */
export async function readUnfinished(db: Db, { from, to }: { from: Date; to: Date }): Promise<string[]> {
  return (await db.rows<{ id: string }>(unfinished, [from, to])).map(({ id }) => id)
}
