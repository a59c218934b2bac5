import { consentPurposes, consentVersion, isVisitorIdFree, type Consent, type ConsentPurpose } from '@purlin/contract/consent.ts'
import type { Market } from '@purlin/contract/markets.ts'
import { newId, type Db, type JobScope } from '#platform'
import { isIssuedVisitor, newVisitorId } from './issued-visitor.ts'
import { endChoice, isLatestClick, writeChoice, type Click } from './store.ts'
import { keepFromNow, withdraw } from './withdraw.ts'

export interface NewChoice {
  market: Market
  purposes: readonly ConsentPurpose[]
  hasPrivacySignal: boolean
  /** What the cookie allowed until now, and the visitor it was given for: a privacy signal may have come later. */
  given: Consent
  visitorId: string | null
  /** The customer who is signed in; needed only if something is refused. */
  customerId: string | null
  /** False beyond the quota of records: what a visitor refuses takes effect all the same. */
  isRecorded: boolean
  /** True beyond the quota of withdrawals: the browser keeps its id, with which a later page withdraws (`settle`). */
  isPostponed: boolean
  /** Of a script's request: forms have none. */
  click?: Click | undefined
}

export interface Chosen {
  /** The id that the browser keeps; a refusal leaves none. */
  recordId: string | null
  visitorId: string | null
}

/**
 * Records a choice and ends the one before it. What was stored under a withdrawn purpose is deleted by its modules, which the
 * event reaches within seconds. Null for a click that a later one in the same dialog has overtaken, which changes nothing.
 */
export async function choose(scope: JobScope, choice: NewChoice): Promise<Chosen | null> {
  const { db } = scope
  const { market, purposes, hasPrivacySignal, given, visitorId, customerId, isRecorded, isPostponed, click } = choice
  if (click && !(await isLatestClick(db, click))) return null
  const id = isRecorded ? newId() : given.recordId
  const endsId = purposes.length === 0 && !isVisitorIdFree(market)
  const endsVisitor = endsId && visitorId !== null && !isPostponed
  // A refusal whose response got lost has ended the id that the browser brings again: its withdrawal deletes whatever is stored under that.
  const isEnded = given.recordId !== null && (isRecorded || purposes.length === 0) && (await endChoice(db, given.recordId, { endsVisitor }))
  if (id && isRecorded) await writeChoice(db, { id, market, textVersion: consentVersion, purposes, hasPrivacySignal, click })
  const withdrawn = withdrawnBy(choice)
  if (withdrawn.length > 0 && !isPostponed) await withdraw(scope, { visitorId, customerId, withdrawn, endsId })
  if (purposes.length === 0) return { recordId: null, visitorId: isPostponed || isVisitorIdFree(market) ? visitorId : null }
  // An id without a consent names what has lapsed, or what a refusal left to a later choice: whatever is agreed to now, that goes.
  const kept = isEnded || isOver(given, market) ? await renewVisitorId(scope, visitorId) : await issueVisitorId(scope, visitorId)
  // All of them: a choice whose response got lost has withdrawn what this cookie still has.
  if (kept === visitorId) await keepFromNow(scope, kept, purposes)
  return { recordId: id, visitorId: kept }
}

/**
 * The purposes a choice withdraws. One that has expired, or was about another wording, was a consent as well: what was stored under
 * it is still there, and so is what an id names that a refusal left to a later page. What an account stores may come from a consent in any browser of its customer.
 */
export function withdrawnBy({
  given,
  purposes,
  visitorId,
  customerId,
}: Pick<NewChoice, 'given' | 'purposes' | 'visitorId' | 'customerId'>): ConsentPurpose[] {
  if (visitorId === null && customerId === null) return []
  const isGiven = (purpose: ConsentPurpose) => customerId !== null || given.purposes.length === 0 || given.purposes.includes(purpose)
  return consentPurposes.filter((purpose) => !purposes.includes(purpose) && isGiven(purpose))
}

export interface Lapse {
  market: Market
  /** What the cookie allows, and what counts: nothing once the choice has lapsed, and less with a privacy signal. */
  given: Consent
  counting: Consent
  visitorId: string | null
}

/** The purposes that have ended without a choice. */
export function lapsed({ market, given, counting }: Lapse): ConsentPurpose[] {
  return isOver(counting, market) ? [...consentPurposes] : given.purposes.filter((purpose) => !counting.allows(purpose))
}

/** Whether cookies and consent fit, so that there is nothing to settle. */
export function isSettled({ market, given, counting, visitorId }: Lapse): boolean {
  if (given.purposes.length > counting.purposes.length) return false
  return isOver(counting, market) ? visitorId === null : visitorId !== null && isIssuedVisitor(visitorId)
}

type Settling = Lapse & Pick<NewChoice, 'isRecorded'>

/** Withdraws what has lapsed. The browser keeps no id without consent. */
export async function settle(scope: JobScope, lapse: Settling): Promise<Chosen> {
  const { db } = scope
  const { market, given, counting, visitorId } = lapse
  const withdrawn = lapsed(lapse)
  if (visitorId !== null && withdrawn.length > 0)
    await withdraw(scope, { visitorId, customerId: null, withdrawn, endsId: isOver(counting, market) })
  if (!isOver(counting, market)) return { recordId: await recordObjection(db, lapse), visitorId: await issueVisitorId(scope, visitorId) }
  if (given.recordId) await endChoice(db, given.recordId, { endsVisitor: visitorId !== null })
  return { recordId: null, visitorId: null }
}

/** Ends the record of a consent that a privacy signal has narrowed: the new one says what is left, and since when. Returns the id that counts. */
async function recordObjection(db: Db, { market, given, counting, isRecorded }: Settling): Promise<string | null> {
  if (!isRecorded || given.recordId === null || given.purposes.length === counting.purposes.length) return given.recordId
  const id = newId()
  await endChoice(db, given.recordId)
  await writeChoice(db, { id, market, textVersion: consentVersion, purposes: counting.purposes, hasPrivacySignal: true })
  return id
}

const isOver = ({ purposes }: Consent, market: Market) => purposes.length === 0 && !isVisitorIdFree(market)

/** The id itself if this server issued it, else a new one. */
async function issueVisitorId(scope: JobScope, visitorId: string | null): Promise<string> {
  return visitorId !== null && isIssuedVisitor(visitorId) ? visitorId : renewVisitorId(scope, visitorId)
}

/**
 * A new id. Nothing leads from it back to the old one, so what is stored under that is deleted now: a later withdrawal could not.
 */
async function renewVisitorId(scope: JobScope, visitorId: string | null): Promise<string> {
  if (visitorId !== null) await withdraw(scope, { visitorId, customerId: null, withdrawn: consentPurposes, endsId: true })
  return newVisitorId()
}
