import type { Db, JobScope } from '#platform'
import { mayMoveSeller } from './seller-states.ts'
import type { SellerStatus } from './seller.ts'

const look = { name: 'sellers.state', text: 'select status from sellers.seller where id = $1' }
const lock = { name: 'sellers.to-move', text: 'select status from sellers.seller where id = $1 for update' }
const write = { name: 'sellers.move', text: 'update sellers.seller set status = $2, updated_at = now() where id = $1' }

export async function readSellerState(db: Db, sellerId: number): Promise<SellerStatus | null> {
  return (await db.row<{ status: SellerStatus }>(look, [sellerId]))?.status ?? null
}

/**
 * Moves a seller to another state. Offers of sellers who are not trading vanish and cannot be bought; orders already placed go on.
 * A restricted seller sells what is on sale, and puts nothing else on sale.
 */
export async function changeSellerState(
  scope: Pick<JobScope, 'db' | 'emit'>,
  sellerId: number,
  to: SellerStatus,
): Promise<{ ok: true; changed: boolean } | { ok: false; reason: 'unknown-seller' | 'step-not-possible' }> {
  const seller = await scope.db.row<{ status: SellerStatus }>(lock, [sellerId])
  if (!seller) return { ok: false, reason: 'unknown-seller' }
  if (seller.status === to) return { ok: true, changed: false }
  if (!mayMoveSeller(seller.status, to)) return { ok: false, reason: 'step-not-possible' }
  await scope.db.run(write, [sellerId, to])
  scope.emit('seller.changed', { sellerId })
  return { ok: true, changed: true }
}
