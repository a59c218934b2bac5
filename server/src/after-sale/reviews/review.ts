import type { Market } from '@purlin/contract/markets.ts'
import * as v from 'valibot'

/** Sub-ratings of each subject, in the order in which they are stored. */
export const aspectsOf = {
  product: ['quality', 'value', 'ease'],
  seller: ['delivery', 'packaging', 'service'],
} as const
export type Subject = keyof typeof aspectsOf
export type Aspect = (typeof aspectsOf)[Subject][number]

export const reviewStates = ['pending', 'published', 'refused'] as const
export type ReviewState = (typeof reviewStates)[number]

/** An operator's reasons for refusing a text. Each has a message for its author. */
export const refusalReasons = ['offensive', 'advertising', 'personal-data', 'unrelated', 'fake', 'illegal'] as const
export type RefusalReason = (typeof refusalReasons)[number]

export const reviewLimits = { title: 80, body: 3_000, list: 300, author: 40, photos: 3, answer: 1_500, question: 600 }

/** What a person may send within a day or an hour. */
export const senderLimits = { reviewsPerDay: 20, questionsPerDay: 5, answersPerDay: 20, votesPerHour: 60 }

/** The reason a field is invalid: keys of its messages. */
export type ReviewFault = 'missing' | 'too-long' | 'too-short' | 'signs' | 'stars'

const shortestBody = 20

const line = (longest: number) =>
  v.pipe(
    v.string(),
    v.transform((text) => text.normalize('NFC').replace(/\s+/g, ' ').trim()),
    v.maxLength(longest, 'too-long'),
    v.regex(/^[^\p{Cc}\p{Cf}<>]*$/u, 'signs'),
  )
const words = (longest: number) =>
  v.pipe(
    v.string(),
    v.transform((text) =>
      text
        .normalize('NFC')
        .replace(/\r\n?/g, '\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
    ),
    v.maxLength(longest, 'too-long'),
    // Control characters except line break and tab, direction marks, and lone surrogates.
    v.check((text) => !/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]|\p{Cs}/u.test(text), 'signs'),
  )
const stars = v.pipe(v.number(), v.integer('stars'), v.minValue(1, 'stars'), v.maxValue(5, 'stars'))
const optional = <Schema extends v.GenericSchema<string, string>>(schema: Schema) =>
  v.pipe(
    v.optional(v.nullable(schema), null),
    v.transform((text) => text || null),
  )

export const reviewInput = v.object({
  stars,
  aspects: v.optional(v.nullable(v.pipe(v.array(v.nullable(stars)), v.maxLength(3, 'stars'))), null),
  title: v.pipe(line(reviewLimits.title), v.minLength(3, 'missing')),
  body: v.pipe(words(reviewLimits.body), v.minLength(1, 'missing'), v.minLength(shortestBody, 'too-short')),
  pros: optional(line(reviewLimits.list)),
  cons: optional(line(reviewLimits.list)),
  author: v.pipe(line(reviewLimits.author), v.minLength(2, 'missing')),
  photos: v.optional(v.nullable(v.pipe(v.array(v.string()), v.maxLength(reviewLimits.photos, 'too-long'))), null),
})
export type ReviewFields = v.InferOutput<typeof reviewInput>

export const questionInput = v.object({
  text: v.pipe(words(reviewLimits.question), v.minLength(1, 'missing'), v.minLength(10, 'too-short')),
  author: v.pipe(line(reviewLimits.author), v.minLength(2, 'missing')),
})

export const answerInput = v.pipe(words(reviewLimits.answer), v.minLength(1, 'missing'), v.minLength(5, 'too-short'))

const faults: readonly string[] = ['missing', 'too-long', 'too-short', 'signs', 'stars'] satisfies ReviewFault[]
const isFault = (text: string): text is ReviewFault => faults.includes(text)

/** The first problem of each field; `field` names a lone value. */
export function faultsOf(issues: readonly v.BaseIssue<unknown>[], field = 'text'): Map<string, ReviewFault> {
  const found = new Map<string, ReviewFault>()
  for (const issue of issues) {
    const name = String(issue.path?.[0]?.key ?? field)
    if (!found.has(name)) found.set(name, isFault(issue.message) ? issue.message : 'missing')
  }
  return found
}

/** What may be reviewed, as forms name it: the seller order and its product or seller. */
export interface ReviewKey {
  sellerOrderId: string
  subject: Subject
  subjectId: string
}

export function writeKey({ sellerOrderId, subject, subjectId }: ReviewKey): string {
  return `${sellerOrderId}:${subject}:${subjectId}`
}

export function readKey(text: string): ReviewKey | null {
  const [, sellerOrderId, subject, subjectId] = /^([\w-]{1,60}):(product|seller):([1-9]\d{0,17})$/.exec(text) ?? []
  return sellerOrderId && subjectId && (subject === 'product' || subject === 'seller') ? { sellerOrderId, subject, subjectId } : null
}

/** "Grace W.": the name suggested for publication never contains the whole surname. */
export function publicName(firstName: string, lastName: string): string {
  const initial = [...lastName.trim()][0]
  const first = firstName.trim() || 'Purlin'
  return (initial ? `${first} ${initial.toUpperCase()}.` : first).slice(0, reviewLimits.author)
}

export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

export interface ReviewRow {
  id: string
  stars: number
  aspects: (number | null)[]
  title: string
  body: string
  pros: string | null
  cons: string | null
  author: string
  language: string
  market: Market
  writtenAt: Date
  photos: { file: string; name: string }[]
  answer: string | null
  sellerId: number
  helpful: number
  unhelpful: number
}
