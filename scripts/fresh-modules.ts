/**
 * Gives each test file of a process instances of its own of the project's modules, so that no file finds state that an
 * earlier one left in them. Packages, the contract and the words are shared: loading them is most of the cost of a start (decision 078).
 * Sources are read and freed of types once.
 */
import { readFileSync } from 'node:fs'
import { type LoadFnOutput, type ResolveFnOutput, registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { root } from './find-tests.ts'

const mark = '?file='
const hook = pathToFileURL(join(root, 'scripts/tsx-hook.mjs')).href
/** Where addresses go on below the root of the project, with a slash. */
const top = pathToFileURL(root).href.length
/** Packages; and what has no state besides: catalogues of words, 1.4 MB to read anew for each file, and the contract. */
const shared = /^\/(?:words|contract)\/|\/node_modules\//
/** Another instance of the hook would transform everything once more. */
const isOwn = (url: string) => url.startsWith('file:') && !shared.test(url.slice(top)) && url !== hook

/** The file whose modules are loaded, and the number of it in this process. */
let current = { url: '', number: 0 }
const resolved = new Map<string, ResolveFnOutput>()
const sources = new Map<string, LoadFnOutput>()

/** From now on this file, and what it imports, is loaded anew. The first one has the plain addresses, whose code may be compiled already. */
export function startFresh(file: string): void {
  current = { url: pathToFileURL(join(root, file)).href, number: current.number + 1 }
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const [parentURL, number] = context.parentURL?.split(mark) ?? []
    const key = `${parentURL} ${specifier} ${context.conditions.join()}`
    const found = resolved.get(key) ?? nextResolve(specifier, { ...context, parentURL })
    resolved.set(key, found)
    if (number !== undefined && isOwn(found.url)) return { ...found, url: found.url + mark + number, shortCircuit: true }
    // The runner of node:test imports the file itself.
    if (found.url === current.url && current.number > 1) return { ...found, url: found.url + mark + current.number, shortCircuit: true }
    return { ...found, shortCircuit: true }
  },
  load(marked, context, nextLoad) {
    const [url = marked, number] = marked.split(mark)
    if (number === undefined) return nextLoad(url, context)
    const found = sources.get(url) ?? read(url, () => nextLoad(url, context))
    sources.set(url, found)
    return found
  },
})

function read(url: string, load: () => LoadFnOutput): LoadFnOutput {
  if (!url.endsWith('.ts')) return { ...load(), shortCircuit: true }
  return { format: 'module', source: stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8')), shortCircuit: true }
}
