import { boss, box, chromeTube, ribs, scaled, span, tube } from './bodies.ts'
import { brandColor, brightness, shade } from './colors.ts'
import type { FamilyDrawing } from './family.ts'
import { floorBoards } from './rooms.ts'
import { livingRoom } from './scenes.ts'
import { d, face, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

function drawRadiator(p: Pen): Extent {
  const c = p.hex('color', 'white')
  const fluid = p.text('type', 'fluid') === 'fluid'
  const w = span(p.num('power', 1000), 500, 2000, 190, 388)
  const h = 252
  const x = 226 - w / 2
  const y = 112
  box(p, x, y, w, h, 36, c, { front: shade(c, -0.32) })
  // Fins or a stone-cored plate
  const n = Math.round(w / (fluid ? 31 : 58))
  const fw = (w - 4) / n
  const fin = p.lin('x', [
    [0, shade(c, 0.5)],
    [0.2, shade(c, 0.25)],
    [0.7, c],
    [0.92, shade(c, -0.16)],
    [1, shade(c, -0.34)],
  ])
  for (let i = 0; i < n; i++) p.rect(x + 2 + i * fw + 1, y + 2, fw - 2, h - 4, fluid ? 8 : 3, fin)
  p.rect(
    x,
    y,
    w,
    11,
    3,
    p.lin('y', [
      [0, shade(c, 0.5)],
      [1, shade(c, -0.1)],
    ]),
  )
  if (fluid) p.line(d`M${x + 8} ${y + 40}H${x + w - 8}M${x + 8} ${y + h - 40}H${x + w - 8}`, shade(c, -0.24), 3, 'opacity=".5"')
  // Control panel
  p.rect(x + w - 64, y + 20, 50, 92, 7, '#20262a')
  p.rect(x + w - 58, y + 27, 38, 30, 3, '#9fd0c4')
  p.line(d`M${x + w - 52} ${y + 34}h9v8h-9v8h9M${x + w - 34} ${y + 34}v16`, '#1c3a36', 2.4)
  for (const i of [0, 1]) p.ell(x + w - 50 + i * 22, y + 74, 6.5, 6.5, '#4b5359')
  p.ell(x + w - 39, y + 96, 6.5, 6.5, '#e0701c')
  p.mark(x + 44, y + h - 20, 7.5, brightness(c) > 0.5 ? '#6d757b' : '#c5c9cb', 0, 64)
  return { x, y: y - 13, w: w + 22, h: h + 13, focus: [x + w - 60, y + 70, 2.3] }
}

function drawTowelRadiator(p: Pen): Extent {
  const c = p.hex('color', 'white')
  const chrome = p.text('color', 'white') === 'chrome'
  const w = span(p.num('width_cm', 50), 40, 60, 130, 186)
  const h = span(p.num('height_cm', 120), 80, 180, 236, 404)
  const x = 240 - w / 2
  const y = 232 - h / 2
  const gap = 21
  const groups = Math.round((h - 40) / gap)
  let bars = ''
  for (let i = 0; i < groups; i++) if (i % 6 !== 5) bars += d`M${x + 4} ${y + 24 + i * gap}h${w - 8}`
  if (chrome) chromeTube(p, bars, 11, c)
  else tube(p, bars, 11, c, 0.55)
  for (const s of [0, 1]) {
    p.rect(x + s * w - 9, y, 18, h, 8, chrome ? metal(p, 'x', c) : volume(p, 'x', c, 0.5))
    p.ell(x + s * w, y + 3, 8, 3, shade(c, 0.4))
  }
  // A folded towel and the heating element's control
  const ty = y + 24 + gap * 6 - 4
  p.path(
    d`M${x + w * 0.22} ${ty - 6}h${w * 0.46}v${gap * 4.2}q${-w * 0.23} 10 ${-w * 0.46} 0z`,
    p.lin('x', [
      [0, '#cfe0e2'],
      [0.4, '#eef5f5'],
      [1, '#b4cacd'],
    ]),
  )
  p.path(
    d`M${x + w * 0.22} ${ty + gap * 3.1}q${w * 0.23} 8 ${w * 0.46} 0v9q${-w * 0.23} 8 ${-w * 0.46} 0z`,
    brandColor(p.subject.brand),
    'opacity=".75"',
  )
  p.rect(x + w - 16, y + h - 4, 32, 34, 7, volume(p, 'x', chrome ? '#c5c9cb' : c, 0.4))
  p.rect(x + w - 10, y + h + 4, 20, 12, 3, '#20262a')
  p.ell(x + w, y + h + 22, 3, 3, '#e0701c')
  tube(p, d`M${x + w} ${y + h + 30}q0 16 12 18`, 5, '#e2e5e6', 0.3)
  return { x: x - 10, y, w: w + 30, h: h + 46, focus: [x + w * 0.6, y + h - 70, 2.2] }
}

function drawBoiler(p: Pen): Extent {
  const k = span(p.num('power_kw', 24), 18, 35, 0.92, 1.02)
  return scaled(p, k, 240, 420, () => {
    for (const [x, c] of [
      [152, '#b87a4c'],
      [184, '#b87a4c'],
      [222, '#c3a95c'],
      [258, '#b87a4c'],
      [290, '#b87a4c'],
    ] as const) {
      p.rect(x - 6, 366, 13, 46, 2, metal(p, 'x', c))
      p.rect(x - 9, 370, 19, 11, 2, metal(p, 'x', '#c9ced2'))
    }
    p.rect(204, 40, 52, 40, 4, volume(p, 'x', '#e6e9ea', 0.4))
    const e = box(p, 110, 76, 226, 292, 128, '#f0f2f2', {
      front: p.lin('d', [
        [0, '#ffffff'],
        [0.5, '#f3f4f4'],
        [1, '#d5dadd'],
      ]),
    })
    p.rect(
      110,
      286,
      226,
      82,
      0,
      p.lin('y', [
        [0, '#e1e5e7'],
        [1, '#cdd3d6'],
      ]),
    )
    p.line('M110 286h226', '#9aa3a8', 1.6)
    p.rect(130, 302, 120, 50, 7, '#191f23')
    p.line('M146 317h16v10h-16v10h16M172 317v20h14v-20zM196 317h2', '#8fd6ff', 3)
    p.path('M224 340q-10 -12 5 -26q1 9 7 11q5 9 -2 15z', '#ff8a3d')
    for (const x of [276, 308]) {
      p.ell(x, 327, 14, 14, volume(p, 'd', '#f6f7f7', 0.5), 'stroke="#9aa3a8"')
      p.line(d`M${x} 327v-10`, '#3a4248', 2.4)
    }
    p.mark(222, 122, 15, brandColor(p.subject.brand), 0, 140)
    p.line('M124 90h196', '#fff', 3, 'opacity=".9"')
    return { x: 110, y: 30, w: e.w, h: 384, focus: [216, 320, 2] }
  })
}

function drawWaterHeater(p: Pen): Extent {
  const tank = p.num('tank', 50)
  const brand = brandColor(p.subject.brand)
  const white = '#f0f2f2'
  const pipes = (cx: number, y: number): void => {
    for (const [dx, c] of [
      [-24, '#2f6fb0'],
      [24, '#c2272d'],
    ] as const) {
      p.rect(cx + dx - 6, y, 12, 30, 2, metal(p, 'x', '#c0a04c'))
      p.rect(cx + dx - 9, y + 4, 18, 9, 3, c)
    }
  }
  if (tank < 30) {
    const s = span(tank, 10, 15, 212, 244)
    const x = 232 - s / 2
    const y = 330 - s
    pipes(x + s / 2, y + s - 4)
    p.rect(x + 14, y - 10, s, s + 4, 32, '#c3c9cd')
    p.rect(
      x,
      y,
      s,
      s,
      34,
      p.lin('d', [
        [0, '#ffffff'],
        [0.5, '#f0f2f2'],
        [1, '#cfd5d8'],
      ]),
    )
    p.ell(x + s / 2, y + s * 0.56, s * 0.16, s * 0.16, volume(p, 'd', '#e3e6e8', 0.5), 'stroke="#b3babf"')
    p.line(d`M${x + s / 2} ${y + s * 0.56}v${-s * 0.12}`, brand, 4)
    p.ell(x + s * 0.78, y + s * 0.56, 4.5, 4.5, '#ef7a3a')
    p.mark(x + s / 2, y + s * 0.24, 13, brand, 0, s * 0.6)
    return { x, y: y - 10, w: s + 14, h: s + 36, focus: [x + s / 2, y + s * 0.5, 2] }
  }
  const h = span(Math.sqrt(tank), Math.sqrt(30), Math.sqrt(200), 214, 378)
  const rx = span(Math.sqrt(tank), Math.sqrt(30), Math.sqrt(200), 86, 112)
  const cx = 240
  const y = 404 - h
  pipes(cx, 400)
  p.path(d`M${cx - rx} ${y + 28}q0 -34 ${rx} -34t${rx} 34v${h - 56}q0 30 ${-rx} 30t${-rx} -30z`, volume(p, 'x', white, 0.6))
  p.line(d`M${cx - rx} ${y + 32}a${rx} 20 0 0 0 ${rx * 2} 0M${cx - rx} ${404 - 34}a${rx} 20 0 0 0 ${rx * 2} 0`, '#b3babf', 1.6)
  p.path(d`M${cx - rx} ${404 - 32}a${rx} 20 0 0 0 ${rx * 2} 0v5q0 30 ${-rx} 30t${-rx} -30z`, volume(p, 'x', '#b8bfc4', 0.4))
  p.ell(cx, 404 - 62, 21, 21, volume(p, 'd', '#f6f7f7', 0.5), 'stroke="#9aa3a8"')
  p.line(d`M${cx} ${404 - 62}l9 -11`, brand, 3.4)
  p.ell(cx + 46, 404 - 64, 4.5, 4.5, '#ef7a3a')
  p.mark(cx - 6, y + 74, 15, brand, 0, rx * 1.25)
  p.line(d`M${cx - 40} ${y + 96}h68`, brand, 3)
  for (const s of [-1, 1]) p.rect(cx + s * (rx + 2) - 5, y + h * 0.3, 10, 40, 3, volume(p, 'x', '#8b949a', 0.3))
  return { x: cx - rx - 7, y: y - 6, w: rx * 2 + 14, h: h + 32, focus: [cx, 346, 2.2] }
}

function drawStove(p: Pen): Extent {
  const c = p.hex('color', 'black')
  const k = span(p.num('power_kw', 8), 6, 14, 0.86, 1.02)
  return scaled(p, k, 240, 422, () => {
    const x = 122
    const y = 92
    const w = 190
    const h = 312
    box(p, x, y, w, h, 148, c, { front: '#1b1f22' })
    // Steel front with door and glass
    p.rect(
      x,
      y,
      w,
      h,
      3,
      p.lin('d', [
        [0, '#3e464b'],
        [0.5, '#23282b'],
        [1, '#14181a'],
      ]),
    )
    p.path(
      d`M${x - 6} ${y - 1}l92 -53h${w + 12}l-92 53z`,
      p.lin('x', [
        [0, '#565e64'],
        [1, '#30373b'],
      ]),
    )
    p.path(d`M${x - 6} ${y - 1}h${w + 12}v13h${-w - 12}z`, volume(p, 'y', '#3a4146', 0.3))
    p.path(d`M${x + w + 6} ${y - 1}l92 -53v13l-92 53z`, '#15191b')
    p.line(ribs(x + 70, y - 40, 7, 18, 0, 12, -6), '#0d1012', 3)
    p.rect(x + 14, y + 44, w - 28, 164, 12, '#0b0d0e', 'stroke="#596168" stroke-width="3"')
    p.rect(
      x + 22,
      y + 52,
      w - 44,
      148,
      8,
      p.rad(
        [
          [0, '#ffb347'],
          [0.35, '#c4501a'],
          [0.75, '#3a150c'],
          [1, '#120a08'],
        ],
        0.5,
        0.8,
      ),
    )
    const cx = x + w / 2
    p.path(d`M${cx - 44} ${y + 198}q-20 -40 8 -66q2 22 14 26q-6 -44 24 -72q0 34 22 52q6 -10 4 -20q26 32 10 80z`, '#ff8a2a', 'opacity=".9"')
    p.path(d`M${cx - 26} ${y + 198}q-10 -26 10 -44q4 14 12 16q0 -24 14 -38q4 26 16 38q8 14 2 28z`, '#ffd35c')
    p.path(d`M${cx - 52} ${y + 200}q52 -18 104 0z`, '#2a1a12')
    p.path(d`M${x + 26} ${y + 56}h46l-36 140h-10z`, '#fff', 'opacity=".08"')
    chromeTube(p, d`M${x + w - 8} ${y + 96}v60`, 9, '#b4b8ba')
    p.rect(x + 14, y + 224, w - 28, 66, 4, face(p, shade(c, 0.04)))
    p.line(d`M${x + 20} ${y + 286}h${w - 40}`, '#000', 2, 'opacity=".4"')
    p.mark(cx, y + 257, 10, brightness(c) > 0.5 ? '#4b5359' : '#dfe3e5', 0, 110)
    p.rect(x + 54, y + 18, 82, 16, 3, '#0d1113')
    p.ell(x + 66, y + 26, 3, 3, '#ff7a45')
    p.line(d`M${x + 84} ${y + 26}h38`, '#ff7a45', 3, 'stroke-dasharray="6 4"')
    for (const fx of [x + 8, x + w - 30]) p.rect(fx, y + h, 22, 14, 3, '#15191b')
    return { x: x - 6, y: y - 54, w: w + 104, h: h + 68, focus: [cx, y + 120, 1.9] }
  })
}

function indoorUnit(p: Pen, brand: string): void {
  p.path(
    'M28 92q0 -16 18 -16h286q18 0 18 16v74q0 22 -26 24H62q-34 -2 -34 -24z',
    p.lin('y', [
      [0, '#e9eced'],
      [0.08, '#ffffff'],
      [0.5, '#f3f4f4'],
      [0.8, '#dde1e3'],
      [1, '#b9c0c4'],
    ]),
  )
  p.path(
    'M28 150q160 14 322 0v14q-4 24 -26 26H62q-34 -2 -34 -26z',
    p.lin('y', [
      [0, '#e9ecec'],
      [1, '#aab2b7'],
    ]),
  )
  p.path('M50 172h278l-8 16H66z', '#3a4248')
  p.path('M48 170h282l-6 8H58z', '#f6f7f7')
  p.line(ribs(80, 180, 22, 11, 0, -3, 7), '#6d757b', 1.6)
  p.line('M40 84h296', '#fff', 3)
  p.mark(72, 112, 8, brand, 0, 74)
  p.line('M296 136h8v8h-8v8h8M312 136h8v16h-8M312 144h8', '#9fc8dc', 2.4)
}

function airConInRoom(p: Pen): void {
  livingRoom(p, '#dfe3e2', 330, () => floorBoards(p, 330, '#c2a074'))
  p.group('matrix(1.05 0 0 1.05 66 -6)', () => {
    p.ell(
      190,
      206,
      150,
      14,
      p.rad([
        [0, '#1b2329', 0.2],
        [1, '#1b2329', 0],
      ]),
    )
    indoorUnit(p, brandColor(p.subject.brand))
  })
  p.line('M150 226q10 40 -8 84M230 226q8 46 -6 96M310 226q6 40 -8 84', '#bfe0f2', 5, 'opacity=".7"')
}

function drawAirCon(p: Pen): Extent {
  const k = span(p.num('power_kw', 3.5), 2.5, 7, 0.92, 1.04)
  const brand = brandColor(p.subject.brand)
  return scaled(p, k, 236, 420, () => {
    indoorUnit(p, brand)
    tube(p, 'M340 176C392 190 400 214 392 250', 11, '#eceeee', 0.3)
    // Outdoor unit
    const e = box(p, 116, 246, 262, 160, 84, '#e6e9e9', {
      front: p.lin('d', [
        [0, '#f6f7f7'],
        [1, '#cdd3d5'],
      ]),
    })
    p.ell(206, 326, 70, 70, '#343b40')
    p.ell(
      206,
      326,
      66,
      66,
      p.rad([
        [0, '#596168'],
        [1, '#22282c'],
      ]),
    )
    for (let i = 0; i < 3; i++)
      p.group(`rotate(${i * 120 + 20} 206 326)`, () =>
        p.path('M206 326q-10 -40 18 -58q30 6 34 30q-24 4 -52 28z', '#8b949a', 'opacity=".8"'),
      )
    for (const r of [26, 40, 54, 67]) p.ell(206, 326, r, r, 'none', 'stroke="#e3e6e7" stroke-width="2"')
    p.line('M206 258v136M138 326h136M158 278l96 96M254 278l-96 96', '#e3e6e7', 2)
    p.ell(206, 326, 14, 14, '#dfe3e5')
    p.mark(206, 326, 3.6, brand, 0, 22)
    p.line(ribs(298, 270, 8, 0, 13, 62, 0), '#aab2b7', 3)
    p.rect(132, 404, 34, 14, 3, '#4b5359')
    p.rect(322, 404, 34, 14, 3, '#4b5359')
    boss(p, 366, 396, 4, '#aab2b7')
    return { x: 28, y: 76, w: Math.max(e.w + 88, 402), h: 342, focus: [150, 150, 2], foot: [110, 320] }
  })
}

export const heating: Record<string, FamilyDrawing> = {
  electric_radiator: {
    noSide: true,
    draw: drawRadiator,
    scene: 'room',
    hangs: true,
    lengths: (p) => ({ w: `${Math.round(span(p.num('power', 1000), 500, 2000, 42, 118))} cm`, h: '58 cm' }),
  },
  towel_radiator: {
    draw: drawTowelRadiator,
    scene: 'bath',
    hangs: true,
    inScene: 0.8,
    lengths: (p) => ({ w: `${p.num('width_cm', 50)} cm`, h: `${p.num('height_cm', 120)} cm` }),
  },
  boiler: {
    noSide: true,
    draw: drawBoiler,
    scene: 'cellar',
    hangs: true,
    inScene: 0.7,
    lengths: (p) => ({ w: '42 cm', h: `${Math.round(64 + p.num('power_kw', 24) / 3)} cm` }),
  },
  water_heater: {
    draw: drawWaterHeater,
    scene: 'cellar',
    hangs: true,
    inScene: 0.7,
    lengths: (p) => ({
      w: `${p.num('tank', 50) < 30 ? 34 : 45} cm`,
      h: `${Math.round(p.num('tank', 50) < 30 ? 36 : 26 + p.num('tank', 50) * 0.62)} cm`,
    }),
  },
  pellet_stove: {
    noSide: true,
    draw: drawStove,
    scene: 'room',
    inScene: 0.72,
    lengths: (p) => ({ w: `${Math.round(44 + p.num('power_kw', 8))} cm`, h: `${Math.round(82 + p.num('power_kw', 8) * 2.4)} cm` }),
  },
  air_con: {
    noSide: true,
    draw: drawAirCon,
    scene: 'room',
    hangs: true,
    inUse: airConInRoom,
    lengths: (p) => ({ w: `${Math.round(68 + p.num('power_kw', 3.5) * 5)} cm` }),
  },
}
