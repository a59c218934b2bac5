import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { root } from './find-tests.ts'

export interface Counts {
  passed: number
  failed: number
}

/** Runs test files, each in its own process, and shows what fails (or everything). */
export async function runTests(files: readonly string[], { atOnce, quiet = false }: { atOnce: number; quiet?: boolean }): Promise<Counts> {
  if (!files.length) return { passed: 0, failed: 0 }
  const stream = run({
    files: files.map((file) => join(root, file)),
    concurrency: atOnce,
    execArgv: ['--import', pathToFileURL(join(root, 'scripts/tsx-hook.mjs')).href],
  })
  const counts = { passed: 0, failed: 0 }
  const titles: string[] = []
  stream.on('test:summary', ({ file, counts: sums }) => {
    // The last one is about all files.
    if (file === undefined) Object.assign(counts, { passed: sums.passed, failed: sums.tests - sums.passed - sums.skipped - sums.todo })
  })
  if (quiet)
    stream.on('test:fail', ({ name, file, details }) =>
      process.stdout.write(`✖ ${name} (${file})\n${String(details.error?.cause ?? details.error)}\n`),
    )
  stream.on('test:pass', ({ name, file }) => void titles.push(`${relative(root, file ?? '')}: ${name}`))
  const shown = quiet ? stream : stream.compose(spec)
  if (quiet) stream.resume()
  else shown.pipe(process.stdout, { end: false })
  await new Promise<void>((resolve, reject) => {
    stream.once('end', resolve)
    stream.once('error', reject)
  })
  recordTitles(titles, files)
  return counts
}

const record = join(root, 'node_modules/.cache/purlin-test-titles.json')

/** Titles of the tests that passed when last run, "file: title"; many are made from tables and stand in no source. */
export function passedTitles(): string[] {
  try {
    return JSON.parse(readFileSync(record, 'utf8')) as string[]
  } catch {
    return []
  }
}

function recordTitles(titles: readonly string[], files: readonly string[]): void {
  const others = passedTitles().filter((title) => !files.some((file) => title.startsWith(`${file}: `)))
  mkdirSync(join(record, '..'), { recursive: true })
  writeFileSync(record, JSON.stringify([...others, ...titles]))
}
