/** Types of the server's resolvers, from the contract: arguments, result and parent. */
import { codegen } from '@graphql-codegen/core'
import * as schemaTypes from '@graphql-codegen/typescript'
import * as resolverTypes from '@graphql-codegen/typescript-resolvers'
import { valueOfName } from '@purlin/server/edges/gateway/enum-values.ts'
import { type DocumentNode, Kind, visit } from 'graphql'

/** Contract types whose objects are a module's own until a field is resolved: [index or file, its name there]. */
const parents: Record<string, [from: string, type: string]> = {
  Site: ['#markets', 'Site'],
  Seller: ['#sellers', 'Seller'],
  Category: ['#catalogue', 'Category'],
  CategoryParent: ['#catalogue', 'Category'],
  Brand: ['#catalogue', 'Brand'],
  Product: ['#catalogue', 'ProductSheet'],
  Offer: ['#pricing', 'PricedOffer'],
  Operation: ['#catalogue', 'CommercialOperation'],
  YourPrice: ['../../goods/conditions/your-prices.ts', 'OwnPrice'],
  Cart: ['../../selling/cart/show-cart.ts', 'ShownCart'],
  CartResult: ['../../selling/cart/cart-answer.ts', 'CartAnswer'],
  CustomerOrder: ['../../selling/checkout/show-order.ts', 'ShownOrder'],
  FunnelResult: ['../../selling/checkout/order-answer.ts', 'FunnelAnswer'],
  OrderResult: ['../../selling/checkout/order-answer.ts', 'OrderAnswer'],
}

export async function resolverTypesOf(sdl: DocumentNode): Promise<string> {
  // The gateway reads the directives; resolvers do not see them.
  const schema = visit(sdl, { DirectiveDefinition: () => null, Directive: () => null })
  const types = await codegen({
    schema,
    documents: [],
    filename: 'resolvers.ts',
    pluginMap: { schemaTypes, resolverTypes },
    plugins: [{ schemaTypes: {} }, { resolverTypes: {} }],
    config: {
      enumsAsTypes: true,
      skipTypename: true,
      namingConvention: 'keep',
      useTypeImports: true,
      immutableTypes: true,
      makeResolverTypeCallable: true,
      scalars: { ID: 'string', DateTime: { input: 'string', output: 'Date | string' } },
      contextType: 'Scope',
      mappers: Object.fromEntries(Object.keys(parents).map((name) => [name, `Own${name}`])),
    },
  })
  const imports = Object.entries(parents).map(([name, [from, type]]) => `import type { ${type} as Own${name} } from '${from}'\n`)
  return `import type { Scope } from '#platform'\n${imports.join('')}\n${withOurValues(types, schema)}`
}

/** Enum values as written by resolvers, instead of their names on the wire. */
function withOurValues(types: string, sdl: DocumentNode): string {
  const enums = sdl.definitions.filter((each) => each.kind === Kind.ENUM_TYPE_DEFINITION)
  const names = new Set(enums.flatMap(({ values = [] }) => values.map(({ name }) => name.value)))
  return types.replace(/(?<=^ +\| )'(\w+)'/gm, (quoted, name: string) => (names.has(name) ? `'${valueOfName(name)}'` : quoted))
}
