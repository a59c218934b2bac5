/**
 * Compiles the sources of the shop that are not compiled yet. All of them, whether a process loads them or not: to compile the others
 * takes half a second once, to follow the imports more than a second at every start.
 */
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { nameOf, readCompiled, removeUnused, writeCompiled } from './compiled-files.mjs'

const root = join(import.meta.dirname, '..')
const sources = ['start/*.ts', '{contract,demo,search,server,services,storefront,web,words}/src/**/*.ts']
const used = new Set()
for (const file of globSync(sources, { cwd: root, exclude: ['**/*.test.ts'] })) {
  const text = readFileSync(join(root, file), 'utf8')
  const name = nameOf(text)
  used.add(name)
  if (readCompiled(name) === undefined) writeCompiled(name, stripTypeScriptTypes(text))
}
removeUnused(used)
