import { boss, ribs, scaled, span, tube } from './bodies.ts'
import { brandColor, inkOn, shade } from './colors.ts'
import type { FamilyDrawing } from './family.ts'
import { d, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

const RUBBER = '#2b3034'
const STEEL = '#b7bec3'

/** A slide-on battery with its foot at the bottom; taller for more ampere-hours. */
export function battery(p: Pen, x: number, y: number, w: number, h: number, accent: string): void {
  p.path(
    d`M${x + 6} ${y}H${x + w - 4}q6 0 7 7l2 ${h - 18}q0 11 -11 11H${x + 5}q-10 0 -10 -10l3 ${-h + 16}q1 -8 8 -8z`,
    volume(p, 'y', '#33393e', 0.22),
  )
  p.path(d`M${x - 3} ${y + h * 0.52}H${x + w + 4}l1 ${h * 0.2}H${x - 4}z`, accent)
  p.line(d`M${x + 10} ${y + h * 0.3}H${x + w * 0.4}`, '#14181b', 3)
  p.line(ribs(x + w * 0.62, y + h * 0.24, 4, 7, 0, 0, h * 0.16), '#14181b', 2)
  p.line(d`M${x + 4} ${y + 3}H${x + w - 6}`, '#fff', 1.4, 'opacity=".28"')
}

function cord(p: Pen, x: number, y: number): void {
  tube(p, d`M${x} ${y}c40 8 62 40 52 76c-6 24 -40 26 -44 4c-2 -16 18 -24 40 -18`, 8, '#2a2e31', 0.3)
}

function batteryHeight(p: Pen): number {
  return span(p.num('capacity_ah', 3), 1.5, 5, 34, 60)
}

/** The batteries of a kit, behind the tool. */
function spareBattery(p: Pen, accent: string, x: number): void {
  if (p.text('pack_content', 'kit1') !== 'kit2') return
  const h = batteryHeight(p)
  battery(p, x, 404 - h, 118, h, accent)
}

function drillBit(p: Pen, x: number, y: number, length: number): void {
  p.rect(x - length, y - 5, length, 10, 3, metal(p, 'y', '#8f979d'))
  p.line(ribs(x - length + 6, y + 5, Math.floor(length / 11), 11, 0, 7, -10), '#3c4449', 2.6)
  p.path(d`M${x - length} ${y - 5}l-7 5l7 5z`, '#6d757b')
}

function drawDrill(p: Pen): Extent {
  const c = p.hex('color', 'blue')
  const accent = c === '#24282b' ? '#d64a2b' : c
  const k = span(p.num('voltage', 18), 12, 20, 0.88, 1)
  return scaled(p, k, 240, 406, () => {
    spareBattery(p, accent, 330)
    const bare = p.text('pack_content', 'kit1') === 'bare'
    const h = bare ? 0 : batteryHeight(p)
    const foot = 404 - h - 20
    drillBit(p, 62, 142, 46)
    // Chuck, torque ring, gear case
    p.path('M62 130l12 -12l44 -9v66l-44 -9l-12 -12z', volume(p, 'y', '#3a4147', 0.3))
    p.line(ribs(82, 120, 5, 8, -1, 0, 44), '#171b1e', 2.6, 'opacity=".7"')
    p.rect(114, 103, 13, 78, 4, volume(p, 'y', '#22272b', 0.25))
    p.rect(126, 97, 36, 90, 8, volume(p, 'y', '#454d53', 0.3))
    p.line(ribs(132, 102, 4, 8, 0, 0, 80), '#1d2124', 2.4, 'opacity=".65"')
    // Handle
    p.path(d`M258 184c4 52 -10 96 -16 ${foot - 184}h88c4 -50 22 -92 28 -${foot - 176}z`, volume(p, 'x', RUBBER, 0.2))
    p.path(d`M262 188c4 52 -10 96 -15 ${foot - 190}h34c0 -50 18 -90 16 -${foot - 190}z`, volume(p, 'x', c, 0.34))
    p.line(ribs(304, 236, 9, -0.6, 10, 30, 3), '#12161a', 3, 'opacity=".6"')
    p.path('M256 198c-16 6 -22 30 -12 50q4 8 12 4z', volume(p, 'x', c === '#c2272d' ? '#23282c' : '#b3262b', 0.25))
    // Motor housing
    p.path('M158 108q0 -12 13 -13l132 -3c46 -1 76 16 82 46c4 28 -10 50 -40 54l-46 6l-128 -6q-13 -1 -13 -13z', volume(p, 'y', c, 0.34))
    p.path('M326 93c34 3 55 18 59 45c4 28 -10 50 -40 54q-12 -50 -19 -99z', volume(p, 'y', RUBBER, 0.22))
    p.line(ribs(346, 118, 5, 3, 11, 24, 2), '#0e1113', 4)
    p.path('M168 178q60 10 128 8q30 0 42 -8l-4 14l-36 6l-127 -6q-13 -1 -13 -8z', RUBBER, 'opacity=".9"')
    p.rect(206, 84, 46, 12, 5, volume(p, 'y', '#2a2f33', 0.25))
    p.line('M172 103q70 -5 140 -4', '#fff', 3, 'opacity=".5"')
    p.mark(240, 140, 15, inkOn(c), 0, 132)
    boss(p, 176, 166, 4.5)
    boss(p, 306, 172, 4.5)
    // Foot
    p.path(d`M214 ${foot - 4}q2 -8 12 -8h118q12 0 16 10l8 18q2 8 -6 8h-148q-8 0 -6 -8z`, volume(p, 'y', c, 0.3))
    p.path(d`M246 ${foot - 12}h98q10 0 14 8l3 8h-118z`, RUBBER)
    p.ell(232, foot + 4, 6, 6, '#fff7cf')
    if (bare) p.rect(220, foot + 22, 134, 10, 3, volume(p, 'y', '#262b2f', 0.2))
    else battery(p, 206, foot + 22, 158, h, accent)
    return {
      x: 10,
      y: 84,
      w: p.text('pack_content', 'kit1') === 'kit2' ? 444 : 380,
      h: 322,
      focus: [170, 150, 2.2],
      foot: [200, p.text('pack_content', 'kit1') === 'kit2' ? 260 : 170],
    }
  })
}

function drawImpactDriver(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  return scaled(p, span(p.num('voltage', 18), 12, 20, 0.88, 1), 240, 406, () => {
    spareBattery(p, c, 316)
    const bare = p.text('pack_content', 'kit1') === 'bare'
    const h = bare ? 0 : batteryHeight(p)
    const foot = 404 - h - 20
    // Hex bit in its sleeve, forged nose
    p.path('M64 134h38v14h-38l-8 -4v-6z', metal(p, 'y', '#8f979d'))
    p.rect(94, 126, 30, 30, 5, metal(p, 'y', STEEL))
    p.line('M104 127v28M113 127v28', '#50585e', 2)
    p.path('M122 116l20 -4q24 -10 46 -12v84q-24 -2 -46 -12l-20 -4z', volume(p, 'y', '#5a6268', 0.45))
    p.line('M146 113q-4 28 0 58', '#2a2f33', 2)
    // Handle
    p.path(d`M232 180c6 52 -2 96 -6 ${foot - 180}h86c2 -50 16 -92 20 -${foot - 172}z`, volume(p, 'x', RUBBER, 0.2))
    p.path(d`M238 186c6 52 -2 96 -6 ${foot - 186}h32c0 -50 14 -90 12 -${foot - 186}z`, volume(p, 'x', c, 0.34))
    p.line(ribs(284, 232, 9, -0.6, 10, 28, 3), '#12161a', 3, 'opacity=".6"')
    p.path('M230 194c-16 6 -20 30 -11 50q4 8 12 4z', volume(p, 'x', '#20262a', 0.3))
    // Short body
    p.path('M182 104q2 -12 16 -13l84 -2c40 0 66 18 70 48c2 28 -12 48 -40 52l-42 5l-72 -5q-15 -1 -16 -13z', volume(p, 'y', c, 0.34))
    p.path('M300 90c32 4 50 20 52 47c2 28 -12 48 -40 52q-10 -46 -12 -99z', volume(p, 'y', RUBBER, 0.22))
    p.line(ribs(318, 114, 5, 3, 11, 20, 2), '#0e1113', 4)
    p.path('M186 176q50 10 104 8l24 -2l-4 7l-40 5l-72 -5q-11 -1 -12 -13z', RUBBER, 'opacity=".9"')
    p.line('M200 100q44 -4 88 -3', '#fff', 3, 'opacity=".5"')
    p.mark(244, 138, 12.5, inkOn(c), 0, 98)
    boss(p, 202, 164, 4.5)
    p.path(d`M196 ${foot - 4}q2 -8 12 -8h110q12 0 16 10l8 18q2 8 -6 8h-140q-8 0 -6 -8z`, volume(p, 'y', c, 0.3))
    p.path(d`M226 ${foot - 12}h92q10 0 14 8l3 8h-112z`, RUBBER)
    p.ell(212, foot + 4, 6, 6, '#fff7cf')
    if (bare) p.rect(204, foot + 22, 126, 10, 3, volume(p, 'y', '#262b2f', 0.2))
    else battery(p, 190, foot + 22, 150, h, c)
    return {
      x: 56,
      y: 88,
      w: p.text('pack_content', 'kit1') === 'kit2' ? 384 : 300,
      h: 318,
      focus: [170, 146, 2.3],
      foot: [184, p.text('pack_content', 'kit1') === 'kit2' ? 262 : 160],
    }
  })
}

function drawGrinder(p: Pen): Extent {
  return scaled(p, 1.16, 240, 300, () => grinder(p))
}

function grinder(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  const cordless = p.text('power_source', 'mains') === 'battery'
  const r = span(p.num('disc_d', 125), 115, 230, 72, 118)
  const cx = 142
  const cy = 282
  // Disc from slightly above, its guard on the side of the hands
  const ry = r * 0.3
  p.ell(cx, cy + 5, r, ry, '#1d2124')
  p.ell(
    cx,
    cy,
    r,
    ry,
    p.lin('x', [
      [0, '#43494e'],
      [0.3, '#767d83'],
      [0.6, '#41474b'],
      [1, '#2a2f33'],
    ]),
  )
  p.ell(cx, cy, r * 0.8, ry * 0.8, 'none', 'stroke="#2a2f33" stroke-width="1.5" opacity=".6"')
  p.ell(cx, cy, r * 0.42, ry * 0.42, '#b0363a')
  const R = r + 7
  const S = R * 0.3
  p.path(d`M${cx} ${cy - 16 - S}A${R} ${S} 0 0 1 ${cx + R * 0.5} ${cy - 16 + S * 0.87}L${cx} ${cy - 16}z`, metal(p, 'd', '#a4acb2'))
  p.path(
    d`M${cx + R} ${cy - 16}A${R} ${S} 0 0 1 ${cx + R * 0.5} ${cy - 16 + S * 0.87}v20A${R} ${S} 0 0 0 ${cx + R} ${cy + 4}z`,
    metal(p, 'x', '#8d969c'),
  )
  p.rect(cx - 20, cy - 26, 40, 26, 4, metal(p, 'x', '#9aa2a8'))
  if (cordless) battery(p, 398, 148, 62, 96, c)
  else cord(p, 426, 200)
  // Body: gear head left, long barrel to the right
  p.path('M186 172l226 -4q24 2 26 28q0 28 -24 34l-228 8z', volume(p, 'y', c, 0.34))
  p.path('M330 170l82 -2q24 2 26 28q0 28 -24 34l-84 3q8 -32 0 -63z', volume(p, 'y', RUBBER, 0.22))
  p.line(ribs(352, 184, 6, 11, 0, 0, 32), '#0f1214', 4.5)
  p.path('M196 224l130 -4v12l-128 6z', RUBBER, 'opacity=".85"')
  p.path('M104 176q4 -26 34 -28l42 2q14 2 14 16v64q0 14 -14 16l-14 4v22h-62v-22q-6 -8 -6 -20z', volume(p, 'y', '#767e84', 0.5))
  p.line('M112 184q4 -24 28 -26l34 2', '#fff', 3, 'opacity=".55"')
  p.path('M196 176l-6 -14h40l14 10z', '#22272b')
  p.rect(226, 158, 60, 14, 7, volume(p, 'y', '#2b3034', 0.3))
  boss(p, 118, 226, 5)
  boss(p, 182, 226, 5)
  p.path('M122 190l34 -2l-12 112q-2 16 -18 16t-16 -16z', volume(p, 'x', '#30363a', 0.28))
  p.path('M112 184h50l-2 16h-46z', volume(p, 'x', '#1e2326', 0.3))
  p.line(ribs(118, 224, 7, -0.8, 10, 26, 1), '#0f1214', 3)
  p.mark(262, 202, 15, inkOn(c), 0, 112)
  return { x: cx - r, y: 146, w: 462 - cx + r, h: cy + r * 0.3 - 140, focus: [170, 240, 2.1], foot: [cx - r, r * 2] }
}

function drawCircularSaw(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  const cordless = p.text('power_source', 'mains') === 'battery'
  const r = span(p.num('blade_d', 185), 140, 235, 104, 132)
  const cx = 218
  const cy = 268
  if (!cordless) cord(p, 400, 202)
  p.group('translate(-4 26)', () => {
    // Rear handle
    p.path(
      'M232 150c10 -60 60 -82 116 -66c46 14 74 52 74 92q0 40 -26 56l-52 10l-8 -40l30 -8q14 -6 12 -24c-4 -34 -40 -54 -70 -46q-24 6 -30 34z',
      volume(p, 'y', RUBBER, 0.25),
    )
    p.path('M246 140c14 -42 54 -58 98 -46c34 10 56 36 62 64l-20 4c-8 -28 -34 -46 -64 -46c-34 0 -44 16 -52 30z', volume(p, 'y', c, 0.32))
    p.path('M296 116q22 -2 34 12l-10 12q-10 -8 -24 -8z', '#b3262b')
  })
  if (cordless) battery(p, 368, 214, 78, 58, c)
  // Blade under the plate, upper guard over it
  p.ell(
    cx,
    cy,
    r - 4,
    r - 4,
    p.lin('d', [
      [0, '#e9edef'],
      [0.4, '#9aa2a8'],
      [0.55, '#cfd5d9'],
      [1, '#737b81'],
    ]),
  )
  p.path(teeth(cx, cy, r - 8, r + 2, 30, 0.15, Math.PI - 0.15), '#8b939a')
  p.path(d`M${cx - r - 10} ${cy + 26}a${r + 10} ${r + 10} 0 1 1 ${r * 2 + 20} 0z`, volume(p, 'd', c, 0.34))
  p.line(d`M${cx - r + 2} ${cy - 6}a${r} ${r} 0 0 1 ${r * 0.8} ${-r * 0.86}`, '#fff', 4, 'opacity=".5"')
  p.path(
    d`M${cx + 10} ${cy + 34}a${r * 0.62} ${r * 0.62} 0 0 0 ${r * 0.9} 0l-10 ${r * 0.5}q-40 30 -80 20z`,
    metal(p, 'd', '#9aa3a9'),
    'opacity=".95"',
  )
  // Motor end cap
  p.ell(cx + 26, cy - 34, 62, 62, volume(p, 'd', '#33393e', 0.3))
  p.ell(cx + 26, cy - 34, 46, 46, volume(p, 'd', '#22272b', 0.2))
  for (let i = 0; i < 8; i++) {
    const a = (i / 8) * 6.283
    p.line(
      d`M${cx + 26 + Math.cos(a) * 26} ${cy - 34 + Math.sin(a) * 26}L${cx + 26 + Math.cos(a) * 39} ${cy - 34 + Math.sin(a) * 39}`,
      '#0d1012',
      5,
    )
  }
  boss(p, cx + 26, cy - 34, 10)
  // Front knob and base plate
  p.path('M98 206q-4 -32 22 -36q28 -2 30 28l-2 50h-44z', volume(p, 'x', RUBBER, 0.28))
  p.mark(cx - 62, cy - 22, 12, inkOn(c), -52, 66)
  p.path('M58 296h352q12 0 14 10l2 10h-384l4 -12q4 -8 12 -8z', metal(p, 'x', '#a7afb5'))
  p.rect(42, 314, 384, 7, 2, '#6d757b')
  p.line(ribs(120, 305, 18, 10, 0, 0, 6), '#5a6268', 1.4)
  return { x: 42, y: 100, w: cordless ? 412 : 414, h: cy + r + 2 - 100, focus: [cx + 20, 240, 2], foot: [cx - 90, 180] }
}

/** Saw teeth around a disc between two angles (radians, clockwise from the right). */
export function teeth(cx: number, cy: number, inner: number, outer: number, n: number, from = 0, to = Math.PI * 2): string {
  let path = ''
  const step = (to - from) / n
  for (let i = 0; i < n; i++) {
    const a = from + i * step
    const b = a + step * 0.2
    const e = a + step
    path += d`${i ? 'L' : 'M'}${cx + Math.cos(a) * inner} ${cy + Math.sin(a) * inner}L${cx + Math.cos(b) * outer} ${cy + Math.sin(b) * outer}L${cx + Math.cos(a + step * 0.55) * (outer - 1)} ${cy + Math.sin(a + step * 0.55) * (outer - 1)}L${cx + Math.cos(e) * inner} ${cy + Math.sin(e) * inner}`
  }
  return `${path}Z`
}

function drawRotaryHammer(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  const cordless = p.text('power_source', 'mains') === 'battery'
  return scaled(p, span(p.num('impact_j', 2.7), 1.7, 4.5, 0.92, 1.04), 250, 400, () => {
    if (!cordless) tube(p, 'M352 342Q392 372 424 352T452 330', 8, '#2a2e31', 0.3)
    drillBit(p, 70, 158, 60)
    p.path('M68 144h10l16 -10v48l-16 -10h-10z', volume(p, 'y', '#2b3034', 0.3))
    p.path('M94 136l18 -4v52l-18 -4z', volume(p, 'y', '#4a5258', 0.35))
    p.path('M110 126l50 -10v84l-50 -10z', volume(p, 'y', '#6a7278', 0.45))
    p.line('M124 124v68M140 121v74', '#31373b', 2, 'opacity=".7"')
    // D-handle
    p.path(
      'M330 112c54 0 86 26 88 70l-8 122q-4 44 -42 46h-76l4 -40l54 -4q18 -4 20 -22l6 -84q0 -26 -24 -30h-30z',
      volume(p, 'x', RUBBER, 0.22),
    )
    p.path('M330 112c46 0 76 22 84 56l-30 14q-6 -22 -32 -24h-30z', volume(p, 'y', c, 0.32))
    p.path('M352 186q20 4 20 24l-4 34l-18 2q-8 -30 2 -60z', '#b3262b')
    p.line(ribs(388, 208, 8, -1, 12, 20, 2), '#0f1214', 3, 'opacity=".7"')
    // Upper barrel and vertical motor
    p.path('M156 112l22 -8h140q26 2 32 26l6 52q0 26 -24 30l-120 4l-56 -14z', volume(p, 'y', c, 0.34))
    p.path('M216 190l120 -4l-14 120q-4 42 -30 46h-52q-26 -2 -28 -32z', volume(p, 'x', shade(c, -0.06), 0.32))
    p.path('M214 296l112 -10l-4 22q-4 40 -30 44h-52q-26 -2 -28 -32z', volume(p, 'x', RUBBER, 0.24))
    p.line(ribs(232, 304, 6, 13, 0, -3, 32), '#0e1113', 5)
    p.line('M180 114h136', '#fff', 3.4, 'opacity=".5"')
    p.mark(246, 158, 16, inkOn(c), 0, 128)
    p.ell(258, 236, 24, 24, volume(p, 'd', '#2b3034', 0.3))
    p.rect(252, 214, 12, 44, 6, volume(p, 'x', '#4d555b', 0.4))
    boss(p, 176, 186, 5)
    boss(p, 318, 128, 5)
    // Auxiliary handle
    p.path('M126 186l28 -2l-8 112q-2 14 -16 14t-14 -14z', volume(p, 'x', '#30363a', 0.26))
    p.path('M118 196h44v16h-44z', volume(p, 'x', '#1d2124', 0.3))
    p.line(ribs(123, 232, 6, 0.4, 10, 20, 0), '#0f1214', 3)
    if (cordless) battery(p, 262, 352, 118, 48, c)
    else p.path('M352 340l26 4l-6 16l-20 -8z', '#1d2124')
    return { x: 4, y: 100, w: cordless ? 428 : 452, h: cordless ? 300 : 262, focus: [200, 190, 2], foot: [cordless ? 240 : 220, 160] }
  })
}

function drawSander(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  const cordless = p.text('power_source', 'mains') === 'battery'
  const r = span(p.num('disc_d', 125), 125, 150, 112, 132)
  if (!cordless) cord(p, 366, 150)
  // Dust box behind
  p.path('M300 250h96q22 0 26 22l4 48q0 20 -20 20h-106z', volume(p, 'y', '#3b4146', 0.25))
  p.path(
    'M340 258h52q16 0 20 18l2 34h-74z',
    p.lin('y', [
      [0, '#8f9aa2', 0.8],
      [1, '#5b656c', 0.8],
    ]),
  )
  // Body: palm grip over a waist over a skirt
  p.path('M128 330q2 -34 18 -56q14 -22 10 -54h172q-4 34 10 54q16 22 18 56z', volume(p, 'x', '#2d3236', 0.25))
  p.path('M150 282q20 -30 16 -70h152q-2 40 18 70q10 18 12 36h-212q2 -20 14 -36z', volume(p, 'x', c, 0.34))
  p.line(ribs(206, 270, 6, 13, 0, 0, 34), shade(c, -0.5), 5)
  p.path('M128 190q-2 -66 96 -72q82 -4 126 22q26 16 20 42q-6 22 -34 30q-50 14 -110 14q-92 0 -98 -36z', volume(p, 'd', RUBBER, 0.26))
  p.path('M156 172q4 -38 76 -42q64 -2 96 14q-50 -4 -96 4q-52 10 -76 24z', shade(c, 0.12))
  p.line('M160 158q20 -22 70 -24', '#fff', 4, 'opacity=".4"')
  p.mark(240, 248, 12.5, inkOn(c), 0, 112)
  if (cordless) battery(p, 346, 176, 74, 54, c)
  boss(p, 172, 300, 4.5)
  boss(p, 316, 300, 4.5)
  // Pad and abrasive
  p.path(d`M${240 - r} 330h${r * 2}q-2 26 -16 24h${-r * 2 + 32}q-14 -2 -16 -24z`, volume(p, 'x', '#3c4348', 0.3))
  p.rect(
    240 - r - 2,
    356,
    r * 2 + 4,
    8,
    4,
    p.lin('x', [
      [0, '#9a6a3c'],
      [0.3, '#d0a068'],
      [1, '#7d542c'],
    ]),
  )
  return { x: 240 - r - 2, y: 116, w: 426 - (240 - r - 2), h: 248, focus: [230, 290, 2.1] }
}

export const powerTools: Record<string, FamilyDrawing> = {
  cordless_drill: { draw: drawDrill, scene: 'bench', lengths: (p) => ({ w: `${p.num('voltage', 18) < 18 ? 168 : 192} mm`, h: '238 mm' }) },
  impact_driver: {
    draw: drawImpactDriver,
    scene: 'bench',
    lengths: (p) => ({ w: `${p.num('voltage', 18) < 18 ? 128 : 142} mm`, h: '226 mm' }),
  },
  angle_grinder: { draw: drawGrinder, scene: 'bench', lengths: (p) => ({ w: `${Math.round(190 + p.num('disc_d', 125) * 0.9)} mm` }) },
  circular_saw: { draw: drawCircularSaw, scene: 'bench', lengths: (p) => ({ w: `${Math.round(180 + p.num('blade_d', 185) * 0.8)} mm` }) },
  rotary_hammer: { draw: drawRotaryHammer, scene: 'site', lengths: () => ({ w: '376 mm', h: '212 mm' }) },
  orbital_sander: { draw: drawSander, scene: 'bench', lengths: (p) => ({ w: `${p.num('disc_d', 125)} mm` }) },
}
