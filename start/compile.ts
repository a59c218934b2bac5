/**
 * Compiles what the processes of the shop consist of, before they start: `start/compiled.mjs`, which is preloaded, stores each file that
 * is loaded here, and loads it there.
 */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const entries = ['app.ts', 'documents.ts', 'worker.ts', 'services.ts'].map((file) => join('start', file))
// Modules of the server are loaded by the names of their files, and threads by theirs.
const byName = ['server/src/*/*/{graphql,rest,jobs,mails}.ts', '{server,search}/src/**/*-thread.ts']
const files = [...entries, ...globSync(byName, { cwd: join(import.meta.dirname, '..') })]
const imports = files.map((file) => `import ${JSON.stringify(pathToFileURL(join(import.meta.dirname, '..', file)).href)}`)
// All are loaded and compiled, and none is executed: a name that is not exported keeps a module and its imports from being linked.
const neverLinked = [...imports, "import { isExportedNowhere } from 'node:process'"].join('\n')
await import(`data:text/javascript,${encodeURIComponent(neverLinked)}`).catch((error: unknown) => {
  if (!(error instanceof SyntaxError)) throw error
})
