import type { Language } from '@purlin/contract/markets.ts'

export interface CategoryRow {
  id: number
  parentId: number | null
  /** 0 department … 3 leaf. */
  level: number
  position: number
  /** Ids from the department down to this one. */
  path: number[]
  /** Key of the department's picture. */
  department: string
  names: Partial<Record<Language, string>>
  slugs: Partial<Record<Language, string>>
  texts: Partial<Record<Language, string>>
}

export interface Category extends CategoryRow {
  parents: Category[]
  children: Category[]
}

export interface CategoryTree {
  departments: Category[]
  byId: ReadonlyMap<number, Category>
  all: Category[]
}

/** Builds the tree from its rows; children in display order. A row whose parent is missing is left out. */
export function categoryTree(rows: readonly CategoryRow[]): CategoryTree {
  const byId = new Map<number, Category>(rows.map((row) => [row.id, { ...row, parents: [], children: [] }]))
  for (const category of byId.values()) {
    category.parents = category.path.filter((id) => id !== category.id).flatMap((id) => byId.get(id) ?? [])
    if (category.parentId !== null) byId.get(category.parentId)?.children.push(category)
  }
  const ordered = (list: Category[]): Category[] => list.sort((a, b) => a.position - b.position || a.id - b.id)
  for (const category of byId.values()) ordered(category.children)
  const departments = ordered([...byId.values()].filter(({ parentId }) => parentId === null))
  return { departments, byId, all: [...byId.values()] }
}

/** In the language, or in English if a translation is missing: never an empty link. */
export function inLanguage(texts: Partial<Record<Language, string>> | null | undefined, language: Language): string {
  return texts?.[language] ?? texts?.en ?? Object.values(texts ?? {})[0] ?? ''
}
