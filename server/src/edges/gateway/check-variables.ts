import { GraphQLError, type GraphQLSchema, type VariableDefinitionNode, getVariableValues, valueFromASTUntyped } from 'graphql'
import { badText, limits } from './limits.ts'

/** Errors name the variable and the path within it, for instance `Variable "$input" got an invalid value at "input.page"`. */
export type Checked =
  | { ok: true; declared: Record<string, unknown>; coerced: Record<string, unknown> }
  | { ok: false; errors: readonly GraphQLError[] }

/**
 * Refuses variables the schema rejects, and text that the database cannot store. Undeclared variables are dropped, and omitted ones have
 * their default value: a compiled document fails without it where null is not allowed.
 */
export function checkVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  given: Record<string, unknown>,
): Checked {
  if (definitions.length === 0) return { ok: true, declared: {}, coerced: {} }
  let values = 0
  const declared: [string, unknown][] = []
  for (const { variable, defaultValue } of definitions) {
    const name = variable.name.value
    if (!Object.hasOwn(given, name)) {
      if (defaultValue) declared.push([name, valueFromASTUntyped(defaultValue)])
      continue
    }
    declared.push([name, given[name]])
    const said = problemIn(given[name], name)
    if (said) return { ok: false, errors: [new GraphQLError(`Variable "$${name}" ${said}`)] }
  }
  const { coerced, errors } = getVariableValues(schema, definitions, given, { maxErrors: 5 })
  return errors ? { ok: false, errors } : { ok: true, declared: Object.fromEntries(declared), coerced }

  function problemIn(value: unknown, path: string): string | null {
    if (++values > limits.values) return `has more than ${limits.values} values`
    if (typeof value === 'string') {
      const said = badText(value)
      return said && `at "${path}" ${said}`
    }
    if (typeof value !== 'object' || value === null) return null
    for (const [key, each] of Object.entries(value)) {
      const said = problemIn(each, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key.slice(0, 60)}`)
      if (said) return said
    }
    return null
  }
}
