import { createHash } from 'node:crypto'
import type { JobScope } from '#platform'
import { readNewest } from './entry-store.ts'
import { entryKinds } from './entry.ts'
import type { EntryFile } from './entry-files.ts'
import { putEntry } from './put-entry.ts'

/** Publishes entry files as live versions; operators' later edits stay. Returns the number of versions written. */
export async function publishFiles(scope: Pick<JobScope, 'db' | 'now'>, files: readonly EntryFile[]): Promise<number> {
  let written = 0
  for (const kind of entryKinds) {
    const known = new Map((await readNewest(scope.db, kind)).map((row) => [row.id, row]))
    for (const { key, facts, texts } of files.filter((file) => file.kind === kind && Object.keys(file.texts).length > 0)) {
      const sourceDigest = createHash('sha256')
        .update(JSON.stringify([facts, texts]))
        .digest('base64url')
      const newest = known.get(facts.id)
      if (newest && (newest.sourceDigest === null || newest.sourceDigest === sourceDigest)) continue
      const from = new Date(facts.published)
      const put = await putEntry(scope, {
        kind,
        id: facts.id,
        key,
        facts,
        texts,
        replaces: newest?.version ?? 0,
        from,
        until: null,
        sourceDigest,
      })
      if (!put.ok) throw new Error(`${kind}:${key} was refused: ${put.reason} ${put.details?.join(', ') ?? ''}`)
      written += Number(put.written)
    }
  }
  return written
}
