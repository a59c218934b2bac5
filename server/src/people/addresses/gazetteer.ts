import type { AddressCountry } from '@purlin/contract/addresses.ts'
import { towns } from '@purlin/contract/towns.ts'

/** A completion of an address. A gazetteer contains towns; a geocoder also streets. */
export interface AddressSuggestion {
  line1: string | null
  /** In GB a gazetteer contains only the district: "M1". */
  postcode: string
  city: string
}

interface Town {
  city: string
  /** Without accents and marks, as it is searched. */
  plain: string
  ranges: [from: string, to: string][]
}

const known = new Map<AddressCountry, Town[]>()

function townsOf(country: AddressCountry): Town[] {
  const read = known.get(country)
  if (read) return read
  const made = towns[country].split(';').map((entry): Town => {
    const at = entry.lastIndexOf(':')
    const city = entry.slice(0, at).trim()
    const ranges = entry
      .slice(at + 1)
      .split(',')
      .map((range): [string, string] => {
        const [from = '', to = from] = range.trim().split('-')
        return [from, to]
      })
    return { city, plain: plainOf(city), ranges }
  })
  known.set(country, made)
  return made
}

export function plainOf(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const most = 6

/** Towns whose postcode or name begins as typed, by postcode where there is a digit; those that begin with it come first. */
export function suggestTowns(country: AddressCountry, typed: string): AddressSuggestion[] {
  const plain = plainOf(typed)
  if (plain.length < 2) return []
  if (/\d/.test(plain)) return byPostcode(country, plain.toUpperCase().replaceAll(' ', ''))
  const found = townsOf(country).filter((town) => town.plain.startsWith(plain) || town.plain.includes(` ${plain}`))
  return found
    .toSorted((one, other) => Number(other.plain.startsWith(plain)) - Number(one.plain.startsWith(plain)))
    .slice(0, most)
    .map(({ city, ranges }) => ({
      line1: null,
      postcode: ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1] ? (ranges[0]?.[0] ?? '') : '',
      city,
    }))
}

function byPostcode(country: AddressCountry, typed: string): AddressSuggestion[] {
  const isWhole = country === 'GB' ? /^[A-Z]{1,2}\d/.test(typed) : typed.length === 5
  const district = country === 'GB' ? districtOf(typed) : typed.slice(0, 5)
  return townsOf(country)
    .filter(({ ranges }) => ranges.some((range) => (country === 'GB' ? isDistrictIn(district, range) : isPrefixIn(district, range))))
    .slice(0, most)
    .map(({ city }) => ({ line1: null, postcode: isWhole ? district : '', city }))
}

/** "SW1A1AA", "SW1A" → "SW1A"; the last three characters of a full postcode are not part of the district. */
function districtOf(typed: string): string {
  return /^([A-Z]{1,2}\d[A-Z\d]?)\d[A-Z]{2}$/.exec(typed)?.[1] ?? typed
}

/** Could a postcode that begins like this lie in the range? */
function isPrefixIn(typed: string, [from, to]: [string, string]): boolean {
  return typed >= from.slice(0, typed.length) && typed <= to.slice(0, typed.length)
}

const district = /^([A-Z]{1,2})(\d{1,2})[A-Z]?$/

function isDistrictIn(typed: string, [from, to]: [string, string]): boolean {
  const [one, low, high] = [district.exec(typed), district.exec(from), district.exec(to)]
  if (!one || !low || !high || one[1] !== low[1]) return false
  return Number(one[2]) >= Number(low[2]) && Number(one[2]) <= Number(high[2])
}
