import { ribs, span, tube } from './bodies.ts'
import { mix, shade } from './colors.ts'
import { d, volume } from './pen.ts'
import type { Pen } from './pen.ts'
import { floorBoards, floorTiles, plant, wall } from './rooms.ts'
import { livingRoom } from './scenes.ts'
import { terrace } from './scenes-outside.ts'

function sofa(p: Pen, x: number, y: number, c: string): void {
  p.ell(x + 110, y + 92, 130, 10, '#000', 'opacity=".2"')
  p.rect(
    x,
    y,
    220,
    70,
    16,
    p.lin('y', [
      [0, shade(c, 0.16)],
      [1, shade(c, -0.14)],
    ]),
  )
  p.rect(x + 14, y + 38, 94, 36, 9, shade(c, 0.1))
  p.rect(x + 112, y + 38, 94, 36, 9, shade(c, 0.04))
  p.rect(x - 16, y + 26, 34, 60, 12, shade(c, -0.04))
  p.rect(x + 202, y + 26, 34, 60, 12, shade(c, -0.2))
  p.rect(x - 4, y + 70, 228, 18, 6, shade(c, -0.22))
  p.line(d`M${x + 10} ${y + 88}v8M${x + 208} ${y + 88}v8`, '#6b4a2f', 6)
}

/** Laminate and wood floors are shown laid in a room. */
export function floorInRoom(p: Pen): void {
  const c = p.hex('color', 'natural_oak')
  const rows = p.subject.family === 'parquet' ? Math.round(span(p.num('width_mm', 180), 120, 220, 11, 7)) : 10
  livingRoom(p, '#e2e4e1', 290, () => floorBoards(p, 290, c, rows, 3), true)
  sofa(p, 196, 224, '#7f8f8a')
}

/** Tiles are shown as a floor too, in their format. */
export function tilesInRoom(p: Pen): void {
  const c = p.hex('color', 'light_grey')
  const [a] = p.pair('tile', 60, 60)
  livingRoom(p, '#e6e3dc', 290, () => floorTiles(p, 290, c, Math.round(240 / a)), true)
  if (p.text('finish', 'matt') === 'polished') p.path('M130 300H260L210 480H20z', '#fff', 'opacity=".3"')
  sofa(p, 196, 224, '#8a8f98')
}

/** A half-painted wall, the roller still on it. */
export function paintedWall(p: Pen): void {
  const c = p.hex('color', 'white')
  wall(p, '#d6d3cc', 330)
  const edge = 'M0 0H300V46H316V96H300V150H330V206H306V262H322V330H0z'
  p.path(
    edge,
    p.lin('d', [
      [0, shade(c, 0.14)],
      [0.5, c],
      [1, shade(c, -0.1)],
    ]),
  )
  p.path('M-20 40L160 -10L250 330H40z', '#fff', 'opacity=".14"')
  floorBoards(p, 330, '#c2a074')
  p.rect(0, 316, 480, 14, 0, '#f6f6f4')
  // Roller
  tube(p, 'M340 74h34v64h-40l-22 84', 9, '#8b949a', 0.6)
  tube(p, 'M314 216l-24 108', 21, '#2a5f94', 0.4)
  p.rect(226, 44, 116, 58, 16, volume(p, 'y', c, 0.35))
  p.line(ribs(238, 50, 12, 9, 0, 0, 46), shade(c, -0.2), 1.6, 'opacity=".5"')
  // Tray with paint
  p.path('M120 440l30 -52h170l34 52z', volume(p, 'x', '#30363a', 0.25))
  p.path('M140 432l20 -36h148l24 36z', c)
  p.path('M150 414q80 -18 150 2l10 16H142z', shade(c, 0.2), 'opacity=".6"')
}

/** A garden bench painted in the colour. */
export function paintedBench(p: Pen): void {
  const c = p.hex('color', 'white')
  const outside = p.text('compat', 'interior') === 'exterior'
  if (outside) {
    p.rect(
      0,
      0,
      480,
      330,
      0,
      p.lin('y', [
        [0, '#cfe4ef'],
        [1, '#eef5f2'],
      ]),
    )
    for (const x of [20, 150, 290, 430]) p.ell(x, 262, 96, 84, mix('#6d9a5c', '#8fb377', p.chance(x)))
    p.rect(
      0,
      310,
      480,
      170,
      0,
      p.lin('y', [
        [0, '#7fae58'],
        [1, '#6d9c48'],
      ]),
    )
  } else livingRoom(p, '#dfdcd5', 330, () => floorBoards(p, 330, '#b9946a'))
  p.ell(246, 424, 190, 15, '#000', 'opacity=".24"')
  const slat = (x: number, y: number, w: number, h: number): void =>
    p.rect(
      x,
      y,
      w,
      h,
      4,
      p.lin('y', [
        [0, shade(c, 0.3)],
        [0.4, c],
        [1, shade(c, -0.25)],
      ]),
    )
  for (const x of [88, 380]) {
    p.rect(x, 170, 22, 254, 4, volume(p, 'x', c, 0.3))
    p.rect(x - 8, 276, 40, 14, 5, volume(p, 'y', c, 0.3))
  }
  for (let i = 0; i < 4; i++) slat(82, 184 + i * 28, 326, 20)
  for (let i = 0; i < 3; i++) slat(70 - i * 5, 316 + i * 17, 350 + i * 10, 13)
  for (const x of [74, 396]) p.rect(x, 356, 20, 70, 3, volume(p, 'x', shade(c, -0.1), 0.3))
}

/** A pendant lamp over a table: its light colours the room. */
export function pendant(p: Pen, light: string, shadeColor = '#b5573c'): void {
  p.rect(
    0,
    0,
    480,
    480,
    0,
    p.lin('y', [
      [0, '#39434b'],
      [1, '#2b333a'],
    ]),
  )
  p.ell(
    240,
    240,
    300,
    300,
    p.rad([
      [0, light, 0.95],
      [0.35, light, 0.4],
      [1, light, 0],
    ]),
  )
  p.line('M240 0v96', '#14181b', 5)
  p.path('M226 92h28l6 30h-40z', '#20262a')
  p.path('M164 206q6 -84 76 -88q70 4 76 88z', volume(p, 'x', shadeColor, 0.3))
  p.ell(240, 206, 76, 13, shade(light, 0.4))
  p.ell(
    240,
    218,
    34,
    30,
    p.rad([
      [0, '#ffffff'],
      [0.6, light],
      [1, light, 0.4],
    ]),
  )
  p.path(
    'M164 208L70 392H410L316 208z',
    p.lin('y', [
      [0, light, 0.5],
      [1, light, 0],
    ]),
  )
  p.ell(240, 400, 196, 34, mix('#8a6238', light, 0.3))
  p.path('M44 400a196 34 0 0 0 392 0v12a196 34 0 0 1 -392 0z', '#5d3f20')
  p.ell(190, 394, 40, 9, '#f6f3ec')
  p.ell(190, 391, 27, 5.4, '#dcd6ca')
  p.path(
    'M282 396v-40h30v40q-15 6 -30 0z',
    p.lin('x', [
      [0, '#dfeaee', 0.8],
      [1, '#9fb4be', 0.8],
    ]),
  )
}

/** Panels in an office ceiling. */
export function ceiling(p: Pen, light: string): void {
  p.rect(
    0,
    0,
    480,
    480,
    0,
    p.lin('y', [
      [0, '#e6e9ea'],
      [1, '#cfd5d8'],
    ]),
  )
  p.path('M0 0H480L350 210H130z', '#f6f7f7')
  p.line('M80 0L165 210M160 0L196 210M240 0v210M320 0L284 210M400 0L315 210M38 62H442M76 122H404M106 172H374', '#cfd5d8', 1.6)
  for (const pts of ['M92 4H156L172 58H112z', 'M324 4H388L368 58H308z', 'M136 126H184L192 168H150z', 'M296 126H344L330 168H288z'])
    p.path(pts, mix('#ffffff', light, 0.45), `stroke="${shade(light, -0.1)}"`)
  p.ell(
    240,
    120,
    260,
    200,
    p.rad([
      [0, light, 0.55],
      [1, light, 0],
    ]),
  )
  p.path('M130 210H350V330H130z', '#dfe3e4')
  p.path('M130 210L0 0V480L130 330zM350 210L480 0V480L350 330z', '#d3d9db', 'opacity=".9"')
  p.path(
    'M130 330H350L480 480H0z',
    p.lin('y', [
      [0, '#9aa5ab'],
      [1, '#b9c2c6'],
    ]),
  )
  p.path('M150 350h180l36 34H114z', '#c99f63')
  p.path('M114 384h252v8H114z', '#8a6130')
  p.rect(196, 300, 88, 54, 4, '#2b3034')
  p.rect(
    201,
    305,
    78,
    44,
    2,
    p.lin('d', [
      [0, '#8fb7cc'],
      [1, '#4a7288'],
    ]),
  )
  plant(p, 396, 400, 1)
}

/** Decking is shown laid, with a chair on it. */
export function deckOfTerrace(p: Pen): void {
  const c = p.hex('color', 'brown')
  terrace(p, c, Math.round(span(p.num('width_mm', 140), 120, 150, 14, 10)))
  p.ell(210, 434, 112, 12, '#000', 'opacity=".25"')
  tube(p, 'M140 432L176 330H262L292 432', 9, '#3a4146', 0.4)
  tube(p, 'M176 334L150 208', 9, '#3a4146', 0.4)
  p.path(
    'M132 206h40l26 126h-40z',
    p.lin('d', [
      [0, '#f3efe6'],
      [1, '#cfc7b8'],
    ]),
  )
  p.path(
    'M160 326h108l18 22H166z',
    p.lin('y', [
      [0, '#f6f3ec'],
      [1, '#cfc7b8'],
    ]),
  )
  tube(p, 'M160 284h92v48', 8, '#3a4146', 0.4)
}
