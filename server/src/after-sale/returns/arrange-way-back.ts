import { carrierOfShop } from '#fulfilment'
import { readOrder } from '#orders'
import { enqueue, type JobScope } from '#platform'
import { appointmentsFrom } from './collection.ts'
import { insertCollection, readCollection } from './collection-store.ts'
import { notifyCollection } from './notify-collection.ts'
import type { ReturnRequest } from './return-request.ts'

export interface ReturnJob {
  requestId: string
}

/** Once a return is accepted: a label of the shop's carrier, or a driver's appointment that the buyer chooses. */
export async function arrangeWayBack(scope: JobScope, request: ReturnRequest): Promise<void> {
  if (!carrierOfShop()) return
  const { id, method, market, customerOrderId } = request
  if (method === 'label') {
    await enqueue(scope.db, { name: 'returns.book-label', key: id, payload: { requestId: id } satisfies ReturnJob })
    return
  }
  const order = await readOrder(scope.db, customerOrderId)
  const [first] = appointmentsFrom(market, scope.now)
  if (method !== 'home-collection' || !order || !first) return
  await insertCollection(scope.db, id, first, order.address)
  const collection = await readCollection(scope.db, id)
  if (collection) await notifyCollection(scope, request, collection, 'offered')
}
