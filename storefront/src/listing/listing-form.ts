import { readChoice, type ListingChoice } from './listing-address.ts'

/** The current selection of the filter form, in the form of its address. */
export function parseForm(fields: Iterable<[string, unknown]>): ListingChoice {
  const query = { f: {} as Record<string, string[]>, min: {} as Record<string, string>, max: {} as Record<string, string>, literal: '' }
  for (const [name, value] of fields) {
    if (name === 'literal' && typeof value === 'string') query.literal = value
    const [, part, key] = /^(f|min|max)\[([^\]]+)\]$/.exec(name) ?? []
    if (!part || !key || typeof value !== 'string') continue
    if (part === 'f') (query.f[key] ??= []).push(value)
    else query[part as 'min' | 'max'][key] = value
  }
  return readChoice(query)
}
