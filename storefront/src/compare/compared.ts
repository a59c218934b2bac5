import { paths } from '../paths.ts'

export const mostCompared = 4

/** Ids in an address, each once and no more than fit side by side. */
export function readCompared(value: unknown): string[] {
  const ids = typeof value === 'string' ? value.split(/[,\s]+/).filter((id) => /^[1-9]\d{0,17}$/.test(id)) : []
  return [...new Set(ids)].slice(0, mostCompared)
}

export function compareHref(ids: readonly string[]): string {
  return paths.compare({}, ids.length > 0 ? { p: ids.join(',') } : {})
}
