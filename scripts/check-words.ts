/** The catalogues of words, for `npm run verify`: complete, in their own language, and generated anew. */
import { checkMessages } from '@purlin/words/check-messages.ts'
import { generateWords } from '@purlin/words/generate.ts'
import { readMessages, type MessageSources } from '@purlin/words/read-messages.ts'
import { filesBelow } from './find-tests.ts'
import { staleFiles } from './generate-api.ts'

/** Problems of the catalogues, and generated files that are out of date. */
export function checkWords(sources: MessageSources = readMessages()): string[] {
  const problems = [...checkMessages(sources).map((problem) => `words/messages/${problem}`), ...elsewhere()]
  if (problems.length > 0) return problems
  const stale = staleFiles(generateWords(sources))
  return stale.length > 0 ? [`out of date, run npm run generate:\n${stale.join('\n')}`] : []
}

/** Words have one home. */
function elsewhere(): string[] {
  return filesBelow('storefront/src/messages', /\.json$/).map(
    (path) => `${path}: messages stand in words/messages/<language>/<area>.json; move it with node scripts/move-messages.ts`,
  )
}
