import type { Market } from '@purlin/contract/markets.ts'
import type { JobScope } from '#platform'
import type { RuleInput, SynonymInput, Weights } from './levers.ts'
import { deleteRule, deleteSynonym, saveLearns, saveRule, saveStopWords, saveSynonym, saveWeights } from './store.ts'

/** Each change is one transaction; its event propagates it to the engine. */
type Change = Pick<JobScope, 'db' | 'emit'>

export async function putSynonym({ db, emit }: Change, market: Market, id: string, input: SynonymInput): Promise<void> {
  await saveSynonym(db, market, {
    id,
    source: 'operator',
    type: input.type,
    input: input.type === 'synonym' ? null : input.input,
    words: input.synonyms,
  })
  emit('search-levers.changed', { leversOf: market })
}

/** False when there was none. */
export async function removeSynonym({ db, emit }: Change, market: Market, id: string): Promise<boolean> {
  if ((await deleteSynonym(db, market, id)) === 0) return false
  emit('search-levers.changed', { leversOf: market })
  return true
}

export async function putRule({ db, emit }: Change, market: Market, id: string, rule: RuleInput): Promise<void> {
  await saveRule(db, market, id, rule)
  emit('search-levers.changed', { leversOf: market })
}

/** False when there was none. */
export async function removeRule({ db, emit }: Change, market: Market, id: string): Promise<boolean> {
  if ((await deleteRule(db, market, id)) === 0) return false
  emit('search-levers.changed', { leversOf: market })
  return true
}

export async function setStopWords({ db, emit }: Change, market: Market, words: string[]): Promise<void> {
  await saveStopWords(db, market, words)
  emit('search-levers.changed', { leversOf: market })
}

export async function setWeights({ db, emit }: Change, market: Market, weights: Weights): Promise<void> {
  await saveWeights(db, market, weights)
  emit('search-levers.changed', { leversOf: market })
}

export async function setLearning({ db, emit }: Change, market: Market, isOn: boolean): Promise<void> {
  await saveLearns(db, market, isOn)
  emit('search-levers.changed', { leversOf: market })
}
