import type { ConsentPurpose } from '@purlin/contract/consent.ts'
import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'

export interface Choice {
  id: string
  market: Market
  textVersion: string
  purposes: readonly ConsentPurpose[]
  hasPrivacySignal: boolean
}

const insert = {
  name: 'consent.write',
  text: `insert into consent.choice (id, market, text_version, purposes, has_privacy_signal) values ($1, $2, $3, $4, $5)`,
}

export async function writeChoice(db: Db, { id, market, textVersion, purposes, hasPrivacySignal }: Choice): Promise<void> {
  await db.run(insert, [id, market, textVersion, purposes, hasPrivacySignal])
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
