import { type JobScope, type Pool, asCommand } from '#platform'

/** An event whose only handler has made its external calls and has to commit their outcome. */
export interface Ready {
  eventId: string
  scope: Pick<JobScope, 'requestId' | 'log'>
  commit: (scope: JobScope) => Promise<void>
}

export type Outcome = 'done' | 'known'

/** A larger group would hold locks on each other's rows for long. */
const maxTogether = 10

const markDone = {
  name: 'worker.events-done',
  text: `update platform.outbox set done_at = now(), locked_until = null where id = any($1::uuid[]) and done_at is null returning id`,
}

/** Handles the pending effects in one transaction: marks all events done, and runs those not done before. */
async function commitAll(pool: Pool, ready: readonly Ready[]): Promise<Outcome[]> {
  return asCommand(pool, async ({ db, emit }) => {
    const marked = new Set((await db.rows<{ id: string }>(markDone, [ready.map(({ eventId }) => eventId)])).map(({ id }) => id))
    const now = new Date()
    // Concurrently on one connection, so that their statements share round trips.
    return Promise.all(
      ready.map(async ({ eventId, scope, commit }): Promise<Outcome> => {
        // A duplicate within one group must not run.
        if (!marked.delete(eventId)) return 'known'
        await commit({ ...scope, now, db, emit })
        return 'done'
      }),
    )
  })
}

interface Waiting {
  ready: Ready
  settle: PromiseWithResolvers<Outcome>
}

const queues = new WeakMap<Pool, { waiting: Waiting[]; isBusy: boolean }>()

/**
 * Commits the effect of one event together with its completion record. Effects that become ready during a commit join the
 * next one; when a group fails, each effect is retried on its own, so that a failing one does not block the others.
 */
export function commitTogether(pool: Pool, ready: Ready): Promise<Outcome> {
  const queue = queues.get(pool) ?? { waiting: [], isBusy: false }
  queues.set(pool, queue)
  const settle = Promise.withResolvers<Outcome>()
  queue.waiting.push({ ready, settle })
  if (!queue.isBusy) void drain(pool, queue)
  return settle.promise
}

async function drain(pool: Pool, queue: { waiting: Waiting[]; isBusy: boolean }): Promise<void> {
  queue.isBusy = true
  // Events that become ready within one turn of the event loop share a commit from the start.
  await new Promise((resolve) => setImmediate(resolve))
  while (queue.waiting.length > 0) {
    const group = queue.waiting.splice(0, maxTogether)
    await attempt(pool, group).catch(() => Promise.all(group.map((each) => attempt(pool, [each]).catch(each.settle.reject))))
  }
  queue.isBusy = false
}

async function attempt(pool: Pool, group: readonly Waiting[]): Promise<void> {
  const outcomes = await commitAll(
    pool,
    group.map(({ ready }) => ready),
  )
  group.forEach(({ settle }, index) => settle.resolve(outcomes[index] ?? 'known'))
}
