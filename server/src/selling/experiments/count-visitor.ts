import type { Assignment } from '@purlin/contract/experiments.ts'
import { networkGroupOf } from '#insights'
import { takeQuota, type Db } from '#platform'
import { writeExposure } from './store.ts'

export interface Seen extends Assignment {
  /** The visitor's id, issued by this server, and the network it comes from. */
  visitorId: string
  address: string
  /** The unit of a signed-in customer. */
  unit: string | null
}

/**
 * Counts a visitor as one who has seen a variation, once. A network adds so many a day at most: ids can be collected by giving
 * consent again and again, and the visitors of one network must not decide an experiment. Returns whether the visitor was counted now.
 */
export async function countVisitor(db: Db, { visitorId, address, unit, experiment: { campaignId }, variation }: Seen): Promise<boolean> {
  const taken = await takeQuota('counted-visitor', { address })
  if (!taken.ok) return false
  const isNew = await writeExposure(db, { campaignId, visitorId, variationId: variation.id, unit, network: networkGroupOf(address) })
  if (!isNew) await taken.giveBack()
  return isNew
}
