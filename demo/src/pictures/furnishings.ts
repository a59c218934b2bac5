import { chromeTube, drum, grain, ribs, span, tube } from './bodies.ts'
import { brandColor, brightness, inkOn, isWood, shade } from './colors.ts'
import type { FamilyDrawing } from './family.ts'
import { amount, fromAttrs } from './lengths.ts'
import { d, face, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

function drawBed(p: Pen): Extent {
  const c = p.hex('color', 'beige')
  const w = span(p.num('width_cm', 160), 90, 180, 160, 250)
  const x = 200 - w / 2
  const l = 190
  const dx = l * 0.72
  const dy = l * 0.5
  // Headboard far, mattress, foot near
  p.rect(x + dx, 300 - dy - 130, w, 150, 10, face(p, c))
  if (p.text('material', 'wood') === 'steel') p.line(ribs(x + dx + 16, 300 - dy - 118, Math.floor(w / 22), 22, 0, 0, 90), shade(c, -0.5), 4)
  else p.line(ribs(x + dx + w / 4, 300 - dy - 122, 3, w / 4, 0, 0, 90), shade(c, -0.2), 2, 'opacity=".6"')
  p.path(d`M${x} 330l${dx} ${-dy}h${w}l${-dx} ${dy}z`, shade(c, -0.1))
  p.path(d`M${x + w} 330l${dx} ${-dy}v46l${-dx} ${dy}z`, shade(c, -0.3))
  p.path(
    d`M${x + 4} 306l${dx} ${-dy}h${w - 8}l${-dx} ${dy}z`,
    p.lin('d', [
      [0, '#ffffff'],
      [1, '#e3e6e6'],
    ]),
  )
  p.path(d`M${x + w - 4} 306l${dx} ${-dy}v26l${-dx} ${dy}z`, '#c9cfd0')
  p.path(d`M${x + 4} 306h${w - 8}v26h${-w + 8}z`, '#eef0f0')
  // Blanket and pillows
  p.path(
    d`M${x + 2} 304l${dx * 0.56} ${-dy * 0.56}h${w - 4}l${-dx * 0.56} ${dy * 0.56}z`,
    p.lin('d', [
      [0, '#a9b9b4'],
      [1, '#7f938e'],
    ]),
  )
  p.path(d`M${x + w - 2} 304l${dx * 0.56} ${-dy * 0.56}v24l${-dx * 0.56} ${dy * 0.56}z`, '#677a75')
  const n = w > 190 ? 2 : 1
  for (let i = 0; i < n; i++)
    p.rect(
      x + dx * 0.8 + 10 + (i * (w - 16)) / n,
      300 - dy * 0.86 - 22,
      w / n - 22,
      38,
      15,
      p.lin('d', [
        [0, '#ffffff'],
        [1, '#cdd4d6'],
      ]),
    )
  p.rect(x, 326, w, 52, 5, face(p, c))
  for (const fx of [x + 10, x + w - 24]) p.rect(fx, 376, 14, 22, 2, '#4a3a2a')
  return { x, y: 300 - dy - 130, w: w + dx, h: 98 + dy + 130, focus: [x + w * 0.8, 250, 1.9] }
}

function drawStorageBox(p: Pen): Extent {
  const clear = p.text('color', 'transparent') === 'transparent'
  const c = p.hex('color', 'transparent')
  const k = span(Math.cbrt(p.num('volume', 45)), 2.1, 4.5, 0.62, 1)
  const w = 300 * k
  const h = 190 * k
  const x = 216 - w / 2
  const y = 396 - h
  if (clear) {
    for (const [i, t] of ['#b0363a', '#2f6fb0', '#d9a15a'].entries())
      p.rect(x + 14 + (i * (w - 24)) / 3, y + h * 0.34, (w - 40) / 3, h * 0.62, 5, face(p, t))
  }
  const see = clear ? 'opacity=".62"' : ''
  p.path(d`M${x + w} ${y}l${86 * k} ${-50 * k}l${-8 * k} ${h - 4}l${-88 * k} ${54 * k}z`, shade(c, -0.2), see)
  p.path(
    d`M${x} ${y}h${w}l${-12 * k} ${h}h${-w + 24 * k}z`,
    p.lin('d', [
      [0, shade(c, 0.4)],
      [0.5, c],
      [1, shade(c, -0.15)],
    ]),
    see,
  )
  p.line(ribs(x + w * 0.16, y + h * 0.2, 4, w * 0.22, 0, 0, h * 0.7), shade(c, -0.25), 2.4, 'opacity=".5"')
  const lid = clear ? brandColor(p.subject.brand) : shade(c, 0.06)
  p.path(
    d`M${x - 8} ${y - 14 * k}l${90 * k} ${-52 * k}h${w + 14}l${-88 * k} ${52 * k}z`,
    p.lin('d', [
      [0, shade(lid, 0.36)],
      [1, shade(lid, 0.08)],
    ]),
  )
  p.path(d`M${x + w + 8} ${y - 14 * k}l${88 * k} ${-52 * k}v${18 * k}l${-88 * k} ${52 * k}z`, shade(lid, -0.3))
  p.rect(x - 8, y - 14 * k, w + 16, 22 * k, 4, face(p, lid))
  for (const s of [0.02, 0.86]) p.rect(x + w * s, y - 8 * k, 36 * k, 44 * k, 5, volume(p, 'y', shade(lid, -0.2), 0.3))
  p.mark(x + w / 2, y - 3 * k, 8 * k, inkOn(lid), 0, w * 0.4)
  return { x: x - 8, y: y - 66 * k, w: w + 98 * k, h: h + 66 * k, focus: [x + 40, y + 20, 2.1] }
}

function drawDesk(p: Pen): Extent {
  const c = p.hex('color', 'natural_oak')
  const w = span(p.num('width_cm', 140), 100, 180, 240, 326)
  const x = 190 - w / 2 + 8
  const stand = p.text('type', 'fixed_h') === 'sit_stand'
  const leg = stand ? '#3a4146' : '#4b5359'
  for (const [lx, ly] of [
    [x + 96, 230],
    [x + w + 50, 230],
  ] as const)
    tube(p, d`M${lx} ${ly}V356`, stand ? 20 : 9, shade(leg, -0.2), 0.3)
  for (const lx of [x + 24, x + w - 24]) {
    tube(p, d`M${lx} 268V396`, stand ? 22 : 11, leg, 0.4)
    tube(p, d`M${lx - 6} 400L${lx + 74} 352`, 11, leg, 0.4)
  }
  p.path(
    d`M${x} 252l96 -62h${w}l-96 62z`,
    p.lin('d', [
      [0, shade(c, 0.34)],
      [1, shade(c, -0.02)],
    ]),
  )
  if (isWood(p.text('color', ''))) p.group(d`matrix(1 0 1.55 -1 ${x} 252)`, () => grain(p, 4, 4, w - 8, 54, c, 'x', 1))
  p.path(d`M${x + w} 252l96 -62v16l-96 62z`, shade(c, -0.36))
  p.rect(x, 252, w, 16, 1, face(p, c))
  if (stand) {
    p.rect(x + w * 0.6, 268, 52, 14, 3, '#23282b')
    p.line(d`M${x + w * 0.6 + 14} 277l6 -5l6 5M${x + w * 0.6 + 34} 272l6 5l6 -5`, '#fff', 2)
  }
  return { x: x - 8, y: 190, w: w + 110, h: 214, focus: [x + w * 0.7, 260, 2.2] }
}

function drawOfficeChair(p: Pen): Extent {
  const c = p.hex('color', 'black')
  for (const [a, b] of [
    [150, 398],
    [196, 414],
    [284, 414],
    [330, 398],
    [240, 384],
  ] as const) {
    tube(p, d`M240 358L${a} ${b - 14}`, 13, '#3a4146', 0.4)
    p.ell(a, b, 11, 13, volume(p, 'x', '#1b1f22', 0.3))
  }
  chromeTube(p, 'M240 296v60', 20, '#aab2b7')
  tube(p, 'M262 290Q336 280 318 190', 14, '#2b3034', 0.4)
  // Back with lumbar, seat, arms
  p.path(
    'M172 62q70 -18 140 2q12 70 -6 150q-62 18 -124 -4q-18 -80 -10 -148z',
    p.lin('d', [
      [0, shade(c, 0.3)],
      [0.5, c],
      [1, shade(c, -0.3)],
    ]),
  )
  p.line(ribs(184, 92, 8, -0.4, 14, 116, 2), shade(c, brightness(c) > 0.4 ? -0.22 : 0.25), 1.6, 'opacity=".5"')
  p.path(
    'M134 258q6 -22 40 -24h128q34 2 40 24l-8 30q-96 20 -192 0z',
    p.lin('y', [
      [0, shade(c, 0.22)],
      [0.6, c],
      [1, shade(c, -0.34)],
    ]),
  )
  p.line('M150 246q90 -14 176 0', '#fff', 3, 'opacity=".25"')
  for (const s of [-1, 1]) {
    tube(p, d`M${240 + s * 92} 282Q${240 + s * 124} 280 ${240 + s * 116} 206`, 10, '#2b3034', 0.4)
    p.rect(240 + s * 118 - 22, 190, 44, 18, 8, volume(p, 'y', '#23282b', 0.35))
  }
  return { x: 96, y: 50, w: 288, h: 378, focus: [240, 170, 1.9], foot: [146, 188] }
}

function drawCurtain(p: Pen): Extent {
  const c = p.hex('color', 'beige')
  const w = span(p.num('width_cm', 140), 135, 200, 250, 320)
  const h = span(p.num('length_cm', 250), 180, 280, 250, 340)
  const x = 240 - w / 2
  tube(p, d`M${x - 26} 72H${x + w + 26}`, 11, '#8a6a4a', 0.5)
  for (const s of [x - 30, x + w + 30]) p.ell(s, 72, 11, 11, volume(p, 'd', '#8a6a4a', 0.5))
  const folds = 11
  const fw = w / folds
  for (let i = 0; i < folds; i++) {
    const fx = x + i * fw
    p.path(
      d`M${fx} 84q${fw / 2} -6 ${fw} 0v${h - 8}q${-fw / 2} 14 ${-fw} 0z`,
      p.lin('x', [
        [0, shade(c, -0.26)],
        [0.3, shade(c, 0.3)],
        [0.65, c],
        [1, shade(c, -0.3)],
      ]),
    )
    p.ell(fx + fw / 2, 74, 7, 9, 'none', 'stroke="#9aa2a8" stroke-width="3"')
  }
  p.line(d`M${x} ${76 + h - 20}q${w / 2} 8 ${w} 0`, shade(c, -0.3), 1.6, 'opacity=".5"')
  return { x: x - 42, y: 60, w: w + 84, h: h + 26, focus: [x + w * 0.3, 110, 2.1] }
}

function drawRug(p: Pen): Extent {
  const c = p.hex('color', 'beige')
  const k = span(p.num('width_cm', 120), 80, 200, 0.8, 1)
  const pale = brightness(c) > 0.6 ? shade(c, -0.25) : shade(c, 0.5)
  const w = 240 * k
  const h = 330 * k
  p.group(d`matrix(.86 .3 -.62 .36 ${240 - w * 0.43 + h * 0.31} ${236 - w * 0.15 - h * 0.18})`, () => {
    p.line(ribs(4, -12, Math.floor(w / 8), 8, 0, 0, h + 24), pale, 3)
    p.rect(0, 6, w, h, 4, shade(c, -0.35))
    p.rect(
      0,
      0,
      w,
      h,
      4,
      p.lin('d', [
        [0, shade(c, 0.14)],
        [1, shade(c, -0.1)],
      ]),
    )
    p.rect(14, 14, w - 28, h - 28, 2, 'none', `stroke="${pale}" stroke-width="6"`)
    p.rect(28, 28, w - 56, h - 56, 2, 'none', `stroke="${pale}" stroke-width="2"`)
    for (let i = 0; i < 4; i++) {
      const cy = 28 + ((i + 0.5) * (h - 56)) / 4
      p.path(d`M${w / 2} ${cy - 30}l${w * 0.26} 30l${-w * 0.26} 30l${-w * 0.26} -30z`, 'none', `stroke="${pale}" stroke-width="5"`)
      p.path(d`M${w / 2} ${cy - 12}l${w * 0.1} 12l${-w * 0.1} 12l${-w * 0.1} -12z`, pale)
    }
  })
  const W = w * 0.86 + h * 0.62
  const H = w * 0.3 + h * 0.36
  return { x: 240 - W / 2, y: 236 - H / 2 - 6, w: W, h: H + 12, focus: [240, 240, 2], foot: [240 - W * 0.36, W * 0.72] }
}

function drawCushion(p: Pen): Extent {
  const c = p.hex('color', 'sage')
  const w = span(p.num('width_cm', 45), 40, 60, 250, 330)
  const h = Math.min(w, span(p.num('height_cm', 45), 30, 50, 190, 300))
  const x = 240 - w / 2
  const y = 240 - h / 2
  const shape = d`M${x} ${y}q${w / 2} ${h * 0.13} ${w} 0q${-w * 0.11} ${h / 2} 0 ${h}q${-w / 2} ${-h * 0.12} ${-w} 0q${w * 0.11} ${-h / 2} 0 ${-h}z`
  p.path(
    shape,
    p.rad(
      [
        [0, shade(c, 0.34)],
        [0.5, c],
        [1, shade(c, -0.34)],
      ],
      0.36,
      0.3,
    ),
  )
  p.clip(shape, () => {
    if (p.text('material', 'cotton') === 'velvet')
      p.path(
        d`M${x + w * 0.2} ${y + h * 0.1}q${w * 0.3} ${h * 0.4} ${w * 0.1} ${h * 0.8}h${w * 0.14}q${w * 0.14} ${-h * 0.4} ${-w * 0.06} ${-h * 0.8}z`,
        '#fff',
        'opacity=".16"',
      )
    else p.line(ribs(x - 30, y, 14, w / 10, 0, 0, h), shade(c, brightness(c) > 0.5 ? -0.16 : 0.2), 1.2, 'opacity=".5"')
  })
  p.line(shape, shade(c, -0.4), 3, 'opacity=".5"')
  p.line(
    d`M${x + w * 0.12} ${y + h * 0.12}q${w * 0.06} ${h * 0.16} ${w * 0.06} ${h * 0.3}M${x + w * 0.88} ${y + h * 0.12}q${-w * 0.05} ${h * 0.14} ${-w * 0.06} ${h * 0.26}`,
    shade(c, -0.3),
    3,
    'opacity=".5"',
  )
  return { x, y, w: w + 8, h: h, focus: [240 - w * 0.2, 240 - h * 0.2, 2] }
}

function framed(p: Pen, inner: (x: number, y: number, w: number, h: number) => void, most: number): Extent {
  const c = p.hex('color', 'black')
  const b = p.num('width_cm', 50)
  const t = p.num('height_cm', 70)
  const k = most / Math.max(b, t, 1)
  const size = span(Math.max(b, t), 18, 160, 0.74, 1)
  const w = Math.max(90, b * k * size)
  const h = Math.max(90, t * k * size)
  const x = 240 - w / 2
  const y = 232 - h / 2
  const r = Math.max(8, Math.min(w, h) * 0.055)
  p.rect(x + 6, y + 8, w, h, 3, '#1b2329', 'opacity=".18"')
  p.rect(x, y, w, h, 3, p.text('color', '') === 'brass' ? metal(p, 'd', c) : face(p, c, 1.2))
  if (isWood(p.text('color', ''))) grain(p, x + 1, y, r - 2, h, c, 'y', 1)
  inner(x + r, y + r, w - 2 * r, h - 2 * r)
  p.rect(x + r, y + r, w - 2 * r, h - 2 * r, 0, 'none', 'stroke="#000" stroke-opacity=".3" stroke-width="1.5"')
  return { x, y, w, h, focus: [x + w * 0.8, y + h * 0.2, 2.3] }
}

const drawMirror = (p: Pen): Extent =>
  framed(
    p,
    (x, y, w, h) => {
      p.rect(
        x,
        y,
        w,
        h,
        0,
        p.lin('d', [
          [0, '#f4f8fa'],
          [0.35, '#b9cad3'],
          [0.5, '#e2ecf0'],
          [1, '#9db2bd'],
        ]),
      )
      p.path(d`M${x} ${y + h * 0.5}L${x + w * 0.7} ${y}h${w * 0.2}L${x} ${y + h * 0.66}z`, '#fff', 'opacity=".5"')
    },
    356,
  )

const drawFrame = (p: Pen): Extent =>
  framed(
    p,
    (x, y, w, h) => {
      p.rect(x, y, w, h, 0, '#fbfaf6')
      const m = Math.min(w, h) * 0.14
      p.clip(d`M${x + m} ${y + m}h${w - 2 * m}v${h - 2 * m}h${-w + 2 * m}z`, () => {
        p.rect(
          x,
          y,
          w,
          h,
          0,
          p.lin('y', [
            [0, '#cfe0e6'],
            [1, '#f3e6d2'],
          ]),
        )
        p.ell(x + w * 0.64, y + h * 0.36, w * 0.1, w * 0.1, '#e0a35c')
        p.path(d`M${x} ${y + h * 0.7}q${w * 0.25} ${-h * 0.26} ${w * 0.5} ${-h * 0.06}t${w * 0.5} ${-h * 0.06}V${y + h}H${x}z`, '#7d9a86')
        p.path(d`M${x} ${y + h * 0.84}q${w * 0.4} ${-h * 0.16} ${w} 0V${y + h}H${x}z`, '#55755f')
      })
      p.path(d`M${x} ${y + h * 0.4}L${x + w * 0.5} ${y}h${w * 0.16}L${x} ${y + h * 0.56}z`, '#fff', 'opacity=".28"')
    },
    340,
  )

function drawBin(p: Pen): Extent {
  const c = p.hex('color', 'stainless_c')
  const v = Math.cbrt(p.num('volume', 20))
  const rx = span(v, 1.7, 3.7, 70, 104)
  const h = span(v, 1.7, 3.7, 150, 290)
  const y = 404 - h
  p.rect(240 - 30, 398, 60, 14, 5, volume(p, 'y', '#23282b', 0.3))
  if (p.text('color', '') === 'stainless_c') drum(p, 240, y, rx, h - 8, c, 0.6)
  else drum(p, 240, y, rx, h - 8, c, 0.35)
  p.path(
    d`M${240 - rx} ${404 - 22}v12a${rx} ${rx * 0.22} 0 0 0 ${rx * 2} 0v-12a${rx} ${rx * 0.22} 0 0 1 ${-rx * 2} 0z`,
    volume(p, 'x', '#2b3034', 0.3),
  )
  p.path(
    d`M${240 - rx - 3} ${y + 8}a${rx + 3} ${rx * 0.22} 0 0 0 ${rx * 2 + 6} 0v-12q-6 -34 ${-rx - 3} -36t${-rx - 3} 36z`,
    volume(p, 'x', shade(c, brightness(c) > 0.5 ? -0.06 : 0.1), 0.5),
  )
  p.mark(240, y + h * 0.4, 10, inkOn(c), 0, rx)
  return { x: 240 - rx - 3, y: y - 40, w: rx * 2 + 6, h: h + 50, focus: [240, y + 30, 2] }
}

export const furnishings: Record<string, FamilyDrawing> = {
  bed: { draw: drawBed, scene: 'room', noSide: true, lengths: fromAttrs('width_cm', '') },
  storage_box: { draw: drawStorageBox, scene: 'room', lengths: amount('volume', 'L') },
  desk: { draw: drawDesk, scene: 'room', lengths: fromAttrs('width_cm', '') },
  office_chair: { draw: drawOfficeChair, scene: 'room', noSide: true, lengths: () => ({ h: '118 cm', w: '66 cm' }) },
  curtain: { draw: drawCurtain, scene: 'room', hangs: true, noSide: true, lengths: fromAttrs('width_cm', 'length_cm') },
  rug: {
    draw: drawRug,
    scene: 'room',
    noSide: true,
    lengths: (p) => ({ note: `${p.plain('width_cm', 120)} × ${p.plain('length_cm', 170)} cm` }),
  },
  cushion: { draw: drawCushion, scene: 'room', noSide: true, lengths: fromAttrs('width_cm', 'height_cm') },
  mirror: { draw: drawMirror, scene: 'room', hangs: true, noSide: true, inScene: 0.6, lengths: fromAttrs('width_cm', 'height_cm') },
  picture_frame: { draw: drawFrame, scene: 'room', hangs: true, noSide: true, inScene: 0.5, lengths: fromAttrs('width_cm', 'height_cm') },
  bin: { draw: drawBin, scene: 'room', noSide: true, lengths: amount('volume', 'L') },
}
