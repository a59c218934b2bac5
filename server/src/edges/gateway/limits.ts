import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  GraphQLError,
  Kind,
  visit,
} from 'graphql'

/** Above what our own pages need, and far below what would hurt (A64). */
export const limits = {
  depth: 12,
  fields: 1500,
  aliases: 60,
  rootFields: 12,
  /** Repetitions of one name in a selection: validation compares them pairwise, which is quadratic. */
  repeats: 20,
  definitions: 60,
  /** Directives on one selection, operation or fragment: validation compares them, too. */
  directives: 6,
  tokens: 4000,
  batch: 10,
  /** Levels of objects and lists in a request, those of its variables included. */
  nesting: 32,
  bodyBytes: 102_400,
  /** Maximum length of a text in a variable or the document, and maximum number of values in all variables. */
  textLength: 4000,
  values: 2000,
  /** Bytes of a response over HTTP, as they are sent. */
  answerBytes: 1_000_000,
  /** Total items of the lists that resolvers return for one operation. */
  rows: 20_000,
  queryMs: 8000,
  /** Lower limits of documents that are not the shop's own: validation and every field take time of the event loop from visitors. */
  foreign: { fields: 750, tokens: 2500 },
}

const manyDirectives = `at most ${limits.directives} directives in one place`

interface Count {
  fields: number
  aliases: number
}

/** The limit that a document exceeds, checked before validation; fragments count where they are spread. Null if it is within all limits. */
export function tooLarge(document: DocumentNode, maxFields = limits.fields): string | null {
  if (document.definitions.length > limits.definitions) return `at most ${limits.definitions} operations and fragments`
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const each of document.definitions) {
    if ('directives' in each && (each.directives?.length ?? 0) > limits.directives) return manyDirectives
    if (each.kind !== Kind.FRAGMENT_DEFINITION) continue
    if (fragments.has(each.name.value)) return 'one fragment of a name'
    fragments.set(each.name.value, each)
  }
  const used = new Set<string>()
  for (const each of document.definitions) {
    const problem = each.kind === Kind.OPERATION_DEFINITION ? problemOf(each, { fragments, used, maxFields }) : null
    if (problem) return problem
  }
  // Unused fragments were not counted, but validation would still compare their fields.
  return fragments.size > used.size ? 'every fragment is used' : null
}

function problemOf(
  { selectionSet }: OperationDefinitionNode,
  { fragments, used, maxFields }: { fragments: ReadonlyMap<string, FragmentDefinitionNode>; used: Set<string>; maxFields: number },
): string | null {
  const first = selectionSet.selections[0]
  // Tools run an introspection query that is deeper than any of ours.
  const asksSchema = first?.kind === Kind.FIELD && first.name.value.startsWith('__') && selectionSet.selections.length === 1
  if (selectionSet.selections.length > limits.rootFields) return `at most ${limits.rootFields} fields at the top`
  const count: Count = { fields: 0, aliases: 0 }
  const said = walk(selectionSet, 1, asksSchema ? 20 : limits.depth)
  if (said) return said
  if (count.fields > maxFields) return `at most ${maxFields} fields`
  return count.aliases > limits.aliases ? `at most ${limits.aliases} aliases` : null

  function walk(
    set: SelectionSetNode,
    depth: number,
    deepest: number,
    path = new Set<string>(),
    names = new Map<string, number>(),
  ): string | null {
    if (depth > deepest) return `at most ${deepest} levels`
    for (const selection of set.selections) {
      // The limit is exceeded already; the rest need not be counted.
      if (++count.fields > maxFields) return null
      if ((selection.directives?.length ?? 0) > limits.directives) return manyDirectives
      if (selection.kind === Kind.FIELD) {
        if (selection.alias) count.aliases++
        const name = (selection.alias ?? selection.name).value
        const times = (names.get(name) ?? 0) + 1
        names.set(name, times)
        if (times > limits.repeats) return `at most ${limits.repeats} times the same field`
        const said = selection.selectionSet && walk(selection.selectionSet, depth + 1, deepest, path)
        if (said) return said
        continue
      }
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : undefined
      const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragment?.selectionSet
      if (!inner) continue
      // Before the cost estimate, which would follow a fragment cycle for ever.
      if (fragment && path.has(fragment.name.value)) return 'no fragment within itself'
      if (fragment) path.add(fragment.name.value)
      if (fragment) used.add(fragment.name.value)
      const said = walk(inner, depth, deepest, path, names)
      if (fragment) path.delete(fragment.name.value)
      if (said) return said
    }
    return null
  }
}

/** Text literals in the document obey the same rules as variables. */
export function textProblem(document: DocumentNode): GraphQLError | null {
  let problem: GraphQLError | null = null
  visit(document, {
    StringValue(node) {
      const said = badText(node.value)
      if (said) problem ??= new GraphQLError(`A text in the query ${said}`)
    },
  })
  return problem
}

/** Postgres can store neither NUL nor a lone surrogate. */
export function badText(text: string): string | null {
  if (text.length > limits.textLength) return `is longer than ${limits.textLength} characters`
  if (text.includes('\0')) return 'contains the character U+0000'
  return text.isWellFormed() ? null : 'contains half of a surrogate pair'
}
