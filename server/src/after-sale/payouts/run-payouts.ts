import { removeFile } from '#files'
import { enqueue, newId, type JobScope, type LongContext } from '#platform'
import { closePayout } from './close-payout.ts'
import { finishRun, insertRun, readRun, readRunByKey, sendByFile, type Run } from './payout-store.ts'
import { countDueSales, readNextSeller } from './sale-store.ts'
import { putSepaFile } from './sepa-file.ts'
import { settleNext } from './settle-sales.ts'

/** Starts a run, once per key, in the caller's transaction. Returns the run of the key. */
export async function startRun(
  { db, now }: Pick<JobScope, 'db' | 'now'>,
  { key, currency, cause }: Pick<Run, 'key' | 'currency' | 'cause'>,
): Promise<Run | undefined> {
  const id = newId()
  if (await insertRun(db, { id, key, currency, cause, cutoff: now }))
    await enqueue(db, { name: 'payouts.run', key: id, payload: { runId: id } })
  return readRunByKey(db, key)
}

/** Where a run continues: the seller, and the last of their sales that was looked at. */
interface Place {
  sellerId: number
  after: string
  done: number
  total: number
}
const isPlace = (state: unknown): state is Place => typeof state === 'object' && state !== null && 'sellerId' in state

/**
 * Settles what is due and pays it, seller by seller. A few sales at a time, each batch with its checkpoint, so that memory
 * stays bounded and a killed run continues where it stopped.
 */
export async function runPayouts(context: LongContext, runId: string): Promise<void> {
  const run = await readRun(context.db, runId)
  if (!run || run.finishedAt) return
  const { currency, cutoff } = run
  let place: Place = isPlace(context.state)
    ? context.state
    : {
        sellerId: (await readNextSeller(context.db, currency, 0, cutoff)) ?? 0,
        after: '',
        done: 0,
        total: await countDueSales(context.db, currency, cutoff),
      }
  while (place.sellerId > 0) {
    const { sellerId, done, total } = place
    const settled = await settleBatch(context, run, place)
    if (settled) place = { ...place, after: settled.after, done: done + settled.count }
    else place = { sellerId: (await readNextSeller(context.db, currency, sellerId, cutoff)) ?? 0, after: '', done, total }
    context.progress(Math.min(place.done, total), total)
  }
  await finish(context, run)
}

/** Settles the next sales of a seller, or closes the payout when none are left. The checkpoint names the place before them. */
async function settleBatch(context: LongContext, run: Run, place: Place): ReturnType<typeof settleNext> {
  let settled: Awaited<ReturnType<typeof settleNext>> = null
  await context.checkpoint(place, async (scope) => {
    settled = await settleNext(scope, run, place.sellerId, place.after)
    if (!settled) await closePayout(scope, run, place.sellerId)
  })
  return settled
}

async function finish(context: LongContext, run: Run): Promise<void> {
  const file = run.currency === 'EUR' ? await putSepaFile(context, run) : null
  await context.checkpoint({ sellerId: 0, after: '', done: 0, total: 0 } satisfies Place, async (scope) => {
    if (await finishRun(scope.db, run.id, scope.now, file)) {
      if (file) await sendByFile(scope.db, run.id)
    } else if (file) await removeFile(scope.db, file)
  })
}
