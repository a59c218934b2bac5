import { type ASTVisitor, type FragmentDefinitionNode, GraphQLError, Kind, type SelectionSetNode, type ValidationContext } from 'graphql'

/** More than any page of ours asks for, and far less than what would hurt (A64). */
export const limits = { depth: 12, fields: 1500, aliases: 60, rootFields: 12, tokens: 4000, batch: 10, bodyBytes: 102_400 }

interface Count {
  fields: number
  aliases: number
}

/** Refuses documents that are too deep or ask for too much, with fragments counted where they are used. */
export function withinLimits(context: ValidationContext): ASTVisitor {
  const refuse = (what: string) => context.reportError(new GraphQLError(`The query is too large: ${what}`))
  return {
    OperationDefinition(node) {
      const count: Count = { fields: 0, aliases: 0 }
      const first = node.selectionSet.selections[0]
      // Tools ask the schema for itself with a query deeper than any of ours.
      const asksSchema = first?.kind === Kind.FIELD && first.name.value.startsWith('__') && node.selectionSet.selections.length === 1
      if (node.selectionSet.selections.length > limits.rootFields) return refuse(`at most ${limits.rootFields} fields at the top`)
      const tooDeep = !walk(context, node.selectionSet, 1, asksSchema ? 20 : limits.depth, new Set(), count)
      if (tooDeep) refuse(`at most ${limits.depth} levels`)
      if (count.fields > limits.fields) refuse(`at most ${limits.fields} fields`)
      if (count.aliases > limits.aliases) refuse(`at most ${limits.aliases} aliases`)
      return undefined
    },
  }
}

function walk(
  context: ValidationContext,
  set: SelectionSetNode,
  depth: number,
  deepest: number,
  path: Set<FragmentDefinitionNode>,
  count: Count,
): boolean {
  if (depth > deepest) return false
  for (const selection of set.selections) {
    // Enough is known: what is beyond need not be counted.
    if (count.fields > limits.fields) return true
    if (selection.kind === Kind.FIELD) {
      count.fields++
      if (selection.alias) count.aliases++
      if (selection.selectionSet && !walk(context, selection.selectionSet, depth + 1, deepest, path, count)) return false
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      count.fields++
      if (!walk(context, selection.selectionSet, depth, deepest, path, count)) return false
    } else {
      const fragment = context.getFragment(selection.name.value)
      count.fields++
      // A circle is refused by the standard rules.
      if (!fragment || path.has(fragment)) continue
      path.add(fragment)
      const fits = walk(context, fragment.selectionSet, depth, deepest, path, count)
      path.delete(fragment)
      if (!fits) return false
    }
  }
  return true
}
