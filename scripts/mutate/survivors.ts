import type { Mutant } from './find-mutants.ts'

/** Mutants that no test kills, each with its reason: mostly that the mutated code behaves the same. */
export interface Survivor {
  /** The line as it is and as the mutant makes it. */
  code: string
  becomes: string
  reason: string
}

export const survivors: Record<string, Survivor[]> = {}

export function reasonOf({ path, code, becomes }: Pick<Mutant, 'path' | 'code' | 'becomes'>): string | undefined {
  return survivors[path]?.find((listed) => listed.code === code && listed.becomes === becomes)?.reason
}
