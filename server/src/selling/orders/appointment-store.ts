import type { Slot } from '#pickup'
import type { Db } from '#platform'

const move = {
  name: 'orders.move-appointment',
  text: 'update orders.seller_order set appointment = $3 where id = $1 and appointment is not distinct from $2::jsonb',
}
/** False when the appointment is no longer the one that was read. */
export async function moveAppointment(db: Db, sellerOrderId: string, before: Slot | null, next: Slot): Promise<boolean> {
  return (await db.run(move, [sellerOrderId, before && JSON.stringify(before), JSON.stringify(next)])) === 1
}
