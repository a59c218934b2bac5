import { ribs, tube } from './bodies.ts'
import { mix, shade } from './colors.ts'
import { d, volume } from './pen.ts'
import type { Pen } from './pen.ts'
import { floorBoards, floorTiles, plant, wall } from './rooms.ts'
import type { Place } from './rooms.ts'

export function site(p: Pen): Place {
  wall(p, '#c9c7c3', 340)
  let bricks = ''
  for (let i = 0; i < 9; i++) bricks += d`M0 ${i * 38 + 20}H480` + ribs(i % 2 ? 40 : 0, i * 38 + 20, 7, 80, 0, 0, 38)
  p.line(bricks, '#a9a6a1', 2.4, 'opacity=".8"')
  p.rect(
    0,
    340,
    480,
    140,
    0,
    p.lin('y', [
      [0, '#a3a3a0'],
      [1, '#c6c5c1'],
    ]),
  )
  p.path('M0 336h480v8H0z', '#8d8c88', 'opacity=".6"')
  for (let i = 0; i < 3; i++)
    p.rect(
      -20 + i * 8,
      296 + i * 20,
      110,
      18,
      1,
      p.lin('y', [
        [0, '#e6c692'],
        [1, '#c39a5e'],
      ]),
    )
  tube(p, 'M446 344V120', 9, '#8b949a', 0.5)
  p.path('M400 344l10 -52h36l10 52z', volume(p, 'x', '#30363a', 0.3))
  p.line(ribs(30, 400, 9, 48, 9, 0.1, 0), '#8a8985', 3, 'opacity=".5"')
  return { x: 246, groundY: 432, hangY: 190 }
}

export function lawn(p: Pen): Place {
  p.rect(
    0,
    0,
    480,
    300,
    0,
    p.lin('y', [
      [0, '#bcdcf0'],
      [1, '#eef6f6'],
    ]),
  )
  p.ell(92, 70, 46, 15, '#fff', 'opacity=".8"')
  p.ell(126, 62, 34, 16, '#fff', 'opacity=".8"')
  for (const [x, y, r, c] of [
    [20, 240, 92, '#5d8a52'],
    [136, 262, 76, '#6d9a5c'],
    [246, 250, 84, '#5f8d55'],
    [352, 262, 80, '#729f60'],
    [458, 238, 94, '#5a874f'],
  ] as const) {
    p.ell(
      x,
      y,
      r,
      r * 0.78,
      p.lin('d', [
        [0, shade(c, 0.25)],
        [1, shade(c, -0.2)],
      ]),
    )
  }
  p.rect(
    0,
    286,
    480,
    194,
    0,
    p.lin('y', [
      [0, '#6fa04e'],
      [0.5, '#85b55c'],
      [1, '#6d9c48'],
    ]),
  )
  let blades = ''
  for (let i = 0; i < 60; i++) blades += d`M${p.chance(i + 500) * 480} ${300 + p.chance(i + 700) * 176}l${(p.chance(i) - 0.5) * 6} -8`
  p.line(blades, '#a6cf78', 2, 'opacity=".8"')
  p.path('M0 300q240 -20 480 0v10q-240 -14 -480 0z', '#4d7a3c', 'opacity=".35"')
  return { x: 240, groundY: 420, hangY: 200 }
}

export function terrace(p: Pen, deck = '#a67f57', rows = 10): Place {
  p.rect(
    0,
    0,
    480,
    330,
    0,
    p.lin('d', [
      [0, '#f3eee4'],
      [1, '#ddd4c5'],
    ]),
  )
  p.rect(60, 70, 220, 262, 2, '#4a5359')
  p.rect(
    70,
    80,
    96,
    250,
    0,
    p.lin('d', [
      [0, '#dceaf0'],
      [0.5, '#9dbac7'],
      [1, '#c4d8e0'],
    ]),
  )
  p.rect(
    174,
    80,
    96,
    250,
    0,
    p.lin('d', [
      [0, '#cfe0e8'],
      [0.5, '#8fadbb'],
      [1, '#b6ced8'],
    ]),
  )
  p.path('M80 80h50L84 330H70V220z', '#fff', 'opacity=".25"')
  floorBoards(p, 330, deck, rows, 2)
  plant(p, 416, 352, 1.5, '#6d757b')
  return { x: 240, groundY: 432, hangY: 180 }
}

export function pool(p: Pen): Place {
  p.rect(
    0,
    0,
    480,
    260,
    0,
    p.lin('y', [
      [0, '#bfe0f2'],
      [1, '#f0f8f8'],
    ]),
  )
  for (const [x, r] of [
    [40, 74],
    [150, 60],
    [260, 68],
    [380, 76],
    [470, 60],
  ] as const)
    p.ell(x, 216, r, r * 0.62, mix('#5f8d55', '#86ab6d', p.chance(x)))
  p.rect(
    0,
    226,
    480,
    100,
    0,
    p.lin('y', [
      [0, '#3fa9c9'],
      [1, '#6fcbe0'],
    ]),
  )
  p.line(
    'M20 250q30 -8 60 0t60 0M180 270q34 -8 68 0t68 0M330 248q26 -8 52 0t52 0M60 298q40 -10 80 0t80 0M300 302q40 -10 80 0',
    '#d9f4fa',
    3,
    'opacity=".7"',
  )
  p.path('M0 222h480v8H0z', '#e9e2d4')
  floorTiles(p, 326, '#d9cfbd', 5)
  p.path('M0 326h480v10H0z', '#f3ecdf')
  return { x: 240, groundY: 436, hangY: 190 }
}
