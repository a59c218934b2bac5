import {
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  type ValueNode,
  Kind,
  getDirectiveValues,
  valueFromASTUntyped,
} from 'graphql'

/** The `@cost` and `@listSize` declarations of a field (contract/graphql/common.graphql). */
export interface FieldPrice {
  weight: number
  assumedSize: number
  maxSize: number
  /** `input.pageSize`: the argument, or a field within it, that determines the list's length. */
  slicingArgument: string | null
  /** The lists below this field that have this size; the field itself is then not a list. */
  sizedFields: readonly string[]
}

/** Lists of the introspection types, which our directives do not reach. */
const introspectionSizes: Record<string, number> = {
  types: 100,
  directives: 10,
  fields: 15,
  inputFields: 3,
  enumValues: 3,
  interfaces: 1,
  possibleTypes: 1,
  args: 1,
  locations: 2,
}

const known = new WeakMap<object, FieldPrice>()

export function fieldPrice(schema: GraphQLSchema, field: GraphQLField<unknown, unknown>): FieldPrice {
  let price = known.get(field)
  if (!price) known.set(field, (price = readPrice(schema, field)))
  return price
}

function readPrice(schema: GraphQLSchema, { name, astNode }: GraphQLField<unknown, unknown>): FieldPrice {
  const read = (directiveName: string): Record<string, unknown> => {
    const directive = schema.getDirective(directiveName)
    return (directive && astNode && getDirectiveValues(directive, astNode)) || {}
  }
  const { assumedSize, maxSize, slicingArgument, sizedFields } = read('listSize')
  const usual = astNode ? 1 : (introspectionSizes[name] ?? 1)
  return {
    weight: Number(read('cost')['weight'] ?? 1),
    assumedSize: Number(assumedSize ?? usual),
    maxSize: Number(maxSize ?? Infinity),
    slicingArgument: typeof slicingArgument === 'string' ? slicingArgument : null,
    sizedFields: Array.isArray(sizedFields) ? sizedFields.map(String) : [],
  }
}

type Variables = Record<string, unknown>
export type Size = number | ((variables: Variables) => number)

/** Estimated length of a field's list: the value of its argument, capped by the field's maximum. */
export function sizeOf({ slicingArgument, assumedSize, maxSize }: FieldPrice, node: FieldNode): Size {
  const [name, ...path] = (slicingArgument ?? '').split('.')
  const argument = node.arguments?.find((each) => each.name.value === name)
  if (!argument) return assumedSize
  const size = (variables: Variables): number => {
    let value: unknown = valueFromASTUntyped(argument.value, variables)
    for (const key of path) value = new Map(Object.entries(value ?? {})).get(key)
    return typeof value === 'number' && value >= 0 ? Math.min(value, maxSize) : assumedSize
  }
  return hasVariable(argument.value) ? size : size({})
}

function hasVariable(value: ValueNode): boolean {
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => hasVariable(field.value))
  return value.kind === Kind.VARIABLE || (value.kind === Kind.LIST && value.values.some(hasVariable))
}
