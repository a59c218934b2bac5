import type { Numbers } from './segment-format.ts'

/** Strings in shared memory as UTF-8, decoded on demand. */
export interface StringTable {
  count: number
  get(index: number): string
}

export function writeStrings(sections: Map<string, Numbers>, name: string, strings: readonly string[]): void {
  const starts = new Uint32Array(strings.length + 1)
  let size = 0
  for (let i = 0; i < strings.length; i++) starts[i + 1] = size += Buffer.byteLength(strings[i]!)
  const bytes = Buffer.alloc(size)
  for (let i = 0; i < strings.length; i++) bytes.write(strings[i]!, starts[i]!)
  sections.set(`${name}.starts`, starts)
  sections.set(`${name}.bytes`, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length))
}

/** With `keep`, decoded strings are cached: right for facet values, wrong for a million ids. */
export function openStrings(section: <T extends Numbers>(name: string) => T, name: string, keep: boolean): StringTable {
  const starts = section<Uint32Array>(`${name}.starts`)
  const view = section<Uint8Array>(`${name}.bytes`)
  const bytes = Buffer.from(view.buffer as ArrayBuffer, view.byteOffset, view.length)
  const kept: string[] | null = keep ? [] : null
  return {
    count: starts.length - 1,
    get(index) {
      const known = kept?.[index]
      if (known !== undefined) return known
      const text = bytes.toString('utf8', starts[index], starts[index + 1])
      if (kept) kept[index] = text
      return text
    },
  }
}

export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash ^= hash >>> 15
  return Math.imul(hash, 0x2c1b3c6d) >>> 0
}

/** A hash table from string to its index: slots hold index + 1. */
export function writeLookup(sections: Map<string, Numbers>, name: string, strings: readonly string[]): void {
  let size = 16
  while (size < strings.length * 1.6) size *= 2
  const slots = new Uint32Array(size)
  for (let i = 0; i < strings.length; i++) {
    let slot = hashOf(strings[i]!) & (size - 1)
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1)
    slots[slot] = i + 1
  }
  sections.set(`${name}.slots`, slots)
}

export function openLookup(section: <T extends Numbers>(name: string) => T, name: string, strings: StringTable): (text: string) => number {
  const slots = section<Uint32Array>(`${name}.slots`)
  const mask = slots.length - 1
  return (text) => {
    let slot = hashOf(text) & mask
    for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
      if (strings.get(entry - 1) === text) return entry - 1
      slot = (slot + 1) & mask
    }
    return -1
  }
}
