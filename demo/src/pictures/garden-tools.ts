import { boss, box, chromeTube, ribs, scaled, span, tube } from './bodies.ts'
import { brandColor, inkOn, shade } from './colors.ts'
import type { FamilyDrawing } from './family.ts'
import { d, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'
import { battery } from './tools-power.ts'

function wheel(p: Pen, cx: number, cy: number, r: number, hub: string): void {
  p.ell(cx, cy, r, r, volume(p, 'd', '#23282b', 0.2))
  p.ell(cx, cy, r * 0.93, r * 0.93, 'none', 'stroke="#4b5359" stroke-width="2" stroke-dasharray="6 5"')
  p.ell(cx, cy, r * 0.62, r * 0.62, volume(p, 'd', hub, 0.4))
  for (let i = 0; i < 5; i++) {
    const a = i * 1.2566 + 0.3
    p.ell(cx + Math.cos(a) * r * 0.36, cy + Math.sin(a) * r * 0.36, r * 0.12, r * 0.12, shade(hub, -0.45))
  }
  boss(p, cx, cy, r * 0.16, '#8b949a')
}

function drawMower(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  const power = p.text('power_source', 'battery')
  return scaled(p, span(p.num('cut_width', 40), 32, 51, 0.88, 1.04), 240, 404, () => {
    // Handle and grass box at the right
    tube(p, 'M248 300L390 92q8 -14 26 -14h22', 12, '#3a4146', 0.5)
    tube(p, 'M404 74h48', 16, '#23282b', 0.3)
    tube(p, 'M392 96q24 -2 48 6', 6, '#c2272d', 0.5)
    p.rect(356, 126, 34, 22, 5, '#2b3034', 'transform="rotate(-56 373 137)"')
    p.path('M282 258h108q24 2 34 28l14 56q2 20 -20 22H290z', volume(p, 'x', '#343b40', 0.25))
    p.line(ribs(306, 272, 6, 19, 0, 8, 84), '#1b1f22', 3, 'opacity=".8"')
    p.path('M282 252h112q22 0 34 34H284z', volume(p, 'y', shade(c, -0.05), 0.3))
    // Deck
    p.path('M54 346q0 -54 62 -60h158q42 4 46 60l-6 30H62z', volume(p, 'y', c, 0.38))
    p.path('M54 346h266l-6 30H62z', shade(c, -0.35))
    p.line('M84 306q20 -12 60 -12h116', '#fff', 4, 'opacity=".45"')
    if (power === 'petrol') {
      p.rect(128, 224, 130, 68, 12, volume(p, 'x', '#2b3034', 0.35))
      p.path('M118 226q0 -30 28 -32h92q30 2 30 32z', volume(p, 'x', shade(c, -0.1), 0.35))
      p.line(ribs(140, 240, 9, 12, 0, 0, 40), '#0f1214', 4)
      p.ell(193, 196, 40, 10, volume(p, 'x', '#20262a', 0.3))
      p.rect(240, 176, 26, 22, 5, volume(p, 'x', '#15191c', 0.4))
      p.rect(96, 256, 40, 30, 4, metal(p, 'x', '#8b949a'))
      tube(p, 'M198 190Q260 150 306 212', 3, '#15191c', 0.2)
    } else {
      p.path('M112 290q4 -54 44 -62h78q42 8 46 62z', volume(p, 'x', '#2b3034', 0.3))
      p.path('M132 246q16 -22 40 -22h56q24 2 38 24q-70 -12 -134 -2z', volume(p, 'x', c, 0.35))
      p.line(ribs(150, 258, 8, 13, 0, 0, 20), '#0f1214', 4.5)
      if (power === 'battery') battery(p, 160, 194, 76, 36, c)
      else tube(p, 'M262 236C330 210 330 150 378 128', 6, '#e0701c', 0.4)
    }
    p.mark(190, 324, 13, inkOn(c), 0, 108)
    wheel(p, 96, 368, 34, '#d5dadd')
    wheel(p, 290, 352, 50, '#d5dadd')
    return { x: 54, y: 66, w: 406, h: 338, focus: [190, 260, 2], foot: [60, 300] }
  })
}

function drawChainsaw(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  const power = p.text('power_source', 'petrol')
  const l = span(p.num('bar_cm', 35), 25, 50, 150, 230)
  const x0 = 204
  const y = 286
  // Bar and chain to the left
  const bar = d`M${x0 + 20} ${y - 25}H${x0 - l + 22}q-24 0 -26 24q2 25 26 25H${x0 + 20}z`
  p.line(bar, '#2b3034', 13, 'stroke-linecap="butt"')
  p.line(bar, '#8b949a', 13, 'stroke-dasharray="5 9"')
  p.path(bar, metal(p, 'y', '#c3c9cd'))
  p.line(d`M${x0 - l + 40} ${y}H${x0 - 20}`, '#79828a', 3, 'stroke-dasharray="18 12"')
  p.mark(x0 - l * 0.45, y - 1, 11, '#4b5359', 0, l * 0.5)
  // Rear handle
  p.path('M336 236q64 -12 92 26q16 30 4 60q-12 18 -44 16l-66 -4v-26h58q18 0 18 -16q0 -28 -40 -28h-30z', volume(p, 'y', '#2b3034', 0.3))
  p.path('M372 258q18 -2 28 10l-8 12q-10 -8 -22 -8z', '#e0701c')
  // Body
  p.path('M196 244q0 -22 24 -24h108q28 0 36 28l10 78q0 16 -20 16H216q-20 0 -20 -20z', volume(p, 'y', c, 0.36))
  p.path('M206 190h96q26 2 32 32l-4 22H206q-10 -28 0 -54z', volume(p, 'y', power === 'petrol' ? '#e9ebeb' : '#30363a', 0.3))
  p.line(ribs(234, 200, 7, 11, 0, 0, 30), power === 'petrol' ? '#596168' : '#0f1214', 4)
  p.path('M196 252h60q14 2 16 18v50q-2 18 -18 20h-48q-10 -4 -10 -14z', volume(p, 'y', '#30363a', 0.3))
  boss(p, 220, 276, 9, '#aab2b7')
  boss(p, 220, 312, 9, '#aab2b7')
  p.mark(316, 286, 12.5, inkOn(c), 0, 78)
  p.line('M276 232h70', '#fff', 3, 'opacity=".45"')
  if (power === 'petrol') {
    p.ell(352, 318, 15, 15, volume(p, 'd', '#23282b', 0.3))
    p.rect(346, 304, 12, 28, 4, '#3a4146')
  } else if (power === 'battery') battery(p, 300, 168, 78, 56, c)
  else tube(p, 'M432 296c34 8 40 44 14 58', 8, '#23282b', 0.3)
  // Front handle and hand guard
  tube(p, 'M240 336L226 176q-2 -24 22 -26l66 -4q24 0 30 24l12 62', 16, '#23282b', 0.4)
  p.path('M176 158q10 -12 34 -8l10 6l-2 72q-14 8 -30 0z', volume(p, 'x', '#30363a', 0.35))
  p.path('M204 328l-16 26h24l8 -22z', '#4b5359')
  return { x: x0 - l - 10, y: 142, w: 462 - x0 + l + 8, h: 216, focus: [210, 270, 2.1], foot: [190, 240] }
}

function drawWasher(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  return scaled(p, span(p.num('pressure', 140), 110, 180, 0.86, 1.02), 230, 416, () => {
    // Trolley handle, gun and lance at the right
    tube(p, 'M160 210V76q0 -18 18 -18h88q18 0 18 18v134', 13, '#3a4146', 0.5)
    tube(p, 'M188 58h68', 19, '#23282b', 0.3)
    tube(p, 'M262 260C420 250 448 350 400 396S280 402 300 350', 10, '#23282b', 0.35)
    p.path('M352 96l26 -12l14 34l-12 56q-6 14 -22 8q-6 -10 -2 -22l4 -34z', volume(p, 'x', '#2b3034', 0.35))
    p.path('M356 122q-14 6 -14 24l14 -2z', '#e0701c')
    chromeTube(p, 'M362 180L346 372', 9, '#aab2b7')
    p.rect(334, 364, 22, 34, 5, volume(p, 'x', c, 0.35), 'transform="rotate(5 345 380)"')
    // Body
    p.path('M118 214q4 -48 60 -50h90q56 2 60 50l10 152q0 22 -22 24H130q-22 -2 -22 -24z', volume(p, 'x', c, 0.36))
    p.path('M140 204q6 -28 44 -30h78q40 2 44 30l4 44H134z', volume(p, 'x', '#2b3034', 0.3))
    p.line('M132 226q2 -40 40 -50', '#fff', 4, 'opacity=".4"')
    p.ell(222, 214, 27, 27, volume(p, 'd', '#15191c', 0.35))
    p.rect(217, 192, 10, 44, 5, volume(p, 'x', c === '#b02a30' ? '#e9ecec' : '#e0701c', 0.4))
    p.mark(222, 276, 15, inkOn(c), 0, 150)
    p.rect(150, 306, 146, 58, 10, '#1b1f22')
    p.line(ribs(164, 318, 9, 14.6, 0, 0, 34), '#3a4146', 5)
    p.path('M270 300h34v44h-34z', '#cfe3ea', 'opacity=".35"')
    p.rect(206, 384, 40, 20, 4, metal(p, 'x', '#c0a04c'))
    wheel(p, 112, 372, 44, '#c5c9cb')
    wheel(p, 334, 372, 44, '#c5c9cb')
    return { x: 68, y: 48, w: 362, h: 368, focus: [222, 240, 2], foot: [76, 320] }
  })
}

function drawHose(p: Pen): Extent {
  const c = p.hex('color', 'green')
  const t = span(p.num('diameter', 15), 12.5, 25, 17, 27)
  const turns = Math.round(span(Math.log2(p.num('length_m', 20)), 3.3, 5.7, 3, 6))
  const cx = 240
  const rx = 164
  const ry = 58
  const base = 330
  // Coil on the ground, seen a little from above
  for (let i = 0; i < turns; i++) {
    const y = base - i * t * 0.86
    const wobble = (p.chance(i) - 0.5) * 8
    tube(p, d`M${cx - rx + wobble} ${y}a${rx} ${ry} 0 1 1 ${rx * 2} 0a${rx} ${ry} 0 1 1 ${-rx * 2} 0`, t, c, 0.45)
    p.line(
      d`M${cx - rx + wobble + 4} ${y + 8}a${rx} ${ry} 0 0 0 ${rx * 2 - 8} -4`,
      c === '#f2c21a' ? '#2f7d3b' : '#f2c21a',
      2.4,
      'opacity=".85"',
    )
  }
  const top = base - (turns - 1) * t * 0.86
  const connector = (x: number, y: number, turn: number, gun: boolean): void =>
    p.group(d`translate(${x} ${y}) rotate(${turn})`, () => {
      p.rect(-6, -t * 0.68, 34, t * 1.36, 5, volume(p, 'y', '#e0701c', 0.4))
      p.line(ribs(2, -t * 0.6, 4, 7, 0, 0, t * 1.2), '#9a4a10', 2)
      p.rect(26, -t * 0.5, 18, t, 3, volume(p, 'y', '#2b3034', 0.35))
      if (gun) {
        p.path('M42 -13h40q18 0 22 -16l8 -20l22 8l-10 34q-8 32 -42 34H42z', volume(p, 'y', '#2b3034', 0.35))
        p.path('M118 -52l14 -26l24 10l-10 28z', volume(p, 'y', '#e0701c', 0.4))
        p.path('M62 -16q10 -26 40 -32l-4 16q-16 4 -22 18z', '#9aa2a8')
      }
    })
  tube(p, d`M${cx + rx - 4} ${top}C${cx + rx + 12} ${top - 60} ${cx + 90} ${top - 96} ${cx + 10} ${top - 92}`, t, c, 0.45)
  connector(cx + 14, top - 92, 180, true)
  tube(p, d`M${cx - 60} ${base + ry - 4}Q${cx + 20} ${base + ry + 26} ${cx + 96} ${base + ry + 20}`, t, c, 0.45)
  connector(cx + 92, base + ry + 20, -4, false)
  p.rect(cx - 40, base - (turns - 1) * t * 0.5 + ry - 30, 80, 40, 5, brandColor(p.subject.brand))
  p.mark(cx, base - (turns - 1) * t * 0.5 + ry - 10, 10, '#fff', 0, 64)
  return { x: cx - rx - t / 2 - 4, y: top - 112, w: rx * 2 + t + 8, h: base + ry + 40 - top + 112, focus: [cx - 40, top - 60, 2.2] }
}

function drawGateMotor(p: Pen): Extent {
  const c = '#4a535a'
  const sliding = p.text('type', 'swinging') === 'sliding'
  const brand = brandColor(p.subject.brand)
  const k = span(p.num('gate_kg', 300), 200, 800, 0.94, 1.04)
  return scaled(p, k, 240, 404, () => {
    if (sliding) {
      // Motor block on its plate with the pinion, a length of rack above
      p.rect(60, 388, 210, 14, 3, metal(p, 'x', '#aab2b7'))
      box(p, 82, 206, 150, 182, 96, c, { front: volume(p, 'x', c, 0.3) })
      p.path('M78 212q6 -42 40 -46h84q32 4 36 46z', volume(p, 'x', '#eceeee', 0.3))
      p.path('M202 166l50 -24q24 4 34 40l-50 30q-4 -40 -34 -46z', '#c9cfd2')
      p.rect(100, 250, 90, 60, 6, shade(c, -0.3))
      p.mark(158, 228, 10, '#fff', 0, 100)
      p.ell(147, 340, 22, 22, metal(p, 'd', '#aab2b7'))
      p.line('M147 326v28M133 340h28', '#4b5359', 4)
      p.rect(44, 424, 320, 15, 2, metal(p, 'y', '#b7bec3'))
      p.line(ribs(52, 415, 26, 12, 0, 0, 8), '#8b949a', 6, 'stroke-linecap="butt"')
      p.ell(262, 160, 21, 21, metal(p, 'd', '#9aa2a8'), 'stroke="#4b5359" stroke-width="5" stroke-dasharray="6 5"')
    } else {
      // Two rams
      for (const [x, y] of [
        [60, 118],
        [40, 196],
      ] as const) {
        chromeTube(p, d`M${x + 190} ${y + 30}h118`, 17, '#c3c9cd')
        p.path(d`M${x} ${y + 8}q0 -12 14 -12h176q16 2 18 18v32q-2 16 -18 18H${x + 14}q-14 0 -14 -12z`, volume(p, 'y', c, 0.4))
        p.path(d`M${x} ${y + 8}q0 -12 14 -12h46v68h-46q-14 0 -14 -12z`, volume(p, 'y', '#eceeee', 0.3))
        p.rect(x + 296, y + 14, 30, 32, 6, metal(p, 'y', '#9aa2a8'))
        boss(p, x + 311, y + 30, 8)
        p.mark(x + 130, y + 30, 11, '#fff', 0, 110)
      }
      box(p, 60, 302, 118, 100, 60, '#eceeee')
      p.mark(119, 330, 8, brand, 0, 90)
      p.ell(119, 364, 8, 8, '#46c06a')
    }
    // Remotes, photocells and the flashing light
    for (const [x, y, t] of [
      [296, 338, -8],
      [344, 352, 10],
    ] as const) {
      p.group(`translate(${x} ${y}) rotate(${t})`, () => {
        p.rect(-18, -32, 36, 70, 14, volume(p, 'x', '#2b3034', 0.35))
        p.ell(0, -12, 8, 8, brand)
        p.ell(0, 12, 8, 8, '#8b949a')
      })
    }
    p.rect(390, 330, 34, 66, 8, volume(p, 'x', '#2b3034', 0.3))
    p.ell(
      407,
      352,
      10,
      10,
      p.rad([
        [0, '#b0363a'],
        [1, '#3a1214'],
      ]),
    )
    p.rect(378, 270, 48, 18, 4, volume(p, 'x', '#2b3034', 0.3))
    p.path(
      'M384 270v-26q0 -20 18 -20t18 20v26z',
      p.lin('x', [
        [0, '#e07a1a'],
        [0.35, '#ffc26a'],
        [1, '#b0560c'],
      ]),
    )
    return { x: 36, y: sliding ? 138 : 112, w: 392, h: sliding ? 301 : 292, focus: [160, 230, 2] }
  })
}

export const gardenTools: Record<string, FamilyDrawing> = {
  lawn_mower: {
    draw: drawMower,
    scene: 'lawn',
    inScene: 0.7,
    lengths: (p) => ({ w: `${Math.round(96 + p.num('cut_width', 40))} cm`, h: `${Math.round(84 + p.num('cut_width', 40) * 0.5)} cm` }),
  },
  chainsaw: { draw: drawChainsaw, scene: 'lawn', inScene: 0.7, lengths: (p) => ({ w: `${Math.round(38 + p.num('bar_cm', 35))} cm` }) },
  pressure_washer: {
    draw: drawWasher,
    scene: 'terrace',
    lengths: (p) => ({ h: `${Math.round(40 + p.num('pressure', 140) * 0.28)} cm`, w: '36 cm' }),
  },
  garden_hose: {
    draw: drawHose,
    scene: 'lawn',
    noSide: true,
    lengths: (p) => ({ note: `Ø ${p.plain('diameter', 15)} mm × ${p.plain('length_m', 20)} m` }),
  },
  gate_motor: {
    draw: drawGateMotor,
    scene: 'terrace',
    noSide: true,
    lengths: (p) => ({
      w: p.text('type', 'swinging') === 'sliding' ? '26 cm' : '86 cm',
      h: p.text('type', 'swinging') === 'sliding' ? '29 cm' : '10 cm',
    }),
  },
}
