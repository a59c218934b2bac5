import { readIdleCarts, type CustomersCart } from '#cart'
import { enqueue, settings, type JobScope } from '#platform'
import { readProgress, writeProgress } from './store.ts'

const pageSize = 500
/** Baskets left longer ago than this are history, for example after the worker has stood still. */
const lateMs = 3 * 86_400_000

/** Queues a look at every basket of a customer that has been left alone for the time of the setting; each is looked at once per change. */
export async function findBaskets({ db, now }: JobScope): Promise<void> {
  const { afterHours } = settings().reminders
  if (afterHours === 0) return
  const until = new Date(now.getTime() - afterHours * 3_600_000)
  const before = await readProgress(db)
  const since = new Date(Math.max(before?.getTime() ?? until.getTime(), until.getTime() - lateMs))
  // A longer time of the setting: these have been looked at.
  if (before && since >= until) return
  let after: string | null = null
  for (;;) {
    const page: (CustomersCart & { id: string })[] = await readIdleCarts(db, { since, until, after, limit: pageSize })
    for (const { id, ...payload } of page) await enqueue(db, { name: 'reminders.basket', key: id, payload })
    after = page.at(-1)?.id ?? null
    if (page.length < pageSize) break
  }
  await writeProgress(db, until)
}
