import { isDeepStrictEqual } from 'node:util'
import type { Market } from '@purlin/contract/markets.ts'
import type { IndexSettings, Rule, SearchEngine, Synonym } from '@purlin/search/types.ts'
import type { Db } from '#platform'
import { reference } from '#catalogue'
import { offerSettings, offersIndex, productSettings, productsIndex, rankingData } from '#listing'
import { weightsInUse } from './learn-ranking.ts'
import { engineRule, engineSynonym } from './levers.ts'
import { readRules, readSynonyms, readTuning } from './store.ts'

/**
 * Applies all operator settings of one market to the engine where they differ: an up-to-date index keeps its version, and
 * caches keyed by it survive. Idempotent: the tables are the source of truth.
 * @returns whether anything differed
 */
export async function applyLevers(
  { db, engine, now = new Date() }: { db: Db; engine: SearchEngine; now?: Date },
  market: Market,
): Promise<boolean> {
  const [synonymRows, ruleRows, tuning, catalogue, weights] = await Promise.all([
    readSynonyms(db, market),
    readRules(db, market),
    readTuning(db, market),
    reference({ db }),
    weightsInUse(db, market, now),
  ])
  const tuned = (base: IndexSettings): IndexSettings => ({
    ...base,
    attributeWeights: { ...base.attributeWeights, ...tuning.weights },
    ...(tuning.stopWords && { stopWords: tuning.stopWords }),
  })
  const synonyms = synonymRows.map(({ id, type, input, words }) => engineSynonym(id, type, input, words))
  const ofProducts = {
    index: productsIndex(market),
    settings: { ...tuned(productSettings(market, catalogue)), ...(weights && { userData: rankingData(weights) }) },
    rules: ruleRows.map(({ id, rule }) => engineRule(id, rule)),
  }
  // What is promoted or hidden is named by product; a seller's own page shows all of the seller's offers.
  const ofOffers = {
    index: offersIndex(market),
    settings: tuned(offerSettings(market, catalogue)),
    rules: ruleRows.flatMap(({ id, rule }) => (rule.boost.length > 0 ? engineRule(id, { ...rule, promote: [], hide: [] }) : [])),
  }
  const changed = [await apply(engine, { ...ofProducts, synonyms }), await apply(engine, { ...ofOffers, synonyms })]
  return changed.includes(true)
}

interface Wanted {
  index: string
  settings: IndexSettings
  synonyms: Synonym[]
  rules: Rule[]
}

async function apply(engine: SearchEngine, { index, settings, synonyms, rules }: Wanted): Promise<boolean> {
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
