import type { Db } from '#platform'

export interface Setup {
  id: string
  subscriptionId: string
  state: 'requested' | 'open' | 'done' | 'failed'
  reference: string | null
  frameUrl: string | null
  failure: string | null
  createdAt: Date
}

const columns = `id, subscription_id as "subscriptionId", state, reference, frame_url as "frameUrl", failure, created_at as "createdAt"`
const byId = { name: 'subscriptions.setup', text: `select ${columns} from subscriptions.setup where id = $1` }
const latest = {
  name: 'subscriptions.latest-setup',
  text: `select ${columns} from subscriptions.setup where subscription_id = $1 order by created_at desc, id desc limit 1`,
}
/** SQL: the latest setup of a subscription as JSON; `setupFromJson` parses it. */
export const latestSetupJson = (subscription: string) => `(select row_to_json(setup) from (
  select ${columns} from subscriptions.setup where subscription_id = ${subscription} order by created_at desc, id desc limit 1) setup)`
const insert = {
  name: 'subscriptions.insert-setup',
  text: `insert into subscriptions.setup (id, subscription_id, state, created_at) values ($1, $2, 'requested', $3)`,
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
export function readLatestSetup(db: Db, subscriptionId: string): Promise<Setup | undefined> {
  return db.row<Setup>(latest, [subscriptionId])
}
export function setupFromJson(setup: Setup | null): Setup | undefined {
  return setup ? { ...setup, createdAt: new Date(setup.createdAt) } : undefined
}
export async function insertSetup(db: Db, setup: { id: string; subscriptionId: string; createdAt: Date }): Promise<void> {
  await db.run(insert, [setup.id, setup.subscriptionId, setup.createdAt])
}
/** False when it was finished before. */
export async function writeSetup(
  db: Db,
  { id, state, reference, frameUrl, failure }: Omit<Setup, 'subscriptionId' | 'createdAt'>,
): Promise<boolean> {
  return (await db.run(write, [id, state, reference, frameUrl, failure])) === 1
}
/** Cards that were being entered within this time: for customers who never came back to the page. */
export async function readUnfinished(db: Db, { from, to }: { from: Date; to: Date }): Promise<string[]> {
  return (await db.rows<{ id: string }>(unfinished, [from, to])).map(({ id }) => id)
}
