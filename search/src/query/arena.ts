/**
 * Memory for the lists of the current search. A wide query allocates megabytes of them and drops them all
 * at the end; on the heap they would keep the garbage collector busy. A search runs to its end without yielding, so one
 * arena per thread is enough. Nothing allocated here may outlive the search.
 */
const least = 1 << 20
const most = 1 << 26

let block = new ArrayBuffer(least)
let used = 0
/** Bytes requested by the current search, including those that did not fit. */
let wanted = 0

/** Frees everything that was allocated. */
export function startSearch(): void {
  if (wanted > block.byteLength && block.byteLength < most) block = new ArrayBuffer(Math.min(most, 2 ** Math.ceil(Math.log2(wanted))))
  used = 0
  wanted = 0
}

/** Uninitialized numbers: the caller fills them. */
export function floats(count: number): Float64Array {
  const at = take(count * 8)
  return at < 0 ? new Float64Array(count) : new Float64Array(block, at, count)
}

/** Uninitialized integers: the caller fills them. */
export function uints(count: number): Uint32Array {
  const at = take(count * 4)
  return at < 0 ? new Uint32Array(count) : new Uint32Array(block, at, count)
}

/** Offset of the bytes, or -1 when they do not fit. */
function take(bytes: number): number {
  const size = (bytes + 7) & ~7
  wanted += size
  if (used + size > block.byteLength) return -1
  used += size
  return used - size
}

/** A copy of the first `count`. */
export function copyOfUints(from: Uint32Array, count: number): Uint32Array {
  const to = uints(count)
  to.set(from.subarray(0, count))
  return to
}
