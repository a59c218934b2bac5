import { shade } from './colors.ts'
import { d, volume } from './pen.ts'
import type { Pen } from './pen.ts'

/** The position of the product in a scene: standing at groundY or hung around hangY. */
export interface Place {
  x: number
  groundY: number
  hangY: number
}

/** A wall with light falling in from a window at the left. */
export function wall(p: Pen, color: string, floorY: number): void {
  p.rect(
    0,
    0,
    480,
    floorY,
    0,
    p.lin('d', [
      [0, shade(color, 0.3)],
      [0.5, color],
      [1, shade(color, -0.14)],
    ]),
  )
  p.path(d`M-20 40L210 -10L330 ${floorY}H60z`, '#fff', 'opacity=".16"')
}

/** A boarded floor running away from us: rows of boards between the front edge and floorY. */
export function floorBoards(p: Pen, floorY: number, color: string, rows = 9, lines = 3): void {
  const front = (t: number): number => -360 + 1200 * t
  const back = (t: number): number => 60 + 360 * t
  for (let i = 0; i < rows; i++) {
    const a = i / rows
    const b = (i + 1) / rows
    const tone = shade(color, (p.chance(i + 300) - 0.5) * 0.22)
    p.path(d`M${back(a) - 180 + a * 360} ${floorY}H${back(b) - 180 + b * 360}L${front(b)} 480H${front(a)}z`, tone)
  }
  const x = (t: number, k: number): number => (back(t) - 180 + t * 360) * (1 - k) + front(t) * k
  let joints = ''
  for (let i = 0; i <= rows; i++) {
    joints += d`M${x(i / rows, 0)} ${floorY}L${x(i / rows, 1)} 480`
    for (let j = 0; j < lines; j++) {
      const k = ((j + ((i * 0.37) % 1)) / lines) ** 1.6
      if (i < rows) joints += d`M${x(i / rows, k)} ${floorY + (480 - floorY) * k}L${x((i + 1) / rows, k)} ${floorY + (480 - floorY) * k}`
    }
  }
  p.line(joints, shade(color, -0.4), 1.1, 'opacity=".6"')
  p.rect(
    0,
    floorY,
    480,
    480 - floorY,
    0,
    p.lin('y', [
      [0, '#000', 0.2],
      [0.4, '#000', 0],
      [1, '#fff', 0.1],
    ]),
  )
}

/** A tiled floor running away from us. */
export function floorTiles(p: Pen, floorY: number, color: string, across = 6, grout = -0.22): void {
  p.rect(
    0,
    floorY,
    480,
    480 - floorY,
    0,
    p.lin('y', [
      [0, shade(color, -0.16)],
      [1, shade(color, 0.12)],
    ]),
  )
  let joints = ''
  for (let i = -across; i <= across * 2; i++)
    joints += d`M${240 + (i - across / 2) * (480 / across)} ${floorY}L${240 + (i - across / 2) * (480 / across) * 2.7} 480`
  for (let j = 1; j < 7; j++) joints += d`M0 ${floorY + (480 - floorY) * (j / 6) ** 1.7}H480`
  p.line(joints, shade(color, grout), 1.6, 'opacity=".8"')
}

export function plant(p: Pen, x: number, y: number, k: number, pot = '#c98d66'): void {
  p.group(d`translate(${x} ${y})` + ` scale(${k})`, () => {
    p.path('M-24 -44H24L18 0H-18z', volume(p, 'x', pot, 0.3))
    const leaf = 'M0 -44C-34 -80 -40 -120 -30 -150C-6 -130 6 -90 0 -44z'
    for (const [turn, tone] of [
      [-58, '#2d5f3c'],
      [52, '#2d5f3c'],
      [-26, '#3f7d4d'],
      [34, '#4b8c58'],
      [4, '#5d9d66'],
    ] as const) {
      p.path(leaf, tone, `transform="rotate(${turn} 0 -44)"`)
    }
  })
}
