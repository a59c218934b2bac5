/** For long-jobs.test.ts: a worker in a process of its own, which the test kills. Arguments: connection string. */
import { createPool, job } from '#platform'
import { startWorker } from './worker.ts'
import { setTimeout as sleep } from 'node:timers/promises'

const pool = createPool({ connectionString: process.argv[2] ?? '' })
const count = job<{ steps: number }>('test.count', {
  run: async (context, { steps }) => {
    const from = typeof context.state === 'number' ? context.state : 0
    process.send?.({ from })
    for (let step = from + 1; step <= steps; step++) {
      await sleep(5)
      context.progress(step, steps)
      await context.checkpoint(step, async ({ db }) => {
        await db.run({ name: 'test.step', text: 'insert into public.step (n) values ($1)' }, [step])
      })
    }
  },
})
startWorker({ pool, name: 'killed', handlers: [], jobs: [count], schedules: [] })
