import { join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { root } from './find-tests.ts'
import { type TestResult, writeRecord } from './test-record.ts'

export interface Counts {
  passed: number
  failed: number
  /** Duration of each file in milliseconds. */
  tookMs?: ReadonlyMap<string, number>
}

const reachedMark = 'purlin:reached '
const preloads = ['scripts/tsx-hook.mjs', 'scripts/reach-hook.mjs'].flatMap((file) => ['--import', pathToFileURL(join(root, file)).href])

interface FileRun extends Required<Pick<Counts, 'passed' | 'failed'>> {
  ms: number
  tests: TestResult[]
}

/** Results by file. */
export type Runs = Map<string, FileRun>

interface FileOptions {
  atOnce: number
  quiet?: boolean
  /** A hanging file fails instead of blocking the run. */
  fileTimeoutMs?: number
}

interface Options extends FileOptions {
  recordFile?: string
  /** Whether a failing file is run once more, alone (decision 029). */
  again?: boolean
  /** Settles when nothing else runs any more. */
  beforeAgain?: Promise<unknown> | undefined
}

/** Runs test files, each in its own process, prints failures (or everything) and records the results. */
export async function runTests(files: readonly string[], { recordFile, again = false, beforeAgain, ...options }: Options): Promise<Counts> {
  if (!files.length) return { passed: 0, failed: 0 }
  const runs = await runFiles(files, options)
  if (again && failedFiles(runs).length > 0) {
    await beforeAgain
    await runFailedAgain(runs, options)
  }
  return recordRuns(runs, recordFile)
}

export function failedFiles(runs: Runs): string[] {
  return [...runs].filter(([, { failed }]) => failed > 0).map(([file]) => file)
}

/** Runs each file that failed once more, alone; the second result counts. */
export async function runFailedAgain(runs: Runs, options: Omit<FileOptions, 'atOnce'> = {}): Promise<void> {
  for (const [file, result] of await runFiles(failedFiles(runs), { ...options, atOnce: 1 })) {
    const titles = runs.get(file)?.tests.filter(({ passed }) => !passed) ?? []
    if (result.failed === 0)
      process.stdout.write(titles.map(({ title }) => `Flaky: failed, then passed alone: ${file}: ${title}\n`).join(''))
    runs.set(file, result)
  }
}

/** Writes the results to the test record and adds them up. */
export function recordRuns(runs: Runs, recordFile?: string): Counts {
  writeRecord(new Map([...runs].map(([file, { tests }]) => [file, tests])), recordFile)
  const all = [...runs.values()]
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    tookMs: new Map([...runs].map(([file, { ms }]) => [file, ms])),
  }
}

/** Runs each file once. */
export async function runFiles(files: readonly string[], { atOnce, quiet, fileTimeoutMs = 600_000 }: FileOptions): Promise<Runs> {
  if (!files.length) return new Map()
  const stream = run({ files: files.map((file) => join(root, file)), concurrency: atOnce, execArgv: preloads, timeout: fileTimeoutMs })
  // A file without a summary has not finished.
  const runs = new Map(files.map((file): [string, FileRun] => [file, { passed: 0, failed: 1, ms: 0, tests: [] }]))
  const of = (file: string | undefined) => runs.get(relative(root, file ?? '').replaceAll('\\', '/'))
  const note = (file: string | undefined, title: string, passed: boolean) =>
    // Journeys run in a browser, whose requests this process does not see.
    of(file)?.tests.push({ title, passed, reached: Boolean(file?.includes('e2e/journeys/')) })
  stream.on('test:summary', ({ file, counts: sums, duration_ms: ms }) => {
    const found = of(file)
    if (found) Object.assign(found, { passed: sums.passed, failed: sums.tests - sums.passed - sums.skipped - sums.todo, ms })
  })
  stream.on('test:fail', ({ name, file, details }) => {
    note(file, name, false)
    if (quiet) process.stdout.write(`✖ ${name} (${file})\n${String(details.error?.cause ?? details.error)}\n`)
  })
  stream.on('test:pass', ({ name, file, skip, todo }) => note(file, name, skip === undefined && todo === undefined))
  stream.on('test:diagnostic', ({ file, message }) => {
    if (!message.startsWith(reachedMark)) return
    const test = of(file)?.tests.findLast(({ title }) => title === message.slice(reachedMark.length))
    if (test) test.reached = true
  })
  if (quiet) for await (const _ of stream);
  // The report ends after the stream: failure details come last.
  else for await (const part of stream.compose(withoutMarks).compose(spec)) process.stdout.write(part)
  return runs
}

async function* withoutMarks(events: AsyncIterable<{ type: string; data: { message?: string } }>) {
  for await (const event of events) if (event.type !== 'test:diagnostic' || !event.data.message?.startsWith(reachedMark)) yield event
}

/** A list of the fifteen slowest of many files; nothing for a few. */
export function slowestFiles(tookMs: ReadonlyMap<string, number>): string {
  if (tookMs.size <= 15) return ''
  const slowest = [...tookMs].toSorted(([, a], [, b]) => b - a).slice(0, 15)
  return `\nSlowest files:\n${slowest.map(([file, ms]) => `  ${(ms / 1000).toFixed(1)} s  ${file}\n`).join('')}`
}
