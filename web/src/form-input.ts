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
  'file-too-large',
  'file-quota',
  'file-busy',
  'file-too-many-files',
] as const
export type Constraint = (typeof constraints)[number]

/** A form as it is sent: text under names, nested by dots. */
export type FormSchema = v.GenericSchema<Record<string, unknown>, unknown>

/** Text on one line: nothing a keyboard cannot type. */
const plain = v.regex(/^[^\p{Cc}]*$/u, 'invalid' satisfies Constraint)

/** Text that has to be there. */
export function text(longest: number) {
  return v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(longest), plain)
}

/** Text that may be left out: null then. */
export function optionalText(longest: number) {
  return v.pipe(
    v.optional(v.string(), ''),
    v.trim(),
    v.maxLength(longest),
    plain,
    v.transform((written) => written || null),
  )
}

/** Browsers count a line break as one character and send two. */
const breaks = v.transform((sent: string) => sent.replace(/\r\n?/g, '\n'))
const plainLines = v.regex(/^(?:[^\p{Cc}]|[\n\t])*$/u, 'invalid' satisfies Constraint)

/** Several lines of text. */
export function lines(longest: number) {
  return v.pipe(v.string(), breaks, v.trim(), v.nonEmpty(), v.maxLength(longest), plainLines)
}

/** Several lines of text that may be left out: '' then. */
export function optionalLines(longest: number) {
  return v.pipe(v.optional(v.string(), ''), breaks, v.trim(), v.maxLength(longest), plainLines)
}

/** An address that looks like one; whether mails arrive is another question. */
export function email() {
  return v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(254), v.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'email' satisfies Constraint))
}

/** A whole number, written in digits. */
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

/** One of several; radio buttons, a list, the value of a button. */
export function choice<const Values extends readonly string[]>(values: Values) {
  return v.picklist(values)
}

/** Files of a form with `encType="multipart/form-data"`: what was taken, now or the time before. */
export function files(most: number) {
  return v.pipe(
    v.array(v.pipe(v.string(), v.maxLength(200))),
    v.maxLength(most, 'file-too-many-files' satisfies Constraint),
    v.metadata({ files: most }),
    v.transform((values) => values.map(takenFile)),
  )
}

/** A file that was taken, as the value of its field writes it. */
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

/** The constraint an issue is about, and its figure. A field that was not sent at all is one that was left empty. */
export function constraintOf(issue: v.BaseIssue<unknown>): { constraint: Constraint; limit: number } {
  const limit = typeof issue.requirement === 'number' ? issue.requirement : 0
  if (issue.kind === 'schema' && issue.received === 'undefined') return { constraint: 'required', limit }
  const said = constraints.find((constraint) => constraint === issue.message)
  return { constraint: said ?? byIssue[issue.type] ?? 'invalid', limit }
}
