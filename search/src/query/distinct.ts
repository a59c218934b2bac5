import { uints } from './arena.ts'
import type { Ranking } from './top-hits-collector.ts'
import { bestPlaces, isBefore } from './top-hits-collector.ts'
import { sharedGroups } from './shared-groups.ts'
import type { Part } from './snapshot.ts'

interface Place {
  part: number
  place: number
}
type Compare = (x: Place, y: Place) => number

/** Keeps the best `most` documents of each group over all parts. Returns, per part, the indexes kept, and the number of groups. */
export function keepBestOfGroups(
  attribute: string,
  most: number,
  parts: readonly Part[],
  rankings: readonly Ranking[],
  compare: Compare,
): { kept: Uint32Array[]; groups: number } {
  const shared = sharedGroups(parts, attribute)
  /** Best matches of groups that other parts may have too. */
  const split = new Map<number, Place[]>()
  let groups = 0
  const kept = parts.map(({ segment }, part) => {
    const ranking = rankings[part]!
    const { documents } = ranking.matched
    const total = documents.length
    const list = uints(total)
    if (total === 0) return list
    const of = segment.groups!.of
    const numbers = shared[part]
    let count = 0
    for (let from = 0; from < total;) {
      const group = of[documents[from]!]!
      let best = from
      let to = from + 1
      for (; to < total && of[documents[to]!] === group; to++) if (most === 1 && isBefore(ranking, to, best)) best = to
      const number = numbers ? numbers[group]! : -1
      if (number < 0) groups++
      if (number < 0 && most === 1) list[count++] = best
      else {
        const places =
          most === 1
            ? [best]
            : bestPlaces(
                ranking,
                most,
                Uint32Array.from({ length: to - from }, (_, at) => from + at),
              )
        if (number < 0) for (const place of places) list[count++] = place
        else split.set(number, [...(split.get(number) ?? []), ...Array.from(places, (place) => ({ part, place }))])
      }
      from = to
    }
    return list.subarray(0, count)
  })
  if (split.size === 0) return { kept, groups }
  const more: number[][] = parts.map(() => [])
  for (const places of split.values()) {
    if (places.length > most) places.sort(compare)
    for (const { part, place } of places.slice(0, most)) more[part]!.push(place)
  }
  return {
    kept: kept.map((list, part) => (more[part]!.length > 0 ? Uint32Array.from([...list, ...more[part]!]) : list)),
    groups: groups + split.size,
  }
}
