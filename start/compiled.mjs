/**
 * Preloaded by the processes of the shop: they load their TypeScript as `start/compile.ts` has had it compiled, without the compiler,
 * which takes 46 MB. Node's own compile cache does that too, but keeps all it has read: 22 MB in each process (decision 103). What has
 * changed since is compiled by Node.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { nameOf, readCompiled } from './compiled-files.mjs'

registerHooks({
  load(url, context, nextLoad) {
    const source = /^file:.*\.ts$/.test(url) ? readCompiled(nameOf(readFileSync(fileURLToPath(url), 'utf8'))) : undefined
    return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true }
  },
})
