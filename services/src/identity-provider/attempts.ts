import { createHash } from 'node:crypto'
import type { Db } from '@purlin/server/foundation/platform/index.ts'
import { TooBusyError } from './later.ts'

/** Allowed attempts: `free` ones first, then with delays that double from `pauseSeconds` to `maxSeconds`. */
export interface Quota {
  free: number
  pauseSeconds: number
  maxSeconds: number
  /** The count restarts after this long without an attempt. */
  windowSeconds: number
  /** The count restarts this long after its first attempt, however many follow: for counts that everybody shares. */
  restarts?: 'by-the-clock'
}

const minute = 60

/**
 * The network's count comes first, and a network that is refused counts for nothing else. Wrong passwords are counted four ways. Per
 * account, from browsers that have never signed in to it: an attacker faces growing delays. Per known browser, and per network once those
 * refuse: strangers cannot lock out the owner. Per network address: slows down an attacker who tries many accounts. Per realm, from
 * everybody's unknown browsers: bounds an attacker with many accounts and many networks.
 */
export const quotas = {
  account: { free: 10, pauseSeconds: 30, maxSeconds: 15 * minute, windowSeconds: 60 * minute },
  /** Of a known browser; and of each network for each account while the counts of strangers refuse. */
  browser: { free: 10, pauseSeconds: 30, maxSeconds: 15 * minute, windowSeconds: 60 * minute },
  address: { free: 50, pauseSeconds: minute, maxSeconds: 30 * minute, windowSeconds: 60 * minute },
  /** Passwords checked although a count of strangers has refused them, by line: each costs a hash, and a line has many networks. */
  refused: { free: 50, pauseSeconds: minute, maxSeconds: 30 * minute, windowSeconds: 60 * minute, restarts: 'by-the-clock' },
  realm: { free: 500, pauseSeconds: 10 * minute, maxSeconds: 10 * minute, windowSeconds: 10 * minute, restarts: 'by-the-clock' },
  /** Forms with a new password, or with the current one of somebody who is signed in: each costs a hash, and may ask a range API. */
  form: { free: 60, pauseSeconds: minute, maxSeconds: 30 * minute, windowSeconds: 60 * minute, restarts: 'by-the-clock' },
  /** Forms with a new password on a page that a mailed link opens, by link: a network does not shut out those who read mails in it. */
  link: { free: 20, pauseSeconds: minute, maxSeconds: 30 * minute, windowSeconds: 60 * minute, restarts: 'by-the-clock' },
  /** Six digits: a million codes, of which three are valid at a time. */
  code: { free: 5, pauseSeconds: minute, maxSeconds: 60 * minute, windowSeconds: 24 * 60 * minute },
  /** Mails of one kind to one recipient: requested by a known browser of theirs, from one network, and by everybody else together. */
  mailOfBrowser: { free: 4, pauseSeconds: 5 * minute, maxSeconds: 60 * minute, windowSeconds: 60 * minute },
  mailOfNetwork: { free: 4, pauseSeconds: 5 * minute, maxSeconds: 60 * minute, windowSeconds: 60 * minute },
  mailTo: { free: 12, pauseSeconds: 5 * minute, maxSeconds: 60 * minute, windowSeconds: 60 * minute },
  mailFrom: { free: 30, pauseSeconds: minute, maxSeconds: 60 * minute, windowSeconds: 60 * minute },
} as const satisfies Record<string, Quota>
export type QuotaName = keyof typeof quotas

// Counted before the outcome is known: each of many concurrent attempts sees the count of those before it.
const attempt = {
  name: 'identity.attempt',
  text: `insert into identity.attempt as a (key, count, since) values ($1, 1, now())
    on conflict (key) do update set
      count = case when a.since < now() - make_interval(secs => $2) then 1 when a.blocked_until > now() then a.count else a.count + 1 end,
      since = case when a.blocked_until > now() or ($6 and a.since >= now() - make_interval(secs => $2)) then a.since else now() end,
      is_refused = coalesce(a.blocked_until > now(), false),
      blocked_until = case
        when a.blocked_until > now() then a.blocked_until
        when a.since < now() - make_interval(secs => $2) or a.count + 1 < $3 then null
        else now() + make_interval(secs => least($5::float, $4 * power(2, least(a.count + 1 - $3, 20)))) end
    returning extract(epoch from blocked_until - now())::float as "blockedSeconds", is_refused as "isRefused"`,
}
const forget = { name: 'identity.attempt-forget', text: 'delete from identity.attempt where key = any($1)' }
// A delay that this attempt brought about ends with it; one that others have earned stays.
const takeBack = {
  name: 'identity.attempt-take-back',
  text: `update identity.attempt set count = greatest(count - 1, 0), blocked_until = case when count - 1 < $2 then null else blocked_until end where key = $1`,
}
const purge = {
  name: 'identity.attempt-purge',
  text: `delete from identity.attempt where ctid = any(array(
    select ctid from identity.attempt where since < now() - interval '1 day' limit $1 for update skip locked))`,
}

export interface Counted {
  quota: QuotaName
  /** The subject of the count: realm and address, device, network, line, link. */
  subject: string
}

/**
 * Counts an attempt; returns the seconds to wait if it is not allowed. The counts follow one another: what the first one refuses uses up
 * nothing of the next.
 */
export async function countAttempt(db: Db, counted: readonly Counted[]): Promise<number | undefined> {
  for (const { quota, subject } of counted) {
    const { free, pauseSeconds, maxSeconds, windowSeconds, restarts }: Quota = quotas[quota]
    const values = [keyOf({ quota, subject }), windowSeconds, free, pauseSeconds, maxSeconds, restarts === 'by-the-clock']
    const row = await db.row<{ blockedSeconds: number | null; isRefused: boolean }>(attempt, values)
    if (row?.isRefused) return Math.max(1, Math.ceil(row.blockedSeconds ?? 1))
  }
  return undefined
}

/** On success the count restarts. */
export async function forgetAttempts(db: Db, counted: readonly Counted[]): Promise<void> {
  await db.run(forget, [counted.map(keyOf)])
}

/** A right password is no guess: the attempt is counted no more, those before it still are. */
export async function takeBackAttempt(db: Db, counted: Counted): Promise<void> {
  await db.run(takeBack, [keyOf(counted), quotas[counted.quota].free])
}

/** A password that was not checked, because too many were waiting, is no attempt. */
export async function unlessBusy<Value>(db: Db, counted: readonly Counted[], check: () => Promise<Value>): Promise<Value> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof TooBusyError) for (const each of counted) await takeBackAttempt(db, each)
    throw error
  }
}

/** Deletes counts that have ended, `most` at most, and returns their number. */
export function purgeAttempts(db: Db, most: number): Promise<number> {
  return db.run(purge, [most])
}

function keyOf({ quota, subject }: Counted): string {
  return createHash('sha256').update(`${quota}\n${subject}`).digest('base64url')
}
