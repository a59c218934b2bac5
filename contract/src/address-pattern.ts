import { pageAddresses } from './generated/page-addresses.ts'
import { pathSegments, readSegment, segmentsOf, type Segment } from './path-helper.ts'

const patterns = pageAddresses.map((address) => ({ address, segments: segmentsOf(address) }))

/**
 * The pattern of an address of ours, such as "/track-my-parcel/{token}": what may be stored about where a visitor was, because
 * addresses of parcels, orders and invitations open them. Null for an address that no page has.
 */
export function addressPattern(path: string): string | null {
  const given = pathSegments(path)
  return given && (patterns.find(({ segments }) => fits(segments, given))?.address ?? null)
}

function fits(wanted: readonly Segment[], given: readonly string[]): boolean {
  for (const [index, segment] of wanted.entries()) {
    if (segment.kind === 'rest') return true
    const text = given[index]
    if (text === undefined) return segment.kind === 'optional'
    if (!readSegment(segment, text, {})) return false
  }
  return given.length <= wanted.length
}
