import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { createCredential, dropCredential, showCredentials } from './manage-credentials.ts'
import { showStart } from './open-visit.ts'
import { showForm, showReturn } from './show-return.ts'

export const resolvers = {
  Query: {
    punchOutCredentials: (_parent, _args, scope: Scope) => showCredentials(scope),
    punchOutStart: (_parent, { token }, site: SiteScope) => showStart(site, token),
    punchOutReturn: (_parent, _args, scope: Scope) => showReturn(scope),
    punchOutForm: (_parent, _args, scope: Scope) => showForm(scope),
  },
  Mutation: {
    createPunchOutCredential: async (_parent, { input }, scope: Scope) => {
      const made = await createCredential(scope, input)
      if (made.ok) return { identity: made.identity, secret: made.secret, refusal: null }
      const message = wordsFor(scope.market)(`punch-out.refusal.${made.reason}`)
      const fields = made.reason === 'name-invalid' ? [{ field: 'name', message }] : []
      return { identity: null, secret: null, refusal: { reason: made.reason, message, fields } }
    },
    revokePunchOutCredential: async (_parent, { id }, scope: Scope) => {
      const dropped = await dropCredential(scope, id)
      if (dropped.ok) return { refusal: null }
      return { refusal: { reason: dropped.reason, message: wordsFor(scope.market)(`punch-out.refusal.${dropped.reason}`), fields: [] } }
    },
  },
} satisfies Resolvers

export const actions = {
  'Query.punchOutCredentials': 'punch-out.manage',
  'Query.punchOutStart': 'punch-out.open',
  'Query.punchOutReturn': 'cart.see',
  'Query.punchOutForm': 'punch-out.return',
  'Mutation.createPunchOutCredential': 'punch-out.manage',
  'Mutation.revokePunchOutCredential': 'punch-out.manage',
} satisfies ActionsOf<typeof resolvers>
