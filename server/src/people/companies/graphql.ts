import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { acceptInvitation, showInvitation } from './accept-invitation.ts'
import { changeMemberRole, removeMember } from './change-members.ts'
import { inviteMember, revokeInvitation } from './invite-member.ts'
import { showCompany } from './show-company.ts'
import { siteActions, siteResolvers } from './site-graphql.ts'
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
  Awaited<ReturnType<typeof inviteMember | typeof changeMemberRole | typeof acceptInvitation>>,
  { ok: true }
>['reason']

function changed(market: Market, result: { ok: true } | { ok: false; reason: CompanyReason }) {
  if (result.ok) return { refusal: null }
  const message = wordsFor(market)(`company.refusal.${result.reason}`)
  const fields = result.reason === 'email-invalid' || result.reason === 'already-member' ? [{ field: 'email', message }] : []
  return { refusal: { reason: result.reason, message, fields } }
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
    ...siteResolvers.Query,
    companyInvitation: (_parent, { token }, scope: Scope) => showInvitation(scope, token),
  },
  Mutation: {
    inviteMember: async (_parent, { email, role }, scope: Scope) => changed(scope.market, await inviteMember(scope, { email, role })),
    revokeInvitation: async (_parent, { id }, scope: Scope) => changed(scope.market, await revokeInvitation(scope, id)),
    acceptInvitation: async (_parent, { token }, scope: Scope) => changed(scope.market, await acceptInvitation(scope, token)),
    changeMemberRole: async (_parent, { id, role }, scope: Scope) => changed(scope.market, await changeMemberRole(scope, id, role)),
    removeMember: async (_parent, { id }, scope: Scope) => changed(scope.market, await removeMember(scope, id)),
    ...siteResolvers.Mutation,
    requestProConversion: async (_parent, { input }, scope: Scope) => answered(scope.market, await requestConversion(scope, input)),
  },
} satisfies Resolvers

export const actions = {
  ...siteActions,
  'Query.myCompany': 'company.see',
  'Query.companyInvitation': 'invitation.open',
  'Mutation.inviteMember': 'company.manage',
  'Mutation.revokeInvitation': 'company.manage',
  'Mutation.acceptInvitation': 'invitation.accept',
  'Mutation.changeMemberRole': 'company.manage',
  'Mutation.removeMember': 'member.remove',
  'Query.proConversion': 'conversion.see',
  'Mutation.requestProConversion': 'conversion.request',
} satisfies ActionsOf<typeof resolvers>
