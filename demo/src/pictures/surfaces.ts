import { chromeTube, drum, grain, ribs, span } from './bodies.ts'
import { brandColor, brightness, inkOn, shade } from './colors.ts'
import type { FamilyDrawing } from './family.ts'
import { deckOfTerrace, floorInRoom, paintedBench, paintedWall, tilesInRoom } from './in-use.ts'
import { d, face, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

/** The sheen of a coat: none for matt, a band for satin, a hard highlight for gloss. */
function sheenOf(p: Pen): number {
  const finish = p.text('finish', 'matt')
  return finish === 'gloss' || finish === 'polished' ? 0.6 : finish === 'satin' ? 0.32 : 0.1
}

function paintSurface(p: Pen, cx: number, y: number, rx: number, c: string): void {
  const ry = rx * 0.22
  p.ell(
    cx,
    y,
    rx,
    ry,
    p.lin('d', [
      [0, shade(c, 0.2)],
      [0.5, c],
      [1, shade(c, -0.2)],
    ]),
  )
  p.path(
    d`M${cx - rx * 0.7} ${y - ry * 0.1}q${rx * 0.3} ${-ry * 0.8} ${rx * 0.9} ${-ry * 0.5}q${-rx * 0.5} ${ry * 0.1} ${-rx * 0.9} ${ry * 0.5}z`,
    '#fff',
    `opacity="${sheenOf(p)}"`,
  )
}

/** Paint dripping over the rim. */
function runs(p: Pen, x: number, y: number, c: string, k: number, wide: number): void {
  const u = wide / 62
  p.path(
    d`M${x} ${y}q${2 * u} ${30 * k} ${10 * u} ${46 * k}q${8 * u} 10 ${14 * u} -2q${2 * u} ${-26 * k} ${8 * u} ${-20 * k}q${4 * u} ${44 * k} ${12 * u} ${72 * k}q${8 * u} 12 ${15 * u} -2l0 ${-86 * k}z`,
    volume(p, 'x', c, 0.35),
  )
}

export function drawWallPaint(p: Pen): Extent {
  const c = p.hex('color', 'white')
  const brand = brandColor(p.subject.brand)
  const v = Math.cbrt(p.num('volume', 5))
  const rx = span(v, 0.8, 2.47, 78, 138)
  const h = span(v, 0.8, 2.47, 150, 292)
  const cx = 236
  const top = 410 - h
  const ry = rx * 0.22
  const low = rx * 0.9
  p.path(
    d`M${cx - rx} ${top}L${cx - low} ${410 - low * 0.2}a${low} ${low * 0.2} 0 0 0 ${low * 2} 0L${cx + rx} ${top}z`,
    volume(p, 'x', '#f3f4f4', 0.2),
  )
  // Label: brand above, a stroke of the colour below
  const lt = top + h * 0.24
  const lh = h * 0.62
  p.path(
    d`M${cx - rx * 0.985} ${lt}a${rx} ${ry} 0 0 0 ${rx * 1.97} 0L${cx + rx * 0.925} ${lt + lh}a${rx * 0.925} ${ry} 0 0 1 ${-rx * 1.85} 0z`,
    volume(p, 'x', brand, 0.25),
  )
  p.path(
    d`M${cx - rx * 0.962} ${lt + lh * 0.36}a${rx} ${ry} 0 0 0 ${rx * 1.924} 0L${cx + rx * 0.93} ${lt + lh * 0.9}a${rx * 0.93} ${ry} 0 0 1 ${-rx * 1.86} 0z`,
    volume(p, 'x', c, 0.18),
  )
  p.mark(cx + rx * 0.2, lt + lh * 0.17 + ry * 0.94, rx * 0.13, inkOn(brand), 0, rx * 1.1)
  // Rim and paint
  p.path(d`M${cx - rx - 7} ${top - 8}v16a${rx + 7} ${ry} 0 0 0 ${rx * 2 + 14} 0v-16z`, volume(p, 'x', '#e6e9ea', 0.35))
  p.ell(cx, top - 8, rx + 7, ry + 2, face(p, '#e9ecec'))
  p.ell(cx, top - 7, rx - 5, ry - 3, shade(c, -0.35))
  paintSurface(p, cx, top - 3, rx - 9, c)
  runs(p, cx - rx * 0.86, top + ry * 0.42, c, span(v, 0.8, 2.47, 0.55, 1), rx * 0.42)
  if (h > 190) {
    chromeTube(
      p,
      d`M${cx - rx - 2} ${top + 24}C${cx - rx - 40} ${top + h * 0.66} ${cx - 30} ${top + h * 0.9} ${cx + 30} ${top + h * 0.86}S${cx + rx + 44} ${top + h * 0.5} ${cx + rx + 2} ${top + 24}`,
      5,
      '#b7bec3',
    )
    for (const s of [-1, 1]) p.ell(cx + s * (rx + 1), top + 24, 8, 10, volume(p, 'x', '#dfe3e5', 0.3))
  }
  return {
    x: cx - rx - 24,
    y: top - ry - 8,
    w: rx * 2 + 48,
    h: h + ry + 10 + low * 0.1,
    focus: [cx - rx * 0.1, top + 30, 2.2],
    foot: [cx - low, low * 2],
  }
}

export function drawEnamel(p: Pen): Extent {
  const c = p.hex('color', 'white')
  const brand = brandColor(p.subject.brand)
  const v = Math.cbrt(p.num('volume', 0.75))
  const rx = span(v, 0.63, 1.36, 82, 124)
  const h = span(v, 0.63, 1.36, 138, 236)
  const cx = 206
  const top = 400 - h
  const ry = rx * 0.22
  drum(p, cx, top, rx, h, '#c6ccd0', 0.6)
  p.path(
    d`M${cx - rx} ${top + 16}v${h - 28}a${rx} ${ry} 0 0 0 ${rx * 2} 0v${-h + 28}a${rx} ${ry} 0 0 1 ${-rx * 2} 0z`,
    volume(p, 'x', brand, 0.3),
  )
  p.path(
    d`M${cx - rx} ${top + h * 0.42}v${h * 0.4}a${rx} ${ry} 0 0 0 ${rx * 2} 0v${-h * 0.4}a${rx} ${ry} 0 0 1 ${-rx * 2} 0z`,
    volume(p, 'x', c, 0.2 + sheenOf(p) * 0.7),
  )
  p.mark(cx + rx * 0.2, top + h * 0.27 + ry * 0.75, rx * 0.13, inkOn(brand), 0, rx * 1.05)
  p.ell(cx, top, rx + 3, ry + 2, face(p, '#d9dee1', 1.6))
  p.ell(cx, top + 1, rx - 9, ry - 4, '#8b949a')
  paintSurface(p, cx, top + 4, rx - 13, c)
  runs(p, cx - rx * 0.86, top + ry * 0.5, c, 0.62, rx * 0.4)
  // Brush lying against the tin, dipped in the colour
  p.group(d`translate(${cx + rx + 46} 392) rotate(-62)`, () => {
    p.path('M104 -9q50 -10 104 -4q12 4 12 13t-12 13q-54 6 -104 -4z', volume(p, 'y', '#c99a5c', 0.4))
    p.rect(70, -22, 38, 44, 3, volume(p, 'y', '#b7bec3', 0.7))
    p.path('M12 -26q30 -2 58 4v44q-28 6 -58 4z', volume(p, 'y', '#3b3a36', 0.25))
    p.path('M-6 -22q20 -6 38 -4l-6 14l8 12l-8 14l4 12q-20 2 -36 -4q-6 -20 0 -44z', volume(p, 'y', c, 0.3))
  })
  return {
    x: cx - rx,
    y: Math.min(top - ry, 184),
    w: rx * 2 + 164,
    h: 404 + ry * 0.6 - Math.min(top - ry, 184),
    focus: [cx, top + 26, 2.2],
  }
}

const U = [0.84, 0.43] as const
const V = [0.76, -0.49] as const
const onFloor = (x: number, y: number): string => `matrix(${U[0]} ${U[1]} ${V[0]} ${V[1]} ${x} ${y})`

/** A laid piece of floor seen from above: `pattern` draws within (0..u, 0..v); its two cut edges show the layers. */
function laid(p: Pen, u: number, v: number, thick: number, edge: (w: number) => void, pattern: () => void): Extent {
  const w = u * U[0] + v * V[0]
  const x = 240 - w / 2
  const up = v * -V[1]
  const down = u * U[1]
  const y = 236 + (up - down - thick) / 2
  p.group(`matrix(${U[0]} ${U[1]} 0 1 ${x.toFixed(1)} ${y.toFixed(1)})`, () => edge(u))
  p.group(`matrix(${V[0]} ${V[1]} 0 1 ${(x + u * U[0]).toFixed(1)} ${(y + down).toFixed(1)})`, () => {
    edge(v)
    p.rect(0, 0, v, thick, 0, '#000', `opacity="${p.mirrored ? 0.08 : 0.26}"`)
  })
  p.group(onFloor(Number(x.toFixed(1)), Number(y.toFixed(1))), pattern)
  return { x, y: y - up, w, h: up + down + thick, focus: [x + u * U[0] * 0.86, y + down * 0.7, 2.6], foot: [x + w * 0.14, w * 0.72] }
}

/** Boards in rows, each with its own tone and grain; joints are staggered between rows. */
export function boards(p: Pen, u: number, v: number, rows: number, c: string, joint: string, wood = true): void {
  const row = v / rows
  for (let i = 0; i < rows; i++) {
    const cut = u * (0.25 + ((i * 0.37 + p.chance(i) * 0.1) % 0.55))
    for (const [from, to] of [
      [0, cut],
      [cut, u],
    ] as const) {
      const salt = i * 2 + (from ? 1 : 0)
      const tone = shade(c, (p.chance(salt + 40) - 0.5) * (brightness(c) > 0.8 ? 0.1 : 0.26))
      p.rect(from, i * row, to - from, row, 0, tone, `stroke="${joint}" stroke-width="1.2"`)
      if (wood) grain(p, from + 2, i * row + 1, to - from - 4, row - 2, tone, 'x', salt)
    }
  }
}

function light(p: Pen, u: number, v: number, k: number): void {
  p.rect(
    0,
    0,
    u,
    v,
    0,
    p.lin('d', [
      [0, '#fff', 0.3 * k + 0.1],
      [0.4, '#fff', 0],
      [0.7, '#000', 0],
      [1, '#000', 0.14],
    ]),
  )
}

export function drawLaminate(p: Pen): Extent {
  const c = p.hex('color', 'natural_oak')
  const t = span(p.num('thickness', 8), 7, 12, 15, 27)
  return laid(
    p,
    250,
    270,
    t,
    (w) => {
      p.rect(0, 0, w, t, 0, '#a98a63')
      p.rect(0, 0, w, 3.4, 0, shade(c, -0.1))
      p.rect(0, t - 4, w, 4, 0, '#d8d2c6')
      p.line(ribs(30, 5, Math.floor(w / 60), 60, 0, 0, t - 9), '#6b5334', 2)
    },
    () => {
      boards(p, 250, 270, 6, c, shade(c, -0.35))
      light(p, 250, 270, 0.8)
    },
  )
}

function drawParquet(p: Pen): Extent {
  const c = p.hex('color', 'natural_oak')
  const t = span(p.num('thickness', 14), 10, 15, 18, 29)
  const rows = Math.round(span(p.num('width_mm', 180), 120, 220, 6, 3))
  return laid(
    p,
    260,
    260,
    t,
    (w) => {
      p.rect(0, 0, w, t, 0, '#d9bd8a')
      p.rect(0, 0, w, t * 0.28, 0, shade(c, -0.06))
      p.line(d`M0 ${t * 0.64}H${w}`, '#b8935a', 1.6)
      p.line(ribs(8, t * 0.4, Math.floor(w / 12), 12, 0, 4, t * 0.18), '#b08a52', 1.4)
    },
    () => {
      boards(p, 260, 260, rows, c, shade(c, -0.5))
      p.ell(60 + p.chance(3) * 130, 60 + p.chance(4) * 130, 7, 4, shade(c, -0.5), 'opacity=".7"')
      light(p, 260, 260, 0.5 + sheenOf(p) * 2)
    },
  )
}

export function drawFloorTile(p: Pen): Extent {
  const c = p.hex('color', 'light_grey')
  const [a, b] = p.pair('tile', 60, 60)
  const nu = Math.max(1, Math.round(120 / b))
  const nv = Math.max(1, Math.round(120 / a))
  const wood = p.text('color', '') === 'natural_oak'
  return laid(
    p,
    264,
    264,
    13,
    (w) => {
      p.rect(0, 0, w, 13, 0, shade(c, -0.18))
      p.rect(0, 0, w, 3, 0, shade(c, 0.15))
    },
    () => {
      p.rect(0, 0, 264, 264, 0, '#a9aca9')
      for (let i = 0; i < nu; i++) {
        for (let j = 0; j < nv; j++) {
          const salt = i * 7 + j
          const x = (i * 264) / nu + 1.5
          const y = (j * 264) / nv + 1.5
          const w = 264 / nu - 3
          const h = 264 / nv - 3
          const tone = shade(c, (p.chance(salt) - 0.5) * 0.1)
          p.rect(x, y, w, h, 1, tone)
          if (wood) grain(p, x + 1, y + 1, w - 2, h - 2, tone, 'x', salt)
          else if (nu * nv < 12)
            p.line(
              d`M${x + w * p.chance(salt + 9) * 0.8} ${y}q${w * 0.1} ${h * 0.3} ${w * 0.14} ${h * 0.5}t${-w * 0.04} ${h * 0.5}`,
              shade(c, -0.14),
              1.6,
              'opacity=".4"',
            )
        }
      }
      light(p, 264, 264, 0.5 + sheenOf(p) * 2.6)
      if (sheenOf(p) > 0.5) p.path('M40 0h60L30 264H-10z', '#fff', 'opacity=".22"')
    },
  )
}

function drawDecking(p: Pen): Extent {
  const c = p.hex('color', 'brown')
  const wpc = p.text('material', 'wpc') === 'wpc'
  const t = span(p.num('thickness', 25), 21, 27, 24, 34)
  const bw = span(p.num('width_mm', 140), 120, 150, 62, 76)
  const length = span(p.num('length_m', 3), 2.4, 4, 258, 320)
  const n = 3
  const gap = 9
  const v = n * bw + (n - 1) * gap
  const w = length * U[0] + v * V[0]
  const x = 240 - w / 2
  const y = 236 + (v * -V[1] - length * U[1] - t) / 2
  for (let i = n - 1; i >= 0; i--) {
    const v0 = i * (bw + gap)
    const tone = shade(c, (p.chance(i) - 0.5) * 0.1)
    const ox = x + v0 * V[0]
    const oy = y + v0 * V[1]
    p.group(`matrix(${U[0]} ${U[1]} 0 1 ${ox.toFixed(1)} ${oy.toFixed(1)})`, () => {
      p.rect(
        0,
        0,
        length,
        t,
        0,
        p.lin('y', [
          [0, shade(tone, -0.08)],
          [1, shade(tone, -0.3)],
        ]),
      )
      p.line(d`M0 ${t * 0.55}H${length}`, shade(tone, -0.55), 4)
    })
    p.group(`matrix(${V[0]} ${V[1]} 0 1 ${(ox + length * U[0]).toFixed(1)} ${(oy + length * U[1]).toFixed(1)})`, () => {
      p.rect(0, 0, bw, t, 0, shade(tone, -0.28))
      if (wpc) for (let k = 0; k < 3; k++) p.rect(6 + (k * (bw - 8)) / 3, t * 0.26, (bw - 20) / 3, t * 0.5, 3, shade(tone, -0.7))
      else
        p.line(
          d`M8 ${t * 0.8}q${bw * 0.4} ${-t * 0.9} ${bw - 16} 0M18 ${t * 0.85}q${bw * 0.25} ${-t * 0.5} ${bw - 36} 0`,
          shade(tone, -0.55),
          1.6,
        )
    })
    p.group(onFloor(Number(ox.toFixed(1)), Number(oy.toFixed(1))), () => {
      p.rect(
        0,
        0,
        length,
        bw,
        0,
        p.lin('x', [
          [0, shade(tone, 0.24)],
          [0.5, tone],
          [1, shade(tone, -0.1)],
        ]),
      )
      p.line(ribs(0, bw / 9, 8, 0, bw / 9, length, 0), shade(tone, -0.38), 2.2, 'opacity=".7"')
      if (!wpc) grain(p, 0, 2, length, bw - 4, tone, 'x', i)
    })
  }
  return {
    x,
    y: y + v * V[1],
    w,
    h: -v * V[1] + length * U[1] + t,
    focus: [x + length * U[0], y + length * U[1] * 0.9, 2.4],
    foot: [x + w * 0.14, w * 0.72],
  }
}

const litres = (p: Pen, from: number): string => `${p.plain('volume', from)} L`

export const surfaces: Record<string, FamilyDrawing> = {
  wall_paint: {
    draw: drawWallPaint,
    scene: 'room',
    lengths: (p) => ({ note: litres(p, 5), h: `${Math.round(span(Math.cbrt(p.num('volume', 5)), 0.8, 2.47, 10, 38))} cm` }),
    noSide: true,
    inUse: paintedWall,
  },
  enamel: {
    draw: drawEnamel,
    scene: 'bench',
    lengths: (p) => ({ note: litres(p, 0.75), h: `${Math.round(span(Math.cbrt(p.num('volume', 0.75)), 0.63, 1.36, 8, 18))} cm` }),
    noSide: true,
    inUse: paintedBench,
  },
  laminate: {
    draw: drawLaminate,
    scene: 'room',
    lengths: (p) => ({ note: `1285 × 192 × ${p.plain('thickness', 8)} mm` }),
    inUse: floorInRoom,
  },
  parquet: {
    draw: drawParquet,
    scene: 'room',
    lengths: (p) => ({ note: `${p.plain('width_mm', 180)} × ${p.plain('thickness', 14)} mm` }),
    inUse: floorInRoom,
  },
  floor_tile: {
    draw: drawFloorTile,
    scene: 'room',
    lengths: (p) => ({ note: p.text('tile', '60 x 60 cm').replace('x', '×') }),
    inUse: tilesInRoom,
  },
  decking: {
    draw: drawDecking,
    scene: 'terrace',
    inUse: deckOfTerrace,
    lengths: (p) => ({
      note: `${p.plain('width_mm', 140)} × ${p.plain('thickness', 25)} mm × ${Math.round(p.num('length_m', 3) * 100)} cm`,
    }),
  },
}
