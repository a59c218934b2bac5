/** Checks the message catalogues for `npm run verify`: complete, in their own language, used as whole sentences, generated files up to date. */
import { checkMessages } from '@purlin/words/check-messages.ts'
import { checkUsage } from '@purlin/words/check-usage.ts'
import { generateWords } from '@purlin/words/generate.ts'
import { readMessages, type MessageSources } from '@purlin/words/read-messages.ts'
import { filesBelow } from './find-tests.ts'
import { staleFiles } from './generate-api.ts'
import { readSources, type Source } from './walls.ts'

const isShop = /^(?:start\.ts|(?:start|contract|server|storefront|services|web|ui)\/)/
const isProof = /\.test\.tsx?$|\/test-[a-z-]+\.ts$|(?:^|\/)testing(?:\/|\.ts$)|\/(?:fixture|generated)\/|\/example-[a-z-]+\.ts$/

/** Problems of the catalogues and of the code that uses them, and outdated generated files. */
export function checkWords(messages: MessageSources = readMessages(), sources: readonly Source[] = readSources()): string[] {
  const keys = new Set(Object.values(messages.en).flatMap((area) => Object.keys(area)))
  const shop = sources.filter(({ path }) => isShop.test(path) && !isProof.test(path))
  const problems = [
    ...checkMessages(messages).map((problem) => `words/messages/${problem}`),
    ...checkUsage(shop, keys),
    ...filesBelow('storefront/src/messages', /\.json$/).map(
      (path) => `${path}: messages stand in words/messages/<language>/<area>.json; move it with node scripts/move-messages.ts`,
    ),
  ]
  if (problems.length > 0) return problems
  const stale = staleFiles(generateWords(messages))
  return stale.length > 0 ? [`out of date, run npm run generate:\n${stale.join('\n')}`] : []
}
