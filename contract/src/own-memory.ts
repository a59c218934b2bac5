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

/**
 * The same text in one piece. Text put together keeps all its pieces, four times the memory, until something reads it as one; V8 leaves out
 * a read whose result nobody uses.
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString()
}
