import { job, on } from '#platform'
import { invite, inviteLater } from './invite.ts'

export const handlers = [on('seller-order.delivered', 'reviews.delivered', { commit: inviteLater })]

export const jobs = [job<{ sellerOrderId: string }>('reviews.invite', { commit: invite })]
