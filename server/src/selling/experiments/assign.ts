import { assignmentsOf, isTargeted, type Experiment, type Participant } from '@purlin/contract/experiments.ts'
import { consentOf, visitorIdOf } from '@purlin/contract/consent.ts'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import { customerIn } from './customer-cookie.ts'
import { runningExperiments } from './running.ts'

export interface Given {
  campaignId: number
  variationId: number
  type: Experiment['type']
}

/** Variations of a participant: computed, nothing is stored. */
export function assign(participant: Participant): Given[] {
  return assignmentsOf(runningExperiments(), participant).map(({ experiment: { campaignId, type }, variation }) => ({
    campaignId,
    variationId: variation.id,
    type,
  }))
}

interface Visit {
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Whoever looks at a page: a customer by what their browser knows, others by their visitor id; null without consent to statistics. */
export function participantOf(site: { market: Market; mode: Mode }, visit: Visit): Participant | null {
  const visitorId = consentOf(visit).allows('statistics') ? visitorIdOf(visit) : null
  if (visitorId === null) return null
  const { market, mode } = site
  return { market, mode, unit: visitorId, ...customerIn(visit) }
}

/**
 * The variation of each experiment that runs on a storefront, by name, for pages that declare it. Without consent to statistics,
 * outside its share of visitors and outside its segments, a visitor sees the control.
 */
export function variationsFor(site: { market: Market; mode: Mode }, visit: Visit): Record<string, string> {
  const here = runningExperiments().filter((experiment) => isTargeted({ ...experiment, segments: [] }, site))
  if (here.length === 0) return {}
  const variations: Record<string, string> = {}
  for (const { name, variations: all } of here) variations[name] = all[0]?.name ?? ''
  const participant = participantOf(site, visit)
  if (participant === null) return variations
  for (const { experiment, variation } of assignmentsOf(here, participant)) variations[experiment.name] = variation.name
  return variations
}
