import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql'

type Field = GraphQLField<unknown, unknown>

/** A value of this type in which every text is the given one. */
export function valueOf(type: GraphQLInputType, text: string, depth = 0): unknown {
  if (isNonNullType(type)) return valueOf(type.ofType, text, depth)
  if (isListType(type)) return depth > 3 ? [] : [valueOf(type.ofType, text, depth + 1)]
  if (isEnumType(type)) return type.getValues()[0]?.name
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields())
        .filter((field) => depth < 3 || isNonNullType(field.type))
        .map((field) => [field.name, valueOf(field.type, text, depth + 1)]),
    )
  if (type.name === 'Int') return 1
  if (type.name === 'Float') return 1.5
  return type.name === 'Boolean' ? true : text
}

/** The operation that calls one field with all its arguments as variables. */
export function callOf(kind: 'query' | 'mutation', field: Field, text: string): { query: string; variables: Record<string, unknown> } {
  const head = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ')
  const args = field.args.map(({ name }) => `${name}: $${name}`).join(', ')
  return {
    query: `${kind} (${head}) { ${field.name}(${args}) ${isLeafType(getNamedType(field.type)) ? '' : '{ __typename }'} }`,
    variables: Object.fromEntries(field.args.map(({ name, type }) => [name, valueOf(type, text)])),
  }
}

/** A literal of this type with as little as possible in it, and the numbers as large as given. */
export function literalOf(type: GraphQLInputType, number: number): string {
  if (isNonNullType(type)) return literalOf(type.ofType, number)
  if (isListType(type)) return `[${literalOf(type.ofType, number)}]`
  if (isEnumType(type)) return type.getValues()[0]?.name ?? 'null'
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type) || field.name === 'pageSize')
    return `{ ${fields.map((field) => `${field.name}: ${literalOf(field.type, number)}`).join(', ')} }`
  }
  if (type.name === 'Boolean') return 'true'
  return type.name === 'Int' || type.name === 'Float' ? String(number) : '"1"'
}
