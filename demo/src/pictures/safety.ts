import { boss, box, chromeTube, drum, ribs, span, tube } from './bodies.ts'
import { brandColor, inkOn, shade } from './colors.ts'
import { extras } from './extras.ts'
import type { FamilyDrawing } from './family.ts'
import { amount } from './lengths.ts'
import { d, face, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

/** Repeats an object for packs, smaller ones behind. */
function several(p: Pen, n: number, draw: () => Extent, step = 120): Extent {
  let e: Extent = { x: 0, y: 0, w: 0, h: 0 }
  const count = Math.round(span(n, 1, 4, 1, 3))
  for (let i = count - 1; i >= 0; i--) {
    p.group(d`translate(${i * step * 0.6} ${-i * step * 0.22})`, () => {
      e = draw()
    })
  }
  return { ...e, y: e.y - (count - 1) * step * 0.22, w: e.w + (count - 1) * step * 0.6, h: e.h + (count - 1) * step * 0.22 }
}

function drawCamera(p: Pen): Extent {
  if (p.text('type', 'outdoor_c') === 'outdoor_c')
    return several(p, p.num('pack_qty', 1), () => extras.camera?.(p) ?? { x: 0, y: 0, w: 0, h: 0 }, 110)
  return several(p, p.num('pack_qty', 1), () => {
    p.ell(220, 372, 80, 20, volume(p, 'x', '#dfe3e5', 0.5))
    p.rect(206, 290, 28, 80, 8, volume(p, 'x', '#e6e9ea', 0.5))
    p.ell(
      220,
      210,
      104,
      104,
      p.rad(
        [
          [0, '#ffffff'],
          [0.6, '#f1f2f2'],
          [1, '#b9c0c4'],
        ],
        0.38,
        0.3,
      ),
    )
    p.ell(220, 210, 68, 68, '#14181b')
    p.ell(
      220,
      210,
      40,
      40,
      p.rad(
        [
          [0, '#4a6a80'],
          [0.5, '#1b262d'],
          [1, '#0b0f12'],
        ],
        0.4,
        0.35,
      ),
    )
    p.ell(206, 194, 9, 9, '#fff', 'opacity=".7"')
    p.ell(220, 158, 4, 4, '#46c06a')
    return { x: 116, y: 106, w: 208, h: 286, focus: [220, 210, 2] as const }
  })
}

function drawDoorbell(p: Pen): Extent {
  const c = p.hex('color', 'black')
  p.rect(168, 60, 144, 340, 40, volume(p, 'x', c, 0.35))
  p.rect(
    180,
    72,
    120,
    316,
    32,
    p.lin('d', [
      [0, shade(c, 0.14)],
      [1, shade(c, -0.4)],
    ]),
  )
  p.ell(240, 146, 42, 42, '#0b0e10')
  p.ell(
    240,
    146,
    26,
    26,
    p.rad(
      [
        [0, '#4a6a80'],
        [0.6, '#16202a'],
        [1, '#0b0f12'],
      ],
      0.4,
      0.35,
    ),
  )
  p.ell(231, 136, 6, 6, '#fff', 'opacity=".7"')
  p.ell(240, 316, 46, 46, volume(p, 'd', '#c9cfd2', 0.5))
  p.ell(240, 316, 36, 36, face(p, '#e9ecec'))
  p.ell(240, 316, 41, 41, 'none', 'stroke="#3f9ad0" stroke-width="4"')
  p.line(ribs(216, 222, 7, 8, 0, 0, 14), shade(c, 0.3), 3)
  p.mark(240, 254, 6, shade(c, 0.5), 0, 70)
  return { x: 168, y: 60, w: 144, h: 340, focus: [240, 190, 2] }
}

function drawAlarm(p: Pen): Extent {
  const brand = brandColor(p.subject.brand)
  drum(p, 200, 330, 110, 46, '#f1f2f2', 0.5)
  p.ell(200, 330, 44, 10, 'none', `stroke="${brand}" stroke-width="4"`)
  p.mark(200, 366, 8, brand, 0, 110)
  p.rect(
    252,
    110,
    124,
    164,
    18,
    p.lin('d', [
      [0, '#ffffff'],
      [1, '#ccd3d6'],
    ]),
    'stroke="#c3c9cd"',
  )
  p.rect(268, 126, 92, 36, 5, '#14181b')
  for (let i = 0; i < 9; i++) p.rect(270 + (i % 3) * 31, 174 + Math.floor(i / 3) * 29, 25, 22, 6, '#dfe3e5', 'stroke="#b3babf"')
  const n = Math.round(span(p.num('pieces', 7), 5, 12, 1, 4))
  for (let i = 0; i < n; i++) {
    p.rect(70 + i * 46, 166 - i * 4, 22, 88, 7, volume(p, 'x', '#f1f2f2', 0.5))
    p.rect(96 + i * 46, 186 - i * 4, 11, 56, 4, volume(p, 'x', '#dfe3e5', 0.5))
  }
  p.path('M344 322q0 -34 34 -34t34 34l-8 62h-52z', volume(p, 'x', '#f1f2f2', 0.5))
  p.path('M352 326q26 -22 52 0l-4 22h-44z', '#cfdde3')
  p.rect(296, 350, 32, 58, 14, volume(p, 'x', '#2b3034', 0.35))
  p.ell(312, 368, 7, 7, brand)
  return { x: 68, y: 110, w: 346, h: 300, focus: [310, 190, 2] }
}

function drawSmoke(p: Pen): Extent {
  return several(p, p.num('pack_qty', 1), () => {
    drum(p, 226, 270, 136, 44, '#e9ecec', 0.5)
    p.ell(
      226,
      266,
      136,
      40,
      p.rad(
        [
          [0, '#ffffff'],
          [0.7, '#f3f4f4'],
          [1, '#d5dadd'],
        ],
        0.4,
        0.3,
      ),
    )
    p.line('M100 290a136 36 0 0 0 252 0', '#6d757b', 7, 'stroke-dasharray="12 6" stroke-linecap="butt"')
    p.ell(
      226,
      262,
      44,
      13,
      p.lin('y', [
        [0, '#cdd4d7'],
        [1, '#ffffff'],
      ]),
      'stroke="#b3babf"',
    )
    p.ell(286, 272, 4, 3, '#d0302a')
    p.line(ribs(136, 262, 4, 9, 3, 8, 4), '#8b949a', 2.4)
    p.mark(226, 292, 6, '#8b949a', 0, 70)
    return { x: 90, y: 226, w: 272, h: 118, focus: [226, 270, 2] as const }
  })
}

function drawSafe(p: Pen): Extent {
  const c = p.hex('color', 'anthracite')
  const k = span(Math.cbrt(p.num('volume', 25)), 2, 4.1, 0.7, 1)
  const w = 270 * k
  const h = 220 * k
  const x = 210 - w / 2
  const y = 390 - h
  const e = box(p, x, y, w, h, 120 * k, c)
  p.rect(x + 10, y + 10, w - 20, h - 20, 5, face(p, shade(c, 0.08)), `stroke="${shade(c, -0.5)}" stroke-width="3"`)
  p.rect(x + 14, y + h * 0.2, 7, h * 0.2, 2, '#15191c')
  p.rect(x + 14, y + h * 0.6, 7, h * 0.2, 2, '#15191c')
  const type = p.text('type', 'code_l')
  const kx = x + w * 0.64
  const ky = y + h * 0.42
  if (type === 'code_l') {
    p.rect(kx - 40 * k, ky - 52 * k, 80 * k, 100 * k, 6, '#15191c')
    for (let i = 0; i < 12; i++)
      p.rect(kx - 30 * k + (i % 3) * 22 * k, ky - 24 * k + Math.floor(i / 3) * 17 * k, 17 * k, 12 * k, 2, '#aab2b7')
    p.rect(kx - 32 * k, ky - 46 * k, 64 * k, 15 * k, 2, '#2f6b4a')
  } else if (type === 'fingerprint') {
    p.ell(kx, ky, 36 * k, 42 * k, '#15191c')
    for (let i = 1; i < 5; i++) p.ell(kx, ky + 4, i * 6 * k, i * 7.6 * k, 'none', 'stroke="#4fb3e0" stroke-width="2"')
  } else {
    p.ell(kx, ky, 26 * k, 26 * k, metal(p, 'd', '#aab2b7'))
    p.rect(kx - 4, ky - 12 * k, 8, 24 * k, 3, '#15191c')
  }
  p.ell(x + w * 0.3, ky, 38 * k, 38 * k, metal(p, 'd', '#aab2b7'))
  chromeTube(p, d`M${x + w * 0.3 - 30 * k} ${ky}h${60 * k}M${x + w * 0.3} ${ky - 30 * k}v${60 * k}`, 11 * k, '#cfd4d8')
  p.mark(x + w * 0.5, y + h - 26 * k, 9 * k, shade(c, 0.55), 0, w * 0.4)
  return { ...e, focus: [kx, ky, 2] }
}

function drawPlug(p: Pen): Extent {
  return several(p, p.num('pack_qty', 1), () => {
    for (const x of [196, 250]) p.rect(x, 300, 14, 62, 6, metal(p, 'x', '#c3c9cd'))
    p.path('M130 160q0 -54 100 -54t100 54v106q0 46 -100 46t-100 -46z', volume(p, 'x', '#f1f2f2', 0.5))
    p.ell(
      230,
      160,
      100,
      54,
      p.rad(
        [
          [0, '#ffffff'],
          [0.8, '#f1f2f2'],
          [1, '#cdd4d7'],
        ],
        0.4,
        0.3,
      ),
    )
    p.ell(
      230,
      160,
      66,
      34,
      p.lin('y', [
        [0, '#aab2b7'],
        [1, '#eef0f0'],
      ]),
    )
    for (const x of [204, 256]) p.ell(x, 162, 9, 5, '#15191c')
    p.ell(230, 248, 15, 15, '#eef0f0', 'stroke="#46c06a" stroke-width="3"')
    p.mark(230, 284, 7, brandColor(p.subject.brand), 0, 90)
    return { x: 130, y: 106, w: 200, h: 256, focus: [230, 170, 2] as const }
  })
}

function drawTrousers(p: Pen): Extent {
  const c = p.hex('color', 'black')
  const leg = 'M158 60h164l26 350h-82l-24 -232h-4l-24 232h-82z'
  p.path(
    leg,
    p.lin('x', [
      [0, shade(c, -0.1)],
      [0.2, shade(c, 0.24)],
      [0.46, shade(c, -0.16)],
      [0.54, shade(c, -0.1)],
      [0.75, shade(c, 0.2)],
      [1, shade(c, -0.34)],
    ]),
  )
  p.rect(154, 54, 172, 26, 4, face(p, shade(c, -0.2)))
  p.line(ribs(176, 52, 5, 32, 0, 0, 30), shade(c, 0.2), 7)
  p.path('M144 168h64l2 62h-72zM272 168h64l6 62h-72z', shade(c, 0.14), `stroke="${shade(c, -0.5)}" stroke-width="1.5"`)
  p.path(
    'M140 282h68l-6 74h-68zM272 282h68l6 74h-68z',
    shade(c, -0.3),
    `stroke="${shade(c, 0.3)}" stroke-width="1.5" stroke-dasharray="5 4"`,
  )
  p.line('M240 80v96M162 84q4 40 -16 60M318 84q-4 40 16 60', shade(c, -0.5), 2)
  p.rect(286, 152, 36, 12, 2, brandColor(p.subject.brand))
  p.line('M134 400h82M264 400h82', shade(c, 0.25), 1.6, 'stroke-dasharray="5 4"')
  return { x: 130, y: 52, w: 222, h: 360, focus: [300, 190, 2] }
}

function drawVest(p: Pen): Extent {
  const c = p.text('color', 'yellow') === 'orange' ? '#ff7a1f' : '#e6f02c'
  const body = 'M150 70l52 -14q38 34 76 0l52 14q-4 54 22 90l6 236q-118 22 -236 0l6 -236q26 -36 22 -90z'
  p.path(
    body,
    p.lin('x', [
      [0, shade(c, -0.14)],
      [0.25, shade(c, 0.3)],
      [0.6, c],
      [1, shade(c, -0.26)],
    ]),
  )
  p.clip(body, () => {
    for (const y of [216, 300]) {
      p.rect(
        110,
        y,
        260,
        38,
        0,
        p.lin('x', [
          [0, '#9aa2a8'],
          [0.3, '#f1f3f4'],
          [0.5, '#b7bec3'],
          [0.7, '#f6f7f8'],
          [1, '#8b949a'],
        ]),
      )
      p.line(ribs(114, y + 36, 40, 8, 0, -30, -34), '#fff', 1, 'opacity=".3"')
    }
    p.path(
      'M176 58h30v160h-36zM274 58h30l6 160h-36z',
      p.lin('x', [
        [0, '#aab2b7'],
        [0.5, '#f1f3f4'],
        [1, '#aab2b7'],
      ]),
    )
  })
  p.line('M240 80V404', shade(c, -0.5), 3)
  p.path('M202 56q38 34 76 0l-38 60z', '#fdfdfd')
  p.line('M202 56L240 118L278 56', shade(c, -0.3), 4)
  p.mark(300, 190, 7, '#3a4248', 0, 56)
  return { x: 120, y: 52, w: 240, h: 358, focus: [280, 230, 2] }
}

function drawHelmet(p: Pen): Extent {
  const c = p.hex('color', 'yellow')
  if (p.text('type', 'standard') === 'chin_strap') tube(p, 'M130 330Q150 430 240 436T350 330', 7, '#2b3034', 0.3)
  p.path('M96 312q0 -150 144 -152t144 152z', volume(p, 'x', c, 0.45))
  p.path('M208 162q32 -16 64 0l8 150h-80z', volume(p, 'x', c, 0.6))
  p.line('M136 300q6 -90 60 -126M344 300q-6 -90 -60 -126', shade(c, -0.3), 3, 'opacity=".6"')
  p.path('M70 306h340q10 30 -40 34H110q-50 -4 -40 -34z', volume(p, 'y', c, 0.4))
  p.line('M120 246q14 -50 56 -66', '#fff', 7, 'opacity=".6"')
  p.mark(240, 276, 10, inkOn(c), 0, 66)
  boss(p, 116, 322, 5, shade(c, -0.2))
  return { x: 66, y: 150, w: 348, h: p.text('type', '') === 'chin_strap' ? 290 : 190, focus: [220, 230, 1.9] }
}

function drawGlasses(p: Pen): Extent {
  const c = p.hex('color', 'transparent')
  return several(
    p,
    p.num('pack_qty', 1),
    () => {
      tube(p, 'M372 226Q420 214 408 262', 10, '#2b3034', 0.3)
      tube(p, 'M84 226Q50 190 96 176', 10, '#2b3034', 0.3)
      p.path(
        'M78 226q4 -24 60 -28h180q56 4 60 28q6 62 -34 78q-56 12 -86 -24q-30 -30 -60 0q-30 36 -86 24q-40 -16 -34 -78z',
        p.lin('d', [
          [0, shade(c, 0.5), 0.75],
          [0.5, c, 0.7],
          [1, shade(c, -0.3), 0.85],
        ]),
        'stroke="#8b949a" stroke-width="2"',
      )
      p.path('M78 222q4 -24 60 -28h180q56 4 60 28q-150 -16 -300 0z', volume(p, 'y', '#2b3034', 0.35))
      p.path('M110 236q30 -10 60 -8l-34 56q-24 -10 -26 -48z', '#fff', 'opacity=".6"')
      p.mark(228, 208, 6, '#c9ced2', 0, 70)
      return { x: 62, y: 170, w: 352, h: 142, focus: [160, 240, 2] as const }
    },
    90,
  )
}

export const safety: Record<string, FamilyDrawing> = {
  camera: { draw: drawCamera, scene: 'wall', hangs: true, noSide: true },
  video_doorbell: { draw: drawDoorbell, scene: 'wall', hangs: true, noSide: true, inScene: 0.5 },
  alarm_kit: { draw: drawAlarm, scene: 'room', noSide: true },
  smoke_alarm: { draw: drawSmoke, scene: 'room', hangs: true, noSide: true },
  safe: { draw: drawSafe, scene: 'room', noSide: true, lengths: amount('volume', 'L') },
  smart_plug: { draw: drawPlug, scene: 'room', noSide: true },
  work_trousers: { draw: drawTrousers, scene: 'wall', hangs: true, noSide: true },
  hivis_vest: { draw: drawVest, scene: 'site', hangs: true, noSide: true },
  helmet: { draw: drawHelmet, scene: 'site', noSide: true },
  safety_glasses: { draw: drawGlasses, scene: 'bench', noSide: true },
}
