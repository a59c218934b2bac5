import * as v from 'valibot'

/**
 * The constraints a field can violate. The shop has a message for each (`form.<constraint>`); `limit` is its number.
 */
export const constraints = [
  'required',
  'too-long',
  'too-small',
  'too-large',
  'email',
  'number',
  'choice',
  'too-many',
  'invalid',
  'file-wrong-type',
  'file-damaged',
  'file-active-content',
  'file-too-many-pixels',
  'file-too-complex',
  'file-too-large',
  'file-quota',
  'file-busy',
  'file-too-many-files',
] as const
export type Constraint = (typeof constraints)[number]

/** A submitted form: text under names, nested with dots. */
export type FormSchema = v.GenericSchema<Record<string, unknown>, unknown>

/** Text on one line, without control characters. */
const plain = v.regex(/^[^\p{Cc}]*$/u, 'invalid' satisfies Constraint)

/** Required text. */
export function text(longest: number) {
  return v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(longest), plain)
}

/** Optional text; null if empty. */
export function optionalText(longest: number) {
  return v.pipe(
    v.optional(v.string(), ''),
    v.trim(),
    v.maxLength(longest),
    plain,
    v.transform((written) => written || null),
  )
}

/** Browsers count a line break as one character but send two. */
const breaks = v.transform((sent: string) => sent.replace(/\r\n?/g, '\n'))
const plainLines = v.regex(/^(?:[^\p{Cc}]|[\n\t])*$/u, 'invalid' satisfies Constraint)

/** Several lines of text. */
export function lines(longest: number) {
  return v.pipe(v.string(), breaks, v.trim(), v.nonEmpty(), v.maxLength(longest), plainLines)
}

/** Optional multi-line text; '' if empty. */
export function optionalLines(longest: number) {
  return v.pipe(v.optional(v.string(), ''), breaks, v.trim(), v.maxLength(longest), plainLines)
}

/** For a form with more text than others: the bytes that its body may have. Each character takes up to nine, mostly one. */
export function bodyOf<Input>(bytes: number) {
  return v.metadata<Input, { readonly bytes: number }>({ bytes })
}

/** A well-formed e-mail address; whether mails arrive is another question. */
export function email() {
  return v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(254), v.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'email' satisfies Constraint))
}

/** An integer in digits. */
export function wholeNumber({ least = 0, most }: { least?: number; most: number }) {
  return v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(),
    v.regex(/^\d{1,15}$/, 'number' satisfies Constraint),
    v.transform(Number),
    v.minValue(least),
    v.maxValue(most),
  )
}

/** One of several values, from radio buttons, a select or a button. */
export function choice<const Values extends readonly string[]>(values: Values) {
  return v.picklist(values)
}

/** Files of a form with `encType="multipart/form-data"`: those accepted now or in an earlier attempt. */
export function files(most: number) {
  return v.pipe(
    v.array(v.pipe(v.string(), v.maxLength(200))),
    v.maxLength(most, 'file-too-many-files' satisfies Constraint),
    v.metadata({ files: most }),
    v.transform((values) => values.map(takenFile)),
  )
}

/** An accepted file, as written in the value of its field. */
export function takenFile(value: string): { id: string; name: string } {
  const at = value.indexOf(' ')
  return at < 0 ? { id: value, name: '' } : { id: value.slice(0, at), name: value.slice(at + 1) }
}

const byIssue: Record<string, Constraint> = {
  non_empty: 'required',
  max_length: 'too-long',
  min_value: 'too-small',
  max_value: 'too-large',
  picklist: 'choice',
  literal: 'choice',
  variant: 'choice',
}

/** The constraint that an issue is about, with its number. A missing field counts as empty. */
export function constraintOf(issue: v.BaseIssue<unknown>): { constraint: Constraint; limit: number } {
  const limit = typeof issue.requirement === 'number' ? issue.requirement : 0
  if (issue.kind === 'schema' && issue.received === 'undefined') return { constraint: 'required', limit }
  const said = constraints.find((constraint) => constraint === issue.message)
  return { constraint: said ?? byIssue[issue.type] ?? 'invalid', limit }
}
