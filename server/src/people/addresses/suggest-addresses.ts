import { isAddressCountry } from '@purlin/contract/addresses.ts'
import { boundedCache, settings } from '#platform'
import { suggestTowns, type AddressSuggestion } from './gazetteer.ts'
import { askGeocoder } from './geocoder.ts'

export type Suggestions = { ok: true; suggestions: AddressSuggestion[] } | { ok: false; reason: 'off' | 'input' | 'too-often' }

/** As many as somebody types in a minute; a program would fetch the whole list otherwise. */
const perMinute = 90
const minuteMs = 60_000
const asked = boundedCache<{ since: number; count: number }>(5_000)
const answers = boundedCache<AddressSuggestion[]>(2_000)

/** Completions of address input. The configured geocoder comes first; the gazetteer is built in. */
export async function suggestAddresses(
  { sender, isOn, now = Date.now() }: { sender: string; isOn: boolean; now?: number },
  { country, text }: { country: unknown; text: unknown },
): Promise<Suggestions> {
  const { geocoderUrl } = settings().addresses
  if (!isOn) return { ok: false, reason: 'off' }
  if (typeof country !== 'string' || !isAddressCountry(country) || typeof text !== 'string' || text.length > 100)
    return { ok: false, reason: 'input' }
  if (isTooOften(sender, now)) return { ok: false, reason: 'too-often' }
  const typed = text.trim()
  if (geocoderUrl === null || typed.length < 4) return { ok: true, suggestions: suggestTowns(country, typed) }
  const key = `${country} ${typed.toLowerCase()}`
  const kept = answers.get(key)
  if (kept) return { ok: true, suggestions: kept }
  const found = await askGeocoder(geocoderUrl, country, typed)
  if (found && found.length > 0) answers.set(key, found)
  return { ok: true, suggestions: found && found.length > 0 ? found : suggestTowns(country, typed) }
}

function isTooOften(sender: string, now: number): boolean {
  const known = asked.get(sender)
  const window = known && now - known.since < minuteMs ? known : { since: now, count: 0 }
  window.count++
  asked.set(sender, window)
  return window.count > perMinute
}
