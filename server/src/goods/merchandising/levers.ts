import * as v from 'valibot'
import type { Rule, Synonym } from '@purlin/search/types.ts'
import { valueFilter } from '#listing'

const word = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100))
const id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))

/** A group of synonyms, or a one-way synonym. */
export const synonymInput = v.variant('type', [
  v.strictObject({ type: v.literal('synonym'), synonyms: v.pipe(v.array(word), v.minLength(2), v.maxLength(50)) }),
  v.strictObject({ type: v.literal('oneWaySynonym'), input: word, synonyms: v.pipe(v.array(word), v.minLength(1), v.maxLength(50)) }),
])
export type SynonymInput = v.InferOutput<typeof synonymInput>

const condition = v.strictObject({
  pattern: v.optional(v.pipe(v.string(), v.maxLength(200))),
  anchoring: v.optional(v.picklist(['is', 'startsWith', 'endsWith', 'contains'])),
  context: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))),
})

/** Promotes, hides, boosts or redirects when the query or the context matches. */
export const ruleInput = v.strictObject({
  enabled: v.optional(v.boolean(), true),
  conditions: v.optional(v.pipe(v.array(condition), v.maxLength(25)), []),
  promote: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          productId: v.pipe(v.string(), v.regex(/^\d{1,18}$/)),
          position: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(299)),
        }),
      ),
      v.maxLength(300),
    ),
    [],
  ),
  hide: v.optional(v.pipe(v.array(v.pipe(v.string(), v.regex(/^\d{1,18}$/))), v.maxLength(300)), []),
  /** Boosted, never excluded: { "attribute": "brandName", "value": "Tarvok", "score": 50 } */
  boost: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          attribute: v.pipe(v.string(), v.regex(/^[\w.]{1,60}$/)),
          value: word,
          score: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)),
        }),
      ),
      v.maxLength(20),
    ),
    [],
  ),
  /** Redirect target: an address of the shop. */
  redirect: v.optional(v.pipe(v.string(), v.regex(/^\/(?![/\\])[^\s]{0,500}$/))),
})
export type RuleInput = v.InferOutput<typeof ruleInput>

export const stopWordsInput = v.pipe(v.array(word), v.maxLength(500))
const fields = ['title', 'thing', 'brandName', 'categoryNames', 'alternateTitle', 'attributesText', 'description'] as const
export const weightsInput = v.partial(v.strictObject(v.entriesFromList(fields, v.pipe(v.number(), v.minValue(0), v.maxValue(20)))))
/** Whether buyers' choices order searches. */
export const learningInput = v.strictObject({ enabled: v.boolean() })
export type Weights = v.InferOutput<typeof weightsInput>
export const leverId = id

/** A rule in the engine's format. */
export function engineRule(ruleId: string, input: RuleInput): Rule {
  const { enabled, conditions, promote, hide, boost, redirect } = input
  return {
    objectID: ruleId,
    enabled,
    conditions,
    consequence: {
      ...(boost.length > 0 && {
        params: { optionalFilters: boost.map(({ attribute, value, score }) => `${valueFilter(attribute, value)}<score=${score}>`) },
      }),
      ...(promote.length > 0 && { promote: promote.map(({ productId, position }) => ({ objectID: productId, position })) }),
      ...(hide.length > 0 && { hide: hide.map((objectID) => ({ objectID })) }),
      ...(redirect !== undefined && { userData: { redirect } }),
    },
  }
}

export function engineSynonym(synonymId: string, type: Synonym['type'], input: string | null, words: string[]): Synonym {
  return input === null ? { objectID: synonymId, type, synonyms: words } : { objectID: synonymId, type, input, synonyms: words }
}
