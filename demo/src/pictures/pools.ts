import { box, chromeTube, drum, ribs, scaled, span, tube } from './bodies.ts'
import { brandColor, inkOn, shade } from './colors.ts'
import type { FamilyDrawing } from './family.ts'
import { amount } from './lengths.ts'
import { d, face, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

function drawSandFilter(p: Pen): Extent {
  const r = span(p.num('diameter', 400), 300, 600, 78, 124)
  const c = brandColor(p.subject.brand)
  const cy = 396 - r - 26
  p.path(d`M${190 - r * 0.6} 396l${r * 0.2} -50h${r * 0.8}l${r * 0.2} 50z`, volume(p, 'x', '#23282b', 0.3))
  p.ell(
    190,
    cy,
    r,
    r * 1.02,
    p.rad(
      [
        [0, '#8f9aa1'],
        [0.4, '#4b565d'],
        [1, '#23292d'],
      ],
      0.36,
      0.3,
    ),
  )
  p.line(d`M${190 - r} ${cy}q${r} 30 ${r * 2} 0`, '#1b2023', 4)
  p.mark(190, cy - r * 0.3, 13, '#fff', 0, r * 1.2)
  p.ell(190, cy - r - 6, 44, 15, volume(p, 'x', '#23282b', 0.35))
  p.rect(150, cy - r - 42, 80, 34, 8, volume(p, 'x', '#30373c', 0.35))
  tube(p, d`M158 ${cy - r - 48}H236`, 11, c, 0.4)
  p.ell(146, cy - r - 18, 15, 15, '#fbfbfa', 'stroke="#8b949a" stroke-width="3"')
  tube(p, d`M232 ${cy - r - 24}H${230 + r}Q${262 + r} ${cy - r - 24} 340 340`, 17, '#3a4248', 0.4)
  p.rect(300, 336, 110, 56, 12, volume(p, 'y', c, 0.35))
  p.rect(282, 326, 40, 66, 8, volume(p, 'y', '#23282b', 0.35))
  p.rect(276, 388, 140, 12, 3, '#23282b')
  return { x: 190 - r, y: cy - r - 54, w: 226 + r, h: 454 - cy + r, focus: [190, cy - r, 2] }
}

function tub(p: Pen, c: string, w: number, h: number, ry: number): Extent {
  const x = 240 - w / 2
  p.path(d`M${x} ${240 - h / 2}v${h}a${w / 2} ${ry} 0 0 0 ${w} 0v${-h}z`, volume(p, 'x', c, 0.35))
  p.ell(240, 240 - h / 2, w / 2, ry, shade(c, 0.2))
  p.ell(
    240,
    244 - h / 2,
    w / 2 - 16,
    ry - 10,
    p.lin('y', [
      [0, '#2f8fb5'],
      [0.5, '#5fc1d9'],
      [1, '#a9e3ee'],
    ]),
  )
  return { x, y: 240 - h / 2 - ry, w, h: h + ry * 2, focus: [300, 240, 2] }
}

function drawPool(p: Pen): Extent {
  const c = p.hex('color', 'light_grey')
  const w = span(p.num('length_m', 4), 3, 7.3, 320, 420)
  const h = span(p.num('height_cm', 100), 76, 132, 66, 112)
  const e = tub(p, c, w, h, 62)
  const x = 240 - w / 2
  for (let i = 0; i <= 6; i++) {
    const t = (i / 6) * Math.PI
    const px = 240 - Math.cos(t) * (w / 2)
    const py = 240 - h / 2 + Math.sin(t) * 62
    p.rect(px - 5, py - 4, 10, h + 8, 3, metal(p, 'x', '#c3c9cd'))
  }
  p.line(d`M${x + 60} ${236 - h / 2}q40 -8 80 0t80 0M${x + w * 0.5} ${256 - h / 2}q36 -7 72 0t60 0`, '#e6f9fc', 3, 'opacity=".8"')
  p.mark(240, 300 + h * 0.1, 12, inkOn(c), 0, 120)
  tube(p, d`M${x + w - 70} ${238 - h / 2 - 40}V330M${x + w - 34} ${240 - h / 2 - 34}V326`, 9, '#d5dadd', 0.7)
  p.line(ribs(x + w - 70, 220 - h / 2, 4, 0, 28, 36, 4), '#d5dadd', 7)
  return { ...e, y: e.y - 10, h: e.h + 10 }
}

function drawSpa(p: Pen): Extent {
  const c = p.hex('color', 'anthracite')
  const w = span(p.num('persons_n', 4), 2, 8, 290, 390)
  const e = tub(p, c, w, 112, 66)
  const x = 240 - w / 2
  for (let i = 1; i < 8; i++) {
    const t = (i / 8) * Math.PI
    const px = 240 - Math.cos(t) * (w / 2)
    p.line(d`M${px} ${190 + Math.sin(t) * 64}v104`, shade(c, -0.35), 3, 'opacity=".6"')
  }
  for (let i = 0; i < 22; i++) {
    const a = p.chance(i) * 6.283
    const r = Math.sqrt(p.chance(i + 40))
    p.ell(240 + Math.cos(a) * (w / 2 - 34) * r, 188 + Math.sin(a) * 42 * r, 6 + p.chance(i + 9) * 7, 5, '#fff', 'opacity=".75"')
  }
  p.rect(x + w * 0.44, 280, 62, 34, 6, '#14181b')
  p.line(d`M${x + w * 0.44 + 14} 297h34`, '#7fd0ff', 4, 'stroke-dasharray="8 5"')
  return e
}

function drawChlorine(p: Pen): Extent {
  const k = span(Math.cbrt(p.num('weight_kg', 5)), 1, 2.9, 0.66, 1)
  return scaled(p, k, 240, 410, () => {
    p.path('M130 140l8 252q102 34 204 0l8 -252z', volume(p, 'x', '#f3f4f4', 0.4))
    p.path('M133 200q107 30 214 0l-5 140q-102 30 -204 0z', volume(p, 'x', '#2a8fb8', 0.3))
    p.mark(240, 240, 17, '#fff', 0, 150)
    p.path('M176 312q32 -16 64 0t64 0', 'none', 'stroke="#fff" stroke-width="7" stroke-linecap="round"')
    p.path('M176 292q32 -16 64 0t64 0', 'none', 'stroke="#bfe6f2" stroke-width="5" stroke-linecap="round"')
    p.path('M122 116h236v30q-118 34 -236 0z', volume(p, 'x', '#1f6f95', 0.4))
    p.ell(240, 116, 118, 27, face(p, '#2a8fb8'))
    const tablets = p.text('grade', 'tablets_c') === 'tablets_c'
    for (let i = 0; i < (tablets ? 3 : 14); i++) {
      if (tablets) drum(p, 352 + i * 24 - (i === 1 ? 20 : 0), 392 - (i === 1 ? 18 : 0), 25, 14, '#f6f7f7', 0.3)
      else p.ell(350 + p.chance(i) * 60, 404 - p.chance(i + 30) * 12, 5, 4, '#f1f2f2', 'stroke="#c9cfd2"')
    }
    return { x: 122, y: 89, w: 304, h: 328, focus: [240, 260, 2] }
  })
}

function drawRobot(p: Pen): Extent {
  const c = p.hex('color', 'blue')
  if (p.text('power_source', 'mains') === 'mains') tube(p, 'M300 170C360 80 440 110 430 190', 9, '#2f6fb0', 0.4)
  for (const x of [92, 300]) {
    p.rect(x, 270, 96, 112, 46, volume(p, 'x', '#23282b', 0.3))
    p.line(ribs(x + 8, 288, 7, 0, 14, 80, 0), '#0f1214', 4)
  }
  p.path('M120 300q-6 -110 70 -124h110q76 14 70 124q-60 50 -250 0z', volume(p, 'x', c, 0.4))
  p.path(
    'M176 200q64 -26 128 0l14 70q-78 22 -156 0z',
    p.lin('d', [
      [0, '#dff0f6', 0.95],
      [0.5, '#7f9aa8', 0.9],
      [1, '#4a6270', 0.95],
    ]),
  )
  p.path('M190 208q20 -10 46 -12l-30 66q-20 -2 -28 -6z', '#fff', 'opacity=".5"')
  tube(p, 'M186 182q56 -56 112 0', 15, '#e6e9ea', 0.5)
  p.mark(244, 306, 12, inkOn(c), 0, 120)
  tube(p, 'M96 372H392', 24, '#e0a01c', 0.4)
  p.line(ribs(104, 362, 24, 12, 0, 0, 20), '#a5700c', 3)
  return { x: 84, y: 108, w: 350, h: 276, focus: [244, 240, 2] }
}

function drawHeatPump(p: Pen): Extent {
  const k = span(p.num('power_kw', 9), 5, 16, 0.86, 1.02)
  return scaled(p, k, 240, 400, () => {
    const e = box(p, 80, 170, 292, 210, 90, '#e3e6e7', {
      front: p.lin('d', [
        [0, '#f6f7f7'],
        [1, '#c5cccf'],
      ]),
    })
    p.ell(186, 276, 88, 88, '#2b3338')
    for (let i = 0; i < 4; i++)
      p.group(`rotate(${i * 90 + 20} 186 276)`, () =>
        p.path('M186 276q-14 -50 20 -76q40 8 44 40q-32 6 -64 36z', '#6d7a82', 'opacity=".85"'),
      )
    for (const r of [24, 46, 68, 87]) p.ell(186, 276, r, r, 'none', 'stroke="#dfe3e5" stroke-width="2.4"')
    p.ell(186, 276, 15, 15, brandColor(p.subject.brand))
    p.rect(296, 196, 58, 40, 4, '#0f1417')
    p.line('M308 208h10v8h-10v8h10M326 208h10v16h-10z', '#7fd0ff', 2.6)
    p.mark(326, 262, 8, brandColor(p.subject.brand), 0, 66)
    p.line(ribs(296, 290, 6, 0, 13, 60, 0), '#aab2b7', 3)
    for (const y of [230, 300]) chromeTube(p, d`M428 ${y}h24`, 19, '#3a8fb8')
    for (const x of [96, 322]) p.rect(x, 378, 40, 18, 3, '#4b5359')
    return { x: 80, y: e.y, w: 376, h: 396 - e.y, focus: [210, 270, 2] }
  })
}

export const pools: Record<string, FamilyDrawing> = {
  sand_filter: { draw: drawSandFilter, scene: 'pool', lengths: (p) => ({ note: `Ø ${p.plain('diameter', 400)} mm` }) },
  pool: {
    draw: drawPool,
    scene: 'lawn',
    noSide: true,
    inScene: 0.94,
    lengths: (p) => ({ note: `${Math.round(p.num('length_m', 4) * 100)} × ${Math.round(p.num('width_m', 2) * 100)} cm` }),
  },
  spa: { draw: drawSpa, scene: 'terrace', noSide: true, inScene: 0.9, lengths: amount('volume', 'L') },
  pool_chlorine: { draw: drawChlorine, scene: 'pool', noSide: true, lengths: amount('weight_kg', 'kg') },
  pool_robot: { draw: drawRobot, scene: 'pool' },
  pool_heat_pump: { draw: drawHeatPump, scene: 'pool', noSide: true },
}
