import { every } from '#platform'
import { forgetVisits } from './store.ts'

const dayMs = 86_400_000

export const schedules = [
  // Start links and addresses of baskets: nobody can return to a visit by then.
  every(dayMs, 'punchout.forget-visits', ({ db, now }) => forgetVisits(db, new Date(now.getTime() - 30 * dayMs))),
]
