import type { Db } from '#platform'
import { categoryTree, type CategoryTree } from './category-tree.ts'
import type { Attribute, AttributeWord, Brand, CommercialOperation, ReferenceRows } from './reference-rows.ts'
import { readReference } from './store.ts'

/** Catalogue data that every page needs and that changes by the day, not by the minute. */
export interface Reference {
  categories: CategoryTree
  brands: ReadonlyMap<number, Brand>
  attributes: ReadonlyMap<string, Attribute>
  words: ReadonlyMap<string, AttributeWord>
  operations: ReadonlyMap<number, CommercialOperation>
}

/** A purge of its tag makes a change visible at once; this only bounds the delay after a lost purge. */
const keptMs = 600_000
export const referenceTag = 'catalogue'

let kept: { reference: Promise<Reference>; until: number } | undefined
/** The last data read: while the database is down, slightly outdated data is better than none. */
let last: Reference | undefined
const retryMs = 1_000

/** Categories, brands, attributes and operations, cached in this process. */
export function reference(scope: { db: Db }): Promise<Reference> {
  const now = Date.now()
  if (kept && kept.until > now) return kept.reference
  const asked = { reference: read(scope.db), until: now + keptMs }
  kept = asked
  const keepInstead = (instead: typeof kept): void => {
    if (kept === asked) kept = instead
  }
  asked.reference.then(
    (found) => {
      // A shop that is still being seeded must not be cached; fallback data is read again soon.
      if (found.categories.all.length === 0) keepInstead(undefined)
      else if (found === last) keepInstead({ reference: asked.reference, until: Date.now() + retryMs })
      else last = found
    },
    () => keepInstead(undefined),
  )
  return asked.reference
}

async function read(db: Db): Promise<Reference> {
  try {
    return toReference(await readReference(db))
  } catch (error) {
    if (last) return last
    throw error
  }
}

/** Call after categories, brands, attributes or operations changed. */
export function forgetReference(): void {
  kept = undefined
}

function toReference(rows: ReferenceRows): Reference {
  return {
    categories: categoryTree(rows.categories),
    brands: new Map(rows.brands.map((brand) => [brand.id, brand])),
    attributes: new Map(rows.attributes.map((attribute) => [attribute.key, attribute])),
    words: new Map(rows.words.map((word) => [word.value, word])),
    operations: new Map(rows.operations.map((row) => [row.id, { ...row, startsAt: new Date(row.startsAt), endsAt: new Date(row.endsAt) }])),
  }
}
