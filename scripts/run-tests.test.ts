import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { root } from './find-tests.ts'
import { readRecord } from './test-record.ts'

/** Runs planted files in a process of its own: this process's output is parsed by the runner that runs this test. */
function runPlanted(sources: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'run-'))
  try {
    const files = Object.keys(sources).map((name) => relative(root, join(folder, name)))
    for (const [name, source] of Object.entries(sources)) writeFileSync(join(folder, name), source)
    const options = { atOnce: 2, quiet: true, again: true, recordFile: join(folder, 'record.json') }
    writeFileSync(
      join(folder, 'run.mjs'),
      `const { runTests } = await import(${JSON.stringify(join(root, 'scripts/run-tests.ts'))})
      const counts = await runTests(${JSON.stringify(files)}, ${JSON.stringify(options)})
      console.log(JSON.stringify(counts))`,
    )
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const { stdout } = spawnSync(process.execPath, [join(folder, 'run.mjs')], { env, encoding: 'utf8' })
    const lines = stdout.trim().split('\n')
    const record = readRecord(options.recordFile)
    return {
      counts: JSON.parse(lines.at(-1) ?? '') as unknown,
      flaky: lines.filter((line) => line.startsWith('Flaky')).map((line) => line.replace(/.*: /, '')),
      passed: files.flatMap((file) => record[file]?.tests ?? []).flatMap(({ title, passed }) => (passed ? [title] : [])),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('a failing file is run once more, and tests that then pass are reported as flaky', () => {
  const once = `
    import { existsSync, writeFileSync } from 'node:fs'
    import { test } from 'node:test'
    const mark = import.meta.filename + '.ran'
    const isFirst = !existsSync(mark)
    writeFileSync(mark, '')
    test('steady', () => {})
    test('late on a busy machine', () => { if (isFirst) throw new Error('late') })`
  const { counts, flaky, passed } = runPlanted({ 'once.test.mjs': once })
  assert.partialDeepStrictEqual(counts, { passed: 2, failed: 0 })
  assert.deepEqual(flaky, ['late on a busy machine'])
  assert.deepEqual(passed, ['steady', 'late on a busy machine'])
})

test('a test that fails twice fails the run, and so does a file that ends before its tests', () => {
  const always = `import { test } from 'node:test'; test('steady', () => {}); test('wrong', () => { throw new Error('no') })`
  const { counts, flaky, passed } = runPlanted({ 'always.test.mjs': always, 'ended.test.mjs': 'process.exit(1)' })
  assert.partialDeepStrictEqual(counts, { passed: 1, failed: 2 })
  assert.deepEqual(flaky, [])
  assert.deepEqual(passed, ['steady'])
})
