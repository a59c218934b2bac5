import type { Scope } from '#platform'
import { moveCarts } from './store.ts'

/**
 * Brings the carts of one owner into another's, as at sign-in. No line is lost; of a line in both the greater
 * quantity stays, so doing it again, or the other way round, gives the same lines.
 * @param from for example 's:<session>', and `into` 'c:<customer>'
 */
export async function mergeCarts(scope: Pick<Scope, 'db'>, from: string, into: string): Promise<void> {
  if (from === into || from === '' || into === '') return
  await moveCarts(scope.db, from, into)
}
