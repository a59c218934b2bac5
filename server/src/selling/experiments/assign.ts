import { assignmentsOf, type Experiment, type Participant } from '@purlin/contract/experiments.ts'
import type { Db } from '#platform'
import { runningExperiments } from './running.ts'
import { holdAssignments, readHeld } from './store.ts'

export interface Given {
  campaignId: number
  variationId: number
  type: Experiment['type']
}

/** Variations of a visitor: computed, nothing is stored. */
export function assignVisitor(participant: Participant): Given[] {
  return assignmentsOf(runningExperiments(), participant).map(({ experiment: { campaignId, type }, variation }) => ({
    campaignId,
    variationId: variation.id,
    type,
  }))
}

/** Variations of a customer: those they first got, on whichever device; the first time those of the visitor. */
export async function assignCustomer(db: Db, customerId: string, participant: Participant): Promise<Given[]> {
  const known = new Map((await readHeld(db, customerId)).map(({ campaignId, variationId }) => [campaignId, variationId]))
  const given = assignVisitor(participant).map((one) => {
    const held = known.get(one.campaignId)
    const isStillThere = runningExperiments().some(
      ({ campaignId, variations }) => campaignId === one.campaignId && variations.some(({ id }) => id === held),
    )
    return held !== undefined && isStillThere ? { ...one, variationId: held } : one
  })
  const fresh = given.filter(({ campaignId }) => !known.has(campaignId))
  if (fresh.length > 0) await holdAssignments(db, customerId, fresh)
  return given
}
