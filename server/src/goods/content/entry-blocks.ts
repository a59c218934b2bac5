import * as v from 'valibot'

/**
 * The structured blocks of an entry. All blocks share one shape, of which each kind uses some fields: they are stored,
 * validated and published in this form.
 */

const words = (longest: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(longest))
const idInput = v.pipe(v.string(), v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/), v.maxLength(60))

/** Targets of a link: pages and entries by name, categories by id, external addresses by https. */
export const linkTarget = v.pipe(
  v.string(),
  v.maxLength(500),
  v.regex(
    /^(?:page:[a-zA-Z]+(?:#[a-z0-9-]+)?|category:\d+|(?:guide|comparison|project|landing|promo|help|trade|industry|family):[a-z0-9-]+|#[a-z0-9-]+|https:\/\/\S+|tel:[+\d]+)$/,
  ),
)

const spanInput = v.strictObject({
  text: words(4_000),
  strong: v.optional(v.boolean(), false),
  to: v.optional(v.nullable(linkTarget), null),
})
const lineInput = v.strictObject({ spans: v.pipe(v.array(spanInput), v.minLength(1), v.maxLength(60)) })
const linesInput = v.optional(v.pipe(v.array(lineInput), v.maxLength(60)), [])

/** Blocks allowed inside a step or an answer. */
export const plainKinds = ['paragraph', 'bullets', 'numbers', 'tip', 'warning'] as const
const plainInput = v.strictObject({ kind: v.picklist(plainKinds), lines: linesInput })

const partInput = v.strictObject({ id: idInput, title: words(300), blocks: v.optional(v.pipe(v.array(plainInput), v.maxLength(20)), []) })

export const blockKinds = [
  ...plainKinds,
  'heading',
  'table',
  'picture',
  'steps',
  'faq',
  'shopping',
  'products',
  'calculator',
  'comparison',
  'links',
] as const
export type BlockKind = (typeof blockKinds)[number]

const blockInput = v.strictObject({
  kind: v.picklist(blockKinds),
  /** Anchor of a heading; name of a picture, product row or calculator in the facts file. */
  id: v.optional(v.nullable(idInput), null),
  /** For a heading: 2 or 3. */
  level: v.optional(v.nullable(v.picklist([2, 3])), null),
  /** Text of a heading or product row, caption of a picture. */
  title: v.optional(v.nullable(words(300)), null),
  lines: linesInput,
  /** For a table; the first row is its header. */
  rows: v.optional(
    v.pipe(v.array(v.strictObject({ cells: v.pipe(v.array(lineInput), v.minLength(1), v.maxLength(8)) })), v.maxLength(60)),
    [],
  ),
  /** Steps, questions, items of a shopping list, columns of a comparison. */
  parts: v.optional(v.pipe(v.array(partInput), v.maxLength(40)), []),
})
export const blocksInput = v.pipe(v.array(blockInput), v.maxLength(200))

export type EntrySpan = v.InferOutput<typeof spanInput>
export type EntryLine = v.InferOutput<typeof lineInput>
export type PlainBlock = v.InferOutput<typeof plainInput>
export type EntryPart = v.InferOutput<typeof partInput>
export type EntryBlock = v.InferOutput<typeof blockInput>
