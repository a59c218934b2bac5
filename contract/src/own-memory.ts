/**
 * The same bytes in memory of their own. Node cuts what zlib returns, and small buffers, from blocks of 64 KB: one that is kept would keep
 * its whole block.
 */
export function ownMemory(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
