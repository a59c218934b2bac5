/**
 * A process that runs test files against one mutant after another. Each run imports all of the project's files again, so that
 * module constants are re-evaluated and no state survives; packages stay loaded.
 */
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { register } from 'prom-client'
import { root } from '../find-tests.ts'

export interface Order {
  /** Replacement texts of files to load. */
  sources: Record<string, string>
  tests: string[]
}
export interface Answer {
  /** Test file and title of the first failure; null if all passed. */
  failed: string | null
  /** Probes that were reached. */
  hits: number[]
}

const own = pathToFileURL(import.meta.dirname).href
const shim = `${own}/node-test.ts`
let run = 0
let sources: Record<string, string> = {}
const stripped = new Map<string, string>()
const hits = new Set<number>()
Object.assign(globalThis, { purlinHit: (index: number) => void hits.add(index) })

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'node:test' && run > 0 && !context.parentURL?.startsWith(own))
      return { url: shim, format: 'module-typescript', shortCircuit: true }
    const found = next(specifier, context)
    const isOurs = run > 0 && found.url.startsWith('file:') && !found.url.includes('/node_modules/') && !found.url.startsWith(own)
    return isOurs && /\.tsx?$/.test(found.url) ? { ...found, url: `${found.url}?run=${run}` } : found
  },
  load(url, context, next) {
    const [file = '', query] = url.split('?')
    if (!query?.startsWith('run=') || !file.endsWith('.ts')) return next(url, context)
    const path = fileURLToPath(file)
    const changed = sources[relative(root, path).replaceAll('\\', '/')]
    const source = changed === undefined ? (stripped.get(path) ?? strip(readFileSync(path, 'utf8'))) : strip(changed)
    if (changed === undefined) stripped.set(path, source)
    return { format: 'module', source, shortCircuit: true }
  },
})

function strip(text: string): string {
  return stripTypeScriptTypes(text)
}

const { runCollected } = await import('./node-test.ts')
let surprise: string | null = null
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error) => (surprise ??= `${event}: ${String(error)}`))

async function runTests(files: readonly string[]): Promise<string | null> {
  for (const file of files) {
    run++
    surprise = null
    register.clear()
    let failed: string | null
    try {
      await import(`${pathToFileURL(join(root, file)).href}?run=${run}`)
      failed = await runCollected()
    } catch (error) {
      failed = `it does not load: ${String(error)}`
      await runCollected()
    }
    await endRun()
    failed ??= surprise
    if (failed !== null) return `${file}: ${failed}`
  }
  return null
}

/** Normally databases and pools of a test file end with its process; here, with its run. */
async function endRun(): Promise<void> {
  const ends = process.listeners('beforeExit')
  process.removeAllListeners('beforeExit')
  await Promise.all(ends.map((end) => Promise.resolve(end(0)).catch(() => undefined)))
}

process.on('message', async (order: Order) => {
  sources = order.sources
  hits.clear()
  const failed = await runTests(order.tests)
  process.send?.({ failed, hits: [...hits] } satisfies Answer)
})
process.on('disconnect', () => process.exit(0))
