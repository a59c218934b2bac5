import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { routes } from '@purlin/storefront/routes.ts'
import { type Verdict, judge, readChecklist, routeOf } from './coverage.ts'
import { root } from './find-tests.ts'
import { type TestResult, readRecord, writeRecord } from './test-record.ts'

const lines = readChecklist(readFileSync(join(root, 'docs/checklist.md'), 'utf8'))

function verdicts(tests: Partial<TestResult>[], ids: string[]): Record<string, Verdict> {
  const record = { 'a.test.ts': { checksum: '', tests: tests.map((each) => ({ title: '', passed: true, reached: true, ...each })) } }
  return Object.fromEntries(judge(lines, record).flatMap(({ id, verdict }) => (ids.includes(id) ? [[id, verdict]] : [])))
}

test('V-70 every line of the checklist is read, each once', () => {
  assert.equal(lines.length, 715)
  assert.equal(new Set(lines.map(({ id }) => id)).size, 715)
})

test('V-70 a line is proved by a test that passed and reached the product; failing tests and unit tests do not prove it', () => {
  const tests = [
    { title: 'R-020 reached' },
    { title: 'R-021 failed', passed: false },
    { title: 'R-022 a rule alone', reached: false },
    { title: 'R-373…R-375 a range', reached: false },
    { title: 'R-374 one of it' },
  ]
  assert.deepEqual(verdicts(tests, ['R-020', 'R-021', 'R-022', 'R-023', 'R-373', 'R-374']), {
    'R-020': 'proved',
    'R-021': 'not yet',
    'R-022': 'unit only',
    'R-023': 'not yet',
    'R-373': 'unit only',
    'R-374': 'proved',
  })
})

test('V-70 each line about an address or a named page belongs to a row of the route table', () => {
  const [first, last] = ['R-033', 'R-276'].map((wanted) => lines.findIndex(({ id }) => id === wanted))
  const about = lines.slice(first, (last ?? 0) + 1).filter(({ kind }) => kind === 'S')
  assert.equal(about.length, 210)
  assert.deepEqual(
    about.filter((line) => !routeOf(line, routes)).map(({ id, text }) => `${id} ${text}`),
    [],
  )
})

test('V-70 a run records what passed and what reached the product; skipped, failing and changed tests count as nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'record-'))
  const file = relative(root, join(folder, 'planted.test.ts'))
  const recordFile = join(folder, 'record.json')
  const source = `
    import assert from 'node:assert/strict'
    import { createServer } from 'node:http'
    import { test } from 'node:test'
    const server = createServer((_, res) => res.end('x')).listen(0)
    server.unref().on('connection', (socket) => socket.unref())
    const ask = () => fetch('http://127.0.0.1:' + server.address().port).then((answer) => answer.text())
    test('pure', () => {})
    test('asks', ask)
    test('asks and fails', async () => assert.equal(await ask(), 'y'))
    test('skipped', { skip: true }, ask)
    test('to do', { todo: true }, ask)
    test('pure again', () => {})`
  try {
    writeFileSync(join(root, file), source)
    // In a process of its own: this process's output is parsed by the runner that runs this test.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const script = `const { runTests } = await import(${JSON.stringify(join(root, 'scripts/run-tests.ts'))})
      const counts = await runTests([${JSON.stringify(file)}], { atOnce: 1, quiet: true, recordFile: ${JSON.stringify(recordFile)} })
      console.log(JSON.stringify(counts))`
    writeFileSync(join(folder, 'run.mjs'), script)
    const { stdout } = spawnSync(process.execPath, [join(folder, 'run.mjs')], { env, encoding: 'utf8' })
    assert.partialDeepStrictEqual(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''), { passed: 3, failed: 1 })
    assert.deepEqual(readRecord(recordFile)[file]?.tests, [
      { title: 'pure', passed: true, reached: false },
      { title: 'asks', passed: true, reached: true },
      { title: 'asks and fails', passed: false, reached: true },
      { title: 'skipped', passed: false, reached: false },
      { title: 'to do', passed: false, reached: true },
      { title: 'pure again', passed: true, reached: false },
    ])
    writeFileSync(join(root, file), `${source}\n`)
    assert.equal(readRecord(recordFile)[file], undefined)
    writeRecord(new Map([[file, []]]), recordFile)
    assert.deepEqual(readRecord(recordFile)[file]?.tests, [])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
