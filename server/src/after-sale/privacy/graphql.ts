import { isSignInFresh } from '#accounts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { eraseAccount, type Erasure } from './erase-account.ts'
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
      const erased: Erasure = (await isSignInFresh(scope)) ? await eraseAccount(scope, email) : { ok: false, reason: 'sign-in-again' }
      if (erased.ok) return { refusal: null, waitsFor: null, company: null }
      const words = wordsFor(scope.market)
      const message = erased.company
        ? words(`privacy.refusal-of-company.${erased.reason}`, { company: erased.company.name })
        : words(`privacy.refusal.${erased.reason}`)
      const fields = erased.reason === 'email-differs' ? [{ field: 'email', message }] : []
      return { refusal: { reason: erased.reason, message, fields }, waitsFor: erased.waitsFor ?? null, company: erased.company ?? null }
    },
  },
} satisfies Resolvers

export const actions = {
  'Query.myDataExport': 'account.see',
  'Mutation.requestMyData': 'data.request',
  'Mutation.eraseMyAccount': 'account.erase',
} satisfies ActionsOf<typeof resolvers>
