import { fold } from '../analysis/fold.ts'
import { languages } from '../analysis/languages.ts'
import type { Segment } from '../segment/segment-reader.ts'
import type { Language, SearchParams } from '../types.ts'
import { hasBit, type Bits } from './bitsets.ts'
import type { Alternative, Group, Leaf } from './query-parser.ts'
import type { Snapshot } from './snapshot.ts'
import { expand, variantWeights, type Variant } from './term-expansion.ts'

/** Between a thing and what it is for: "battery for a drill" is a battery. */
const purpose: Record<Language, RegExp> = {
  en: /\sfor\s/i,
  fr: /\spour\s/i,
  de: /\sfür\s/i,
  es: /\spara\s/i,
  it: /\sper\s/i,
}

export const isMeasure = ({ text }: Group): boolean => /\d/.test(text)

/** The words of a query before and after the first word of purpose. */
export function splitAtPurpose(
  snapshot: Snapshot,
  { query, params }: Spoken,
  groups: readonly Group[],
): { thing: Group[]; purpose: Group[] } {
  const word = purpose[snapshot.config.schema.language]
  const at = groups.findIndex(({ end }, index) => index + 1 < groups.length && word.test(query.slice(end, groups[index + 1]!.start)))
  const isRead = at >= 0 && !isLiteral(params, textOfPurpose(query, groups, at))
  return isRead ? { thing: groups.slice(0, at + 1), purpose: groups.slice(at + 1) } : { thing: [...groups], purpose: [] }
}

/** A query and the parts of it that are only words. */
interface Spoken {
  query: string
  params: Pick<SearchParams, 'literalWords'>
}

const textOfPurpose = (query: string, groups: readonly Group[], at: number): string =>
  query.slice(groups[at]!.end, groups.at(-1)!.end).trim()

const isLiteral = ({ literalWords }: Spoken['params'], text: string): boolean =>
  [literalWords ?? []].flat().some((one) => fold(String(one)) === fold(text))

/** The noun and the purpose of a query as typed, for explanations. */
export function grammarOf(
  snapshot: Snapshot,
  spoken: Spoken,
  groups: readonly Group[],
  isNamed: boolean,
): { thing?: string; purpose?: string } {
  const { thing, purpose: rest } = splitAtPurpose(snapshot, spoken, groups)
  const head = isNamed ? headOf(snapshot, spoken, groups) : null
  return {
    ...(head && { thing: head.text }),
    ...(rest.length > 0 && { purpose: textOfPurpose(spoken.query, groups, thing.length - 1) }),
  }
}

/** The noun that names the thing: by the language the last word or the first one; null for a query of measures alone. */
export function headOf(snapshot: Snapshot, spoken: Spoken, groups: readonly Group[]): Group | null {
  const words = splitAtPurpose(snapshot, spoken, groups).thing.filter((group) => !isMeasure(group))
  const head = (languages[snapshot.config.schema.language].isHeadLast ? words.at(-1) : words[0]) ?? null
  return head && isLiteral(spoken.params, head.text) ? null : head
}

/**
 * For each match 1 if the attribute that names the thing has the head noun of the query, else 0: "drill" lists drills before
 * their bits. Null when the index names no such attribute, or no match has the noun there. (V-83)
 */
export function headMatches(
  snapshot: Snapshot,
  spoken: Spoken,
  groups: readonly Group[],
  segment: Segment,
  documents: Uint32Array,
): Float64Array | null {
  const { schema, settings } = snapshot.config
  const field = schema.fields.findIndex(({ name }) => name === settings.headAttribute)
  const head = field < 0 ? null : headOf(snapshot, spoken, groups)
  if (head === null) return null
  const bits = documentsNamed(segment, field, head, languages[schema.language].isHeadLast)
  if (bits === null) return null
  return Float64Array.from(documents, (document) => (hasBit(bits, document) ? 1 : 0))
}

function documentsNamed(segment: Segment, field: number, head: Group, isHeadLast: boolean): Bits | null {
  let bits: Uint32Array | null = null
  const fields = segment.meta.fields
  for (const alternative of head.alternatives) {
    const leaf = nounOf(alternative, isHeadLast)
    if (leaf.kind !== 'word') continue
    for (const variant of expand(leaf, segment).variants) {
      if (!namesIt(variant, leaf.isUnfinished === true)) continue
      for (let at = segment.postStarts[variant.stem]!; at < segment.postStarts[variant.stem + 1]!; at++) {
        if (segment.frequencies[segment.postCodes[at]! * fields + field] === 0) continue
        const document = segment.postDocuments[at]!
        bits ??= new Uint32Array((segment.count >>> 5) + 1)
        bits[document >>> 5]! |= 1 << (document & 31)
      }
    }
  }
  return bits
}

const nounOf = ({ leaves }: Alternative, isHeadLast: boolean): Leaf => (isHeadLast ? leaves.at(-1)! : leaves[0]!)

/** The word itself, misspelled, or at the end of a compound; a longer word only while the word is still being typed. */
function namesIt({ weight, distance }: Variant, isUnfinished: boolean): boolean {
  if (distance > 0) return true
  return weight >= variantWeights.head || (isUnfinished && weight >= variantWeights.prefix)
}
