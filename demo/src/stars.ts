import type { Random } from './random.ts'

/** Stars of single reviews whose average is the given one, as near as whole stars allow. */
export function starsOf(count: number, average: number, random: Random): number[] {
  const within = (stars: number) => Math.max(1, Math.min(5, stars))
  const stars = Array.from({ length: count }, () => within(Math.round(average + (random() + random() - 1) * 2.6)))
  let missing = Math.round(average * count) - stars.reduce((sum, each) => sum + each, 0)
  for (let at = 0; missing !== 0; at = (at + 1) % count) {
    const step = Math.sign(missing)
    const next = within((stars[at] ?? 0) + step)
    if (next !== stars[at]) missing -= step
    stars[at] = next
  }
  return stars
}

/** One decimal, as cards and pages have it; null without reviews. */
export function averageOf(stars: readonly number[]): number | null {
  return stars.length === 0 ? null : Math.round((stars.reduce((sum, each) => sum + each, 0) / stars.length) * 10) / 10
}
