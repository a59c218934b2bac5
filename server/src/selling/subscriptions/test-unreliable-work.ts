import type { AnyJob, Handler, Job, JobScope, Schedule, Work } from '#platform'

/** For tests with a clock of their own: a module's work whose process and connections fail now and then. */

interface Trouble {
  chance: () => number
  now: () => Date
  /** The worker stops for longer than its claim lasts, between a call and its commit. */
  frozen: () => Promise<void>
  onCut: () => void
}

const cut = { name: 'test.cut-connection', text: 'select pg_terminate_backend(pg_backend_pid())' }

/** The same work by the test's clock. Some of its transactions lose their connection at the beginning or before they commit. */
export function unreliable(
  { handlers, jobs, schedules }: { handlers: readonly Handler[]; jobs: readonly AnyJob[]; schedules: readonly Schedule[] },
  { chance, now, frozen, onCut }: Trouble,
): { handlers: Handler[]; jobs: AnyJob[]; schedules: Schedule[] } {
  const mayLose = async ({ db }: Pick<JobScope, 'db'>, share: number) => {
    if (chance() >= share) return
    onCut()
    await db.run(cut)
  }
  const within = async (scope: JobScope, share: number, act: (scope: JobScope) => Promise<void>) => {
    await mayLose(scope, share)
    await act({ ...scope, now: now() })
    await mayLose(scope, share)
  }
  let isFrozen = false
  const worked = (work: Work<never, never>) => {
    const { call, commit } = work as unknown as Work<object, unknown>
    const unsteady: Work<object, unknown> = {
      ...(call && {
        call: async (context, payload) => {
          const answer = await call({ ...context, now: now() }, payload)
          if (isFrozen || chance() >= 0.15) return answer
          isFrozen = true
          await frozen().finally(() => (isFrozen = false))
          return answer
        },
      }),
      commit: (scope, payload, answer) => within(scope, 0.1, (ours) => commit(ours, payload, answer)),
    }
    return unsteady as unknown as Work<never, never>
  }
  const isShort = (each: AnyJob): each is Job => 'work' in each
  return {
    handlers: handlers.map((each) => ({ ...each, work: worked(each.work) })),
    jobs: jobs.filter(isShort).map((each) => ({ ...each, work: worked(each.work) })),
    schedules: schedules.map((each) => ({ ...each, run: (scope) => within(scope, 0.01, each.run) })),
  }
}
