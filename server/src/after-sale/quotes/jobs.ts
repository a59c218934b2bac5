import { every, on } from '#platform'
import { expireQuotes, followPaidOrder } from './move-quote.ts'

export const handlers = [on('order.paid', 'quotes.follow-order', { commit: followPaidOrder })]

export const schedules = [every(60_000, 'quotes.expire', expireQuotes)]
