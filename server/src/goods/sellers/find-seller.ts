import type { SiteScope } from '#platform'
import { knownSellers } from './known-sellers.ts'
import { isTrading, type Seller } from './seller.ts'

const maxInteger = 2_147_483_647

/** A seller who may trade; null for unknown ones and all others. */
export async function findSeller(scope: Pick<SiteScope, 'db'>, id: number): Promise<Seller | null> {
  if (!Number.isInteger(id) || id < 1 || id > maxInteger) return null
  const seller = (await knownSellers(scope, [id])).get(id)
  return seller && isTrading(seller) ? seller : null
}
