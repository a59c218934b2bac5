import { every } from '#platform'
import { forgetSenders } from './store.ts'

export const schedules = [every(3_600_000, 'contact.forget-senders', ({ db }) => forgetSenders(db))]
