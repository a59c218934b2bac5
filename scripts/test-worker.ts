/**
 * A process that runs one test file after another, so that what they import is loaded once. A file has ended when nothing is
 * pending any more, as if the process were its own: the channel to the runner does not count while a file runs.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, run } from 'node:test'
import { spec } from 'node:test/reporters'
import { root } from './find-tests.ts'
import { startFresh } from './fresh-modules.ts'
import { processState } from './process-state-for-tests.ts'
import type { TestResult } from './test-record.ts'

/** The result of a test file, as sent to the runner. */
export interface FileResult {
  passed: number
  failed: number
  ms: number
  /** Processor time in milliseconds, of processes that were started and have ended too. */
  cpuMs: number
  tests: TestResult[]
  /** The report, as printed. */
  report: string
  /** Failures in short. */
  failures: string
  /** Resident memory of this process in bytes, from which the runner knows when to replace it. */
  memory: number
}

/** An error of something that a file left running when it had ended. */
export interface LateError {
  late: string
  error: string
}

const reachedMark = 'purlin:reached '
/** The result of the file that started what is running. */
const origin = new AsyncLocalStorage<FileResult>()
/** Files that have ended, by their results. */
const ended = new WeakMap<FileResult, string>()
let requests = 0
const count = () => {
  // What an earlier file left running proves nothing about this one.
  if ((origin.getStore() ?? running?.result) === running?.result) requests++
}
for (const channel of ['http.client.request.start', 'undici:request:create', 'tracing:fastify.request.handler:start'])
  subscribe(channel, count)
// Jobs have no request: the worker's test harness says so itself.
subscribe('purlin:job', count)

interface Running {
  file: string
  result: FileResult
  startedAt: number
  cpuBefore: number
  /** Whether all tests were reported. */
  reported: boolean
  /** How often nothing was pending since anything last happened. */
  idleRounds: number
  listeners: readonly unknown[]
}
let running: Running | undefined
let isFirst = true
const state = processState()

process.on('message', (file: string) => {
  process.channel?.unref()
  const result: FileResult = { passed: 0, failed: 1, ms: 0, cpuMs: 0, tests: [], report: '', failures: '', memory: 0 }
  // The first file is charged with the start of the process.
  const cpuBefore = isFirst ? 0 : cpuMs()
  isFirst = false
  running = { file, result, startedAt: performance.now(), cpuBefore, reported: false, idleRounds: 0, listeners: [] }
  process.exitCode = undefined
  startFresh(file)
  const started = running
  origin.run(result, () => {
    const stream = run({ files: [join(root, file)], isolation: 'none', concurrency: 1 })
    markReached()
    void report(stream, started)
  })
})
process.on('disconnect', () => process.exit(0))
process.on('uncaughtExceptionMonitor', tellLate)
process.on('unhandledRejection', tellLate)
process.on('beforeExit', () => {
  if (!running) return
  const listeners = process.listeners('beforeExit')
  const isSettled = listeners.every((listener) => running?.listeners.includes(listener))
  running.listeners = listeners
  running.idleRounds = isSettled ? running.idleRounds + 1 : 0
  if (isSettled && (running.reported || running.idleRounds > 3)) end(running)
  // Whoever listens for the end may have started something: it ends once nothing is pending again.
  else setImmediate(() => undefined)
})

/** Names the file that caused an error, if that has ended; node:test attributes it to the one that is running. */
function tellLate(error: unknown): void {
  const result = origin.getStore()
  const file = result && ended.get(result)
  if (file === undefined) return
  process.send?.({ late: file, error: error instanceof Error ? (error.stack ?? error.message) : String(error) } satisfies LateError)
}

/** Marks the tests that reach the product: during which an HTTP request was sent, a route of a server answered or a job ran. */
function markReached(): void {
  beforeEach(() => {
    requests = 0
  })
  afterEach((context) => {
    if (requests > 0 && 'diagnostic' in context) context.diagnostic(reachedMark + context.name)
  })
}

async function report(stream: ReturnType<typeof run>, started: Running): Promise<void> {
  const { file, result } = started
  const note = (title: string, passed: boolean) =>
    // Journeys run in a browser, whose requests this process does not see.
    result.tests.push({ title, passed, reached: file.includes('e2e/journeys/') })
  stream.on('test:summary', ({ counts }) => {
    Object.assign(result, { passed: counts.passed, failed: counts.tests - counts.passed - counts.skipped - counts.todo })
  })
  stream.on('test:fail', ({ name, details }) => {
    note(name, false)
    result.failures += `✖ ${name} (${file})\n${String(details.error?.cause ?? details.error)}\n`
  })
  stream.on('test:pass', ({ name, skip, todo }) => note(name, skip === undefined && todo === undefined))
  const remarks: string[] = []
  stream.on('test:diagnostic', ({ message }) => {
    if (message.startsWith('Error: ')) remarks.push(message)
    if (!message.startsWith(reachedMark)) return
    const test = result.tests.findLast(({ title }) => title === message.slice(reachedMark.length))
    if (test) test.reached = true
  })
  for await (const part of stream.compose(withoutCounts).compose(spec)) result.report += String(part)
  // node:test sets the exit code for errors that belong to no test, and ignores those of a file that has registered tests.
  const error = (await importError(file)) ?? (process.exitCode ? remarks.join('\n') || `Its exit code is ${process.exitCode}` : null)
  if (error !== null && result.failed === 0) fail(file, result, error)
  started.reported = true
}

/** The error with which the file was not imported; null if it was. */
function importError(file: string): Promise<string | null> {
  const imported = import(pathToFileURL(join(root, file)).href)
  return Promise.race([imported.then(() => null, String), nextTurn('It ended before it was imported')])
}

function fail(file: string, result: FileResult, why: string): void {
  const said = `✖ ${file}\n${why}\n`
  result.failed = Math.max(1, result.failed)
  result.failures += said
  result.report += said
}

/** Leaves out what the runner reports itself: marks, and counts of this file alone. */
async function* withoutCounts(events: AsyncIterable<{ type: string; data: { message?: string } }>) {
  const left = new RegExp(`^(${reachedMark}|(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\\d.]+$)`)
  for await (const event of events) if (!(event.type === 'test:diagnostic' && left.test(event.data.message ?? ''))) yield event
}

function end({ file, result, startedAt, cpuBefore, reported }: Running): void {
  running = undefined
  if (!reported) fail(file, result, 'It ended before its tests')
  process.exitCode = undefined
  state.restore()
  result.ms = performance.now() - startedAt
  result.cpuMs = cpuMs() - cpuBefore
  result.memory = process.memoryUsage.rss()
  ended.set(result, file)
  process.channel?.ref()
  process.send?.(result)
}

/** Processor time of this process and, where the system tells, of those it started that have ended. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + childrenCpuMs()
}

/** Linux reports it in hundredths of a second, behind a name that may contain spaces. */
function childrenCpuMs(): number {
  if (process.platform !== 'linux') return 0
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}
