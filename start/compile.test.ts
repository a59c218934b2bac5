import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { preload } from './supervise.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')

/** As a process of the shop does: its static imports, the modules it loads by name, and a thread. */
const asProcess = `
  await import('./start/open-shop.ts')
  const { loadEdges } = await import('./server/src/edges/gateway/load-schema.ts')
  const { loadJobs } = await import('./server/src/edges/worker/load-jobs.ts')
  await Promise.all([loadEdges(), loadJobs()])
  const { Worker } = await import('node:worker_threads')
  const thread = new Worker(new URL('./search/src/threads/build-thread.ts', 'file://' + process.cwd() + '/'))
  await new Promise((resolve) => thread.once('online', resolve))
  console.log(process.moduleLoadList.some((name) => name.includes('amaro')) ? 'compiled here' : 'compiled before')
  process.exit()`

test('processes of the shop find everything compiled, and none of them loads the compiler of TypeScript', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'purlin-compiled-'))
  const env = { ...process.env, PURLIN_COMPILED: directory, NODE_DISABLE_COMPILE_CACHE: '1' }
  const load = () => run(process.execPath, [...preload, '--input-type=module', '--eval', asProcess], { cwd: root, env })
  try {
    await run(process.execPath, [...preload, join(root, 'start', 'compile.ts')], { cwd: root, env: { ...env, PURLIN_COMPILING: 'yes' } })
    assert.match((await load()).stdout, /compiled before/)
    const files = await readdir(directory)
    await Promise.all(files.filter((_, at) => at % 2 === 0).map((file) => rm(join(directory, file))))
    assert.match((await load()).stdout, /compiled here/, 'what is missing is compiled by Node')
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})
