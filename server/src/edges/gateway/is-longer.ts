/**
 * Whether a value would be longer than a number of bytes as JSON. Counted without serialising it and no further than the limit,
 * so that an oversized response is never built. A lower bound: characters count as one byte, even those that JSON or UTF-8 encodes
 * with up to six.
 */
export function isLongerThan(value: unknown, most: number): boolean {
  let left = most
  measure(value)
  return left < 0

  function measure(each: unknown): void {
    if (left < 0) return
    if (typeof each === 'string') left -= each.length + 2
    else if (typeof each !== 'object' || each === null) left -= 6
    else if (Array.isArray(each)) {
      left -= each.length + 2
      for (const item of each) measure(item)
    } else
      for (const key in each) {
        left -= key.length + 4
        measure((each as Record<string, unknown>)[key])
      }
  }
}
