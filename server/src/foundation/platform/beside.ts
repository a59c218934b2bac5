import type { Beside, Scope } from './scope.ts'

/** The result of this read, if it was made beside the session of this request and has not been used yet. */
export function takeBeside<Row extends object>({ besides }: Scope, { statement, values }: Beside): { row: Row | undefined } | undefined {
  const beside = besides?.find((each) => each.statement === statement && values.every((value, index) => value === each.values[index]))
  if (!beside || beside.isTaken) return undefined
  beside.isTaken = true
  return { row: beside.row as Row | undefined }
}
