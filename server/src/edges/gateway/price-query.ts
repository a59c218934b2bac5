import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  getNamedType,
  isObjectType,
} from 'graphql'
import { type Size, fieldPrice, sizeOf } from './field-price.ts'

/** Measured in fields of the response. Every document of our own stays below half of it. */
export const costLimit = 50_000
/** Measured: 10,000 fields take 20 to 30 ms of the event loop to execute and to serialise. */
export const foreignCostLimit = 10_000

const ofSchemaItself: Record<string, GraphQLField<unknown, unknown>> = {
  __schema: SchemaMetaFieldDef,
  __type: TypeMetaFieldDef,
  __typename: TypeNameMetaFieldDef,
}

/** The cost of a selection: a constant, plus lists whose length depends on the variables. */
export interface Plan {
  fixed: number
  open: { weight: number; size: Size; each: Plan }[]
}

/**
 * Estimates the cost of an operation from the declared costs of its fields and the sizes of its lists. Aliases count as
 * fields, fragments where they are spread, and fields that a directive may skip count as well.
 */
export function planPrice(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Plan {
  const fragments = new Map<string, SelectionSetNode>()
  for (const each of document.definitions) if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each.selectionSet)
  /** Fragments being priced: a fragment cycle ends here, and validation rejects it afterwards. */
  const entered = new Set<string>()
  const root = schema.getRootType(operation.operation)
  return root ? planSelections(root, operation.selectionSet, new Map()) : { fixed: 0, open: [] }

  function planSelections(type: GraphQLObjectType, selections: SelectionSetNode, sizes: ReadonlyMap<string, Size>): Plan {
    const plan: Plan = { fixed: 0, open: [] }
    const visit = (set: SelectionSetNode) => {
      for (const selection of set.selections) {
        if (selection.kind === Kind.FIELD) addField(plan, type, selection, sizes)
        else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet)
        else {
          const name = selection.name.value
          const inner = fragments.get(name)
          if (!inner || entered.has(name)) continue
          entered.add(name)
          visit(inner)
          entered.delete(name)
        }
      }
    }
    visit(selections)
    return plan
  }

  function addField(plan: Plan, type: GraphQLObjectType, node: FieldNode, sizes: ReadonlyMap<string, Size>): void {
    const field = type.getFields()[node.name.value] ?? ofSchemaItself[node.name.value]
    if (!field) return
    const price = fieldPrice(schema, field)
    const own = sizeOf(price, node)
    const isAbove = price.sizedFields.length > 0
    const size = sizes.get(field.name) ?? (isAbove ? 1 : own)
    const named = getNamedType(field.type)
    const each =
      node.selectionSet && isObjectType(named)
        ? planSelections(named, node.selectionSet, new Map(price.sizedFields.map((name) => [name, own])))
        : { fixed: size === 1 ? 0 : 1, open: [] }
    if (typeof size === 'number' && each.open.length === 0) plan.fixed += price.weight + size * each.fixed
    else plan.open.push({ weight: price.weight, size, each })
  }
}

export function priceOf({ fixed, open }: Plan, variables: Record<string, unknown>): number {
  let sum = fixed
  for (const { weight, size, each } of open) sum += weight + (typeof size === 'number' ? size : size(variables)) * priceOf(each, variables)
  return sum
}
