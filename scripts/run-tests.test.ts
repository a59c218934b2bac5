import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { root } from './find-tests.ts'
import { readRecord } from './test-record.ts'

/** Runs planted files in a process of its own: this process's output is parsed by the runner that runs this test. */
function runPlanted(sources: Readonly<Record<string, string>>, { sharing = false, atOnce = 2, fileTimeoutMs = 60_000 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'run-'))
  try {
    const tests = Object.keys(sources).filter((name) => name.includes('.test.'))
    const files = tests.map((name) => relative(root, join(folder, name)))
    for (const [name, source] of Object.entries(sources)) writeFileSync(join(folder, name), source)
    const options = { atOnce, fileTimeoutMs, quiet: true, again: true, recordFile: join(folder, 'record.json') }
    writeFileSync(
      join(folder, 'run.mjs'),
      `const { runTests } = await import(${JSON.stringify(join(root, 'scripts/run-tests.ts'))})
      const counts = await runTests(${JSON.stringify(files)}, { ...${JSON.stringify(options)}, shares: () => ${sharing} })
      console.log(JSON.stringify(counts))`,
    )
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const { stdout } = spawnSync(process.execPath, [join(folder, 'run.mjs')], { env, encoding: 'utf8' })
    const lines = stdout.trim().split('\n')
    const record = readRecord(options.recordFile)
    return {
      counts: JSON.parse(lines.at(-1) ?? '') as unknown,
      stdout,
      flaky: lines.filter((line) => line.startsWith('Flaky')).map((line) => line.replace(/.*: /, '')),
      passed: files.flatMap((file) => record[file]?.tests ?? []).flatMap(({ title, passed }) => (passed ? [title] : [])),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('a failing file is run again, up to twice, and tests that then pass are reported as flaky', () => {
  const until = (runs: number) => `
    import { appendFileSync, readFileSync } from 'node:fs'
    import { test } from 'node:test'
    const mark = import.meta.filename + '.ran'
    appendFileSync(mark, '.')
    const runs = readFileSync(mark).length
    test('steady', () => {})
    test('late on a busy machine', () => { if (runs < ${runs}) throw new Error('late') })`
  const { counts, stdout, flaky, passed } = runPlanted({ 'once.test.mjs': until(2), 'twice.test.mjs': until(3) })
  assert.partialDeepStrictEqual(counts, { passed: 4, failed: 0 })
  assert.deepEqual(flaky, ['late on a busy machine', 'late on a busy machine'])
  assert.match(stdout, /failed before it passed: \S+once[^]*failed twice before it passed: \S+twice/)
  assert.deepEqual(passed, ['steady', 'late on a busy machine', 'steady', 'late on a busy machine'])
})

test('a test that fails three times fails the run and is named, and so is a file that ends before its tests', () => {
  const always = `import { test } from 'node:test'; test('steady', () => {}); test('wrong', () => { throw new Error('no') })`
  const { counts, stdout, flaky, passed } = runPlanted({ 'always.test.mjs': always, 'ended.test.mjs': 'process.exit(1)' })
  assert.partialDeepStrictEqual(counts, { passed: 1, failed: 2 })
  assert.match(stdout, /^Failed: \S+always\.test\.mjs: wrong\nFailed: \S+ended\.test\.mjs: the file$/m)
  assert.deepEqual(flaky, [])
  assert.deepEqual(passed, ['steady'])
})

const count = `import { test } from 'node:test'
  const key = Symbol.for('planted')
  const planted = (globalThis[key] = (globalThis[key] ?? 0) + 1)`

test('files that share a process find what the earlier ones loaded; files of their own do not', () => {
  const sources = {
    'a.test.mjs': `${count}; test('loaded ' + planted, () => {})`,
    'b.test.mjs': `${count}; test('loaded ' + planted, () => {})`,
  }
  assert.deepEqual(runPlanted(sources, { sharing: true, atOnce: 1 }).passed, ['loaded 1', 'loaded 2'])
  assert.deepEqual(runPlanted(sources, { atOnce: 1 }).passed, ['loaded 1', 'loaded 1'])
})

test('a file that shares its process finds no state of modules, environment, globals or mocks that another one left', () => {
  const imports = `import { mock, test } from 'node:test'; import { state } from './state.mjs'`
  const { passed } = runPlanted(
    {
      'a.test.mjs': `${imports}; state.count++; process.env.PLANTED = 'yes'; mock.method(Math, 'random', () => 7)
        for (const name of ['planted', 'navigator'])
          Object.defineProperty(globalThis, name, { value: { userAgent: 'planted' }, configurable: true, writable: true })
        delete globalThis.performance
        test('a ' + state.count, async () => { (await import('./state.mjs')).state.count++ })`,
      'b.test.mjs': `${imports}; test(['b', state.count, process.env.PLANTED, Math.random() === 7, globalThis.planted, navigator.userAgent === 'planted',
        typeof performance].join(' '), () => {})`,
      'state.mjs': 'export const state = { count: 0 }',
    },
    { sharing: true, atOnce: 1 },
  )
  assert.deepEqual(passed, ['a 1', 'b 0  false  false object'])
})

test('an error of what a file left running fails that file, whichever is running by then', () => {
  const { stdout, counts } = runPlanted(
    {
      'throws.test.mjs': `import { test } from 'node:test'
        test('throws', () => void setTimeout(() => { throw new Error('left behind') }, 300).unref())`,
      'next.test.mjs': `import { test } from 'node:test'; import { setTimeout } from 'node:timers/promises'; test('next', () => setTimeout(1000))`,
      'rejects.test.mjs': `import { test } from 'node:test'; import { setTimeout } from 'node:timers/promises'
        test('rejects', () => void setTimeout(300, undefined, { ref: false }).then(() => Promise.reject(new Error('left behind'))))`,
      'last.test.mjs': `import { test } from 'node:test'; import { setTimeout } from 'node:timers/promises'; test('last', () => setTimeout(1000))`,
    },
    { sharing: true, atOnce: 1 },
  )
  for (const name of ['throws', 'rejects']) {
    const late = `✖ .*${name}\\.test\\.mjs\\nIt had ended when something that it left running failed: Error: left behind`
    assert.match(stdout, new RegExp(late))
    assert.match(stdout, new RegExp(`Flaky: failed before it passed: .*${name}\\.test\\.mjs`))
  }
  assert.partialDeepStrictEqual(counts, { passed: 4, failed: 0 })
})

test('hooks of a file that shares its process are not called for the others', () => {
  const hooks = `import { after, afterEach, before, beforeEach, test } from 'node:test'
    const called = (globalThis[Symbol.for("called")] ??= [])
    before(() => called.push('before')); beforeEach(() => called.push('each')); after(() => called.push('after'))`
  const { passed, counts } = runPlanted(
    {
      'a.test.mjs': `${hooks}; test('one', () => {})`,
      'b.test.mjs': `import { test } from 'node:test'; test(globalThis[Symbol.for('called')].join(' '), () => {})`,
      'c.test.mjs': `import { test } from 'node:test'; test('last', () => {})`,
    },
    { sharing: true, atOnce: 1 },
  )
  assert.deepEqual(passed, ['one', 'before each after', 'last'])
  assert.partialDeepStrictEqual(counts, { passed: 3, failed: 0 })
})

test('of files that share a process, one that throws, exits, ends early or hangs fails alone, and the others count', () => {
  const { counts, passed, flaky, stdout } = runPlanted(
    {
      'a.test.mjs': `import { test } from 'node:test'; test('first', () => {})`,
      'exits.test.mjs': `import { test } from 'node:test'; test('exits', () => process.exit(0)); test('never', () => {})`,
      'b.test.mjs': `import { test } from 'node:test'; test('second', () => {})`,
      'throws.test.mjs': `import { test } from 'node:test'; test('unreached', () => {}); throw new Error('cannot be imported')`,
      'c.test.mjs': `import { test } from 'node:test'; test('third', () => {})`,
      'unsettled.test.mjs': `await new Promise(() => {})`,
      'late.test.mjs': `import { test } from 'node:test'; test('done', () => void setTimeout(() => { throw new Error('too late') }, 50))`,
      'open.test.mjs': `import { createServer } from 'node:net'; import { test } from 'node:test'
        test('listens on', (_, done) => void createServer().listen(0, done))`,
      'd.test.mjs': `import { test } from 'node:test'; test('fourth', () => {})`,
    },
    { sharing: true, atOnce: 1, fileTimeoutMs: 3000 },
  )
  for (const title of ['first', 'second', 'third', 'fourth']) assert.ok(passed.includes(title), title)
  for (const title of ['never', 'listens on']) assert.ok(!passed.includes(title), title)
  assert.deepEqual(flaky, [])
  const failed = ['exits', 'throws', 'unsettled', 'late', 'open']
  assert.ok((counts as { failed: number }).failed >= failed.length, stdout)
  for (const name of failed) assert.match(stdout, new RegExp(`✖ .*${name}\\.test\\.mjs`))
})
