import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { cancelSubscription, changeCard, changePeriod, resumeSubscription, withdrawSubscription } from './change-subscription.ts'
import { showPlans, showSubscription } from './show-subscription.ts'
import { startSubscription, type Changed } from './start-subscription.ts'

async function answered(scope: Scope, change: Promise<Changed>) {
  const result = await change
  if (result.ok) return { refusal: null }
  const message = wordsFor(scope.market)(`subscription.refusal.${result.reason}`)
  return { refusal: { reason: result.reason, message, fields: [] } }
}

export const resolvers = {
  Query: {
    subscriptionPlans: (_parent, _args, scope: SiteScope) => showPlans(scope),
    mySubscription: (_parent, _args, scope: Scope) => showSubscription(scope),
  },
  Mutation: {
    startSubscription: (_parent, { period }, scope: Scope) => answered(scope, startSubscription(scope, period)),
    changeSubscriptionCard: (_parent, _args, scope: Scope) => answered(scope, changeCard(scope)),
    changeSubscriptionPeriod: (_parent, { period }, scope: Scope) => answered(scope, changePeriod(scope, period)),
    cancelSubscription: (_parent, _args, scope: Scope) => answered(scope, cancelSubscription(scope)),
    resumeSubscription: (_parent, _args, scope: Scope) => answered(scope, resumeSubscription(scope)),
    withdrawSubscription: (_parent, _args, scope: Scope) => answered(scope, withdrawSubscription(scope)),
  },
} satisfies Resolvers

export const actions = {
  'Query.subscriptionPlans': 'page.see',
  'Query.mySubscription': 'subscription.see',
  'Mutation.startSubscription': 'subscription.change',
  'Mutation.changeSubscriptionCard': 'subscription.change',
  'Mutation.changeSubscriptionPeriod': 'subscription.change',
  'Mutation.cancelSubscription': 'subscription.change',
  'Mutation.resumeSubscription': 'subscription.change',
  'Mutation.withdrawSubscription': 'subscription.change',
} satisfies ActionsOf<typeof resolvers>
