import { markets, type Market } from '@purlin/contract/markets.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { dropAddress } from './drop-address.ts'
import { listAddresses } from './find-addresses.ts'
import { keepAddress, preferKeptAddress, type AddressRefusal, type KeptAddress } from './keep-address.ts'
import { addressFaults, addressWords } from './words.ts'

function toRefusal(market: Market, refused: AddressRefusal) {
  if (refused.reason === 'address-invalid') return { reason: refused.reason, ...addressFaults(market, refused.fields) }
  return { reason: refused.reason, message: addressWords[markets[market].language].refusal[refused.reason], fields: [] }
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
