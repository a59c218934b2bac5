/**
 * Reports problems of the demo shop's editorial content: mistakes in a file, languages with different structures, missing languages.
 * `--language de` checks one language only.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { languagesMissing, readEntryFiles } from '@purlin/server/goods/content/entry-files.ts'
import { root } from './find-tests.ts'

export function checkContent(language?: string): string {
  const { entries, faults } = readEntryFiles(join(root, 'demo/content'))
  // Facts without a text yet are not shown anywhere.
  const all = [...faults, ...languagesMissing(language ? entries : entries.filter(({ texts }) => Object.keys(texts).length > 0))]
  return (language ? all.filter((fault) => fault.includes(`.${language}.md`) || fault.includes('.json')) : all).join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--language')
  const said = checkContent(at > 0 ? process.argv[at + 1] : undefined)
  process.stdout.write(`${said || 'Nothing is wrong with the content.'}\n`)
  process.exitCode = said ? 1 : 0
}
