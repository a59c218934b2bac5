import { every } from '#platform'
import { forgetOld } from './store.ts'

export const schedules = [every(3_600_000, 'newsletter.forget', ({ db }) => forgetOld(db))]
