import { setTimeout as sleep } from 'node:timers/promises'
import { log } from './log.ts'
import type { Pool } from './pool.ts'
import type { Db } from './scope.ts'

const put = { name: 'platform.purge-pages', text: 'insert into platform.purge_log (tags) values ($1)' }
const newest = { name: 'platform.newest-purge', text: 'select coalesce(max(id), 0)::text as id from platform.purge_log' }
const since = {
  name: 'platform.purges-since',
  text: 'select id::text, tags from platform.purge_log where id > $1 and id <> all($2::bigint[]) order by id limit 1000',
}

/** Invalidates pages with these tags in every page cache, in the caller's transaction. */
export async function purgePages(db: Db, tags: readonly string[]): Promise<void> {
  if (tags.length) await db.run(put, [[...new Set(tags)]])
}

/**
 * Calls `onTags` for every purge from now on; with null when some may have been missed and everything must go. Returns a
 * function that stops it. Ids are allocated before they commit: the last seconds are read again, skipping known ids.
 */
export function watchPurges(pool: Pool, onTags: (tags: string[] | null) => void, everyMs = 250): () => void {
  const stopped = new AbortController()
  const { reads: db } = pool.db
  void (async () => {
    let seen: { id: string; at: number }[] = []
    let from: bigint | undefined
    let lost = false
    while (!stopped.signal.aborted) {
      try {
        if (from === undefined) from = BigInt((await db.row<{ id: string }>(newest))?.id ?? 0)
        if (lost) onTags(null)
        lost = false
        const rows = await db.rows<{ id: string; tags: string[] }>(since, [String(from), seen.map(({ id }) => id)])
        for (const { id } of rows) seen.push({ id, at: Date.now() })
        if (rows.length) onTags([...new Set(rows.flatMap(({ tags }) => tags))])
        // A transaction lasts at most four seconds: older gaps will not be filled any more.
        const settled = seen.filter(({ at }) => at < Date.now() - 5000)
        for (const { id } of settled) if (BigInt(id) > from) from = BigInt(id)
        seen = seen.filter(({ id }) => BigInt(id) > (from ?? 0n))
      } catch (error) {
        if (!stopped.signal.aborted && !lost) log.warn({ reason: String(error) }, 'page purges cannot be read')
        lost = true
      }
      await sleep(everyMs, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined)
    }
  })()
  return () => stopped.abort()
}
