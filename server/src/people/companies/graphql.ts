import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { addressFaults } from '#addresses'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { acceptInvitation, showInvitation } from './accept-invitation.ts'
import { changeMemberRole, removeMember } from './change-members.ts'
import { inviteMember, revokeInvitation } from './invite-member.ts'
import { showCompany, showReview } from './show-company.ts'
import { showMemberships, switchCompany } from './switch-company.ts'
import { addCostCentre, archiveSite, changeCostCentre, changeCostCentreRule, saveSite, showSites, type SiteChange } from './manage-sites.ts'
import { requestConversion, showConversion, type ConversionFault, type ConversionRefusal } from './request-conversion.ts'

function answered(market: Market, result: { ok: true } | ConversionRefusal) {
  if (result.ok) return { refusal: null }
  const words = wordsFor(market)
  const faults = result.reason === 'conversion-invalid' ? Object.entries(result.fields) : []
  const fields = faults.flatMap(([field, fault]) => (fault ? [{ field, message: faultWords(market, fault) }] : []))
  return { refusal: { reason: result.reason, message: words(`conversion.refusal.${result.reason}`), fields } }
}

function faultWords(market: Market, fault: ConversionFault): string {
  const words = wordsFor(market)
  return fault === 'register-number' || fault === 'proof' ? words(`conversion.fault.${fault}`) : words(`tax.fault.${fault}`)
}

type CompanyReason = Exclude<
  Awaited<ReturnType<typeof inviteMember | typeof changeMemberRole | typeof acceptInvitation | typeof switchCompany>>,
  { ok: true }
>['reason']

function changed(market: Market, result: { ok: true } | { ok: false; reason: CompanyReason }) {
  if (result.ok) return { refusal: null }
  const message = wordsFor(market)(`company.refusal.${result.reason}`)
  const fields = result.reason === 'email-invalid' || result.reason === 'already-member' ? [{ field: 'email', message }] : []
  return { refusal: { reason: result.reason, message, fields } }
}

function siteChanged(market: Market, result: SiteChange) {
  if (result.ok) return { refusal: null }
  if (result.reason === 'address-invalid') return { refusal: { reason: result.reason, ...addressFaults(market, result.fields) } }
  const message = wordsFor(market)(`site.refusal.${result.reason}`)
  return { refusal: { reason: result.reason, message, fields: 'field' in result ? [{ field: result.field, message }] : [] } }
}

export const resolvers = {
  Query: {
    proConversion: async (_parent, _args, scope: Scope) => {
      const shown = await showConversion(scope)
      if (!shown) return null
      const { status, conversion } = shown
      const { reason = null, companyName = null, vatNumber = null, registerNumber = null, requestedAt = null } = conversion ?? {}
      const isChecking = status === 'lead' && reason === null
      return { status, reason, companyName, vatNumber, registerNumber, requestedAt, isChecking }
    },
    myCompany: (_parent, _args, scope: Scope) => showCompany(scope),
    myCompanies: (_parent, _args, scope: Scope) => showMemberships(scope),
    companySites: (_parent, _args, scope: Scope) => showSites(scope),
    companyInvitation: (_parent, { token }, scope: Scope) => showInvitation(scope, token),
  },
  Mutation: {
    inviteMember: async (_parent, { email, role }, scope: Scope) => changed(scope.market, await inviteMember(scope, { email, role })),
    revokeInvitation: async (_parent, { id }, scope: Scope) => changed(scope.market, await revokeInvitation(scope, id)),
    acceptInvitation: async (_parent, { token }, scope: Scope) => changed(scope.market, await acceptInvitation(scope, token)),
    switchCompany: async (_parent, { id }, scope: Scope) => changed(scope.market, await switchCompany(scope, id)),
    changeMemberRole: async (_parent, { id, role }, scope: Scope) => changed(scope.market, await changeMemberRole(scope, id, role)),
    removeMember: async (_parent, { id }, scope: Scope) => changed(scope.market, await removeMember(scope, id)),
    saveSite: async (_parent, { id, input }, scope: Scope) => siteChanged(scope.market, await saveSite(scope, id ?? null, input)),
    archiveSite: async (_parent, { id, isArchived }, scope: Scope) => siteChanged(scope.market, await archiveSite(scope, id, isArchived)),
    addCostCentre: async (_parent, input, scope: Scope) => siteChanged(scope.market, await addCostCentre(scope, input)),
    changeCostCentre: async (_parent, { id, name, isArchived }, scope: Scope) =>
      siteChanged(scope.market, await changeCostCentre(scope, id, { name: name ?? null, isArchived: isArchived ?? null })),
    changeCostCentreRule: async (_parent, { isFree }, scope: Scope) => siteChanged(scope.market, await changeCostCentreRule(scope, isFree)),
    requestProConversion: async (_parent, { input }, scope: Scope) => answered(scope.market, await requestConversion(scope, input)),
  },
  Company: {
    review: (_parent, _args, scope: Scope) => showReview(scope),
  },
} satisfies Resolvers

export const actions = {
  'Company.review': 'company.see',
  'Query.companySites': 'company.see',
  'Mutation.saveSite': 'building-site.manage',
  'Mutation.archiveSite': 'building-site.manage',
  'Mutation.addCostCentre': 'cost-centre.manage',
  'Mutation.changeCostCentre': 'cost-centre.manage',
  'Mutation.changeCostCentreRule': 'cost-centre.manage',
  'Query.myCompany': 'company.see',
  'Query.myCompanies': 'company.see',
  'Query.companyInvitation': 'invitation.open',
  'Mutation.inviteMember': 'company.manage',
  'Mutation.revokeInvitation': 'company.manage',
  'Mutation.acceptInvitation': 'invitation.accept',
  'Mutation.switchCompany': 'company.switch',
  'Mutation.changeMemberRole': 'company.manage',
  'Mutation.removeMember': 'member.remove',
  'Query.proConversion': 'conversion.see',
  'Mutation.requestProConversion': 'conversion.request',
} satisfies ActionsOf<typeof resolvers>
