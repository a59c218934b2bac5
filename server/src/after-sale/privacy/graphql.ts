import { isSignInFresh } from '#accounts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { eraseAccount } from './erase-account.ts'
import { requestExport, showExport } from './export-data.ts'
import type { DataExport } from './store.ts'

function shown({ requestedAt, expiresAt, fileKey }: DataExport) {
  return { requestedAt, expiresAt, isReady: fileKey !== null, url: fileKey === null ? null : '/api/v1/my-data' }
}

export const resolvers = {
  Query: {
    myDataExport: async (_parent, _args, scope: Scope) => {
      const found = await showExport(scope)
      return found && shown(found)
    },
  },
  Mutation: {
    requestMyData: async (_parent, _args, scope: Scope) => shown(await requestExport(scope)),
    eraseMyAccount: async (_parent, { email }, scope: Scope) => {
      // A session left open must not be enough.
      const erased = (await isSignInFresh(scope)) ? await eraseAccount(scope, email) : ({ ok: false, reason: 'sign-in-again' } as const)
      if (erased.ok) return { refusal: null, waitsFor: null, company: null }
      const words = wordsFor(scope.market)
      const company = 'company' in erased ? erased.company : null
      const message =
        erased.reason === 'last-admin'
          ? words('privacy.refusal.last-admin', { company: erased.company.name })
          : words(`privacy.refusal.${erased.reason}`)
      const fields = erased.reason === 'email-differs' ? [{ field: 'email', message }] : []
      return { refusal: { reason: erased.reason, message, fields }, waitsFor: 'waitsFor' in erased ? erased.waitsFor : null, company }
    },
  },
} satisfies Resolvers

export const actions = {
  'Query.myDataExport': 'account.see',
  'Mutation.requestMyData': 'data.request',
  'Mutation.eraseMyAccount': 'account.erase',
} satisfies ActionsOf<typeof resolvers>
