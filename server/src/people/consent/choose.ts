import { consentRules, consentVersion, type Consent, type ConsentPurpose } from '@purlin/contract/consent.ts'
import type { Market } from '@purlin/contract/markets.ts'
import { newId, type JobScope } from '#platform'
import { endChoice, writeChoice } from './store.ts'

export interface NewChoice {
  market: Market
  purposes: readonly ConsentPurpose[]
  /** The consent that counted until now, and the visitor it was given for. */
  before: Consent
  visitorId: string | null
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
export async function choose({ db, emit }: JobScope, { market, purposes, before, visitorId }: NewChoice): Promise<Chosen> {
  if (before.recordId) await endChoice(db, before.recordId)
  const id = newId()
  await writeChoice(db, { id, market, textVersion: consentVersion, purposes, hasPrivacySignal: before.hasPrivacySignal })
  const withdrawn = before.purposes.filter((purpose) => !purposes.includes(purpose))
  if (withdrawn.length > 0 && visitorId) emit('consent.withdrawn', { visitorId, withdrawn })
  if (purposes.length > 0) return { recordId: id, visitorId: visitorId ?? crypto.randomUUID() }
  return { recordId: null, visitorId: consentRules[market].isVisitorIdFree ? visitorId : null }
}
