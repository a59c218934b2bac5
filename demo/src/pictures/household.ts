import { box, ribs, scaled, span, tube } from './bodies.ts'
import { brandColor, inkOn, mix, shade } from './colors.ts'
import { extras } from './extras.ts'
import type { FamilyDrawing } from './family.ts'
import { amount, fromAttrs } from './lengths.ts'
import { d, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

function drawFan(p: Pen): Extent {
  const c = p.hex('color', 'white')
  const r = span(p.num('width_cm', 40), 30, 45, 84, 110)
  const k = span(p.num('height_cm', 125), 110, 140, 0, 26)
  const cy = 150 - k
  tube(p, d`M240 ${cy + 40}V408`, 15, c, 0.5)
  p.ell(240, 416, 92, 17, volume(p, 'x', c, 0.4))
  p.rect(218, cy + r + 20, 44, 46, 12, volume(p, 'x', shade(c, -0.06), 0.4))
  p.ell(240, cy, r + 10, r + 10, shade(c, -0.2), 'opacity=".25"')
  for (let i = 0; i < 5; i++)
    p.group(d`rotate(${i * 72} 240 ${cy})`, () =>
      p.path(
        d`M240 ${cy}q${-r * 0.5} ${-r * 0.4} ${-r * 0.16} ${-r * 0.94}q${r * 0.5} 0 ${r * 0.5} ${r * 0.3}q${-r * 0.2} ${r * 0.3} ${-r * 0.34} ${r * 0.64}z`,
        p.lin('d', [
          [0, shade(c, 0.2)],
          [1, shade(c, -0.34)],
        ]),
        'opacity=".9"',
      ),
    )
  for (const q of [1, 0.8, 0.6, 0.4])
    p.ell(240, cy, (r + 8) * q, (r + 8) * q, 'none', `stroke="${shade(c, c === '#24282b' ? 0.3 : -0.3)}" stroke-width="2.4"`)
  for (let i = 0; i < 12; i++)
    p.line(
      d`M240 ${cy}L${240 + Math.cos(i * 0.5236) * (r + 8)} ${cy + Math.sin(i * 0.5236) * (r + 8)}`,
      shade(c, c === '#24282b' ? 0.3 : -0.3),
      1.4,
    )
  p.ell(240, cy, 19, 19, volume(p, 'd', c, 0.5))
  return { x: 240 - r - 12, y: cy - r - 12, w: r * 2 + 24, h: 446 - cy + r, focus: [240, cy, 1.8], foot: [148, 184] }
}

function drawDehumidifier(p: Pen): Extent {
  const h = span(p.num('volume', 16), 10, 25, 240, 320)
  const y = 400 - h
  const e = box(p, 130, y, 180, h, 110, '#f1f2f2', {
    front: p.lin('d', [
      [0, '#ffffff'],
      [1, '#d5dadd'],
    ]),
  })
  p.line(ribs(150, y + 54, 9, 0, 12, 140, 0), '#aab2b7', 4)
  p.path(
    d`M130 ${400 - h * 0.36}h180v${h * 0.3}h-180z`,
    p.lin('y', [
      [0, '#cfe6f0'],
      [0.3, '#8fc3da'],
      [1, '#5a9fbe'],
    ]),
  )
  p.line(d`M130 ${400 - h * 0.26}h180`, '#fff', 2, 'opacity=".7"')
  p.path(d`M150 ${y + 10}l50 -26h90l-40 26z`, '#3a4248')
  p.ell(220, y + 30, 14, 10, '#14181b')
  p.mark(220, 400 - h * 0.46, 9, brandColor(p.subject.brand), 0, 110)
  for (const x of [142, 290]) p.ell(x, 404, 9, 9, '#23282b')
  return { ...e, h: e.h + 12, focus: [220, y + 80, 2] }
}

function drawCleaner(p: Pen): Extent {
  const v = p.num('volume', 0.75)
  if (v < 1) return extras.sprayBottle?.(p) ?? { x: 0, y: 0, w: 0, h: 0 }
  const c = ({ kitchen_r: '#5e9a3a', bathroom_r: '#2a8fb8' } as Record<string, string>)[p.text('use_room', '')] ?? '#d98a1f'
  const k = span(Math.cbrt(v), 1, 2.2, 0.8, 1.04)
  return scaled(p, k, 240, 410, () => {
    p.path('M150 170q4 -34 46 -40h80q54 6 56 44v206q0 26 -26 26H176q-26 0 -26 -26z', volume(p, 'x', c, 0.4))
    if (v > 3) p.path('M262 150h40q22 6 22 34v44h-30v-40q0 -8 -10 -8h-22z', '#fdfdfd')
    p.rect(208, 84, 56, 50, 6, volume(p, 'x', '#f1f2f2', 0.4))
    p.line(ribs(214, 90, 6, 9, 0, 0, 38), '#c3c9cd', 2)
    p.rect(166, 240, 150, 132, 8, '#f8f8f4')
    p.mark(241, 268, 12, c, 0, 120)
    for (const [x, y, r] of [
      [210, 326, 20],
      [244, 316, 26],
      [276, 334, 17],
    ] as const)
      p.ell(
        x,
        y,
        r,
        r,
        p.rad(
          [
            [0, '#ffffff'],
            [1, shade(c, 0.5), 0.8],
          ],
          0.4,
          0.35,
        ),
      )
    p.line('M166 190q0 -30 30 -38', '#fff', 6, 'opacity=".5"')
    return { x: 148, y: 84, w: 186, h: 324, focus: [240, 260, 2] }
  })
}

function drawMop(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  const w = span(p.num('width_cm', 40), 30, 45, 150, 210)
  if (p.text('type', 'flat') === 'spin') {
    p.path('M96 300l14 102h200l14 -102z', volume(p, 'x', c, 0.4))
    p.ell(210, 300, 114, 30, shade(c, -0.35))
    p.ell(252, 298, 58, 17, metal(p, 'x', '#b7bec3'))
  }
  tube(p, 'M330 36L250 330', 13, '#c3c9cd', 0.7)
  tube(p, 'M330 36L312 102', 17, c, 0.4)
  p.path(d`M${248 - w / 2} 346l${w} -14l14 26l${-w} 16z`, volume(p, 'y', '#3a4248', 0.3))
  p.path(d`M${242 - w / 2} 366l${w + 14} -14l8 30q${-w / 2} 26 ${-w - 20} 16z`, volume(p, 'y', '#e9f0f2', 0.4))
  p.line(ribs(250 - w / 2, 374, Math.floor(w / 9), 9, -0.8, 2, 24), c, 2, 'opacity=".7"')
  return { x: Math.min(96, 238 - w / 2), y: 28, w: 250, h: 390, focus: [250, 350, 2] }
}

function drawVacuum(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  const h = span(p.num('tank', 20), 12, 35, 130, 200)
  const y = 380 - h
  tube(p, d`M292 ${y + 44}C420 ${y - 20} 440 ${y + 120} 400 340S340 404 330 398`, 19, '#2b3034', 0.35)
  p.path(d`M122 ${y}h180l-10 ${h}H132z`, metal(p, 'x', '#c3c9cd'))
  p.path(d`M112 ${y + 4}q-4 -96 100 -100t100 100z`, volume(p, 'x', c, 0.4))
  p.path(d`M112 ${y - 4}h200v20h-200z`, volume(p, 'x', '#23282b', 0.35))
  tube(p, d`M176 ${y - 90}q36 -40 72 0`, 15, '#23282b', 0.35)
  p.ell(252, y - 40, 15, 15, '#e0a01c')
  p.mark(206, y - 36, 13, inkOn(c), 0, 110)
  p.rect(286, y + 26, 26, 36, 6, '#23282b')
  p.path('M106 378h212l12 18H94z', '#23282b')
  for (const x of [120, 304]) p.ell(x, 400, 15, 15, volume(p, 'd', '#30373c', 0.3))
  p.path('M300 396h76l14 16h-96z', volume(p, 'y', '#30373c', 0.3))
  return { x: 94, y: y - 116, w: 346, h: 530 - y, focus: [206, y - 20, 2] }
}

function drawBags(p: Pen): Extent {
  const c = p.hex('color', 'black')
  const h = span(Math.sqrt(p.num('volume', 30)), 3, 11, 150, 260)
  const n = Math.round(span(Math.sqrt(p.num('pack_qty', 25)), 3, 10, 1, 3))
  for (let i = n - 1; i >= 0; i--) {
    const x = 170 + i * 74
    const y = 396 - h - i * 8
    p.rect(x - 46, y, 92, h, 14, volume(p, 'x', c, 0.4))
    p.line(ribs(x - 40, y + 6, 5, 18, 0, 2, h - 12), shade(c, c === '#24282b' ? 0.2 : -0.15), 1.6, 'opacity=".6"')
    p.ell(x, y + 3, 45, 12, shade(c, 0.12))
    p.ell(x, y + 3, 24, 6, 'none', `stroke="${shade(c, -0.4)}" stroke-width="3"`)
    p.rect(x - 47, y + h * 0.34, 94, h * 0.36, 0, volume(p, 'x', brandColor(p.subject.brand), 0.3))
    p.mark(x, y + h * 0.52, 10, '#fff', 0, 76)
  }
  return { x: 124, y: 384 - h - (n - 1) * 8, w: 92 + (n - 1) * 74, h: h + 14 + (n - 1) * 8, focus: [170, 396 - h * 0.5, 2] }
}

function drawRack(p: Pen): Extent {
  const c = '#c3c9cd'
  const w = span(p.num('length_m', 18), 10, 27, 220, 300)
  const x = 240 - w / 2
  tube(p, d`M${x + 30} 410L${x + w - 40} 208M${x + w + 10} 410L${x + 60} 208`, 9, shade(c, -0.2), 0.6)
  p.path(d`M${x - 40} 214l46 -54h${w + 30}l-36 54z`, 'none', `stroke="${c}" stroke-width="9" stroke-linejoin="round"`)
  p.line(ribs(x - 28, 200, 5, 9, -9.4, w + 32, 0), shade(c, -0.25), 4)
  tube(p, d`M${x - 40} 214H${x + w}L${x + w + 36} 160`, 9, c, 0.7)
  tube(p, d`M${x} 410L${x + w - 74} 214M${x + w - 20} 410L${x + 20} 214`, 10, c, 0.7)
  p.path(
    d`M${x + w * 0.3} 206h${w * 0.3}v84q${-w * 0.15} 12 ${-w * 0.3} 0z`,
    p.lin('x', [
      [0, '#a9c7cf'],
      [0.5, '#dfeef1'],
      [1, '#8fb0ba'],
    ]),
  )
  p.rect(
    x + w * 0.66,
    210,
    w * 0.18,
    64,
    2,
    p.lin('x', [
      [0, '#d9a58a'],
      [1, '#b9785a'],
    ]),
  )
  for (const fx of [x, x + w - 20]) p.ell(fx, 412, 8, 6, '#23282b')
  return { x: x - 46, y: 156, w: w + 90, h: 262, focus: [240, 220, 2] }
}

function drawIroning(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  const l = span(p.num('length_cm', 125), 110, 130, 360, 400)
  const x = 240 - l / 2
  tube(p, d`M${x + 110} 410L${x + l - 90} 236M${x + l - 90} 410L${x + 120} 236`, 11, '#aab2b7', 0.7)
  tube(p, d`M${x + 80} 410h64M${x + l - 122} 410h64`, 11, '#6d757b', 0.5)
  p.path(d`M${x} 218q10 -40 110 -46h${l - 170}q50 0 60 30v16q-6 22 -50 22H${x + 100}q-90 -4 -100 -22z`, volume(p, 'y', c, 0.34))
  p.path(
    d`M${x} 210q10 -36 110 -42h${l - 170}q54 0 60 26q-4 22 -50 24H${x + 96}q-86 0 -96 -8z`,
    p.lin('d', [
      [0, mix(c, '#ffffff', 0.6)],
      [1, mix(c, '#ffffff', 0.3)],
    ]),
  )
  for (let i = 0; i < 14; i++) p.ell(x + 70 + (i % 7) * 38, 184 + Math.floor(i / 7) * 20, 7, 4, c, 'opacity=".5"')
  p.path(d`M${x + l - 70} 192h66q8 0 8 10v14h-70z`, 'none', 'stroke="#8b949a" stroke-width="6"')
  return { x, y: 164, w: l + 8, h: 252, focus: [x + l * 0.4, 210, 2] }
}

export const household: Record<string, FamilyDrawing> = {
  fan: { draw: drawFan, scene: 'room', noSide: true, inScene: 0.86, lengths: fromAttrs('', 'height_cm') },
  dehumidifier: { draw: drawDehumidifier, scene: 'room', noSide: true },
  cleaner: { draw: drawCleaner, scene: 'counter', noSide: true, lengths: amount('volume', 'L') },
  mop: { draw: drawMop, scene: 'room', noSide: true, lengths: fromAttrs('width_cm', '') },
  vacuum: { draw: drawVacuum, scene: 'bench', noSide: true, lengths: amount('tank', 'L') },
  bin_bags: { draw: drawBags, scene: 'room', noSide: true, inScene: 0.6, lengths: amount('volume', 'L') },
  drying_rack: { draw: drawRack, scene: 'room', noSide: true, lengths: amount('length_m', 'm') },
  ironing_board: {
    draw: drawIroning,
    scene: 'room',
    noSide: true,
    lengths: (p) => ({ note: `${p.plain('length_cm', 125)} × ${p.plain('width_cm', 38)} cm` }),
  },
}
