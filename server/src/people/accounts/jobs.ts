import { every } from '#platform'
import { forgetSessions } from './store.ts'

export const schedules = [every(10 * 60_000, 'accounts.forget-sessions', ({ db }) => forgetSessions(db))]
