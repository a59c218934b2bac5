import type { CustomersCart } from '#cart'
import { every, job } from '#platform'
import { forgetNotices } from '#profile'
import { findBaskets } from './find-baskets.ts'
import { forgetGuests } from './guest-reminder.ts'
import { remindGuest } from './remind-guest.ts'
import { remindOfBasket } from './remind-of-basket.ts'

export const jobs = [
  job<CustomersCart>('reminders.basket', { commit: remindOfBasket }),
  job<{ id: string }>('reminders.guest-basket', { commit: remindGuest }),
]

export const schedules = [
  every(600_000, 'reminders.find', findBaskets),
  every(86_400_000, 'reminders.forget', ({ db }) => forgetNotices(db)),
  every(3_600_000, 'reminders.forget-guests', forgetGuests),
]
