import { every, purgePages, readNote, writeNote } from '#platform'
import { turnsBetween } from './entry-store.ts'
import { contentTag } from './shelf.ts'

export const handlers = []
export const jobs = []

/** Purges cached pages when a version begins or ends. */
export const schedules = [
  every(60_000, 'content.turn', async ({ db, now }) => {
    const last = new Date((await readNote<string>(db, 'content-turned')) ?? now)
    if (await turnsBetween(db, last, now)) await purgePages(db, [contentTag])
    await writeNote(db, 'content-turned', now.toISOString())
  }),
]
