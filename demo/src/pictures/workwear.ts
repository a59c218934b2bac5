import { ribs, scaled, span } from './bodies.ts'
import { brandColor, brightness, entry, mix, shade } from './colors.ts'
import type { FamilyDrawing } from './family.ts'
import { d, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

/** One boot from its outer side, toe to the left, heel on the ground at (300, 400). */
function boot(p: Pen, c: string): void {
  const s5 = p.text('safety_class', 'S3') === 'S5'
  const tall = s5 ? 96 : p.text('safety_class', 'S3') === 'S1P' ? 196 : 156
  const accent = brandColor(p.subject.brand)
  const upper = p.lin('d', [
    [0, shade(c, 0.3)],
    [0.4, c],
    [1, shade(c, -0.34)],
  ])
  const sole = '#23282b'
  // Tongue and lining behind
  if (!s5) p.path(d`M222 ${tall + 8}q-14 -30 8 -34q16 0 22 30z`, shade(c, -0.3))
  p.path(d`M228 ${tall}q44 -14 92 2L328 250q12 40 10 92L336 386H70q-12 -20 -2 -52q12 -34 58 -44q52 -16 78 -52Q224 208 228 ${tall}z`, upper)
  p.path(d`M226 ${tall + 2}q46 -16 96 0q4 12 3 22q-50 -14 -98 0z`, s5 ? accent : shade(c, -0.45))
  if (s5) {
    p.line('M140 282q40 -18 66 -52M214 206q30 12 112 6', shade(c, -0.35), 3, 'opacity=".7"')
    p.path(d`M244 ${tall + 40}q8 60 -10 130q30 -50 26 -132z`, '#fff', 'opacity=".22"')
  } else {
    // Toe cap, quarter and laces
    p.path(
      'M66 352q-4 -58 62 -72q26 -4 34 22q2 30 -10 50z',
      p.lin('d', [
        [0, shade(c, 0.16)],
        [1, shade(c, -0.5)],
      ]),
    )
    p.path('M238 400l6 -86q30 -24 90 -16q6 40 2 102z', shade(c, -0.32), 'opacity=".75"')
    p.path('M160 322q60 -8 92 -52l8 8q-34 50 -96 58z', accent, 'opacity=".9"')
    const n = tall > 180 ? 4 : 6
    for (let i = 0; i < n; i++) {
      const t = i / (n - 1)
      const x = 176 + 58 * t
      const y = 268 - (268 - tall - 22) * t
      p.line(d`M${x - 12} ${y - 8}l38 14`, mix(accent, '#ffffff', 0.3), 6)
      p.ell(x + 26, y + 6, 4, 4, '#b7bec3')
    }
    p.line(
      'M132 284q46 -12 70 -44M236 330q40 -18 96 -12',
      shade(c, brightness(c) > 0.5 ? -0.4 : 0.35),
      1.6,
      'stroke-dasharray="5 4" opacity=".8"',
    )
  }
  p.path('M84 322q14 -26 44 -30q-22 14 -30 34z', '#fff', 'opacity=".25"')
  p.mark(284, s5 ? 260 : 282, 9, brightness(c) > 0.5 ? '#3a4248' : '#eceeee', -6, 76)
  // Sole with lugs
  p.path('M58 352q90 16 182 6l104 -12q4 30 -2 58H240l-14 -14H90q-34 -2 -32 -38z', volume(p, 'y', sole, 0.25))
  p.line('M62 358q90 14 180 6l98 -10', accent, 4)
  p.line(ribs(84, 390, 10, 15, 0, 0, 10) + ribs(248, 404, 7, 15, 0, 0, 8), '#0f1214', 8, 'stroke-linecap="butt"')
}

function drawBoots(p: Pen): Extent {
  const base = p.hex('color', 'black')
  const c = p.text('material', 'leather') === 'leather' ? base : shade(base, 0.08)
  const k = span(p.num('shoe_size', 42), 36, 47, 0.92, 1.06)
  return scaled(p, k, 230, 412, () => {
    p.group('translate(92 -26) scale(.96)', () => {
      p.group('translate(0 16)', () => boot(p, shade(c, -0.1)))
    })
    boot(p, c)
    return {
      x: 56,
      y: p.text('safety_class', 'S3') === 'S5' ? 72 : p.text('safety_class', 'S3') === 'S1P' ? 148 : 108,
      w: 366,
      h: p.text('safety_class', 'S3') === 'S5' ? 340 : p.text('safety_class', 'S3') === 'S1P' ? 264 : 304,
      focus: [150, 300, 2.2],
    }
  })
}

const coatings: Record<string, readonly [string, string]> = {
  nitrile: ['#2b3034', '#8b949a'],
  latex: ['#c9692a', '#d9cfae'],
  pu: ['#d9dcdc', '#eceeee'],
  leather: ['#c79a62', '#b0472f'],
}

/** The back of a hand, fingers up; the coating covers the fingers. */
function glove(p: Pen, coat: string, knit: string, leather: boolean, brand: string): void {
  const hand =
    'M-46 40C-50 14 -60 -4 -68 -18L-104 -62Q-114 -78 -102 -87Q-91 -93 -80 -82L-56 -54L-60 -126Q-60 -144 -46 -144Q-32 -144 -31 -127L-27 -66L-25 -150Q-24 -168 -10 -168Q5 -168 6 -150L9 -66L17 -142Q19 -158 32 -157Q46 -155 44 -138L39 -60L54 -112Q60 -126 72 -122Q84 -117 80 -102L63 -36C60 0 56 16 54 40Z'
  const tint = (c: string): string =>
    p.lin('x', [
      [0, shade(c, -0.1)],
      [0.28, shade(c, 0.28)],
      [0.65, c],
      [1, shade(c, -0.3)],
    ])
  const fill = tint(knit)
  const coatFill = tint(coat)
  p.path(hand, leather ? coatFill : fill)
  p.clip(hand, () => {
    if (leather) {
      p.path('M-100 -60q90 26 190 -10v80q-90 30 -180 10z', fill)
      p.line('M-92 -62q90 26 180 -10', shade(coat, -0.5), 2, 'stroke-dasharray="6 4"')
    } else {
      p.path('M-110 -190H100V-14q-50 -30 -96 -4t-114 -14z', coatFill)
      p.line('M-110 -32q68 40 114 14t96 4', shade(coat, -0.4), 3, 'opacity=".5"')
    }
    p.line('M-27 -66v24M9 -66v26M39 -60l-4 24M-56 -54l10 22', '#000', 5, 'opacity=".22"')
    p.line('M-51 -126l4 84M-16 -150l2 104M27 -142l-8 96M68 -110l-16 62M-96 -74l30 38', '#fff', 5, 'opacity=".2"')
  })
  p.line(hand, '#10161a', 1.4, 'opacity=".28"')
  p.path('M-48 32h104l8 62q-58 16 -120 0z', fill)
  p.line(ribs(-42, 38, 12, 8.6, 0, 0.2, 54), shade(knit, -0.35), 2, 'opacity=".55"')
  p.path('M-56 92q60 18 120 0v13q-60 18 -122 0z', brand)
}

function drawGloves(p: Pen): Extent {
  const material = p.text('material', 'nitrile')
  const [coat, knit] = entry(coatings, material, ['#2b3034', '#8b949a'])
  const size = span(p.num('size', 9), 7, 11, 0.9, 1.02)
  const brand = brandColor(p.subject.brand)
  const pairs = p.num('pack_qty', 1)
  const one = (x: number, y: number, turn: number, flip: 1 | -1, tone: number): void =>
    p.group(d`translate(${x} ${y}) rotate(${turn})` + ` scale(${size.toFixed(3)})`, () => {
      const draw = (): void => glove(p, shade(coat, tone), shade(knit, tone), material === 'leather', brand)
      if (flip < 0) p.group('scale(-1 1)', draw)
      else draw()
      if (tone > -0.1)
        p.mark(flip * 5, 18, 9, material === 'leather' ? shade(coat, -0.6) : shade(knit, brightness(knit) > 0.5 ? -0.6 : 0.75), 0, 80)
    })
  if (pairs >= 5) one(206, 262, -4, 1, -0.18)
  if (pairs >= 3) one(268, 262, 4, -1, -0.14)
  one(148, 282, -9, 1, -0.05)
  one(332, 282, 9, -1, 0)
  return { x: 148 - 112 * size, y: 282 - 176 * size, w: 184 + 224 * size, h: 292 * size, focus: [330, 240, 2.1] }
}

export const workwear: Record<string, FamilyDrawing> = {
  safety_boots: {
    draw: drawBoots,
    scene: 'site',
    lengths: (p) => ({
      w: `${Math.round(p.num('shoe_size', 42) * 6.67 + 14)} mm`,
      h: entry({ S5: '38 cm', S1P: '11 cm' }, p.text('safety_class', 'S3'), '17 cm'),
    }),
  },
  gloves: {
    draw: drawGloves,
    scene: 'bench',
    noSide: true,
    lengths: (p) => ({ h: `${Math.round(p.num('size', 9) * 10 + 160)} mm`, w: `${Math.round(p.num('size', 9) * 8 + 24)} mm` }),
  },
}
