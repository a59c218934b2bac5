/**
 * Lets `node --import ./scripts/tsx-hook.mjs` import .tsx and .module.css: for tests of components, where
 * the bundler is not. Class names of a CSS module are their own names.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'oxc-transform'

const classNames = 'export default new Proxy({}, { get: (_, name) => (typeof name === "string" ? name : undefined) })'

registerHooks({
  load(url, context, nextLoad) {
    const [file] = url.split('?')
    if (file.endsWith('.css')) return { format: 'module', source: classNames, shortCircuit: true }
    if (!file.endsWith('.tsx')) return nextLoad(url, context)
    const path = fileURLToPath(file)
    const { code, errors } = transformSync(path, readFileSync(path, 'utf8'), { jsx: { runtime: 'automatic' }, sourcemap: false })
    if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0].message}`)
    return { format: 'module', source: code, shortCircuit: true }
  },
})
