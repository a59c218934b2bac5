import { ownerOf } from '#accounts'
import type { Scope } from '#platform'
import { markUsed, type Upload } from './store.ts'

/**
 * Attaches the principal's uploads to something ("message:…"), in the caller's transaction. Null if one is not theirs, is
 * already used or no longer exists.
 */
export async function useUploads(scope: Scope, ids: readonly string[], usedBy: string): Promise<Upload[] | null> {
  if (ids.length === 0) return []
  const owner = ownerOf(scope)
  const wanted = new Set(ids)
  if (owner === null || ids.some((id) => !isId.test(id))) return null
  const used = await markUsed(scope.db, [...wanted], owner, usedBy)
  return used.length === wanted.size ? used : null
}

const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
