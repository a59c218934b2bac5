import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The shop's typeface, Archivo, in static cuts: PDF readers know no variable fonts, and PDF/A wants every font embedded. */
const cuts = {
  regular: 'latin-400',
  regularExt: 'latin-ext-400',
  bold: 'latin-700',
  boldExt: 'latin-ext-700',
} as const
export type Cut = keyof typeof cuts

const loaded = new Map<Cut, Buffer>()

export function fontFile(cut: Cut): Buffer {
  let file = loaded.get(cut)
  if (!file) {
    const path = import.meta.resolve(`@fontsource/archivo/files/archivo-${cuts[cut]}-normal.woff`)
    loaded.set(cut, (file = readFileSync(fileURLToPath(path))))
  }
  return file
}

const latin = /^[\x20-\x7e¡-ÿœŒ‘’“”„–—•…€™−]$/
const extended = /^[Ā-ſȘ-ț]$/

/**
 * A text in runs that one font file can draw. Narrow and non-breaking blanks become blanks; letters the typeface lacks lose
 * their accents, or become question marks: PDF/A forbids missing glyphs.
 */
export function runsOf(text: string): { text: string; isExtended: boolean }[] {
  const runs: { text: string; isExtended: boolean }[] = []
  for (const letter of text.normalize('NFC').replace(/[\s\u00a0\u202f\u2009]+/g, ' ')) {
    const plain = drawable(letter)
    const isExtended = extended.test(plain)
    const last = runs.at(-1)
    if (last?.isExtended === isExtended) last.text += plain
    else runs.push({ text: plain, isExtended })
  }
  return runs
}

function drawable(letter: string): string {
  if (latin.test(letter) || extended.test(letter)) return letter
  const bare = letter.normalize('NFKD').replace(/\p{M}/gu, '')
  return [...bare].every((each) => latin.test(each)) ? bare : '?'
}
