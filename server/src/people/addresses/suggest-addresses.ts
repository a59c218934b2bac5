import { isAddressCountry } from '@purlin/contract/addresses.ts'
import { boundedCache, settings, takeQuota } from '#platform'
import { suggestTowns, type AddressSuggestion } from './gazetteer.ts'
import { askGeocoder } from './geocoder.ts'

export type Suggestions = { ok: true; suggestions: AddressSuggestion[] } | { ok: false; reason: 'off' | 'input' | 'too-often' }

const answers = boundedCache<AddressSuggestion[]>(2_000)

/** Completions of address input. The configured geocoder comes first; the gazetteer is built in. */
export async function suggestAddresses(
  { sender, isOn }: { sender: string; isOn: boolean },
  { country, text }: { country: unknown; text: unknown },
): Promise<Suggestions> {
  const { geocoderUrl } = settings().addresses
  if (!isOn) return { ok: false, reason: 'off' }
  if (typeof country !== 'string' || !isAddressCountry(country) || typeof text !== 'string' || text.length > 100)
    return { ok: false, reason: 'input' }
  // As many as somebody types in a minute; a program would fetch the whole list otherwise.
  if (!(await takeQuota('suggestion', { address: sender })).ok) return { ok: false, reason: 'too-often' }
  const typed = text.trim()
  if (geocoderUrl === null || typed.length < 4) return { ok: true, suggestions: suggestTowns(country, typed) }
  const key = `${country} ${typed.toLowerCase()}`
  const kept = answers.get(key)
  if (kept) return { ok: true, suggestions: kept }
  const found = await askGeocoder(geocoderUrl, country, typed)
  if (found && found.length > 0) answers.set(key, found)
  return { ok: true, suggestions: found && found.length > 0 ? found : suggestTowns(country, typed) }
}
