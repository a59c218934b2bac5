import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'

export interface Asked {
  id: string
  email: string
  emailHash: string
  market: Market
  mode: Mode
  confirmHash: string
  token: string
  wording: string
  at: Date
}

const ask = {
  name: 'newsletter.ask',
  text: `insert into newsletter.subscription as s (id, email, email_hash, market, mode, state, confirm_hash, token, wording, asked_at)
    values ($1, $2, $3, $4, $5, 'asked', $6, $7, $8, $9)
    on conflict (email_hash, market, mode) do update
    set email = excluded.email, state = 'asked', confirm_hash = excluded.confirm_hash, token = excluded.token, wording = excluded.wording,
      asked_at = excluded.asked_at, confirmed_at = null, ended_at = null
    where s.state = 'ended' or (s.state = 'asked' and s.asked_at <= excluded.asked_at - interval '7 days') returning id`,
}

/** Stores a request; false when the address is subscribed already, or has a request whose link still works. */
export async function askToConfirm(db: Db, asked: Asked): Promise<boolean> {
  const { id, email, emailHash, market, mode, confirmHash, token, wording, at } = asked
  return (await db.row(ask, [id, email, emailHash, market, mode, confirmHash, token, wording, at])) !== undefined
}

const confirm = {
  name: 'newsletter.confirm',
  text: `update newsletter.subscription set state = 'confirmed', confirmed_at = now(), confirm_hash = null
    where confirm_hash = $1 and state = 'asked' and asked_at > now() - interval '7 days'
    returning id, email, market, mode, token`,
}

export function confirmAsked(
  db: Db,
  confirmHash: string,
): Promise<{ id: string; email: string; market: Market; mode: Mode; token: string } | undefined> {
  return db.row(confirm, [confirmHash])
}

const confirmed = {
  name: 'newsletter.confirmed',
  text: `select id, email, token from newsletter.subscription
    where state = 'confirmed' and email is not null and market = $1 and mode = $2 and ($3::uuid is null or id > $3) order by id limit $4`,
}

export function readConfirmed(
  db: Db,
  { market, mode, after, limit }: { market: Market; mode: Mode; after: string | null; limit: number },
): Promise<{ id: string; email: string; token: string }[]> {
  return db.rows(confirmed, [market, mode, after, limit])
}

const end = {
  name: 'newsletter.end',
  text: `update newsletter.subscription set state = 'ended', ended_at = now(), email = null, confirm_hash = null where token = $1 and state <> 'ended'`,
}

export async function endByToken(db: Db, token: string): Promise<void> {
  await db.run(end, [token])
}

const remove = {
  name: 'newsletter.remove',
  text: `delete from newsletter.subscription where email_hash = $1 and asked_at <= coalesce($2, 'infinity'::timestamptz) returning id`,
}

const ofEmail = {
  name: 'newsletter.of-email',
  text: `select email, market, mode, state, wording, asked_at as "askedAt", confirmed_at as "confirmedAt", ended_at as "endedAt"
    from newsletter.subscription where email_hash = $1 and asked_at <= coalesce($2, 'infinity'::timestamptz) order by asked_at, id`,
}

export interface OwnSubscription {
  email: string | null
  market: Market
  mode: Mode
  state: 'asked' | 'confirmed' | 'ended'
  wording: string
  askedAt: Date
  confirmedAt: Date | null
  endedAt: Date | null
}

export function readByEmail(db: Db, emailHash: string, until: Date | null): Promise<OwnSubscription[]> {
  return db.rows<OwnSubscription>(ofEmail, [emailHash, until])
}

/** Everything about an address whose account is erased. Returns the ids of the subscriptions. */
export async function removeByEmail(db: Db, emailHash: string, until: Date | null): Promise<string[]> {
  return (await db.rows<{ id: string }>(remove, [emailHash, until])).map(({ id }) => id)
}

const forget = {
  name: 'newsletter.forget',
  text: `delete from newsletter.subscription where (state = 'asked' and asked_at < now() - interval '7 days')
      or (state = 'ended' and ended_at < now() - interval '3 years')`,
}

/** Requests nobody confirmed, and proof that is no longer needed. */
export async function forgetOld(db: Db): Promise<void> {
  await db.run(forget)
}

export interface SubscriptionCount {
  market: Market
  asked: number
  confirmed: number
  ended: number
}

const count = {
  name: 'newsletter.count',
  text: `select market, (count(*) filter (where state = 'asked'))::int as asked, (count(*) filter (where state = 'confirmed'))::int as confirmed,
      (count(*) filter (where state = 'ended'))::int as ended from newsletter.subscription group by market order by market`,
}

export function countSubscriptions(db: Db): Promise<SubscriptionCount[]> {
  return db.rows<SubscriptionCount>(count)
}
