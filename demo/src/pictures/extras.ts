import { chromeTube, drum, ribs, tube } from './bodies.ts'
import { shade } from './colors.ts'
import { d, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

/** Props that only appear in department pictures or lend another drawing their shape. */

function pot(p: Pen): Extent {
  tube(p, 'M116 250h-34v34', 14, '#2b3034', 0.4)
  tube(p, 'M364 250h34v34', 14, '#2b3034', 0.4)
  drum(p, 240, 240, 128, 132, '#b0363a', 0.5)
  p.path('M112 236a128 60 0 0 1 256 0a128 28 0 0 1 -256 0z', volume(p, 'x', '#b0363a', 0.55))
  p.line('M112 240a128 28 0 0 0 256 0', '#e9ecec', 6)
  p.ell(240, 178, 22, 15, volume(p, 'x', '#2b3034', 0.4))
  p.line('M146 214q30 -30 70 -34', '#fff', 6, 'opacity=".5"')
  return { x: 76, y: 163, w: 328, h: 238 }
}

function camera(p: Pen): Extent {
  p.rect(318, 120, 26, 130, 8, volume(p, 'x', '#dfe3e5', 0.4))
  tube(p, 'M326 190Q290 196 268 226', 18, '#e6e9ea', 0.4)
  p.path('M96 214q0 -18 20 -20l166 -24q26 0 30 26l6 52q0 24 -24 28l-164 24q-22 0 -26 -20z', volume(p, 'y', '#f1f2f2', 0.5))
  p.path('M76 204l214 -40q24 0 30 14l-214 44q-26 4 -30 -18z', volume(p, 'y', '#c9cfd2', 0.4))
  p.ell(118, 256, 34, 44, '#23282c')
  p.ell(
    116,
    256,
    24,
    32,
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
  p.ell(110, 246, 6, 8, '#fff', 'opacity=".7"')
  for (let i = 0; i < 6; i++) p.ell(118 + Math.cos(i * 1.05) * 28, 256 + Math.sin(i * 1.05) * 37, 3, 3, '#7a2a2e')
  return { x: 76, y: 120, w: 268, h: 190 }
}

function bucket(p: Pen): Extent {
  p.path('M120 170L146 388a94 20 0 0 0 188 0L360 170z', volume(p, 'x', '#2f6fb0', 0.4))
  p.ell(240, 170, 120, 28, shade('#2f6fb0', -0.4))
  p.ell(
    240,
    176,
    106,
    22,
    p.lin('y', [
      [0, '#bfe3f0'],
      [1, '#eaf7fb'],
    ]),
  )
  for (const [x, y, r] of [
    [190, 168, 18],
    [216, 160, 24],
    [250, 164, 20],
    [280, 168, 24],
    [304, 174, 15],
    [236, 150, 15],
  ] as const)
    p.ell(
      x,
      y,
      r,
      r,
      p.rad(
        [
          [0, '#ffffff'],
          [1, '#cfe9f3', 0.85],
        ],
        0.4,
        0.35,
      ),
    )
  p.line('M120 172a120 28 0 0 0 240 0', shade('#2f6fb0', 0.3), 8)
  chromeTube(p, 'M118 178C96 300 190 330 240 330S384 300 362 178', 6, '#b7bec3')
  return { x: 108, y: 132, w: 264, h: 276 }
}

function sprayBottle(p: Pen): Extent {
  p.path('M186 226q0 -30 30 -50h48q30 20 30 50v160q0 20 -20 20h-68q-20 0 -20 -20z', volume(p, 'x', '#5e9a3a', 0.45))
  p.rect(188, 262, 104, 96, 4, '#f6f7f4')
  p.path('M218 330q-8 -40 44 -50q4 46 -34 52q10 -20 22 -32q-22 10 -26 34z', '#5e9a3a')
  p.rect(214, 148, 52, 32, 4, volume(p, 'x', '#f1f2f2', 0.4))
  p.path('M148 88h110q40 4 44 52h-82q-4 -16 -22 -18h-50z', volume(p, 'y', '#f1f2f2', 0.4))
  p.rect(128, 90, 24, 26, 3, volume(p, 'y', '#e0701c', 0.4))
  p.path('M196 124q4 34 -14 56q-12 -2 -8 -10q12 -20 8 -46z', '#e0701c')
  return { x: 128, y: 88, w: 174, h: 318 }
}

function broom(p: Pen): Extent {
  tube(p, 'M268 330L196 30', 14, '#c99a5c', 0.5)
  p.path('M206 318l130 -30l10 40l-134 34z', volume(p, 'y', '#b0363a', 0.3))
  p.path('M210 360l134 -32l42 68q-80 26 -160 18z', volume(p, 'x', '#d9b46a', 0.3))
  p.line(ribs(226, 358, 9, 14, -3.4, 12, 48), '#8a6130', 2, 'opacity=".7"')
  return { x: 188, y: 24, w: 198, h: 392 }
}

function tableLamp(p: Pen): Extent {
  p.ell(
    240,
    200,
    190,
    150,
    p.rad([
      [0, '#ffe7b8', 0.6],
      [1, '#ffe7b8', 0],
    ]),
  )
  p.ell(240, 398, 66, 14, volume(p, 'x', '#8a6a4a', 0.3))
  p.path('M206 388q-20 -60 14 -110h40q34 50 14 110q-34 16 -68 0z', volume(p, 'x', '#b5573c', 0.4))
  p.rect(233, 238, 14, 44, 3, metal(p, 'x', '#c0a04c'))
  p.path(
    'M176 100h128l40 146q-104 22 -208 0z',
    p.lin('x', [
      [0, '#e9d9b6'],
      [0.4, '#fff6df'],
      [1, '#d0b98c'],
    ]),
  )
  p.ell(240, 100, 64, 12, '#fff9e8')
  return { x: 136, y: 88, w: 208, h: 322 }
}

function vase(p: Pen): Extent {
  for (const [turn, c] of [
    [-24, '#5d8a52'],
    [-6, '#6d9a5c'],
    [14, '#5d8a52'],
    [30, '#7fa66e'],
  ] as const) {
    p.group(`rotate(${turn} 240 230)`, () => {
      p.line('M240 230V80', '#4d7a3c', 4)
      for (let i = 0; i < 4; i++)
        p.path(d`M240 ${180 - i * 30}q26 -8 34 -28q-28 -2 -34 28zM240 ${170 - i * 30}q-26 -8 -34 -28q28 -2 34 28z`, c)
    })
  }
  p.path('M206 226h68q-4 26 16 56q26 54 -18 122q-32 10 -64 0q-44 -68 -18 -122q20 -30 16 -56z', volume(p, 'x', '#e6e0d4', 0.5))
  p.ell(240, 226, 34, 7, '#b3a994')
  return { x: 150, y: 60, w: 180, h: 348 }
}

export const extras: Readonly<Record<string, (p: Pen) => Extent>> = { pot, camera, bucket, sprayBottle, broom, tableLamp, vase }
