import { every } from '#platform'
import { dropKeptRows } from './row-store.ts'

const hour = 3_600_000

export const schedules = [every(hour, 'purchasing.drop-kept-rows', ({ db, now }) => dropKeptRows(db, new Date(now.getTime() - 24 * hour)))]
