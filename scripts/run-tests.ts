import { join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { root } from './find-tests.ts'
import { type TestResult, writeRecord } from './test-record.ts'

export interface Counts {
  passed: number
  failed: number
  /** Milliseconds of each file. */
  tookMs?: ReadonlyMap<string, number>
}

/** A file that hangs fails instead of holding up the run. */
const fileTimeoutMs = 600_000
const reachedMark = 'purlin:reached '
const preloads = ['scripts/tsx-hook.mjs', 'scripts/reach-hook.mjs'].flatMap((file) => ['--import', pathToFileURL(join(root, file)).href])

/** Runs test files, each in its own process, shows what fails (or everything) and records the results. */
export async function runTests(
  files: readonly string[],
  { atOnce, quiet = false, recordFile }: { atOnce: number; quiet?: boolean; recordFile?: string },
): Promise<Counts> {
  if (!files.length) return { passed: 0, failed: 0 }
  const stream = run({ files: files.map((file) => join(root, file)), concurrency: atOnce, execArgv: preloads, timeout: fileTimeoutMs })
  const counts = { passed: 0, failed: 0 }
  const results = new Map(files.map((file) => [file, [] as TestResult[]]))
  const note = (file: string | undefined, title: string, passed: boolean) => {
    const path = relative(root, file ?? '').replaceAll('\\', '/')
    // Journeys run in a browser, whose requests this process does not see.
    results.get(path)?.push({ title, passed, reached: path.startsWith('e2e/journeys/') })
  }
  const tookMs = new Map<string, number>()
  stream.on('test:summary', ({ file, counts: sums, duration_ms: ms }) => {
    // The last one is about all files.
    if (file !== undefined) tookMs.set(relative(root, file).replaceAll('\\', '/'), ms)
    else Object.assign(counts, { passed: sums.passed, failed: sums.tests - sums.passed - sums.skipped - sums.todo })
  })
  stream.on('test:fail', ({ name, file, details }) => {
    note(file, name, false)
    if (quiet) process.stdout.write(`✖ ${name} (${file})\n${String(details.error?.cause ?? details.error)}\n`)
  })
  stream.on('test:pass', ({ name, file, skip, todo }) => note(file, name, skip === undefined && todo === undefined))
  stream.on('test:diagnostic', ({ file, message }) => {
    if (!message.startsWith(reachedMark) || file === undefined) return
    const tests = results.get(relative(root, file).replaceAll('\\', '/'))
    const test = tests?.findLast(({ title }) => title === message.slice(reachedMark.length))
    if (test) test.reached = true
  })
  if (quiet) for await (const _ of stream);
  // The report ends after the stream: the details of failures come last.
  else for await (const part of stream.compose(withoutMarks).compose(spec)) process.stdout.write(part)
  writeRecord(results, recordFile)
  return { ...counts, tookMs }
}

async function* withoutMarks(events: AsyncIterable<{ type: string; data: { message?: string } }>) {
  for await (const event of events) if (event.type !== 'test:diagnostic' || !event.data.message?.startsWith(reachedMark)) yield event
}
