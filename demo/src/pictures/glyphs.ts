/**
 * A monoline alphabet: no font is needed, so a mark looks the same in a page, an `<img>` and a converter.
 * Cap height 10, baseline at y = 10; [advance, path].
 */
const letters: Record<string, readonly [number, string]> = {
  A: [8, 'M0 10L4 0L8 10M1.4 6.7H6.6'],
  B: [6.8, 'M0 0V10H4.1A2.7 2.7 0 0 0 4.1 4.6H0M0 0H3.7A2.3 2.3 0 0 1 3.7 4.6'],
  C: [8.2, 'M8 1A5 5 0 1 0 8 9'],
  D: [8, 'M0 0V10H3A5 5 0 0 0 3 0Z'],
  E: [6, 'M6 0H0V10H6M0 5H5'],
  F: [6, 'M6 0H0V10M0 5H5'],
  G: [9.6, 'M8.2 1.2A5 5 0 1 0 9.8 5.4H5.8'],
  H: [7.4, 'M0 0V10M7.4 0V10M0 5H7.4'],
  I: [0, 'M0 0V10'],
  J: [5, 'M5 0V7.3A2.6 2.6 0 0 1 0 7.6'],
  K: [6.8, 'M0 0V10M6.8 0L0 6.2M2.5 4L6.8 10'],
  L: [5.4, 'M0 0V10H5.4'],
  M: [9.2, 'M0 10V0L4.6 7L9.2 0V10'],
  N: [7.8, 'M0 10V0L7.8 10V0'],
  O: [10, 'M5 0A5 5 0 1 0 5 10A5 5 0 1 0 5 0Z'],
  P: [6.5, 'M0 10V0H3.7A2.8 2.8 0 0 1 3.7 5.6H0'],
  Q: [10, 'M5 0A5 5 0 1 0 5 10A5 5 0 1 0 5 0ZM6.6 7L9.8 10.4'],
  R: [6.8, 'M0 10V0H3.7A2.8 2.8 0 0 1 3.7 5.6H0M3.4 5.6L6.8 10'],
  S: [6.5, 'M6.1 1.6C5.4 .4 4.1 0 3.2 0C1.4 0 .3 1 .3 2.5C.3 6 6.5 4 6.5 7.5C6.5 9.2 5 10 3.3 10C1.8 10 .6 9.3 0 8'],
  T: [7, 'M0 0H7M3.5 0V10'],
  U: [7.4, 'M0 0V6.3A3.7 3.7 0 0 0 7.4 6.3V0'],
  V: [8, 'M0 0L4 10L8 0'],
  W: [11.6, 'M0 0L2.9 10L5.8 1L8.7 10L11.6 0'],
  X: [7.6, 'M0 0L7.6 10M7.6 0L0 10'],
  Y: [7.6, 'M0 0L3.8 5L7.6 0M3.8 5V10'],
  Z: [7, 'M0 0H7L0 10H7'],
}

/** Which numbers of each path command are abscissas. */
const abscissas: Record<string, (i: number) => boolean> = {
  M: (i) => i % 2 === 0,
  L: (i) => i % 2 === 0,
  C: (i) => i % 2 === 0,
  H: () => true,
  V: () => false,
  A: (i) => i % 7 === 5,
}

function shifted(path: string, by: number): string {
  return path.replace(/([MLCHVAZ])([^MLCHVAZ]*)/g, (_, command: string, rest: string) => {
    const isX = abscissas[command]
    if (!isX || !rest) return command
    const numbers = rest.trim().split(' ')
    return command + numbers.map((n, i) => (isX(i) ? String(Math.round((Number(n) + by) * 10) / 10) : n)).join(' ')
  })
}

/** A word as one stroke path, cap height 10; unknown characters are left out. `width` is 0 when nothing is left. */
export function wordPath(word: string, spacing = 3.4): { d: string; width: number } {
  let x = 0
  let d = ''
  for (const sign of word.normalize('NFD').toUpperCase()) {
    const letter = letters[sign]
    if (!letter) continue
    if (d) x += spacing
    d += shifted(letter[1], x)
    x += letter[0]
  }
  return { d, width: x }
}
