import { boss, box, KX, KY, ribs, span, tube } from './bodies.ts'
import { brandColor, entry, mix, shade } from './colors.ts'
import type { FamilyDrawing } from './family.ts'
import { ceiling, pendant } from './in-use.ts'
import { d, face, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

/** Toggles have the usual colour of their rating. */
const toggleOf: Record<number, string> = {
  6: '#7a5230',
  10: '#b8322f',
  16: '#4c545a',
  20: '#2f6fb0',
  25: '#d9a91c',
  32: '#6b4a8a',
  40: '#23282c',
  63: '#b0713a',
}

export function drawBreaker(p: Pen): Extent {
  const poles = Math.min(4, Math.max(1, Math.round(p.num('poles', 1))))
  const w = 74
  const total = w * poles
  const x = 222 - total / 2
  const body = '#e9ecec'
  const toggle = toggleOf[p.num('current', 16)] ?? '#4c545a'
  const brand = brandColor(p.subject.brand)
  box(p, x, 94, total, 310, 130, body)
  // The nose with the levers stands forward of the terminals
  const nx = x - 34 * KX
  const ny = 176 + 34 * KY
  box(p, nx, ny, total, 132, 34, shade(body, 0.2))
  for (let i = 0; i < poles; i++) {
    const px = x + i * w
    if (i) p.line(d`M${px} 94v310`, '#9aa3a8', 1.6)
    for (const y of [116, 362]) {
      p.rect(px + 15, y, 44, 30, 4, '#1f2427')
      p.rect(px + 21, y + 5, 32, 20, 2, metal(p, 'd', '#c3a95c'))
    }
    boss(p, px + 37, 160, 11, '#aab1b6')
    boss(p, px + 37, 344, 11, '#aab1b6')
    const q = nx + i * w
    if (i) p.line(d`M${q} ${ny}v132`, '#aab2b6', 1.4)
    p.rect(q + 16, ny + 12, 42, 62, 4, '#2b3034')
    p.path(d`M${q + 18} ${ny + 18}h38l4 26h-46z`, volume(p, 'y', toggle, 0.4))
    p.rect(q + 26, ny + 84, 22, 12, 2, p.text('curve', '') === 'curve_d' ? '#c2272d' : '#2f8f4a')
    p.rect(q + 12, ny + 104, 50, 20, 2, '#f9fafa', 'stroke="#c3c9cc"')
    p.line(ribs(q + 17, ny + 110, Math.round(span(p.num('breaking', 6), 4.5, 10, 2, 4)), 0, 5, 40, 0), '#8b949a', 1.6)
  }
  p.rect(nx, ny - 0.5, total, 4, 0, brand)
  return { x: nx, y: 94 - 130 * KY, w: total + 34 * KX + 130 * KX, h: 310 + 130 * KY, focus: [nx + 60, ny + 50, 2.3] }
}

const CORES = ['#6b4526', '#2f6fb0', '#5e9a3a', '#24282b', '#8b949a']

function drawCable(p: Pen): Extent {
  const c = p.hex('color', 'light_grey')
  const section = p.text('section', '3 x 1,5 mm²')
  const cores = Math.min(5, Math.max(2, Number.parseInt(section, 10) || 3))
  const mm2 = Number.parseFloat(section.split('x')[1]?.replace(',', '.') ?? '1.5') || 1.5
  const rings = Math.round(span(Math.log2(p.num('length_m', 25)), 2.3, 6.7, 3, 7))
  const t = span(mm2 * cores, 3, 18, 14, 22)
  const cx = 236
  const cy = 220
  const outer = 74 + rings * t * 0.92
  p.ell(cx + 6, cy + 12, outer + 2, outer + 2, '#10161a', 'opacity=".16"')
  let coil = ''
  for (let i = 0; i < rings; i++) {
    const r = outer - t * 0.5 - i * t * 0.92
    coil += d`M${cx - r} ${cy}a${r} ${r} 0 1 1 ${r * 2} 0a${r} ${r} 0 1 1 ${-r * 2} 0`
  }
  tube(p, coil, t, c, 0.35)
  // Free end: stripped sheath and bare copper
  const ex = cx + outer * 0.74
  const ey = cy + outer * 0.74
  tube(p, d`M${cx + outer * 0.2} ${cy + outer - t * 0.5}Q${ex} ${cy + outer + 4} ${ex + 34} ${ey + 26}`, t, c, 0.35, 'butt')
  for (let i = 0; i < cores; i++) {
    const a = (i - (cores - 1) / 2) * 0.22
    const tx = ex + 34 + Math.cos(a + 0.35) * 62
    const ty = ey + 26 + Math.sin(a + 0.35) * 62 - 24
    tube(p, d`M${ex + 32} ${ey + 25}Q${ex + 56} ${ey + 24 + i * 1.5} ${tx - 16} ${ty}`, 8, CORES[i] ?? '#888', 0.5, 'butt')
    if (i === 2)
      p.line(d`M${ex + 36} ${ey + 24}Q${ex + 56} ${ey + 24 + i * 1.5} ${tx - 16} ${ty}`, '#e8cf3f', 2.6, 'stroke-dasharray="7 6"')
    p.line(d`M${tx - 16} ${ty}l18 2`, '#c07a45', 4.5)
  }
  // Ties and tag
  const inner = outer - rings * t * 0.92
  for (const a of [0.1, 1.72, 3.3, 4.8]) {
    p.line(
      d`M${cx + Math.cos(a) * (inner - 2)} ${cy + Math.sin(a) * (inner - 2)}L${cx + Math.cos(a) * (outer + 2)} ${cy + Math.sin(a) * (outer + 2)}`,
      '#2b3034',
      9,
    )
    p.line(
      d`M${cx + Math.cos(a) * inner} ${cy + Math.sin(a) * inner}L${cx + Math.cos(a) * outer} ${cy + Math.sin(a) * outer}`,
      '#586067',
      3,
    )
  }
  p.rect(cx - inner * 0.8, cy - 22, inner * 1.6, 44, 6, brandColor(p.subject.brand))
  p.mark(cx, cy, 13, '#fff', 0, inner * 1.4)
  return {
    x: cx - outer,
    y: cy - outer,
    w: outer + (ex + 96 - cx),
    h: Math.max(outer * 2, ey + 60 - cy + outer),
    focus: [ex + 34, ey + 16, 2.4],
    foot: [cx - outer * 0.6, outer * 1.5],
  }
}

/** The visible colour of a colour temperature. */
export function lightOf(kelvin: number): string {
  return kelvin < 4000
    ? mix('#ffd48a', '#fff3dd', span(kelvin, 2700, 4000, 0, 1))
    : mix('#fff3dd', '#dcecff', span(kelvin, 4000, 6500, 0, 1))
}

function drawPanel(p: Pen): Extent {
  const [a, b] = p.pair('tile', 60, 60)
  const long = Math.max(a, b)
  const short = Math.min(a, b)
  const w = span(long, 30, 120, 210, 348)
  const h = long === short ? w * 0.98 : w * (short / long)
  const x = 214 - w / 2
  const y = 216 - h / 2
  const light = lightOf(p.num('kelvin', 4000))
  p.ell(
    228,
    216,
    w * 0.72,
    h * 0.62 + 70,
    p.rad([
      [0, light, 0.9],
      [0.5, light, 0.35],
      [1, light, 0],
    ]),
  )
  box(p, x, y, w, h, 34, '#e3e6e8', { front: face(p, '#f2f3f3') })
  p.rect(
    x + 9,
    y + 9,
    w - 18,
    h - 18,
    2,
    p.rad([
      [0, '#ffffff'],
      [0.45, mix('#ffffff', light, 0.4)],
      [1, light],
    ]),
    'stroke="#c9ced2"',
  )
  p.path(d`M${x + 9} ${y + 9}h${w * 0.32}L${x + w * 0.12} ${y + h - 9}H${x + 9}z`, '#fff', 'opacity=".35"')
  // Driver
  const dy = y + h + 34
  tube(p, d`M${x + w * 0.5} ${y + h}q4 34 40 34`, 6, '#f1f2f2', 0.3)
  const dw = span(p.num('power', 36), 18, 48, 96, 128)
  box(p, x + w * 0.5 + 36, dy - 14, dw, 34, 40, '#eceeee')
  p.mark(x + w * 0.5 + 36 + dw / 2, dy + 3, 9, brandColor(p.subject.brand), 0, dw - 18)
  return {
    x,
    y: y - 12,
    w: Math.max(w + 22, w * 0.5 + 36 + dw + 25),
    h: h + 34 + 32,
    focus: [x + w - 40, y + h - 20, 2.3],
    foot: [x + w * 0.5 + 30, dw + 20],
  }
}

function screwCap(p: Pen, y: number, r: number, h: number): void {
  p.path(d`M${-r} ${y}h${r * 2}v${h * 0.76}l${-r * 0.5} ${h * 0.24}h${-r}l${-r * 0.5} ${-h * 0.24}z`, metal(p, 'x', '#c3c9cd'))
  p.line(ribs(-r - 1, y + h * 0.12, 4, 0, h * 0.18, r * 2 + 2, h * 0.08), '#79828a', 3)
  p.path(d`M${-r * 0.5} ${y + h}h${r}l-4 8h${-r + 8}z`, '#23282c')
}

function bulb(p: Pen, type: string, kelvin: number): void {
  const light = lightOf(kelvin)
  const glass = p.rad(
    [
      [0, '#ffffff'],
      [0.4, mix('#ffffff', light, 0.35)],
      [0.85, light],
      [1, shade(light, -0.14)],
    ],
    0.4,
    0.36,
  )
  const base = volume(p, 'x', '#eef0f0', 0.4)
  if (type === 'GU10') {
    p.path('M-64 -196H64L40 -84q-2 14 -14 16v36h-52v-36q-12 -2 -14 -16z', base)
    p.line(ribs(-44, -176, 7, 14.6, 0, 0, 84), '#b3babf', 3, 'opacity=".7"')
    p.ell(0, -196, 64, 19, face(p, '#dfe3e5'))
    p.ell(0, -196, 55, 15, glass)
    for (const s of [-1, 1]) {
      p.rect(s * 15 - 5, -32, 10, 22, 2, metal(p, 'x', '#aab2b7'))
      p.rect(s * 15 - 8, -14, 16, 10, 3, metal(p, 'x', '#aab2b7'))
    }
    return
  }
  if (type === 'G9') {
    p.path('M-34 -84v-74q0 -34 34 -34t34 34v74z', glass, 'stroke="#cbd3d8"')
    p.rect(-16, -164, 32, 76, 4, '#f8d96a', 'opacity=".85"')
    p.line(ribs(-10, -156, 5, 5, 0, 0, 60), '#d9a632', 2)
    p.path('M-36 -88h72v34q0 8 -8 8h-56q-8 0 -8 -8z', base)
    p.line('M-14 -46v30q0 8 7 8v-34M14 -46v30q0 8 -7 8v-34', '#8f979d', 4)
    return
  }
  if (type === 'E14') {
    p.path(
      'M0 -262C30 -226 50 -186 48 -146Q46 -108 28 -92H-28Q-46 -108 -48 -146C-50 -186 -30 -226 0 -262z',
      glass,
      'stroke="#d5d9d6" stroke-width=".8"',
    )
    p.path('M-29 -94H29L22 -56H-22z', base)
    screwCap(p, -56, 21, 48)
    p.path('M-22 -190q8 -26 20 -40q-12 44 -6 80q-18 -10 -14 -40z', '#fff', 'opacity=".7"')
    return
  }
  p.path(
    'M0 -262c52 0 82 38 82 80c0 40 -30 58 -38 92H-44c-8 -34 -38 -52 -38 -92c0 -42 30 -80 82 -80z',
    glass,
    'stroke="#d5d9d6" stroke-width=".8"',
  )
  p.path('M-46 -98q46 14 92 0L30 -56h-60z', base)
  p.line('M-40 -86q40 12 80 0', '#c3c9cd', 1.6)
  p.path('M-56 -196q6 -38 40 -48q-20 26 -16 72q-24 4 -24 -24z', '#fff', 'opacity=".7"')
  if (type === 'B22') {
    p.rect(-28, -58, 56, 48, 4, metal(p, 'x', '#c3c9cd'))
    p.rect(-37, -38, 74, 8, 3, metal(p, 'x', '#9aa2a8'))
    p.rect(-24, -12, 48, 8, 3, '#23282c')
  } else screwCap(p, -56, 29, 48)
}

function drawBulb(p: Pen): Extent {
  const type = p.text('type', 'E27')
  const kelvin = p.num('kelvin', 2700)
  const n = Math.min(3, p.num('pack_qty', 1))
  const k = span(p.num('power', 7), 3, 15, 1.02, 1.32) * (n > 1 ? 0.86 : 1)
  const half = entry({ GU10: 64, G9: 40, E14: 50 }, type, 82)
  const height = entry({ GU10: 216, G9: 194, E14: 264 }, type, 264)
  const light = lightOf(kelvin)
  const place = (cx: number, y: number, s: number): void => {
    p.group(d`translate(${cx} ${y})` + ` scale(${(k * s).toFixed(3)})`, () => bulb(p, type, kelvin))
  }
  p.ell(
    240,
    400 - height * k * 0.66,
    half * k * 2.2,
    half * k * 2.2,
    p.rad([
      [0, light, 0.55],
      [0.6, light, 0.18],
      [1, light, 0],
    ]),
  )
  const gap = half * k * 1.75
  if (n > 1) place(240 + gap, 394, 0.92)
  if (n > 2) place(240 - gap, 394, 0.92)
  place(240, 402, 1)
  const left = 240 - (n > 2 ? gap + half * k * 0.92 : half * k)
  const right = 240 + (n > 1 ? gap + half * k * 0.92 : half * k)
  return {
    x: left,
    y: 402 - height * k,
    w: right - left,
    h: height * k,
    focus: [240, 402 - height * k * 0.3, 2.1],
    foot: [left + half * k * 0.5, right - left - half * k],
  }
}

function drawThermostat(p: Pen): Extent {
  const c = p.hex('color', 'white')
  const type = p.text('type', 'Wi-Fi')
  const accent = brandColor(p.subject.brand)
  const corner = type === 'Wi-Fi' ? 142 : type === 'Zigbee' ? 34 : 66
  const x = 98
  const y = 92
  p.rect(x + 9, y + 12, 284, 284, corner, shade(c, -0.55), 'opacity=".55"')
  p.rect(
    x,
    y,
    284,
    284,
    corner,
    p.lin('d', [
      [0, shade(c, 0.5)],
      [0.3, c],
      [1, shade(c, -0.32)],
    ]),
    `stroke="${shade(c, -0.25)}" stroke-width="1"`,
  )
  p.rect(
    x + 16,
    y + 16,
    252,
    252,
    Math.max(20, corner - 16),
    p.lin('d', [
      [0, '#353d43'],
      [0.5, '#14191c'],
      [1, '#070a0b'],
    ]),
  )
  // Dial
  const at = (t: number, r: number): string => d`${240 + Math.cos(t) * r} ${234 + Math.sin(t) * r}`
  p.line(`M${at(2.4, 98)}A98 98 0 1 1 ${at(0.74, 98)}`, '#3d464c', 9)
  p.line(`M${at(2.4, 98)}A98 98 0 0 1 ${at(5.2, 98)}`, '#ef7a3a', 9)
  p.ell(240 + Math.cos(5.2) * 98, 234 + Math.sin(5.2) * 98, 10, 10, '#fff')
  p.line('M194 206h34v30h-34v30h34M256 212l14 -7v61', '#fff', 9)
  p.ell(298, 209, 7, 7, 'none', 'stroke="#fff" stroke-width="4"')
  p.path('M232 306q-14 -16 8 -34q0 12 8 14q6 12 -2 20z', '#ef7a3a')
  p.path('M138 110H260L150 330q-30 -30 -36 -90z', '#fff', 'opacity=".06"')
  p.mark(240, 346, 7.5, mix(accent, '#ffffff', 0.55))
  return { x, y, w: 293, h: 296, focus: [240, 230, 1.8] }
}

export const electric: Record<string, FamilyDrawing> = {
  circuit_breaker: {
    draw: drawBreaker,
    scene: 'board',
    hangs: true,
    inScene: 0.62,
    lengths: (p) => ({ w: `${p.num('poles', 1) * 18} mm`, h: '85 mm' }),
  },
  cable: {
    draw: drawCable,
    scene: 'cellar',
    lengths: (p) => ({ note: `${p.text('section', '3 x 1,5 mm²').replace('x', '×').replace(',5', '½')} · ${p.plain('length_m', 25)} m` }),
    noSide: true,
  },
  led_panel: {
    draw: drawPanel,
    scene: 'room',
    hangs: true,
    lengths: (p) => ({ note: p.text('tile', '60 x 60 cm').replace('x', '×') }),
    inUse: (p) => ceiling(p, lightOf(p.num('kelvin', 4000))),
  },
  led_bulb: {
    draw: drawBulb,
    scene: 'room',
    noSide: true,
    lengths: (p) => ({ h: entry({ GU10: '54 mm', G9: '50 mm', E14: '98 mm' }, p.text('type', 'E27'), '110 mm') }),
    inUse: (p) => pendant(p, lightOf(p.num('kelvin', 2700))),
  },
  smart_thermostat: {
    draw: drawThermostat,
    scene: 'wall',
    hangs: true,
    noSide: true,
    inScene: 0.36,
    lengths: () => ({ w: '86 mm', h: '86 mm' }),
  },
}
