import { enqueue, every, job } from '#platform'
import { computeAll } from './compute-segments.ts'

const hourMs = 3_600_000
/** When it is quiet in all five markets. */
const hourOfNight = 2

export const jobs = [job<{ key: string }>('segments.compute', { run: computeAll })]

/** Twice a day the next night's job is put on the list, or found there: no night is left out. */
export const schedules = [
  every(12 * hourMs, 'segments.plan-night', ({ db, now }) =>
    enqueue(db, { name: 'segments.compute', key: 'all', payload: {}, runAt: nextNight(now) }),
  ),
]

export function nextNight(now: Date): Date {
  const night = new Date(now)
  night.setUTCHours(hourOfNight, 0, 0, 0)
  if (night <= now) night.setUTCDate(night.getUTCDate() + 1)
  return night
}
