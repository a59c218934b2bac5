import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { literalOf } from '../support/operations.ts'
import type { Random } from '../support/random.ts'

export interface HostileOperation {
  shape: string
  query: string
}

const listLength = 500
const range = (length: number) => Array.from({ length }, (_, at) => at)

/** Operations that ask for much with little text, as somebody with the published schema would write them (A64, A65). */
export function hostileOperations(schema: GraphQLSchema, random: Random): () => HostileOperation {
  const query = schema.getQueryType()
  if (!query) throw new Error('The schema has no queries')
  const upTo = (most: number) => 1 + Math.floor(random() * most)
  const one = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)]
    if (item === undefined) throw new Error('Nothing to choose from')
    return item
  }
  const roots = Object.values(query.getFields()).filter(({ type }) => isObjectType(getNamedType(type)))

  const call = ({ name, args }: GraphQLField<unknown, unknown>): string => {
    const given = args.filter(({ type }) => isNonNullType(type))
    return given.length > 0 ? `${name}(${given.map((arg) => `${arg.name}: ${literalOf(arg.type, listLength)}`).join(', ')})` : name
  }
  /** Every leaf of a type, and everything below it to a depth. */
  const whole = (type: GraphQLObjectType, depth: number): string =>
    Object.values(type.getFields())
      .flatMap((field) => {
        const inner = getNamedType(field.type)
        if (isLeafType(inner)) return [call(field)]
        return isObjectType(inner) && depth > 1 ? [`${call(field)} { __typename ${whole(inner, depth - 1)} }`] : []
      })
      .join(' ')
  /** One path down, as deep as the schema goes, then through inline fragments or fields that it does not have. */
  const down = (type: GraphQLObjectType, depth: number): string => {
    if (depth === 0) return '__typename'
    const deeper = Object.values(type.getFields()).filter((field) => isObjectType(getNamedType(field.type)))
    const field = deeper.length > 0 ? one(deeper) : undefined
    const inner = field && getNamedType(field.type)
    return field && isObjectType(inner)
      ? `${call(field)} { ${down(inner, depth - 1)} }`
      : `${one(['...', 'node'])} { ${down(type, depth - 1)} }`
  }
  const whatOf = (field: GraphQLField<unknown, unknown>, depth: number): string => {
    const type = getNamedType(field.type)
    return isObjectType(type) ? `${call(field)} { __typename ${whole(type, depth)} }` : call(field)
  }

  const shapes: Record<string, () => string> = {
    depth: () => {
      const root = one(roots)
      const type = getNamedType(root.type)
      return `{ ${call(root)} { ${isObjectType(type) ? down(type, upTo(80)) : ''} } }`
    },
    breadth: () =>
      `{ ${range(upTo(30))
        .map((at) => `f${at}: ${whatOf(one(roots), upTo(3))}`)
        .join(' ')} }`,
    aliases: () => {
      const field = whatOf(one(roots), upTo(2))
      return `{ ${range(upTo(one([12, 60, 3000])))
        .map((at) => `a${at}: ${field}`)
        .join(' ')} }`
    },
    fragments: () => {
      const root = one(roots)
      const type = String(getNamedType(root.type))
      const last = upTo(one([10, 70]))
      const isCircle = random() < 0.3
      const spread = (at: number) => `...F${at} ... @include(if: true) { ...F${at} }`
      return `{ ${call(root)} { ${spread(0)} } } ${range(last)
        .map((at) => `fragment F${at} on ${type} { __typename ${spread(at + 1)} }`)
        .join(' ')} fragment F${last} on ${type} { __typename ${isCircle ? '...F0' : ''} }`
    },
    directives: () => {
      const directive = one(['@include(if: true)', '@skip(if: false)', '@unknown', '@include(if: true) @skip(if: false)'])
      return `{ ${call(one(roots))} ${`${directive} `.repeat(upTo(1500))} { __typename } }`
    },
    'big lists': () => {
      const listing = query.getFields()['listing']
      if (!listing) throw new Error('The schema has no listing')
      const times = upTo(12)
      const depth = upTo(5)
      const type = getNamedType(listing.type)
      return `{ ${range(times)
        .map(
          (at) =>
            `l${at}: listing(input: { kind: search, query: "${one(['', 'a', 'drill'])}", page: ${upTo(9)}, pageSize: ${upTo(listLength)} }) { ${isObjectType(type) ? whole(type, depth) : ''} }`,
        )
        .join(' ')} }`
    },
    'long texts': () => {
      const product = query.getFields()['product']
      const type = product && getNamedType(product.type)
      if (!isObjectType(type)) throw new Error('The schema has no product')
      // Texts cost as little as numbers do: as many bytes as possible for the price.
      const texts = range(upTo(80)).map((at) => `t${at}: description`)
      return `{ ${range(upTo(14))
        .map((at) => `p${at}: product(id: "${upTo(400)}") { ${texts.join(' ')} ${whole(type, 2)} }`)
        .join(' ')} }`
    },
  }
  const names = Object.keys(shapes)
  return () => {
    const shape = one(names)
    return { shape, query: shapes[shape]?.() ?? '' }
  }
}
