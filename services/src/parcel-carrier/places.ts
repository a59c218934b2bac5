import { isAddressCountry, type AddressCountry } from '@purlin/contract/addresses.ts'
import { towns } from '@purlin/contract/towns.ts'
import { townCentres } from './town-centres.ts'

export interface Spot {
  latitude: number
  longitude: number
}

export interface Town extends Spot {
  country: AddressCountry
  name: string
  /** Its postcodes; in GB its districts. */
  postcodes: string[]
  /** Kilometres from the centre to the outskirts. */
  radiusKm: number
}

const known = new Map<AddressCountry, Town[]>()

export function townsOf(country: AddressCountry): Town[] {
  const read = known.get(country)
  if (read) return read
  const centres = townCentres[country].split(',')
  const made = towns[country].split(';').map((entry, index): Town => {
    const at = entry.lastIndexOf(':')
    const [north = 0, east = 0] = (centres[index] ?? '').trim().split(' ').map(Number)
    return {
      country,
      name: entry.slice(0, at).trim(),
      postcodes: entry
        .slice(at + 1)
        .split(',')
        .flatMap((range) => postcodesIn(range.trim())),
      latitude: north / 100,
      longitude: east / 100,
      radiusKm: index < 4 ? 9 : index < 16 ? 6 : 3,
    }
  })
  known.set(country, made)
  return made
}

const district = /^([A-Z]{1,2})(\d{1,2})/
/** Of a wide range every few postcodes, which is enough to spread points over a town. */
const maxPerRange = 60

function postcodesIn(range: string): string[] {
  const [from = '', to = from] = range.split('-')
  const [low, high] = [district.exec(from), district.exec(to)]
  const [first, last] = low && high ? [Number(low[2]), Number(high[2])] : [Number(from), Number(to)]
  const stride = Math.max(1, Math.ceil((last - first + 1) / maxPerRange))
  const made: string[] = []
  for (let code = first; code <= last; code += stride) made.push(low ? `${low[1]}${code}` : String(code).padStart(from.length, '0'))
  return made
}

/** A place in a town: neighbouring shares of its postcodes are neighbours. */
export function spotIn({ latitude, longitude, radiusKm }: Town, share: number): Spot {
  const angle = share * 2 * Math.PI * 3
  const distance = radiusKm * (0.12 + 0.88 * ((share * 7) % 1))
  return moved({ latitude, longitude }, distance * Math.cos(angle), distance * Math.sin(angle))
}

const kmPerDegree = 111.2

export function moved({ latitude, longitude }: Spot, northKm: number, eastKm: number): Spot {
  return {
    latitude: round(latitude + northKm / kmPerDegree),
    longitude: round(longitude + eastKm / (kmPerDegree * Math.cos((latitude * Math.PI) / 180))),
  }
}
const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5

/** Metres between two places a town or two apart. */
export function metresBetween(one: Spot, other: Spot): number {
  const north = (one.latitude - other.latitude) * kmPerDegree
  const east = (one.longitude - other.longitude) * kmPerDegree * Math.cos((one.latitude * Math.PI) / 180)
  return Math.round(Math.hypot(north, east) * 1000)
}

/** Where a postcode is; null for one in a region without a known town. */
export function locate(countryCode: string, postcode: string): Spot | null {
  if (!isAddressCountry(countryCode)) return null
  const area = areaOf(countryCode, postcode)
  const [nearest] = townsOf(countryCode)
    .flatMap((town) =>
      town.postcodes.map((code, index) => ({ town, share: (index + 0.5) / town.postcodes.length, gap: gapTo(code, area) })),
    )
    .filter(({ gap }) => gap !== null)
    .toSorted((a, b) => (a.gap ?? 0) - (b.gap ?? 0))
  return nearest ? spotIn(nearest.town, nearest.share) : null
}

/** In GB the district, "M1"; elsewhere the whole postcode. */
function areaOf(country: AddressCountry, postcode: string): string {
  const plain = postcode.toUpperCase().replaceAll(' ', '')
  return country === 'GB' ? plain.replace(/\d[A-Z]{2}$/, '') : plain
}

/** How far apart two postcodes are in their region; null for different regions. */
function gapTo(code: string, wanted: string): number | null {
  const [one, other] = [district.exec(code), district.exec(wanted)]
  if (one && other) return one[1] === other[1] ? Math.abs(Number(one[2]) - Number(other[2])) : null
  return code.slice(0, 2) === wanted.slice(0, 2) ? Math.abs(Number(code) - Number(wanted)) : null
}
