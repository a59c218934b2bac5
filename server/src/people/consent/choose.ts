import { consentPurposes, consentVersion, isVisitorIdFree, type Consent, type ConsentPurpose } from '@purlin/contract/consent.ts'
import type { Market } from '@purlin/contract/markets.ts'
import { newId, type JobScope } from '#platform'
import { isIssuedVisitor, newVisitorId } from './issued-visitor.ts'
import { endChoice, writeChoice } from './store.ts'

export interface NewChoice {
  market: Market
  purposes: readonly ConsentPurpose[]
  /** The consent that counted until now, and the visitor it was given for. */
  before: Consent
  visitorId: string | null
  /** The customer who is signed in; asked only if something is refused. */
  customerId: () => Promise<string | null>
}

export interface Chosen {
  /** The id that the browser keeps; a refusal leaves none. */
  recordId: string | null
  visitorId: string | null
}

/**
 * Records a choice and ends the one before it. What was stored under a withdrawn purpose is deleted by its modules, which the
 * event reaches within seconds.
 */
export async function choose({ db, emit }: JobScope, { market, purposes, before, visitorId, customerId }: NewChoice): Promise<Chosen> {
  if (before.recordId) await endChoice(db, before.recordId)
  const id = newId()
  await writeChoice(db, { id, market, textVersion: consentVersion, purposes, hasPrivacySignal: before.hasPrivacySignal })
  const refused = consentPurposes.filter((purpose) => !purposes.includes(purpose))
  const customer = refused.length > 0 ? await customerId() : null
  // A choice that has expired, or was about another wording, was a consent as well: what was stored under it is still there. What an
  // account stores may come from a consent in any browser of its customer.
  const isGiven = (purpose: ConsentPurpose) => customer !== null || !before.isDecided || before.purposes.includes(purpose)
  const withdrawn = refused.filter(isGiven)
  if (withdrawn.length > 0 && (visitorId !== null || customer !== null))
    emit('consent.withdrawn', { visitorId, customerId: customer, withdrawn })
  if (purposes.length > 0) return { recordId: id, visitorId: issueVisitorId({ emit }, visitorId) }
  return { recordId: null, visitorId: isVisitorIdFree(market) ? visitorId : null }
}

/**
 * The id itself if this server issued it, else a new one. Nothing leads from that back to the old id, so what is stored under the
 * old one is deleted now: a later withdrawal could not.
 */
export function issueVisitorId({ emit }: Pick<JobScope, 'emit'>, visitorId: string | null): string {
  if (visitorId !== null && isIssuedVisitor(visitorId)) return visitorId
  if (visitorId !== null) emit('consent.withdrawn', { visitorId, customerId: null, withdrawn: [...consentPurposes] })
  return newVisitorId()
}
