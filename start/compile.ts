/**
 * Compiles what the processes of the shop consist of into Node's compile cache, before they start. A process that finds a file missing
 * there loads the compiler of TypeScript, which takes 30 MB for as long as the process lives, and a second of processor.
 */
import { globSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const entries = ['app.ts', 'documents.ts', 'worker.ts', 'services.ts'].map((file) => join('start', file))
// Modules of the server are loaded by the names of their files.
const files = [...entries, ...globSync('server/src/*/*/{graphql,rest,jobs,mails}.ts', { cwd: join(import.meta.dirname, '..') })]
const imports = files.map((file) => `import ${JSON.stringify(pathToFileURL(join(import.meta.dirname, '..', file)).href)}`)
// All are loaded and compiled, and none is executed: a name that is not exported keeps a module and its imports from being linked.
const neverLinked = [...imports, "import { isExportedNowhere } from 'node:process'"].join('\n')
await import(`data:text/javascript,${encodeURIComponent(neverLinked)}`).catch((error: unknown) => {
  if (!(error instanceof SyntaxError)) throw error
})
flushCompileCache()
