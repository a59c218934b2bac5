import type { TestDatabase } from '#platform/testing'
import { runWork } from '../../edges/worker/testing.ts'
import { jobs, schedules } from './jobs.ts'

/** For tests: counts the outcomes of experiments, as the worker does every ten minutes. */
export async function review(database: TestDatabase): Promise<void> {
  const schedule = schedules.find(({ name }) => name === 'experiments.review')
  await database.command({}, async (scope) => schedule?.run(scope))
  await runWork(database, [], jobs)
}
