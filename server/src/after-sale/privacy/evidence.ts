import { detachFromDisputes, ordersOfDisputes } from '#disputes'
import { removeFile } from '#files'
import { detachFromConversations, ordersOfConversations } from '#messages'
import { readOrder, type CustomerOrder } from '#orders'
import type { Db } from '#platform'
import { detachFromReturns, ordersOfReturns } from '#returns'
import { disownUploads, dropUploads, readAttached, type Attached } from '#uploads'
import { unfinished } from './unfinished.ts'

/** Kinds of things about an order that files are attached to; `used_by` of an upload begins with one. */
const holders = {
  conversation: { ordersOf: ordersOfConversations, detach: detachFromConversations },
  dispute: { ordersOf: ordersOfDisputes, detach: detachFromDisputes },
  return: { ordersOf: ordersOfReturns, detach: detachFromReturns },
} as const
const kinds = ['conversation', 'dispute', 'return'] as const

/**
 * Files of an erased customer that an unfinished order still needs stay until it is done, without their owner: those of a company are its
 * evidence in a dispute, whoever has sent them. The others are taken from what they were attached to. Returns the ids of those that stay.
 */
export async function keepEvidence(db: Db, owner: string): Promise<string[]> {
  const { needed, done } = await sorted(db, await readAttached(db, { owner, ids: [] }, kinds))
  await detach(db, done)
  await disownUploads(db, idsOf(needed))
  return idsOf(needed)
}

/** Deletes files that were kept for an order that is done by now. Returns the ids of those that stay. */
export async function dropEvidence(db: Db, ids: readonly string[]): Promise<string[]> {
  const { needed, done } = await sorted(db, await readAttached(db, { owner: null, ids }, kinds))
  await detach(db, done)
  for (const key of await dropUploads(db, idsOf(done))) await removeFile(db, key)
  return idsOf(needed)
}

const idsOf = (uploads: readonly Attached[]): string[] => uploads.map(({ id }) => id)

/** Which of these files an unfinished order needs. */
async function sorted(db: Db, uploads: readonly Attached[]): Promise<{ needed: Attached[]; done: Attached[] }> {
  const orderOf = new Map<string, string>()
  for (const kind of kinds)
    for (const { id, customerOrderId } of await holders[kind].ordersOf(db, holderIds(uploads, kind)))
      orderOf.set(`${kind}:${id}`, customerOrderId)
  const orders: CustomerOrder[] = []
  for (const id of new Set(orderOf.values())) {
    const order = await readOrder(db, id)
    if (order) orders.push(order)
  }
  // Colleagues may go on with a claim about an order whose buyer is gone.
  const open = await unfinished(db, orders, { areErased: true })
  const isNeeded = ({ usedBy }: Attached): boolean => open.has(orderOf.get(usedBy) ?? '')
  return { needed: uploads.filter(isNeeded), done: uploads.filter((upload) => !isNeeded(upload)) }
}

async function detach(db: Db, uploads: readonly Attached[]): Promise<void> {
  for (const kind of kinds) {
    const ids = holderIds(uploads, kind)
    if (ids.length > 0) await holders[kind].detach(db, ids, idsOf(uploads))
  }
}

/** Ids of the conversations, disputes or returns that these files are attached to. */
function holderIds(uploads: readonly Attached[], kind: keyof typeof holders): string[] {
  const begin = `${kind}:`
  return [...new Set(uploads.filter(({ usedBy }) => usedBy.startsWith(begin)).map(({ usedBy }) => usedBy.slice(begin.length)))]
}
