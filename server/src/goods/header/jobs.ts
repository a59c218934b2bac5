import { shellTags } from '#flags'
import { every, purgePages, readNote, writeNote } from '#platform'
import { headerTag } from './show-header.ts'
import { turnsBetween } from './store.ts'

/** Purges cached pages when an item begins or ends. */
export const schedules = [
  every(60_000, 'header.turn', async ({ db, now }) => {
    const last = new Date((await readNote<string>(db, 'header-turned')) ?? now)
    if (await turnsBetween(db, last, now)) await purgePages(db, [headerTag, ...shellTags()])
    await writeNote(db, 'header-turned', now.toISOString())
  }),
]
