import { marketCodes, markets, type Language } from '@purlin/contract/markets.ts'
import * as v from 'valibot'
import type { JobScope } from '#platform'
import { insertCategory, updateCategory } from './store.ts'

/** Postgres can store neither NUL nor a lone surrogate. */
const words = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1),
  v.maxLength(100),
  v.check((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'no control signs'),
)
const slug = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'lower-case words of a to z and digits, joined by "-"'),
  v.maxLength(80),
)
const inEveryLanguage = <Entry extends v.GenericSchema<string, string>>(entry: Entry) =>
  v.strictObject(v.entriesFromList(languages(), entry))

function languages(): Language[] {
  return [...new Set(marketCodes.map((market) => markets[market].language))]
}

export const categoryInput = v.strictObject({
  /** Null for a department. A category keeps the parent it was created with. */
  parentId: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(999_999_999))),
  /** Sort key among its siblings, ascending. */
  position: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(30_000)),
  /** Key of the department's picture. */
  department: v.pipe(v.string(), v.regex(/^[\w-]{1,60}$/)),
  names: inEveryLanguage(words),
  slugs: inEveryLanguage(slug),
})
export type CategoryInput = v.InferOutput<typeof categoryInput> & { id: number }

/** Creates a category, or changes its texts and its position among its siblings. Menus and pages follow through its event. */
export async function putCategory(
  { db, emit }: Pick<JobScope, 'db' | 'emit'>,
  category: CategoryInput,
): Promise<{ ok: true } | { ok: false; reason: 'unknown-parent-or-too-deep' }> {
  const isKnown = await updateCategory(db, category)
  if (!isKnown && !(await insertCategory(db, category))) return { ok: false, reason: 'unknown-parent-or-too-deep' }
  emit('category.changed', { categoryId: category.id })
  return { ok: true }
}
