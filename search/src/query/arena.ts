/**
 * Room for the lists of the search under way. A wide query makes megabytes of them, and all are done with when it is
 * answered: taking them from the heap keeps the collector busy. A search runs from its beginning to its end without
 * pause, so one arena a thread is enough; nothing made here may be kept longer than that.
 */
const least = 1 << 20
const most = 1 << 26

let block = new ArrayBuffer(least)
let used = 0
/** Bytes the search under way has asked for, those that found no room included. */
let wanted = 0

/** All that was given out is free again. */
export function startSearch(): void {
  if (wanted > block.byteLength && block.byteLength < most) block = new ArrayBuffer(Math.min(most, 2 ** Math.ceil(Math.log2(wanted))))
  used = 0
  wanted = 0
}

/** Numbers of any content: the caller fills them. */
export function floats(count: number): Float64Array {
  const at = take(count * 8)
  return at < 0 ? new Float64Array(count) : new Float64Array(block, at, count)
}

/** Whole numbers of any content: the caller fills them. */
export function uints(count: number): Uint32Array {
  const at = take(count * 4)
  return at < 0 ? new Uint32Array(count) : new Uint32Array(block, at, count)
}

/** Place of the bytes, or -1 when there is no room. */
function take(bytes: number): number {
  const size = (bytes + 7) & ~7
  wanted += size
  if (used + size > block.byteLength) return -1
  used += size
  return used - size
}

/** A copy of the first so many. */
export function copyOfUints(from: Uint32Array, count: number): Uint32Array {
  const to = uints(count)
  to.set(from.subarray(0, count))
  return to
}
