import type { ConsentPurpose } from '@purlin/contract/consent.ts'
import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'

export interface Choice {
  id: string
  market: Market
  textVersion: string
  purposes: readonly ConsentPurpose[]
  hasPrivacySignal: boolean
  click?: Click | undefined
}

/** A click in the dialog of a page: requests of several may be handled in another order. */
export interface Click {
  /** Drawn when the dialog opens; it names nobody. */
  dialog: string
  number: number
}

const insert = {
  name: 'consent.write',
  text: `insert into consent.choice (id, market, text_version, purposes, has_privacy_signal, dialog, click) values ($1, $2, $3, $4, $5, $6, $7)`,
}

export async function writeChoice(db: Db, { id, market, textVersion, purposes, hasPrivacySignal, click }: Choice): Promise<void> {
  await db.run(insert, [id, market, textVersion, purposes, hasPrivacySignal, click?.dialog ?? null, click?.number ?? null])
}

const turn = { name: 'consent.take-turn', text: `select pg_advisory_xact_lock(hashtextextended('consent.dialog ' || $1, 0))` }
const later = {
  name: 'consent.later-click',
  text: `select true as "isLate" from consent.choice where dialog = $1 and click > $2 limit 1`,
}
const replaceEarlier = {
  name: 'consent.replace-earlier-clicks',
  text: `update consent.choice set replaced_at = coalesce(replaced_at, now()) where dialog = $1 and click < $2`,
}

/**
 * Ends the records of earlier clicks in the same dialog, whose responses the browser no longer waits for. Requests about one dialog take turns.
 * @returns false if a later click has been recorded: this one counts no more
 */
export async function isLatestClick(db: Db, { dialog, number }: Click): Promise<boolean> {
  await db.run(turn, [dialog])
  if (await db.row(later, [dialog, number])) return false
  await db.run(replaceEarlier, [dialog, number])
  return true
}

const replace = {
  name: 'consent.replace',
  text: `update consent.choice set replaced_at = coalesce(replaced_at, now()), has_ended_visitor = coalesce(has_ended_visitor, false) or $2
    where id = $1 returning has_ended_visitor as "hasEndedVisitor"`,
}

/**
 * Ends the record of a consent; with `endsVisitor`, its visitor id ends as well.
 * @returns whether the id has ended, now or before
 */
export async function endChoice(db: Db, id: string, { endsVisitor = false } = {}): Promise<boolean> {
  return (await db.row<{ hasEndedVisitor: boolean }>(replace, [id, endsVisitor]))?.hasEndedVisitor ?? false
}

const forget = {
  name: 'consent.forget',
  text: `delete from consent.choice where market = $1
    and (replaced_at < now() - make_interval(days => $2) or at < now() - make_interval(days => $2 + $3)
      or (purposes = '{}' and at < now() - interval '90 days'))`,
}

/** Deletes proof that is no longer needed. Refusals prove nothing and are only counted, for 90 days. */
export async function forgetChoices(db: Db, market: Market, proofDays: number, choiceDays: number): Promise<void> {
  await db.run(forget, [market, proofDays, choiceDays])
}

export interface DayOfChoices {
  market: Market
  choices: number
  refused: number
  statistics: number
  personalisedAdvertising: number
  userPreferences: number
}

const count = {
  name: 'consent.count',
  text: `select market, count(*)::int as choices, (count(*) filter (where purposes = '{}'))::int as refused,
      (count(*) filter (where 'statistics' = any(purposes)))::int as statistics,
      (count(*) filter (where 'personalisedAdvertising' = any(purposes)))::int as "personalisedAdvertising",
      (count(*) filter (where 'userPreferences' = any(purposes)))::int as "userPreferences"
    from consent.choice where at > now() - make_interval(days => $1) and replaced_at is null group by market order by market`,
}

/** Choices of the last days by market; of those with a record that a later choice, or a privacy signal, has ended, the later one alone. */
export function countChoices(db: Db, days: number): Promise<DayOfChoices[]> {
  return db.rows<DayOfChoices>(count, [days])
}
