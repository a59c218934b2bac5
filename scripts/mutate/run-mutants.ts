/** Finds which tests reach a mutant, then runs them against it; a mutant is killed by the first failing test, or by a timeout. */
import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { filesBelow, root } from '../find-tests.ts'
import { findMutants, type Mutant, withMutant, withProbes } from './find-mutants.ts'
import type { MutatedModule } from './modules.ts'
import type { Answer, Order } from './worker.ts'

export interface Judged {
  mutant: Mutant
  /** The test that killed it, or a timeout; null when it survived. */
  killedBy: string | null
}

export interface Options {
  /** Number of mutants of the module, drawn by the seed; all if omitted. */
  sample?: number
  seed?: number
  /** No further mutant starts after this. */
  until?: number
  /** Path parts: only mutants of these files. */
  only?: readonly string[]
  /** Path parts: only these test files of the module. */
  tests?: readonly string[]
  report?(text: string): void
}

/** Databases, pools and modules of earlier runs accumulate: a process ends after this many. */
const runsPerProcess = 60
const patienceMs = 60_000

export async function runMutants(
  module: MutatedModule,
  { sample, seed = 1, until = Infinity, only, tests: askedTests, report = () => undefined }: Options,
) {
  const paths = filesBelow(module.sources, /\.ts$/).filter(
    (path) => !/\.test\.ts$|testing\.ts$|\/test-|\/generated\/|\/index\.ts$|\.d\.ts$/.test(path),
  )
  const sources = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  const mutants = [...sources].flatMap(([path, source]) => findMutants(path, source))
  const wanted = only ? mutants.filter(({ path }) => only.some((part) => path.includes(part))) : mutants
  const chosen = sample === undefined ? wanted : shuffled(wanted, seed).slice(0, sample)

  const worker = startWorker()
  const { reachedBy, tookMs } = await coverage(
    worker,
    sources,
    chosen,
    testsOf(module).filter((path) => askedTests?.some((part) => path.includes(part)) ?? true),
    report,
  )
  const judged: Judged[] = []
  for (const [index, mutant] of chosen.entries()) {
    if (Date.now() > until) break
    const tests = (reachedBy.get(index) ?? []).toSorted((a, b) => (tookMs.get(a) ?? 0) - (tookMs.get(b) ?? 0))
    const source = sources.get(mutant.path) ?? ''
    const killedBy = tests.length === 0 ? null : await worker.run({ sources: { [mutant.path]: withMutant(source, mutant) }, tests })
    judged.push({ mutant, killedBy: typeof killedBy === 'object' && killedBy ? killedBy.failed : killedBy })
    const verdict = judged.at(-1)?.killedBy
    report(
      `${verdict ? 'killed  ' : 'SURVIVED'} ${mutant.path}:${mutant.line} ${mutant.kind}: ${mutant.code}  →  ${mutant.becomes}${verdict ? `  [${verdict}]` : tests.length ? '' : '  [no test reaches it]'}`,
    )
  }
  worker.stop()
  return { judged, of: wanted.length }
}

function testsOf({ tests }: MutatedModule): string[] {
  const all = [
    ...new Set(
      tests.map((start) =>
        start
          .split('/')
          .slice(0, start.startsWith('contract') ? 1 : 2)
          .join('/'),
      ),
    ),
  ]
  return all.flatMap((folder) => filesBelow(folder, /\.test\.ts$/)).filter((path) => tests.some((start) => path.startsWith(start)))
}

type Worker = ReturnType<typeof startWorker>

/** Runs every test file once with probes in place. A file that fails unmodified cannot judge anything. */
async function coverage(
  worker: Worker,
  sources: Map<string, string>,
  mutants: readonly Mutant[],
  tests: readonly string[],
  report: (text: string) => void,
) {
  const probed: Record<string, string> = {}
  for (const [path, source] of sources) {
    const own = mutants.map((mutant, index) => ({ mutant, index })).filter(({ mutant }) => mutant.path === path)
    if (own.length === 0) continue
    const text = withProbes(
      source,
      own.map(({ mutant }) => mutant),
    )
    probed[path] = text.replace(/purlinHit\((\d+)\)/g, (_, at: string) => `purlinHit(${own[Number(at)]?.index})`)
  }
  const reachedBy = new Map<number, string[]>()
  const tookMs = new Map<string, number>()
  for (const test of tests) {
    const from = Date.now()
    const { failed, hits } = await worker.ask({ sources: probed, tests: [test] })
    tookMs.set(test, Date.now() - from)
    report(
      `${failed === null ? `${hits.length} of ${mutants.length} reached` : `CANNOT JUDGE (${failed})`} in ${Date.now() - from} ms by ${test}`,
    )
    if (failed === null) for (const hit of hits) reachedBy.set(hit, [...(reachedBy.get(hit) ?? []), test])
  }
  return { reachedBy, tookMs }
}

function startWorker() {
  let child: ChildProcess | undefined
  let runs = 0
  const launch = (): ChildProcess => {
    runs = 0
    const hook = pathToFileURL(join(root, 'scripts/tsx-hook.mjs')).href
    return fork(join(import.meta.dirname, 'worker.ts'), {
      cwd: root,
      execArgv: ['--import', hook, '--no-warnings'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
  }
  const stop = () => {
    child?.kill('SIGKILL')
    child = undefined
  }
  async function ask(order: Order): Promise<Answer> {
    if (runs >= runsPerProcess) stop()
    child ??= launch()
    runs += order.tests.length
    const own = child
    return new Promise((resolve) => {
      const end = (answer: Answer) => {
        clearTimeout(late)
        own.removeAllListeners()
        if (answer.failed !== null && /^hangs|^dies/.test(answer.failed)) stop()
        resolve(answer)
      }
      const late = setTimeout(() => end({ failed: 'hangs', hits: [] }), patienceMs * order.tests.length)
      own.once('message', (answer) => end(answer as Answer))
      own.once('exit', () => end({ failed: 'dies', hits: [] }))
      own.send(order)
    })
  }
  return { ask, run: ask, stop }
}

/** The same order for the same seed (mulberry32). */
export function shuffled<Value>(values: readonly Value[], seed: number): Value[] {
  let state = seed
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return values
    .map((value) => ({ value, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value)
}
