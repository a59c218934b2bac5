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

/** Purges are kept for a day: whoever could not read them for this long no longer knows which ones were deleted. */
const mostLostMs = 3_600_000
/** A transaction lasts at most four seconds: older gaps between ids are no longer filled. */
const settledMs = 5000

interface WatchOptions {
  everyMs?: number
  now?: () => number
}

/**
 * Calls `onTags` for every purge from now on. Purges that could not be read for a while are read later: under overload an emptied cache
 * would cost more than what made the reading fail. With null everything must go: after an hour without reading, or from a database that
 * has gone back to an earlier state. Returns a function that stops it. Ids are allocated before they commit: the last seconds are read
 * again, skipping known ids.
 */
export function watchPurges(
  pool: Pool,
  onTags: (tags: string[] | null) => void,
  { everyMs = 250, now = Date.now }: WatchOptions = {},
): () => void {
  const stopped = new AbortController()
  const { reads: db } = pool.db
  const readNewest = async () => BigInt((await db.row<{ id: string }>(newest))?.id ?? 0)
  void (async () => {
    let seen: { id: string; at: number }[] = []
    let from: bigint | undefined
    let lostSince: number | undefined
    while (!stopped.signal.aborted) {
      const askedAt = now()
      try {
        if (from === undefined || lostSince !== undefined) {
          const last = await readNewest()
          const isKnown = lostSince === undefined || (from !== undefined && last >= from && askedAt - lostSince <= mostLostMs)
          if (from === undefined || !isKnown) {
            from = last
            seen = []
          }
          lostSince = undefined
          if (!isKnown) onTags(null)
        }
        const rows = await db.rows<{ id: string; tags: string[] }>(since, [String(from), seen.map(({ id }) => id)])
        for (const { id } of rows) seen.push({ id, at: askedAt })
        if (rows.length) onTags([...new Set(rows.flatMap(({ tags }) => tags))])
        const settled = seen.filter(({ at }) => at < askedAt - settledMs)
        for (const { id } of settled) if (BigInt(id) > from) from = BigInt(id)
        seen = seen.filter(({ id }) => BigInt(id) > (from ?? 0n))
      } catch (error) {
        if (!stopped.signal.aborted && lostSince === undefined) log.warn({ reason: String(error) }, 'page purges cannot be read')
        lostSince ??= askedAt
      }
      await sleep(everyMs, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined)
    }
  })()
  return () => stopped.abort()
}
