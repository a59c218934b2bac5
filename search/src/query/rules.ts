import { fold } from '../analysis/fold.ts'
import type { Rule, SearchParams } from '../types.ts'

/** A query after the rules of its index have been applied. */
export interface Ruled {
  params: SearchParams
  /** Filters the rules add to those of the query. */
  more: Partial<SearchParams>[]
  promote: { objectID: string; position: number }[]
  hide: string[]
  userData: unknown[]
  applied: string[]
}

const plain = (text: string) =>
  fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const asList = (value: string | string[] | undefined): string[] => (value === undefined ? [] : Array.isArray(value) ? value : [value])

function holds(condition: NonNullable<Rule['conditions']>[number], query: string, contexts: readonly string[]): boolean {
  if (condition.context !== undefined && condition.context !== '' && !contexts.includes(condition.context)) return false
  if (condition.pattern === undefined) return true
  const pattern = plain(condition.pattern)
  switch (condition.anchoring ?? 'is') {
    case 'is':
      return query === pattern
    case 'startsWith':
      return `${query} `.startsWith(`${pattern} `)
    case 'endsWith':
      return ` ${query}`.endsWith(` ${pattern}`)
    case 'contains':
      return ` ${query} `.includes(` ${pattern} `)
  }
}

const joined = ['filters', 'facetFilters', 'numericFilters', 'optionalFilters'] as const
/** Parameters a rule must not change: restrictions belong to the caller's key. */
const kept = new Set<string>([...joined, 'automaticFacetFilters', 'restrictions'])

/** Filters of a rule apply in addition to the query's; all its other parameters replace the query's. */
function withRule(ruled: Ruled, params: Partial<SearchParams>): void {
  const replaced = Object.entries(params).filter(([name, value]) => value !== undefined && !kept.has(name))
  ruled.params = { ...ruled.params, ...Object.fromEntries(replaced) }
  if (joined.some((name) => params[name] !== undefined)) ruled.more.push(Object.fromEntries(joined.map((name) => [name, params[name]])))
}

/** Applies every rule whose conditions hold, in stored order. A rule without conditions always applies. */
export function applyRules(rules: readonly Rule[], params: SearchParams): Ruled {
  const ruled: Ruled = { params, more: [], promote: [], hide: [], userData: [], applied: [] }
  if (rules.length === 0 || params.enableRules === false) return ruled
  const query = plain(params.query ?? '')
  const contexts = asList(params.ruleContexts)
  for (const rule of rules) {
    if (rule.enabled === false) continue
    const conditions = rule.conditions ?? []
    if (conditions.length > 0 && !conditions.some((condition) => holds(condition, query, contexts))) continue
    const { params: more, promote, hide, userData } = rule.consequence
    if (more) withRule(ruled, more)
    if (promote) ruled.promote.push(...promote)
    if (hide) ruled.hide.push(...hide.map((entry) => entry.objectID))
    if (userData !== undefined) ruled.userData.push(userData)
    ruled.applied.push(rule.objectID)
  }
  return ruled
}
