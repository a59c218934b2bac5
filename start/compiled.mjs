/**
 * Preloaded by the processes of the shop: they load their TypeScript as `start/compile.ts` has compiled it, without the compiler, which
 * takes 46 MB. Node's own compile cache does that too, but keeps all it has read: 22 MB in each process (decision 103). What has changed
 * since is compiled by Node.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

const directory = process.env.PURLIN_COMPILED ?? join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled-sources')
const isCompiling = process.env.PURLIN_COMPILING === 'yes'
const used = new Set()

registerHooks({
  load(url, context, nextLoad) {
    const source = /^file:.*\.ts$/.test(url) ? compiled(readFileSync(fileURLToPath(url), 'utf8')) : undefined
    return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true }
  },
})

/** By its text, so that a file that has changed is never mistaken for what it was. */
function compiled(text) {
  const name = `${createHash('sha256').update(text).digest('hex').slice(0, 32)}.js`
  used.add(name)
  try {
    return readFileSync(join(directory, name), 'utf8')
  } catch {
    return isCompiling ? compile(text, name) : undefined
  }
}

function compile(text, name) {
  const source = stripTypeScriptTypes(text)
  const unfinished = join(directory, `${randomUUID()}.unfinished`)
  mkdirSync(directory, { recursive: true })
  writeFileSync(unfinished, source)
  renameSync(unfinished, join(directory, name))
  return source
}

const keptMs = 7 * 24 * 60 * 60 * 1000

/** Other versions of the shop may be running from the same folder. */
function removeUnused() {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    if (!used.has(name) && Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { force: true })
  }
}

if (isCompiling && isMainThread) process.once('exit', (code) => code === 0 && removeUnused())
