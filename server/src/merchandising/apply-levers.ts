import type { Market } from '@purlin/contract/markets.ts'
import type { SearchEngine } from '@purlin/search/types.ts'
import type { Db } from '#platform'
import { reference } from '#catalogue'
import { productSettings, productsIndex } from '#listing'
import { engineRule, engineSynonym } from './levers.ts'
import { readRules, readSynonyms, readTuning } from './store.ts'

/** Hands everything operators taught one market to the engine. May run again at any time: the tables are the truth. */
export async function applyLevers({ db, engine }: { db: Db; engine: SearchEngine }, market: Market): Promise<void> {
  const index = productsIndex(market)
  const [synonyms, rules, tuning, catalogue] = await Promise.all([
    readSynonyms(db, market),
    readRules(db, market),
    readTuning(db, market),
    reference({ db }),
  ])
  const base = productSettings(market, catalogue)
  await engine.setSettings(index, {
    ...base,
    attributeWeights: { ...base.attributeWeights, ...tuning.weights },
    ...(tuning.stopWords && { stopWords: tuning.stopWords }),
  })
  await engine.setSynonyms(
    index,
    synonyms.map(({ id, type, input, words }) => engineSynonym(id, type, input, words)),
    { replaceExisting: true },
  )
  await engine.setRules(
    index,
    rules.map(({ id, rule }) => engineRule(id, rule)),
    { clearExisting: true },
  )
}
