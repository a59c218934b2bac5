import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
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
  },
  Mutation: {
    requestProConversion: async (_parent, { input }, scope: Scope) => answered(scope.market, await requestConversion(scope, input)),
  },
} satisfies Resolvers

export const actions = {
  'Query.proConversion': 'conversion.see',
  'Mutation.requestProConversion': 'conversion.request',
} satisfies ActionsOf<typeof resolvers>
