import type { PostalAddress } from '#addresses'
import type { Db } from '#platform'
import type { Appointment, Collection, CollectionState } from './collection.ts'

const columns = `request_id::text as "requestId", state, day::text, slot, address, round, booked_round as "bookedRound"`

const insert = {
  name: 'returns.offer-collection',
  text: `insert into returns.collection (request_id, state, day, slot, address) values ($1, 'offered', $2, $3, $4) on conflict do nothing`,
}
export async function insertCollection(db: Db, requestId: string, { day, slot }: Appointment, address: PostalAddress): Promise<void> {
  await db.run(insert, [requestId, day, slot, JSON.stringify(address)])
}

const one = { name: 'returns.collection', text: `select ${columns} from returns.collection where request_id = $1` }
const oneLocked = { name: 'returns.collection-locked', text: `${one.text} for update` }
export function readCollection(db: Db, requestId: string): Promise<Collection | undefined> {
  return db.row(one, [requestId])
}
export function lockCollection(db: Db, requestId: string): Promise<Collection | undefined> {
  return db.row(oneLocked, [requestId])
}

const change = {
  name: 'returns.change-collection',
  text: `update returns.collection set state = $2, day = $3, slot = $4, address = $5, round = $6, booked_round = $7, updated_at = now()
    where request_id = $1`,
}
export async function writeCollection(db: Db, { requestId, state, day, slot, address, round, bookedRound }: Collection): Promise<void> {
  await db.run(change, [requestId, state satisfies CollectionState, day, slot, JSON.stringify(address), round, bookedRound])
}
