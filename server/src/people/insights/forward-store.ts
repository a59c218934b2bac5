import type { ConsentPurpose } from '@purlin/contract/consent.ts'
import type { Db } from '#platform'
import type { ForwardedEvent } from './forwarded-event.ts'
import { isBeforeWithdrawal } from './withdrawal-store.ts'

/** How far a service has received events; the time as Postgres writes it, which has microseconds. */
export interface Position {
  receivedAt: string
  eventId: string
}

const position = {
  name: 'insights.forwarded',
  text: `select received_at::text as "receivedAt", event_id as "eventId" from insights.forwarded where service = $1`,
}
const setPosition = {
  name: 'insights.set-forwarded',
  text: `insert into insights.forwarded (service, received_at, event_id) values ($1, coalesce($2::timestamptz, now()), coalesce($3::uuid, '00000000-0000-0000-0000-000000000000'))
    on conflict (service) do update set received_at = excluded.received_at, event_id = excluded.event_id`,
}

export const readPosition = (db: Db, service: string): Promise<Position | undefined> => db.row<Position>(position, [service])
/** Without a position the service begins with what arrives from now on: nothing was agreed to before. */
export const writePosition = (db: Db, service: string, at?: Position): Promise<number> =>
  db.run(setPosition, [service, at?.receivedAt ?? null, at?.eventId ?? null])

export interface NewEvent extends Position {
  day: string
  visitorId: string | null
  name: string
  purposes: ConsentPurpose[]
}

// A write that takes longer than this would be passed over; statements are ended much earlier. And what was stored after a withdrawal is
// deleted two minutes after it: nothing is sent before.
const newest = `now() - interval '3 minutes'`
const after = {
  name: 'insights.received-after',
  text: `select day::text, id as "eventId", received_at::text as "receivedAt", visitor_id as "visitorId", name, purposes from insights.event
    where (received_at, id) > ($1::timestamptz, $2::uuid) and received_at > now() - interval '1 day' and received_at < ${newest}
    order by received_at, id limit $3`,
}

/** Events of the last day that arrived after a position. */
export const readReceived = (db: Db, { receivedAt, eventId }: Position, limit: number): Promise<NewEvent[]> =>
  db.rows<NewEvent>(after, [receivedAt, eventId, limit])

const toSend = {
  name: 'insights.to-forward',
  text: `select e.id, e.name, e.market, e.mode, e.visitor_id as "visitorId", e.visit_id as "visitId", e.page_name as "pageName", e.page_type as "pageType",
      e.device, e.purposes, e.data, e.at, case when p.transaction is not null
        then json_build_object('transaction', p.transaction, 'amount', p.amount, 'currency', p.currency) end as purchase
    from unnest($1::date[], $2::uuid[]) as n (day, id) join insights.event e on e.day = n.day and e.id = n.id
    left join insights.purchase p on e.name = 'page_view' and e.page_name = 'orderRecap' and p.market = e.market
      and p.transaction = coalesce(e.data ->> 'transaction', e.data ->> 'view_transaction')
    where e.visitor_id is not null and e.purposes @> $3::text[] and e.at > now() - interval '3 days'
      and not exists (select from insights.withdrawal w where w.purpose = any(e.purposes) and ${isBeforeWithdrawal})
    order by e.at, e.id`,
}

/** Of these events those that may still be sent: a withdrawal has deleted the others, or taken a purpose from them. */
export const readToForward = (
  db: Db,
  events: readonly (readonly [day: string, id: string])[],
  purposes: readonly ConsentPurpose[],
): Promise<ForwardedEvent[]> => db.rows<ForwardedEvent>(toSend, [events.map(([day]) => day), events.map(([, id]) => id), purposes])

const noteVisitors = {
  name: 'insights.note-sent',
  text: `insert into insights.sent_visitor (service, visitor_id) select distinct $1, v from unnest($2::uuid[]) as v
    on conflict (service, visitor_id) do update set at = now() where sent_visitor.at < now() - interval '30 days'`,
}
export const noteSent = (db: Db, service: string, visitorIds: readonly string[]): Promise<number> =>
  visitorIds.length === 0 ? Promise.resolve(0) : db.run(noteVisitors, [service, visitorIds])

const sentTo = {
  name: 'insights.sent-to',
  text: 'select service from insights.sent_visitor where visitor_id = $1',
}
/** Services that had events of a visitor, be it after a withdrawal: their note is written minutes after the events, and a recall tells its time. */
export const readServicesSent = async (db: Db, visitorId: string): Promise<string[]> =>
  (await db.rows<{ service: string }>(sentTo, [visitorId])).map(({ service }) => service)

// What is left of a visitor's events came with a new consent, and may have been sent under the same note.
const forgetSentTo = {
  name: 'insights.forget-sent',
  text: 'delete from insights.sent_visitor where visitor_id = $1 and not exists (select from insights.event where visitor_id = $1)',
}
export const forgetSent = (db: Db, visitorId: string): Promise<number> => db.run(forgetSentTo, [visitorId])

// Services keep events no longer than Google Analytics does at most.
const trimSent = { name: 'insights.trim-sent', text: `delete from insights.sent_visitor where at < now() - interval '14 months'` }
export const deleteOldSent = (db: Db): Promise<number> => db.run(trimSent)

const notePurchase = {
  name: 'insights.note-purchase',
  text: 'insert into insights.purchase (transaction, market, amount, currency) values ($1, $2, $3, $4) on conflict do nothing',
}
export interface Purchase {
  transaction: string
  market: string
  amount: number
  currency: string
}
export const writePurchase = (db: Db, { transaction, market, amount, currency }: Purchase): Promise<number> =>
  db.run(notePurchase, [transaction, market, amount, currency])

export const purchaseDays = 4
const trim = { name: 'insights.trim-purchases', text: `delete from insights.purchase where at < now() - interval '${purchaseDays} days'` }
export const deleteOldPurchases = (db: Db): Promise<number> => db.run(trim)

const removePurposes = {
  name: 'insights.remove-purposes',
  text: `update insights.event set purposes = array(select unnest(purposes) except select unnest($2::text[])),
      data = case when 'personalisedAdvertising' = any ($2) then data - 'clickId' else data end
    where visitor_id = $1 and purposes && $2::text[] and coalesce(arrived_at, received_at) <= coalesce($3::timestamptz, 'infinity')`,
}
/** Takes withdrawn purposes from a visitor's events until then, so that nothing more is sent under them. */
export const removePurposesOf = (db: Db, visitorId: string, withdrawn: readonly ConsentPurpose[], until?: string): Promise<number> =>
  db.run(removePurposes, [visitorId, withdrawn, until ?? null])
