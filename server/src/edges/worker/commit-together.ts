import { type JobScope, type Pool, asCommand } from '#platform'
import { inCurrentTrace } from '../../foundation/platform/tracing.ts'

/** An event whose handlers have made their external calls, if any, and have to commit their effects. */
export interface Ready {
  eventId: string
  /** The attempt it was claimed for; once a later one has been claimed, this one commits nothing. */
  attempt: number
  commit: (unit: Pick<JobScope, 'now' | 'db' | 'emit'>) => Promise<void>
}

/** Outcomes of calls, for which buyers wait, do not share transactions with slower work such as mails. */
export type Lane = 'calls' | 'writes'

export type Outcome = 'done' | 'known'

/** A larger group would hold locks on each other's rows for long. */
const maxTogether = 10

const markDone = {
  name: 'worker.events-done',
  text: `update platform.outbox o set done_at = now(), locked_until = null from unnest($1::uuid[], $2::integer[]) as claimed (id, attempt)
    where o.id = claimed.id and o.attempts <= claimed.attempt and o.done_at is null returning o.id`,
}

/** Handles the pending effects in one transaction: marks all events done, and runs those not done before. */
async function commitAll(pool: Pool, ready: readonly Ready[]): Promise<Outcome[]> {
  return asCommand(pool, async ({ db, emit }) => {
    const claimed = [ready.map(({ eventId }) => eventId), ready.map(({ attempt }) => attempt)]
    const marked = new Set((await db.rows<{ id: string }>(markDone, claimed)).map(({ id }) => id))
    const now = new Date()
    // Concurrently on one connection, so that their statements share round trips.
    return Promise.all(
      ready.map(async ({ eventId, commit }): Promise<Outcome> => {
        // A duplicate within one group must not run.
        if (!marked.delete(eventId)) return 'known'
        await commit({ now, db, emit })
        return 'done'
      }),
    )
  })
}

interface Waiting {
  ready: Ready
  settle: PromiseWithResolvers<Outcome>
}

interface Queue {
  waiting: Waiting[]
  isBusy: boolean
}

const queues = new WeakMap<Pool, Record<Lane, Queue>>()

/**
 * Commits the effects of one event together with its completion record. Effects that become ready during a commit join the
 * next one; when a group fails, each event is retried on its own, so that a failing one does not block the others.
 */
export function commitTogether(pool: Pool, lane: Lane, ready: Ready): Promise<Outcome> {
  const lanes = queues.get(pool) ?? { calls: { waiting: [], isBusy: false }, writes: { waiting: [], isBusy: false } }
  queues.set(pool, lanes)
  const queue = lanes[lane]
  const settle = Promise.withResolvers<Outcome>()
  // The group is committed by whoever came first: each effect stays in its own trace.
  queue.waiting.push({ ready: { ...ready, commit: inCurrentTrace(ready.commit) }, settle })
  if (!queue.isBusy) void drain(pool, queue)
  return settle.promise
}

async function drain(pool: Pool, queue: Queue): Promise<void> {
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
