import type { Beside, Scope } from './scope.ts'

/** The result of this read, if it was made beside the session of this request and has not been used yet. */
export function takeBeside<Row extends object>({ beside }: Scope, { statement, values }: Beside): { row: Row | undefined } | undefined {
  if (!beside || beside.isTaken || beside.statement !== statement) return undefined
  if (!values.every((value, index) => value === beside.values[index])) return undefined
  beside.isTaken = true
  return { row: beside.row as Row | undefined }
}
