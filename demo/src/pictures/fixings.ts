import { boss, box, chromeTube, ribs, scaled, span } from './bodies.ts'
import { shade } from './colors.ts'
import type { FamilyDrawing } from './family.ts'
import { carton } from './packs.ts'
import { d, face, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

/** The recess in a screw's head: a six-lobed star, a cross, or none under a hexagon. */
function recess(p: Pen, cx: number, cy: number, r: number, drive: string): void {
  if (drive === 'torx') {
    let star = ''
    for (let i = 0; i < 12; i++) {
      const a = (i / 12) * 6.283
      const k = i % 2 ? 0.62 : 1
      star += d`${i ? 'L' : 'M'}${cx + Math.cos(a) * r * k} ${cy + Math.sin(a) * r * k}`
    }
    p.path(`${star}Z`, '#23282c', `stroke="#23282c" stroke-width="${Math.max(1, r * 0.22).toFixed(1)}" stroke-linejoin="round"`)
  } else {
    p.line(d`M${cx - r} ${cy}h${r * 2}M${cx} ${cy - r}v${r * 2}`, '#23282c', r * 0.46)
    p.line(d`M${cx - r * 0.6} ${cy - r * 0.6}l${r * 1.2} ${r * 1.2}m0 ${-r * 1.2}l${-r * 1.2} ${r * 1.2}`, '#23282c', r * 0.14)
  }
}

/** A wood screw with its head at the origin, pointing along +x. */
function screw(p: Pen, length: number, shaft: number, head: string, color: string): void {
  const h = shaft * (head === 'csk' ? 0.98 : 1.05)
  const fill = metal(p, 'y', color)
  const half = shaft / 2
  const core = half * 0.68
  const tip = Math.min(length * 0.16, shaft * 1.7)
  const start = head === 'csk' ? h * 0.9 : 2
  p.path(d`M${start} ${-core}H${length - tip}L${length} 0L${length - tip} ${core}H${start}z`, fill)
  const thread = length < shaft * 6 ? start + 4 : length * 0.34
  const pitch = Math.max(5, shaft * 0.44)
  const n = Math.floor((length - tip * 0.5 - thread) / pitch)
  let ridge = ''
  for (let i = 0; i < n; i++) {
    const x = thread + i * pitch
    const k = x > length - tip ? (length - x) / tip : 1
    ridge += d`M${x + pitch * 0.35} ${-half * k}L${x - pitch * 0.15} ${half * k}`
  }
  p.line(ridge, shade(color, -0.5), Math.max(2, pitch * 0.42))
  p.line(ridge, shade(color, 0.45), Math.max(1, pitch * 0.17), 'transform="translate(-1 -1)"')
  if (head === 'csk') p.path(d`M0 ${-h}h3q2 0 4 2L${h} ${-core}V${core}L7 ${h - 2}q-2 2 -4 2H0z`, fill)
  else if (head === 'pan') p.path(d`M${h * 0.6} ${-h}q${-h * 0.9} ${h * 0.3} ${-h * 0.9} ${h}t${h * 0.9} ${h}z`, fill)
  else {
    p.rect(0, -h * 1.25, 5, h * 2.5, 2, fill)
    p.rect(-h * 0.8, -h * 0.9, h * 0.8, h * 1.8, 2, fill)
    p.line(d`M${-h * 0.8} ${-h * 0.34}h${h * 0.8}M${-h * 0.8} ${h * 0.34}h${h * 0.8}`, shade(color, -0.5), 1.2)
  }
}

function headOn(p: Pen, cx: number, cy: number, r: number, head: string, drive: string, color: string): void {
  if (head === 'hex') {
    p.ell(cx, cy, r * 1.16, r * 1.16, metal(p, 'd', color))
    let hexagon = ''
    for (let i = 0; i < 6; i++) hexagon += d`${i ? 'L' : 'M'}${cx + Math.cos(i * 1.0472) * r} ${cy + Math.sin(i * 1.0472) * r}`
    p.path(`${hexagon}Z`, face(p, color, 1.8), `stroke="${shade(color, -0.4)}" stroke-width="1.4"`)
    return
  }
  p.ell(cx, cy, r, r, metal(p, 'd', color), `stroke="${shade(color, -0.45)}" stroke-width="1.2"`)
  p.ell(cx, cy, r * 0.82, r * 0.82, face(p, shade(color, 0.1), 1.6))
  recess(p, cx, cy, r * 0.48, drive)
}

function drawScrews(p: Pen): Extent {
  return scaled(p, 1.16, 240, 400, () => screwsAndBox(p))
}

function screwsAndBox(p: Pen): Extent {
  const head = p.text('head_type', 'csk')
  const drive = p.text('drive', 'torx')
  const color = p.hex('material', 'zinc_plated')
  const shaft = span(p.num('diameter', 4), 3, 8, 15, 32)
  const length = span(Math.sqrt(p.num('length_mm', 40)), 4, 14.2, 92, 350)
  const pack = span(Math.log2(p.num('pack_qty', 100)), 4.6, 10, 0.7, 1)
  const w = 210 * pack
  const h = 190 * pack
  const right = 246 + w / 2
  carton(p, 246 - w / 2, 300 - h, w, h, 90 * pack, () => {
    p.rect(246 - w / 2 + 14, 300 - h * 0.58, w - 28, h * 0.46, 6, '#fff', 'opacity=".75"')
    headOn(p, 246 - w * 0.22, 300 - h * 0.35, h * 0.15, head, drive, color)
    p.group(d`translate(${246 - w * 0.02} ${300 - h * 0.35})`, () => screw(p, w * 0.36, 8 + shaft * 0.25, head, color))
  })
  const x = 246 - length / 2
  p.group(d`translate(${x + 8} 338) rotate(2)`, () => screw(p, length, shaft, head, color))
  p.group(d`translate(${x - 14} 386) rotate(-3)`, () => screw(p, length, shaft, head, color))
  headOn(p, Math.min(430, x + length + 50), 366, shaft * 1.08, head, drive, color)
  const left = Math.min(x - 30, 246 - w / 2)
  const far = Math.max(Math.min(430, x + length + 50) + shaft * 1.2, right + 56 * pack)
  return {
    x: left,
    y: 300 - h - 32 * pack,
    w: far - left,
    h: 108 + h + 32 * pack + shaft * 0.5,
    focus: [Math.min(430, x + length + 50) - 40, 352, 2.3],
  }
}

function plug(p: Pen, w: number, h: number, c: string): void {
  p.path(d`M${-w / 2} 0h${w}l-2 ${h * 0.86}q${-w / 2 + 2} ${h * 0.24} ${-w + 4} 0z`, volume(p, 'x', c, 0.4))
  p.rect(-w * 0.66, -6, w * 1.32, 9, 3, volume(p, 'x', shade(c, 0.05), 0.45))
  p.ell(0, -5.5, w * 0.62, 3.6, shade(c, 0.3))
  p.ell(0, -5.5, w * 0.34, 2, shade(c, -0.6))
  p.line(d`M0 ${h * 0.26}V${h * 0.95}`, shade(c, -0.5), Math.max(2, w * 0.08))
  p.line(
    ribs(-w / 2, h * 0.34, 5, 0.4, h * 0.12, w * 0.34, h * 0.04) + ribs(w * 0.16, h * 0.38, 5, -0.2, h * 0.12, w * 0.34, -h * 0.04),
    shade(c, -0.35),
    2,
  )
  p.path(
    d`M${-w / 2} ${h * 0.2}l${-w * 0.22} ${h * 0.14}l${w * 0.24} ${h * 0.1}zM${w / 2} ${h * 0.2}l${w * 0.22} ${h * 0.14}l${-w * 0.24} ${h * 0.1}z`,
    shade(c, -0.1),
  )
}

function drawWallPlugs(p: Pen): Extent {
  return scaled(p, 1.22, 240, 400, () => plugsAndBox(p))
}

function plugsAndBox(p: Pen): Extent {
  const c = p.text('use_for', 'for_concrete') === 'for_multi' ? '#b8322f' : '#8b949a'
  const w = span(p.num('diameter', 8), 5, 14, 24, 52)
  const h = span(p.num('length_mm', 40), 25, 70, 104, 214)
  const pack = span(Math.log2(p.num('pack_qty', 50)), 3.3, 7.7, 0.74, 1)
  carton(p, 240 - 120 * pack, 320 - 200 * pack, 220 * pack, 200 * pack, 96 * pack, () => {
    p.group(d`translate(${232 - 28 * pack} ${320 - 118 * pack}) scale(${0.5})`, () => plug(p, 36, 150, c))
    p.group(d`translate(${232 + 34 * pack} ${320 - 118 * pack}) scale(${0.5})`, () => plug(p, 36, 150, c))
  })
  const ground = 404
  for (const [x, turn, dy] of [
    [236 - w * 2.1, -7, 0],
    [236 - w * 0.1, 2, 6],
    [236 + w * 2, 9, 0],
  ] as const) {
    p.group(d`translate(${x} ${ground - h + dy}) rotate(${turn})`, () => plug(p, w, h, c))
  }
  const left = Math.min(240 - 120 * pack, 236 - w * 3)
  const right = Math.max(232 + 160 * pack, 236 + w * 2.8)
  const top = Math.min(320 - 236 * pack, ground - h - 12)
  return { x: left, y: top, w: right - left, h: ground + 8 - top, focus: [236, ground - h * 0.6, 2.4] }
}

function drawDoorHandle(p: Pen): Extent {
  const c = p.hex('finish', 'brushed_steel')
  const square = p.text('type', 'rose_round') === 'rose_square'
  const rose = (x: number, y: number, r: number): void => {
    if (square) {
      p.rect(x - r + 3, y - r + 5, r * 2, r * 2, 8, shade(c, -0.5), 'opacity=".5"')
      p.rect(x - r, y - r, r * 2, r * 2, 7, metal(p, 'd', c))
      p.rect(x - r + 5, y - r + 5, r * 2 - 10, r * 2 - 10, 4, face(p, shade(c, 0.06), 1.2))
    } else {
      p.ell(x + 3, y + 5, r, r, shade(c, -0.5), 'opacity=".5"')
      p.ell(x, y, r, r, metal(p, 'd', c))
      p.ell(x, y, r - 6, r - 6, face(p, shade(c, 0.06), 1.2))
    }
  }
  rose(128, 164, 62)
  rose(128, 330, 50)
  // Keyhole
  p.ell(128, 320, 11, 11, '#15191c')
  p.path('M123 324h10l5 28h-20z', '#15191c')
  // Lever
  p.ell(128, 164, 31, 31, metal(p, 'd', c))
  const lever = square ? 'M128 164H404' : 'M128 164C200 158 250 158 300 160S386 164 404 180'
  p.line(lever, '#0f1519', 36, 'opacity=".14" transform="translate(6 14)"')
  chromeTube(p, lever, square ? 32 : 36, c)
  if (square) p.rect(112, 148, 308, 32, 5, metal(p, 'y', c))
  p.mark(128, 366, 6, shade(c, -0.45))
  return { x: 66, y: 100, w: 356, h: 280, focus: [150, 176, 2.1] }
}

function keyShape(p: Pen, x: number, y: number, turn: number, k: number): void {
  p.group(`translate(${x} ${y}) rotate(${turn}) scale(${k})`, () => {
    const steel = metal(p, 'y', '#c3a95c')
    p.path('M20 -7H92l8 6l-7 8H84l-4 -4l-5 4h-6l-5 -4l-6 4h-8l-5 -4l-5 4H20z', steel)
    p.path(
      'M24 0a26 26 0 1 0 -52 0a26 26 0 1 0 52 0zM-8 0a9 9 0 1 0 -18 0a9 9 0 1 0 18 0z',
      metal(p, 'd', '#c3a95c'),
      'fill-rule="evenodd"',
    )
    p.line('M26 -2H90', '#fff', 1.6, 'opacity=".6"')
  })
}

function drawPadlock(p: Pen): Extent {
  const c = p.hex('material', 'brass_m')
  const k = span(p.num('width_mm', 40), 20, 70, 0.78, 1.08)
  const qty = p.num('pack_qty', 1)
  const lock = (x: number, s: number): void => {
    p.group(d`translate(${x} 402)` + ` scale(${s.toFixed(3)})`, () => {
      chromeTube(p, 'M-62 -180v-62a62 62 0 0 1 124 0v62', 34, '#b8bfc4')
      p.rect(-98, -184, 196, 184, 18, metal(p, 'x', c))
      p.rect(
        -98,
        -184,
        196,
        184,
        18,
        p.lin('y', [
          [0, '#fff', 0.35],
          [0.12, '#fff', 0],
          [0.86, '#000', 0],
          [1, '#000', 0.3],
        ]),
      )
      p.rect(-80, -164, 160, 100, 10, face(p, shade(c, 0.08)), 'opacity=".55"')
      p.mark(0, -122, 17, shade(c, -0.55), 0, 146)
      p.ell(0, -36, 17, 17, metal(p, 'd', shade(c, -0.2)))
      p.rect(-3, -47, 6, 22, 2, '#1b1f22')
      p.ell(-62, -182, 20, 6, shade(c, -0.4), 'opacity=".6"')
      p.ell(62, -182, 20, 6, shade(c, -0.4), 'opacity=".6"')
    })
  }
  if (qty > 1) lock(350, k * 0.72)
  lock(210, k)
  keyShape(p, 236 + 98 * k, 386, 12, 0.62)
  keyShape(p, 240 + 98 * k, 372, -14, 0.62)
  const w = Math.max(98 * k + 210 + 92, qty > 1 ? 350 + 72 * k : 0) - (210 - 98 * k)
  return { x: 210 - 98 * k, y: 402 - 322 * k, w, h: 322 * k, focus: [220, 402 - 110 * k, 2.2] }
}

function drawCylinder(p: Pen): Extent {
  const c = p.hex('finish', 'brass')
  const [a, b] = p.pair('cyl', 30, 30).map((v) => Math.min(55, v)) as [number, number]
  const u = 4.5
  const wa = a * u
  const wb = b * u
  const x = 252 - (wa + wb) / 2
  const y = 128
  p.rect(x, y + 62, wa + wb, 74, 14, metal(p, 'y', shade(c, -0.12)))
  p.rect(x, y, wa + wb, 92, 22, metal(p, 'y', c))
  // Cam gap, fixing thread, end faces
  p.rect(x + wa - 22, y + 6, 44, 136, 3, '#23282c')
  p.rect(x + wa - 18, y - 14, 36, 106, 14, metal(p, 'x', '#9aa2a8'))
  p.ell(x + wa, y + 112, 8, 8, '#14181b')
  p.ell(x + 8, y + 46, 15, 45, metal(p, 'y', shade(c, 0.15)))
  p.ell(x + wa + wb - 6, y + 46, 12, 44, metal(p, 'y', shade(c, -0.25)))
  p.mark(x + wa * 0.54, y + 28, 10, shade(c, -0.6), 0, wa * 0.56)
  for (let i = 0; i < 4; i++) p.ell(x + wa * 0.24 + i * 22, y + 108, 4.5, 4.5, shade(c, -0.45))
  keyShape(p, x - 52, y + 46, 0, 0.86)
  p.ell(
    x + 8,
    y + 46,
    15,
    45,
    p.lin('x', [
      [0, '#000', 0],
      [1, '#000', 0.25],
    ]),
  )
  const keys = span(p.num('pieces', 3), 1, 5, 1, 5)
  for (let i = 0; i < keys; i++) keyShape(p, 110 + i * (280 / keys), 328 + (i % 2) * 16, 8 - i * 5, 0.8)
  return { x: x - 84, y: y - 14, w: Math.max(wa + wb + 92, 320), h: 252, focus: [x + wa * 0.4, y + 70, 2.2] }
}

function drawLetterbox(p: Pen): Extent {
  const c = p.hex('color', 'anthracite')
  const w = span(p.num('width_cm', 30), 25, 40, 206, 290)
  const h = span(p.num('height_cm', 35), 30, 45, 220, 318)
  const x = 218 - w / 2
  const y = 420 - h
  const e = box(p, x, y, w, h, 84, c)
  p.path(d`M${x - 8} ${y + 4}l62 -40h${w + 4}l-44 40z`, face(p, shade(c, 0.2)))
  p.path(d`M${x - 8} ${y + 4}h${w + 14}v16h${-w - 14}z`, face(p, shade(c, 0.08)))
  p.path(d`M${x + w + 6} ${y + 4}l50 -36v14l-50 38z`, shade(c, -0.35))
  p.rect(x + 22, y + 44, w - 44, 34, 4, shade(c, -0.5))
  p.rect(x + 22, y + 46, w - 44, 29, 4, face(p, shade(c, 0.12)))
  p.line(d`M${x + 26} ${y + 48}h${w - 52}`, '#fff', 1.8, 'opacity=".45"')
  p.path(d`M${x + w * 0.3} ${y + 44}l4 -14h${w * 0.36}l4 14z`, '#fbfbf8', 'stroke="#c9ced2"')
  p.rect(x + 10, y + 104, w - 20, h - 118, 5, 'none', `stroke="${shade(c, -0.45)}" stroke-width="2"`)
  p.line(d`M${x + 12} ${y + 106}h${w - 24}`, '#fff', 1.4, 'opacity=".4"')
  p.rect(x + w / 2 - 46, y + 126, 92, 26, 4, '#eef0f0', 'stroke="#8b949a"')
  p.mark(x + w / 2, y + 139, 8, '#3a4248', 0, 80)
  boss(p, x + w - 32, y + 190, 11, '#a5adb2')
  p.line(ribs(x + 34, y + h - 44, 2, 0, 12, w - 68, 0), shade(c, -0.4), 3, 'opacity=".6"')
  return { x: x - 8, y: y - 36, w: e.w + 14, h: h + 36, focus: [x + w * 0.5, y + 80, 2.1] }
}

export const fixings: Record<string, FamilyDrawing> = {
  screws: {
    draw: drawScrews,
    scene: 'bench',
    noSide: true,
    lengths: (p) => ({ note: `Ø ${p.plain('diameter', 4)} × ${p.plain('length_mm', 40)} mm` }),
  },
  wall_plugs: {
    draw: drawWallPlugs,
    scene: 'site',
    noSide: true,
    lengths: (p) => ({ note: `Ø ${p.plain('diameter', 8)} × ${p.plain('length_mm', 40)} mm` }),
  },
  door_handle: { draw: drawDoorHandle, scene: 'door', hangs: true, inScene: 0.84, lengths: () => ({ w: '138 mm' }) },
  padlock: { draw: drawPadlock, scene: 'bench', inScene: 0.72, lengths: (p) => ({ w: `${p.num('width_mm', 40)} mm` }) },
  door_cylinder: {
    draw: drawCylinder,
    scene: 'bench',
    inScene: 0.72,
    hangs: false,
    lengths: (p) => ({ note: p.text('cyl', '30x30 mm').replace('x', ' + ') }),
  },
  letterbox: {
    noSide: true,
    draw: drawLetterbox,
    scene: 'wall',
    hangs: true,
    lengths: (p) => ({ w: `${p.num('width_cm', 30)} cm`, h: `${p.num('height_cm', 35)} cm` }),
  },
}
