import {
  GraphQLEnumType,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  buildSchema,
  defaultFieldResolver,
  getNamedType,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isObjectType,
  isScalarType,
} from 'graphql'
import type { Scope } from '#platform'
import { fieldPrice } from './field-price.ts'
import { valueOfName } from './enum-values.ts'
import type { RequestScope } from './request-scope.ts'

export type Resolver = (parent: unknown, args: never, scope: Scope, info?: unknown) => unknown
export type Resolvers = Record<string, Record<string, Resolver>>

/** The published API with its resolvers. A resolver for a field missing from the contract is an error. */
export function executableSchema(sdl: string, resolvers: Resolvers): GraphQLSchema {
  const schema = buildSchema(sdl, { noLocation: true })
  nameEnumValues(schema)
  for (const [typeName, fields] of Object.entries(resolvers)) {
    const type = schema.getType(typeName)
    if (!isObjectType(type)) throw new Error(`The contract has no type ${typeName}`)
    for (const [name, resolver] of Object.entries(fields)) {
      const field = type.getFields()[name]
      if (!field) throw new Error(`The contract has no field ${typeName}.${name}`)
      const bounded = withinBudget(schema, field, resolver)
      field.resolve =
        typeName === 'Query'
          ? (parent, args, scope, info) => {
              const resolve = () => bounded(parent, args as never, scope as Scope, info)
              const { slices } = scope as RequestScope
              return slices ? slices.inTurn(resolve) : resolve()
            }
          : (parent, args, scope, info) => bounded(parent, args as never, scope as Scope, info)
    }
  }
  const dateTime = schema.getType('DateTime')
  if (isScalarType(dateTime)) dateTime.serialize = (value) => (value instanceof Date ? value : new Date(String(value))).toISOString()
  return schema
}

/** The default resolver of documents that are executed in slices. */
export function resolveInSlices(source: unknown, args: Record<string, unknown>, scope: RequestScope, info: GraphQLResolveInfo): unknown {
  return spread(info.returnType, defaultFieldResolver(source, args, scope, info), scope)
}

/** In slices the objects of a list are completed each in its turn. */
function spread(type: GraphQLOutputType, value: unknown, { slices }: Pick<RequestScope, 'slices'>): unknown {
  return slices && Array.isArray(value) && !isLeafType(getNamedType(type)) ? slices.spread(value) : value
}

/** Resolvers receive and return enum values in the server's spelling. */
function nameEnumValues(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isEnumType(type) || type.name.startsWith('__')) continue
    const config = type.toConfig()
    const values = Object.entries(config.values).map(([name, value]) => [name, { ...value, value: valueOfName(name) }])
    // In place: the schema's fields refer to this very type object.
    Object.assign(type, new GraphQLEnumType({ ...config, values: Object.fromEntries(values) }))
  }
}

/** Lists returned by resolvers count against the operation's row budget at run time, whatever its estimated cost. */
function withinBudget(schema: GraphQLSchema, field: GraphQLField<unknown, unknown>, resolver: Resolver): Resolver {
  const type = getNullableType(field.type)
  if (isLeafType(type)) return resolver
  const { sizedFields } = fieldPrice(schema, field)
  if (!isListType(type) && sizedFields.length === 0) return resolver
  return (parent, args, scope, info) => {
    const { spend, slices } = scope as Scope & RequestScope
    const count = (value: unknown): unknown => {
      if (Array.isArray(value)) spend(value.length)
      else if (value)
        for (const [name, list] of Object.entries(value)) if (sizedFields.includes(name) && Array.isArray(list)) spend(list.length)
      return spread(type, value, { slices })
    }
    const value = resolver(parent, args, scope, info)
    return value instanceof Promise ? value.then(count) : count(value)
  }
}
