import { customerIdOf, readCustomer } from '#accounts'
import type { JobScope, Scope } from '#platform'
import { isValueOf, segmentNames, sourcesOf, type SegmentName, type Segments } from './segments.ts'
import { writeDeclared, writeImported } from './store.ts'

/** Values stated by customers; a missing field stays as it is. Source: spec §7, R-581. */
export type DeclaredSegments = { [Name in 'b2b_suspected_pro' | 'b2b_welcome' | 'b2b_vat_modal']?: Segments[Name] | undefined }

/** Stores the customer's own statements. They affect what is shown, never permissions. */
export async function declareSegments(scope: Scope, declared: DeclaredSegments): Promise<void> {
  const customerId = customerIdOf(scope)
  if (customerId === null) throw new Error('Only customers have segments')
  await writeDeclared(scope.db, customerId, declared)
}

/** Fields that programs outside of the shop may set. */
export const importedNames = segmentNames.filter((name) => sourcesOf(name).includes('imported'))

export type ImportedSegments = Partial<Record<SegmentName, string | boolean | null>>

/**
 * Stores another program's values as received; null removes one. A value unknown to this release is stored and
 * logged, and counts as the field's neutral one. Returns those, or null for an unknown customer.
 */
export async function importSegments(scope: JobScope, customerId: string, imported: ImportedSegments): Promise<SegmentName[] | null> {
  if (!(await readCustomer(scope.db, customerId))) return null
  const unknown = importedNames.filter((name) => (imported[name] ?? null) !== null && !isValueOf(name, imported[name]))
  for (const name of unknown)
    scope.log.warn(
      { customerId, segment: name, value: imported[name] },
      'A segment has a value that is not known; its neutral value counts',
    )
  await writeImported(scope.db, customerId, imported)
  return unknown
}
