import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')

/** As a process of the shop does: its static imports, and the modules it loads by name. */
const asProcess = `
  await import('./start/open-shop.ts')
  const { loadEdges } = await import('./server/src/edges/gateway/load-schema.ts')
  const { loadJobs } = await import('./server/src/edges/worker/load-jobs.ts')
  await Promise.all([loadEdges(), loadJobs()])
  console.log(process.moduleLoadList.some((name) => name.includes('amaro')) ? 'compiled here' : 'compiled before')
  process.exit()`

test('processes of the shop find everything compiled, and none of them loads the compiler of TypeScript', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'purlin-compiled-'))
  const env = { ...process.env, NODE_COMPILE_CACHE: cache }
  const load = () => run(process.execPath, ['--input-type=module', '--eval', asProcess], { cwd: root, env })
  try {
    await run(process.execPath, [join(root, 'start', 'compile.ts')], { cwd: root, env })
    assert.match((await load()).stdout, /compiled before/)
    await rm(cache, { recursive: true })
    assert.match((await load()).stdout, /compiled here/, 'the test would notice')
  } finally {
    await rm(cache, { recursive: true, force: true })
  }
})
