import { postcodeOf, type AddressCountry } from '@purlin/contract/addresses.ts'
import * as v from 'valibot'
import type { AddressSuggestion } from './gazetteer.ts'

/** A geocoder that speaks Photon's API, as photon.komoot.io does and anybody can run: GET {url}?q=…&limit=…, GeoJSON back. */

const text = v.optional(v.pipe(v.string(), v.maxLength(200)))
const answer = v.object({
  features: v.array(
    v.object({
      properties: v.object({
        countrycode: text,
        postcode: text,
        city: text,
        name: text,
        street: text,
        housenumber: text,
        osm_value: text,
      }),
    }),
  ),
})

const most = 5
const patienceMs = 1_500
const maxResponseLength = 200_000

/** Null without a valid response in time. External data is treated as plain text. */
export async function askGeocoder(
  url: string,
  country: AddressCountry,
  typed: string,
  fetchIt: typeof fetch = fetch,
): Promise<AddressSuggestion[] | null> {
  try {
    const query = new URLSearchParams({ q: `${typed}, ${country}`, limit: String(most * 2) })
    const reply = await fetchIt(`${url}?${query}`, {
      signal: AbortSignal.timeout(patienceMs),
      headers: { accept: 'application/json' },
      redirect: 'error',
    })
    if (!reply.ok || Number(reply.headers.get('content-length') ?? 0) > maxResponseLength) return null
    const { features } = v.parse(answer, await reply.json())
    return features
      .map(({ properties }) => properties)
      .filter(({ countrycode }) => countrycode?.toUpperCase() === country)
      .flatMap(({ postcode = '', city, name, street, housenumber }): AddressSuggestion[] => {
        const written = postcodeOf(country, postcode)
        const town = clean(city ?? (street === undefined ? name : undefined))
        if (written === null || town === '') return []
        const road = clean(street)
        const line1 = road === '' ? null : house(country, road, clean(housenumber))
        return [{ line1, postcode: written, city: town }]
      })
      .slice(0, most)
  } catch {
    return null
  }
}

function clean(value: string | undefined): string {
  return (value ?? '')
    .replace(/[\p{Cc}\p{Cf}<>]/gu, '')
    .trim()
    .slice(0, 100)
}

/** The house number comes before the street in gb and France, after it elsewhere. */
function house(country: AddressCountry, street: string, number: string): string {
  if (number === '') return street
  return country === 'GB' || country === 'FR' ? `${number} ${street}` : `${street} ${number}`
}
