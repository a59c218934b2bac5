import { ribs, tube } from './bodies.ts'
import type { Scene } from './family.ts'
import { d } from './pen.ts'
import type { Pen } from './pen.ts'
import { floorBoards, floorTiles, plant, wall } from './rooms.ts'
import type { Place } from './rooms.ts'
import { lawn, pool, site, terrace } from './scenes-outside.ts'

function bench(p: Pen): Place {
  wall(p, '#d9dddf', 352)
  p.line(ribs(34, 30, 9, 0, 34, 420, 0), '#b4bbbf', 4.6, 'stroke-dasharray=".1 34"')
  // Tools on their hooks
  p.path('M372 60h14v120h-14z', '#b9854b')
  p.path('M346 44h66v28h-50l-16 -12z', '#6d757b')
  p.line('M430 60v86', '#8b949a', 7)
  p.rect(421, 136, 18, 60, 8, '#b0363a')
  p.line('M60 56l26 100M86 56l-26 100', '#8b949a', 7, 'opacity=".9"')
  p.line('M56 160l-6 46M90 160l6 46', '#2a5f94', 11)
  p.rect(
    0,
    340,
    480,
    140,
    0,
    p.lin('y', [
      [0, '#d8b27a'],
      [0.18, '#c99f63'],
      [1, '#a67b42'],
    ]),
  )
  p.line('M0 372q120 -8 240 2t240 -4M0 410q160 10 260 0t220 6M0 448q120 -8 300 2t180 0', '#8a6130', 1.6, 'opacity=".5"')
  p.path('M0 340h480v5H0z', '#ecd0a0', 'opacity=".8"')
  // Shavings and an offcut
  p.path('M20 392l92 -12l18 18l-92 14z', '#e6c692')
  p.path('M38 412l92 -14v14l-92 14z', '#b98d50')
  p.line('M400 436q10 -14 20 0t-6 8M432 420q8 -10 15 0t-4 6', '#eed7ad', 4)
  return { x: 246, groundY: 432, hangY: 190 }
}

/** A washstand's top in front of tiles. */
function counter(p: Pen): Place {
  p.rect(
    0,
    0,
    480,
    380,
    0,
    p.lin('d', [
      [0, '#eef3f3'],
      [1, '#cfdadb'],
    ]),
  )
  p.line(ribs(0, 30, 6, 0, 60, 480, 0) + ribs(0, -30, 9, 60, 0, 0, 410), '#fff', 2.4, 'opacity=".9"')
  p.rect(
    40,
    -10,
    250,
    236,
    14,
    p.lin('d', [
      [0, '#f3f8fa'],
      [0.5, '#b9cdd6'],
      [1, '#dfe9ee'],
    ]),
    'stroke="#fff" stroke-width="5"',
  )
  plant(p, 420, 366, 1, '#e6e2da')
  p.rect(
    0,
    364,
    480,
    116,
    0,
    p.lin('y', [
      [0, '#ffffff'],
      [0.5, '#eceff0'],
      [1, '#cfd6d9'],
    ]),
  )
  p.ell(
    200,
    430,
    176,
    34,
    p.lin('y', [
      [0, '#a9b4b9'],
      [1, '#eef1f2'],
    ]),
    'stroke="#fff" stroke-width="4"',
  )
  return { x: 262, groundY: 404, hangY: 206 }
}

/** An open distribution board with its rail. */
function board(p: Pen): Place {
  wall(p, '#d5dade', 480)
  p.rect(54, 46, 372, 388, 12, '#8b949a')
  p.rect(
    48,
    40,
    372,
    388,
    12,
    p.lin('d', [
      [0, '#ffffff'],
      [1, '#dfe3e5'],
    ]),
  )
  p.rect(74, 70, 320, 330, 5, '#c5cbcf')
  for (let i = 0; i < 3; i++)
    tube(p, d`M${130 + i * 22} 70v70q0 16 14 16h${60 + i * 12}`, 6, ['#6b4526', '#2f6fb0', '#5e9a3a'][i] ?? '#888', 0.4)
  p.rect(
    74,
    222,
    320,
    32,
    0,
    p.lin('y', [
      [0, '#f1f3f4'],
      [0.3, '#9aa2a8'],
      [0.6, '#dfe3e5'],
      [1, '#79828a'],
    ]),
  )
  p.line('M84 238h300', '#5b646a', 6, 'stroke-dasharray="18 12"')
  return { x: 236, groundY: 420, hangY: 238 }
}

/** A panelled door. */
function door(p: Pen): Place {
  p.rect(0, 0, 480, 480, 0, '#d3cabc')
  p.rect(
    66,
    -10,
    430,
    500,
    0,
    p.lin('d', [
      [0, '#fbfaf7'],
      [1, '#dcd9d2'],
    ]),
  )
  for (const y of [-120, 300]) {
    p.rect(
      236,
      y,
      196,
      340,
      2,
      p.lin('d', [
        [0, '#dedbd4'],
        [1, '#f6f4ef'],
      ]),
      'stroke="#cbc7be" stroke-width="2"',
    )
    p.rect(
      252,
      y + 16,
      164,
      308,
      2,
      p.lin('d', [
        [0, '#fbfaf7'],
        [1, '#e6e3dc'],
      ]),
    )
  }
  p.rect(
    50,
    -10,
    16,
    500,
    0,
    p.lin('x', [
      [0, '#a79f92'],
      [1, '#c9c2b6'],
    ]),
  )
  return { x: 250, groundY: 420, hangY: 256 }
}

/** A living room down to its floor, which the caller draws; with a picture on the wall when the room itself is shown. */
export function livingRoom(p: Pen, wallColor: string, floorY: number, floor: () => void, dressed = false): Place {
  wall(p, wallColor, floorY)
  floor()
  p.rect(
    0,
    floorY - 14,
    480,
    14,
    0,
    p.lin('y', [
      [0, '#ffffff'],
      [1, '#d5d9db'],
    ]),
  )
  if (dressed) {
    p.rect(330, 50, 96, 118, 2, '#f6f3ec', 'stroke="#6b4a2f" stroke-width="5"')
    p.path('M342 156q18 -60 40 -30t34 -30v60z', '#9caf88', 'opacity=".8"')
    p.ell(398, 82, 11, 11, '#d9a15a', 'opacity=".8"')
  }
  p.ell(58, floorY + 22, 44, 8, '#000', 'opacity=".16"')
  plant(p, 58, floorY + 22, 1.25)
  return { x: 268, groundY: 430, hangY: 184 }
}

function bath(p: Pen): Place {
  p.rect(
    0,
    0,
    480,
    350,
    0,
    p.lin('d', [
      [0, '#eef3f3'],
      [1, '#cfdadb'],
    ]),
  )
  p.line(ribs(0, 30, 6, 0, 60, 480, 0) + ribs(0, -30, 9, 60, 0, 0, 380), '#fff', 2.4, 'opacity=".9"')
  p.path('M-20 40L210 -10L330 350H60z', '#fff', 'opacity=".2"')
  floorTiles(p, 350, '#a9a49c', 5)
  tube(p, 'M20 110h84', 7, '#b7bec3', 0.8)
  p.path(
    'M34 108h54v122q-27 10 -54 0z',
    p.lin('x', [
      [0, '#8fb0a8'],
      [0.4, '#b7d0c9'],
      [1, '#7d9f97'],
    ]),
  )
  plant(p, 436, 372, 0.95, '#e6e2da')
  return { x: 250, groundY: 432, hangY: 206 }
}

function plainWall(p: Pen): Place {
  wall(p, '#dcd6cb', 372)
  p.rect(
    0,
    372,
    480,
    108,
    0,
    p.lin('y', [
      [0, '#a8977f'],
      [1, '#c2b097'],
    ]),
  )
  p.path('M0 360h480v12H0z', '#efebe2')
  p.path('M300 0h180v360H300z', '#fff', 'opacity=".2"')
  plant(p, 420, 392, 1.2, '#7d8488')
  return { x: 220, groundY: 440, hangY: 206 }
}

function cellar(p: Pen): Place {
  wall(p, '#d5dade', 346)
  tube(p, 'M-10 36H300V-10', 15, '#b87a4c', 0.6)
  tube(p, 'M-10 66H350V-10', 11, '#c9ced2', 0.6)
  p.line(ribs(60, 26, 3, 110, 0, 0, 52), '#6d757b', 5)
  p.rect(
    0,
    346,
    480,
    134,
    0,
    p.lin('y', [
      [0, '#9aa2a6'],
      [1, '#b9c0c3'],
    ]),
  )
  p.path('M0 338h480v8H0z', '#aab1b5')
  p.rect(
    404,
    210,
    60,
    136,
    3,
    p.lin('x', [
      [0, '#f1f2f2'],
      [1, '#c5cacd'],
    ]),
  )
  p.line('M412 236h44M412 262h44M412 288h44', '#8b949a', 4)
  return { x: 226, groundY: 434, hangY: 214 }
}

const scenes: Record<Scene, (p: Pen) => Place> = {
  bench,
  site,
  room: (p) => livingRoom(p, '#dfdcd5', 330, () => floorBoards(p, 330, '#c2a074')),
  bath,
  lawn,
  terrace: (p) => terrace(p),
  wall: plainWall,
  cellar,
  pool,
  counter,
  board,
  door,
}

/** Paints a backdrop and returns the product's position. */
export function backdrop(p: Pen, scene: Scene): Place {
  return scenes[scene](p)
}
