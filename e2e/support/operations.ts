import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
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

/** Otherwise a response would be about the value, not about the one next to it. */
const samples: Record<string, unknown> = {
  offerId: '410',
  productId: '41',
  kind: 'standard',
  email: 'x@example.com',
  firstName: 'Robin',
  lastName: 'Field',
  line1: '1 Mill Lane',
  postcode: 'SW1A 1AA',
  city: 'London',
  country: 'GB',
  phone: '07700 900123',
  name: 'Robin Field',
  text: 'When will the drill be back in stock?',
  reason: 'changed-mind',
  wish: 'refund',
  method: 'label',
  'openDispute.input.reason': 'not-received',
  'sendMessage.input.kind': 'question',
}

/** A well-formed value of a type, with the given ids. */
export function validValue(path: string, type: GraphQLInputType, ids: Record<string, string>): unknown {
  if (ids[path] !== undefined) return ids[path]
  if (isNonNullType(type)) return validValue(path, type.ofType, ids)
  if (isListType(type)) return [validValue(path, type.ofType, ids)]
  if (isEnumType(type)) return type.getValues()[0]?.name
  if (isInputObjectType(type)) {
    const named = (at: string) => Object.keys(ids).some((id) => id === at || id.startsWith(`${at}.`))
    const given = Object.values(type.getFields()).filter((each) => isNonNullType(each.type) || named(`${path}.${each.name}`))
    return Object.fromEntries(given.map((each) => [each.name, validValue(`${path}.${each.name}`, each.type, ids)]))
  }
  const name = path.split('.').at(-1) ?? ''
  // A part of the order that is asked about.
  if (name === 'sellerOrderId') return `${Object.values(ids)[0] ?? ''}-1`
  return samples[path] ?? samples[name] ?? { Int: 1, Float: 1, Boolean: true, ID: '41' }[type.name] ?? 'x'
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

/** A selection of all fields that need no arguments, to this depth; nothing for a scalar. */
export function allFieldsOf(output: GraphQLOutputType, depth: number): string {
  const type = getNamedType(output)
  if (!isObjectType(type)) return ''
  const fields = Object.values(type.getFields()).filter(({ args }) => args.every((arg) => !isNonNullType(arg.type)))
  const selected = fields.flatMap(({ name, type: of }) => {
    if (isLeafType(getNamedType(of))) return [name]
    return depth > 1 ? [`${name} ${allFieldsOf(of, depth - 1)}`] : []
  })
  return `{ ${['__typename', ...selected].join(' ')} }`
}
