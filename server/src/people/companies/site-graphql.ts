import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { addressFaults } from '#addresses'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { addCostCentre, archiveSite, changeCostCentre, changeCostCentreRule, saveSite, showSites, type SiteChange } from './manage-sites.ts'

function changed(market: Market, result: SiteChange) {
  if (result.ok) return { refusal: null }
  if (result.reason === 'address-invalid') return { refusal: { reason: result.reason, ...addressFaults(market, result.fields) } }
  const message = wordsFor(market)(`site.refusal.${result.reason}`)
  return { refusal: { reason: result.reason, message, fields: 'field' in result ? [{ field: result.field, message }] : [] } }
}

export const siteResolvers = {
  Query: {
    companySites: (_parent, _args, scope: Scope) => showSites(scope),
  },
  Mutation: {
    saveSite: async (_parent, { id, input }, scope: Scope) => changed(scope.market, await saveSite(scope, id ?? null, input)),
    archiveSite: async (_parent, { id, isArchived }, scope: Scope) => changed(scope.market, await archiveSite(scope, id, isArchived)),
    addCostCentre: async (_parent, input, scope: Scope) => changed(scope.market, await addCostCentre(scope, input)),
    changeCostCentre: async (_parent, { id, name, isArchived }, scope: Scope) =>
      changed(scope.market, await changeCostCentre(scope, id, { name: name ?? null, isArchived: isArchived ?? null })),
    changeCostCentreRule: async (_parent, { isFree }, scope: Scope) => changed(scope.market, await changeCostCentreRule(scope, isFree)),
  },
} satisfies Resolvers

export const siteActions = {
  'Query.companySites': 'company.see',
  'Mutation.saveSite': 'building-site.manage',
  'Mutation.archiveSite': 'building-site.manage',
  'Mutation.addCostCentre': 'cost-centre.manage',
  'Mutation.changeCostCentre': 'cost-centre.manage',
  'Mutation.changeCostCentreRule': 'cost-centre.manage',
} satisfies ActionsOf<typeof siteResolvers>
