import { marketCodes, modes } from '@purlin/contract/markets.ts'
import * as v from 'valibot'

const line = (longest: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(longest), v.regex(/^[^\p{Cc}]*$/u, 'one line'))

/** An issue as an operator sends it, in the words of the market; its button leads to a page of ours. */
export const issueInput = v.strictObject({
  key: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,40}$/)),
  market: v.picklist(marketCodes),
  mode: v.picklist(modes),
  subject: line(120),
  paragraphs: v.pipe(v.array(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(1_000))), v.minLength(1), v.maxLength(10)),
  button: v.strictObject({ label: line(60), path: v.pipe(v.string(), v.maxLength(300), v.regex(/^\/(?![/\\])[^\\\p{Cc}]*$/u)) }),
})

export interface Issue extends v.InferOutput<typeof issueInput> {
  /** Of the storefront it is about. */
  origin: string
}
