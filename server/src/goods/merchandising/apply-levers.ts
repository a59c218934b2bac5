import { isDeepStrictEqual } from 'node:util'
import type { Market } from '@purlin/contract/markets.ts'
import type { SearchEngine } from '@purlin/search/types.ts'
import type { Db } from '#platform'
import { reference } from '#catalogue'
import { productSettings, productsIndex } from '#listing'
import { engineRule, engineSynonym } from './levers.ts'
import { readRules, readSynonyms, readTuning } from './store.ts'

/**
 * Applies all operator settings of one market to the engine where they differ: an up-to-date index keeps its version, and
 * caches keyed by it survive. Idempotent: the tables are the source of truth.
 * @returns whether anything differed
 */
export async function applyLevers({ db, engine }: { db: Db; engine: SearchEngine }, market: Market): Promise<boolean> {
  const index = productsIndex(market)
  const [synonymRows, ruleRows, tuning, catalogue] = await Promise.all([
    readSynonyms(db, market),
    readRules(db, market),
    readTuning(db, market),
    reference({ db }),
  ])
  const base = productSettings(market, catalogue)
  const settings = {
    ...base,
    attributeWeights: { ...base.attributeWeights, ...tuning.weights },
    ...(tuning.stopWords && { stopWords: tuning.stopWords }),
  }
  const synonyms = synonymRows.map(({ id, type, input, words }) => engineSynonym(id, type, input, words))
  const rules = ruleRows.map(({ id, rule }) => engineRule(id, rule))
  // An index that has not been built yet has none of them.
  const isBuilt = engine.version(index) > 0
  const differs = async (wanted: unknown, known: () => Promise<unknown>): Promise<boolean> =>
    !isBuilt || !isDeepStrictEqual(asKept(wanted), asKept(await known()))
  let changed = false
  if (await differs(settings, () => engine.settings(index))) {
    await engine.setSettings(index, settings)
    changed = true
  }
  if (await differs(synonyms, () => engine.synonyms(index))) {
    await engine.setSynonyms(index, synonyms, { replaceExisting: true })
    changed = true
  }
  if (await differs(rules, () => engine.rules(index))) {
    await engine.setRules(index, rules, { clearExisting: true })
    changed = true
  }
  return changed
}

/** As stored by the engine. */
function asKept(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
