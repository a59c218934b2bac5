import type { Market } from '@purlin/contract/markets.ts'
import type { Synonym } from '@purlin/search/types.ts'
import type { Db } from '#platform'
import type { RuleInput, Weights } from './levers.ts'

export interface SynonymRow {
  id: string
  source: 'general' | 'operator'
  type: Synonym['type']
  input: string | null
  words: string[]
}

const synonyms = {
  name: 'merchandising.synonyms',
  text: 'select id, source, type, input, words from merchandising.synonym where market = $1 order by id',
}
export function readSynonyms(db: Db, market: Market): Promise<SynonymRow[]> {
  return db.rows<SynonymRow>(synonyms, [market])
}

const putSynonym = {
  name: 'merchandising.put-synonym',
  text: `insert into merchandising.synonym (market, id, source, type, input, words) values ($1, $2, $3, $4, $5, $6)
         on conflict (market, id) do update set source = excluded.source, type = excluded.type, input = excluded.input,
           words = excluded.words, updated_at = now()`,
}
export function saveSynonym(db: Db, market: Market, row: SynonymRow): Promise<number> {
  return db.run(putSynonym, [market, row.id, row.source, row.type, row.input, row.words])
}

const fillSynonyms = {
  name: 'merchandising.fill-synonyms',
  text: `insert into merchandising.synonym (market, id, source, type, input, words)
         select $1, row ->> 'objectID', 'general', row ->> 'type', row ->> 'input', array(select jsonb_array_elements_text(row -> 'synonyms'))
         from jsonb_array_elements($2::jsonb) row
         on conflict (market, id) do nothing`,
}
/** Adds built-in synonyms; operators' changes stay. */
export function addGeneralSynonyms(db: Db, market: Market, list: readonly Synonym[]): Promise<number> {
  return db.run(fillSynonyms, [market, JSON.stringify(list)])
}

const dropSynonym = { name: 'merchandising.drop-synonym', text: 'delete from merchandising.synonym where market = $1 and id = $2' }
export function deleteSynonym(db: Db, market: Market, id: string): Promise<number> {
  return db.run(dropSynonym, [market, id])
}

const rules = { name: 'merchandising.rules', text: 'select id, enabled, rule from merchandising.rule where market = $1 order by id' }
export function readRules(db: Db, market: Market): Promise<{ id: string; enabled: boolean; rule: RuleInput }[]> {
  return db.rows(rules, [market])
}

const putRule = {
  name: 'merchandising.put-rule',
  text: `insert into merchandising.rule (market, id, enabled, rule) values ($1, $2, $3, $4)
         on conflict (market, id) do update set enabled = excluded.enabled, rule = excluded.rule, updated_at = now()`,
}
export function saveRule(db: Db, market: Market, id: string, rule: RuleInput): Promise<number> {
  return db.run(putRule, [market, id, rule.enabled, JSON.stringify(rule)])
}

const dropRule = { name: 'merchandising.drop-rule', text: 'delete from merchandising.rule where market = $1 and id = $2' }
export function deleteRule(db: Db, market: Market, id: string): Promise<number> {
  return db.run(dropRule, [market, id])
}

export interface Tuning {
  /** Null: the language's defaults. */
  stopWords: string[] | null
  weights: Weights
}
const tuning = {
  name: 'merchandising.tuning',
  text: 'select stop_words as "stopWords", weights from merchandising.tuning where market = $1',
}
export async function readTuning(db: Db, market: Market): Promise<Tuning> {
  return (await db.row<Tuning>(tuning, [market])) ?? { stopWords: null, weights: {} }
}

const putStopWords = {
  name: 'merchandising.put-stop-words',
  text: `insert into merchandising.tuning (market, stop_words) values ($1, $2)
         on conflict (market) do update set stop_words = excluded.stop_words, updated_at = now()`,
}
export function saveStopWords(db: Db, market: Market, words: string[]): Promise<number> {
  return db.run(putStopWords, [market, words])
}

const putWeights = {
  name: 'merchandising.put-weights',
  text: `insert into merchandising.tuning (market, weights) values ($1, $2)
         on conflict (market) do update set weights = excluded.weights, updated_at = now()`,
}
export function saveWeights(db: Db, market: Market, weights: Weights): Promise<number> {
  return db.run(putWeights, [market, JSON.stringify(weights)])
}

const learns = { name: 'merchandising.learns', text: 'select learns from merchandising.tuning where market = $1' }
/** Whether buyers' choices order searches; unless an operator has turned it off. */
export async function readLearns(db: Db, market: Market): Promise<boolean> {
  return (await db.row<{ learns: boolean }>(learns, [market]))?.learns ?? true
}

const putLearns = {
  name: 'merchandising.put-learns',
  text: `insert into merchandising.tuning (market, learns) values ($1, $2)
         on conflict (market) do update set learns = excluded.learns, updated_at = now()`,
}
export function saveLearns(db: Db, market: Market, isOn: boolean): Promise<number> {
  return db.run(putLearns, [market, isOn])
}
