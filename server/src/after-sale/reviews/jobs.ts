import { job, on } from '#platform'
import { actAsBuyer, planReview, type Received } from './automatic-buyers.ts'
import { invite, inviteLater } from './invite.ts'

export const handlers = [
  on('seller-order.delivered', 'reviews.delivered', {
    commit: async (scope, moved) => {
      await inviteLater(scope, moved)
      await planReview(scope, moved)
    },
  }),
]

export const jobs = [
  job<{ sellerOrderId: string }>('reviews.invite', { commit: invite }),
  job<Received>('reviews.act-as-buyer', { commit: actAsBuyer }),
]
