/**
 * Stands in for `node:test` while mutants run: collects the tests of a file, so that the runner can run the same file
 * repeatedly in one process and stop at the first failure.
 */
import { mock } from 'node:test'

type Work = (context: Context) => unknown
interface Context {
  name: string
  signal: AbortSignal
  mock: typeof mock
  after(work: () => unknown): void
  diagnostic(): void
}

interface Collected {
  tests: { name: string; work: Work }[]
  before: Work[]
  after: Work[]
  beforeEach: Work[]
  afterEach: Work[]
}

let collected: Collected = { tests: [], before: [], after: [], beforeEach: [], afterEach: [] }

export function test(name: string, ...rest: unknown[]): Promise<void> {
  const work = rest.findLast((each): each is Work => typeof each === 'function')
  if (work) collected.tests.push({ name, work })
  return Promise.resolve()
}
export const before = (work: Work) => void collected.before.push(work)
export const after = (work: Work) => void collected.after.push(work)
export const beforeEach = (work: Work) => void collected.beforeEach.push(work)
export const afterEach = (work: Work) => void collected.afterEach.push(work)
Object.assign(test, { before, after, beforeEach, afterEach })
export default test
export { mock }

/** Runs the tests collected since the last run; returns the title of the first failure, or null. */
export async function runCollected(): Promise<string | null> {
  const { tests, ...hooks } = collected
  collected = { tests: [], before: [], after: [], beforeEach: [], afterEach: [] }
  let failed: string | null = null
  const contextOf = (name: string, ends: (() => unknown)[]): Context => ({
    name,
    signal: new AbortController().signal,
    mock,
    after: (work) => void ends.push(work),
    diagnostic: () => undefined,
  })
  const ends: (() => unknown)[] = []
  try {
    for (const hook of hooks.before) await hook(contextOf('before', ends))
    for (const { name, work } of tests) {
      failed = name
      await runOne(name, work)
      failed = null
    }
  } catch {
    failed ??= 'before'
  } finally {
    for (const hook of [...hooks.after, ...ends]) await Promise.resolve(hook(contextOf('after', []))).catch(() => undefined)
  }
  return failed

  async function runOne(name: string, work: Work): Promise<void> {
    const own: (() => unknown)[] = []
    const context = contextOf(name, own)
    try {
      for (const hook of hooks.beforeEach) await hook(context)
      await work(context)
      for (const hook of hooks.afterEach) await hook(context)
    } finally {
      for (const end of own) await end()
      mock.timers.reset()
      mock.restoreAll()
    }
  }
}
