import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './find-tests.ts'
import { writeRecord } from './test-record.ts'
import type { FileResult, LateError } from './test-worker.ts'

export interface Counts {
  passed: number
  failed: number
  /** Duration and processor time of each file in milliseconds. */
  durations?: Durations
}

type Durations = ReadonlyMap<string, Pick<FileResult, 'ms' | 'cpuMs'>>

type FileRun = Pick<FileResult, 'passed' | 'failed' | 'ms' | 'cpuMs' | 'tests'>

/** Results by file. */
export type Runs = Map<string, FileRun>

interface FileOptions {
  atOnce: number
  quiet?: boolean
  /** A hanging file fails instead of blocking the run. */
  fileTimeoutMs?: number
  /** Whether a file shares its process with others (decision 076); by default it has its own. */
  shares?: (file: string) => boolean
}

interface Options extends FileOptions {
  recordFile?: string
  /** Whether a failing file is run again, alone, up to twice (decision 029). */
  again?: boolean
  /** Settles when nothing else runs any more. */
  beforeAgain?: Promise<unknown> | undefined
}

/** Runs test files, prints failures (or everything) and records the results. */
export async function runTests(files: readonly string[], { recordFile, again = false, beforeAgain, ...options }: Options): Promise<Counts> {
  if (!files.length) return { passed: 0, failed: 0 }
  const runs = await runFiles(files, options)
  if (again && failedFiles(runs).length > 0) {
    await beforeAgain
    await runFailedAgain(runs, options)
  }
  process.stdout.write(failedTests(runs))
  return recordRuns(runs, recordFile)
}

export function failedFiles(runs: Runs): string[] {
  return [...runs].filter(([, { failed }]) => failed > 0).map(([file]) => file)
}

const aloneTimeoutMs = 420_000

/** Runs each file that failed again, alone and in a process of its own, and once more if need be; the last result counts. */
export async function runFailedAgain(runs: Runs, options: Omit<FileOptions, 'atOnce' | 'shares'> = {}): Promise<void> {
  // A file that hangs each time must leave time for the others.
  const fileTimeoutMs = Math.min(options.fileTimeoutMs ?? aloneTimeoutMs, aloneTimeoutMs)
  for (const times of ['', 'twice ']) {
    for (const [file, result] of await runFiles(failedFiles(runs), { ...options, fileTimeoutMs, atOnce: 1, shares: undefined })) {
      const titles = failedTitles(runs.get(file))
      if (result.failed === 0)
        process.stdout.write(titles.map((title) => `Flaky: failed ${times}before it passed: ${file}: ${title}\n`).join(''))
      runs.set(file, result)
    }
  }
}

function failedTitles(run: FileRun | undefined): string[] {
  const failed = run?.tests.flatMap(({ title, passed }) => (passed ? [] : [title])) ?? []
  // A file whose process ended has no failed test.
  return failed.length > 0 ? failed : ['the file']
}

/** One line for each test that failed to the end: the last lines of a long run tell which. */
export function failedTests(runs: Runs): string {
  return failedFiles(runs)
    .flatMap((file) => failedTitles(runs.get(file)).map((title) => `Failed: ${file}: ${title}\n`))
    .join('')
}

/** Writes the results to the test record and adds them up. */
export function recordRuns(runs: Runs, recordFile?: string): Counts {
  writeRecord(new Map([...runs].map(([file, { tests }]) => [file, tests])), recordFile)
  const all = [...runs.values()]
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    durations: runs,
  }
}

/** Runs each file once, in the order given: those that share a process, and each of the others in its own. */
export async function runFiles(files: readonly string[], options: FileOptions): Promise<Runs> {
  // In the order of the files, whichever ends first; a file without a result has failed.
  const runs: Runs = new Map(files.map((file) => [file, { passed: 0, failed: 1, ms: 0, cpuMs: 0, tests: [] }]))
  const waiting = [...files]
  const failLate = ({ late, error }: LateError) => {
    const run = runs.get(late)
    process.stdout.write(`✖ ${late}\nIt had ended when something that it left running failed: ${error}\n`)
    if (run) runs.set(late, { ...run, failed: Math.max(1, run.failed) })
  }
  const lane = async () => {
    let worker: ChildProcess | undefined
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const shares = options.shares?.(file) ?? false
      const own = shares ? (worker ??= startWorker()) : startWorker()
      const result = await runInWorker(own, file, { ...options, onLate: failLate })
      runs.set(file, result)
      print(file, result, options.quiet)
      // A failed file may have left anything behind.
      const isWorn = result.failed > 0 || result.memory > memoryLimit
      if (shares && !isWorn) continue
      await stop(own)
      if (shares) worker = undefined
    }
    if (worker) await stop(worker)
  }
  await Promise.all(Array.from({ length: options.atOnce }, lane))
  return runs
}

const hook = pathToFileURL(join(root, 'scripts/tsx-hook.mjs')).href
const memoryLimit = 1_000_000_000

function startWorker(): ChildProcess {
  return fork(join(root, 'scripts/test-worker.ts'), {
    cwd: root,
    execArgv: ['--import', hook, '--disable-warning=ExperimentalWarning'],
    // React as the shop runs it, which is faster than with its checks for developers.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

async function stop(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  // It exits by itself, and stores what it has compiled.
  worker.disconnect()
  const timer = setTimeout(() => worker.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(timer)
}

/** Sends a file to the worker; one whose process ends, or that takes too long, has failed. */
async function runInWorker(
  worker: ChildProcess,
  file: string,
  { fileTimeoutMs = 600_000, onLate }: FileOptions & { onLate: (error: LateError) => void },
): Promise<FileResult> {
  const startedAt = performance.now()
  let output = ''
  const listen = (chunk: Buffer) => void (output += String(chunk))
  for (const stream of [worker.stdout, worker.stderr]) stream?.on('data', listen)
  const found = await new Promise<FileResult | string>((resolve) => {
    const timer = setTimeout(() => {
      resolve(`It did not end within ${fileTimeoutMs / 1000} s`)
      worker.kill('SIGKILL')
    }, fileTimeoutMs)
    const end = (result: FileResult | string) => {
      clearTimeout(timer)
      worker.removeAllListeners('message').removeAllListeners('close')
      resolve(result)
    }
    worker.on('message', (message: FileResult | LateError) => ('late' in message ? onLate(message) : end(message)))
    worker.once('close', (code, signal) => end(`Its process ended with ${signal ?? code}`))
    worker.send(file)
  })
  for (const stream of [worker.stdout, worker.stderr]) stream?.off('data', listen)
  if (typeof found !== 'string') return { ...found, report: output + found.report, failures: found.failures && found.failures + output }
  const failures = `✖ ${file}\n${found}\n`
  return {
    passed: 0,
    failed: 1,
    ms: performance.now() - startedAt,
    cpuMs: 0,
    tests: [],
    report: output + failures,
    failures: failures + output,
    memory: 0,
  }
}

function print(file: string, { report, failures, ms, cpuMs }: FileResult, quiet = false): void {
  process.stdout.write(quiet ? failures : `\n${file} (${seconds(ms)}, ${seconds(cpuMs)} computing)\n${report}`)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/** A list of the fifteen slowest of many files, and the sum of all; nothing for a few. */
export function slowestFiles(durations: Durations): string {
  if (durations.size <= 15) return ''
  const line = (name: string, ms: number, cpuMs: number) =>
    `  ${seconds(ms).padStart(9)}, ${seconds(cpuMs).padStart(8)} computing  ${name}\n`
  const slowest = [...durations].toSorted(([, a], [, b]) => b.ms - a.ms).slice(0, 15)
  const sum = (key: 'ms' | 'cpuMs') => [...durations.values()].reduce((all, each) => all + each[key], 0)
  const lines = slowest.map(([file, { ms, cpuMs }]) => line(file, ms, cpuMs))
  return `\nSlowest files:\n${lines.join('')}${line(`all ${durations.size}`, sum('ms'), sum('cpuMs'))}`
}
