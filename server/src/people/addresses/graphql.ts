import { markets, type Market } from '@purlin/contract/markets.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { dropAddress } from './drop-address.ts'
import { listAddresses } from './find-addresses.ts'
import { keepAddress, preferKeptAddress, type AddressRefusal, type KeptAddress } from './keep-address.ts'
import { addressWords } from './words.ts'

function toRefusal(market: Market, refused: AddressRefusal) {
  const words = addressWords[markets[market].language]
  const fields = refused.reason === 'address-invalid' ? Object.entries(refused.fields) : []
  return {
    reason: refused.reason,
    message: words.refusal[refused.reason],
    fields: fields.map(([field, fault]) => ({ field, message: words.field[fault] })),
  }
}

function toResult(market: Market, kept: KeptAddress) {
  return kept.ok ? { address: kept.address, refusal: null } : { address: null, refusal: toRefusal(market, kept) }
}

export const resolvers = {
  Query: {
    myAddresses: (_parent, _args, scope: Scope) => listAddresses(scope),
  },
  Mutation: {
    keepAddress: async (_parent, { id, input }, scope: Scope) => toResult(scope.market, await keepAddress(scope, id ?? null, input)),
    preferAddress: async (_parent, { id, use }, scope: Scope) => toResult(scope.market, await preferKeptAddress(scope, id, use)),
    dropAddress: async (_parent, { id }, scope: Scope) => {
      const dropped = await dropAddress(scope, id)
      return { address: null, refusal: dropped.ok ? null : toRefusal(scope.market, dropped) }
    },
  },
} satisfies Resolvers

export const actions = {
  'Query.myAddresses': 'address.see',
  'Mutation.keepAddress': 'address.change',
  'Mutation.preferAddress': 'address.change',
  'Mutation.dropAddress': 'address.change',
} satisfies ActionsOf<typeof resolvers>
