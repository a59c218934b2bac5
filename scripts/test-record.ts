/** Results of the last run of each test file: which tests passed, and which of them reached the product. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './find-tests.ts'

export interface TestResult {
  title: string
  passed: boolean
  /** Whether it sent a request to a server, ran in a browser, or ran a job. */
  reached: boolean
}

export interface FileRecord {
  /** Hash of the file when it ran; results of files changed since do not count. */
  checksum: string
  tests: TestResult[]
}

export type TestRecord = Record<string, FileRecord>

const recordFile = join(root, 'node_modules/.cache/purlin-test-record.json')

/** Results of files that are unchanged since they ran. */
export function readRecord(file = recordFile): TestRecord {
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as TestRecord) : {}
  return Object.fromEntries(Object.entries(known).filter(([path, { checksum }]) => checksumOf(path) === checksum))
}

/** Replaces the recorded results of these files. */
export function writeRecord(results: ReadonlyMap<string, TestResult[]>, file = recordFile): void {
  const record = readRecord(file)
  for (const [path, tests] of results) record[path] = { checksum: checksumOf(path) ?? '', tests }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(record))
}

function checksumOf(path: string): string | undefined {
  const whole = join(root, path)
  return existsSync(whole) ? createHash('sha256').update(readFileSync(whole)).digest('base64url') : undefined
}
