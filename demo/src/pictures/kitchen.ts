import { box, chromeTube, grain, ribs, span } from './bodies.ts'
import { brightness, inkOn, isWood, shade } from './colors.ts'
import { drawTap } from './bath.ts'
import type { FamilyDrawing } from './family.ts'
import { fromAttrs } from './lengths.ts'
import { d, face, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

/** The front of an appliance: brushed when it is steel. */
function front(p: Pen, c: string): string {
  return p.text('color', '') === 'stainless_c'
    ? p.lin('x', [
        [0, shade(c, 0.3)],
        [0.3, shade(c, 0.55)],
        [0.7, c],
        [1, shade(c, -0.16)],
      ])
    : face(p, c, 0.7)
}

function drawOven(p: Pen): Extent {
  const c = p.hex('color', 'black')
  const h = span(p.num('volume', 71), 65, 77, 268, 290)
  const e = box(p, 72, 120, 288, h, 90, shade(c, -0.04), { front: front(p, c) })
  p.rect(
    72,
    120,
    288,
    54,
    0,
    p.lin('y', [
      [0, shade(c, 0.2)],
      [1, shade(c, -0.12)],
    ]),
  )
  p.rect(176, 132, 80, 30, 4, '#0d1113')
  p.line('M190 139v16M200 139h11v8h-11v8h11M222 139v16M232 139h11v16h-11z', '#ff8a4a', 2.4)
  for (const x of [118, 314]) {
    p.ell(x, 147, 17, 17, volume(p, 'd', brightness(c) > 0.5 ? '#4b5359' : '#8b949a', 0.4))
    p.line(d`M${x} 147v-12`, '#fff', 2.6)
  }
  chromeTube(p, 'M98 196h236', 11, '#c3c9cd')
  p.rect(92, 220, 248, h - 122, 8, '#101416')
  p.rect(
    108,
    234,
    216,
    h - 152,
    5,
    p.rad(
      [
        [0, '#a5682f'],
        [0.5, '#4a301c'],
        [1, '#15100d'],
      ],
      0.5,
      0.9,
    ),
  )
  p.line(d`M114 ${h + 20}h204M114 ${h + 60}h204`, '#9aa2a8', 3)
  p.path(d`M160 ${h + 20}q4 -38 56 -38t56 38z`, volume(p, 'x', '#c98a45', 0.4))
  p.path(d`M114 240h60l-50 ${h - 166}h-10z`, '#fff', 'opacity=".1"')
  p.mark(216, 108 + h, 6.5, inkOn(c), 0, 90)
  return { ...e, focus: [216, 160, 2] }
}

function drawHob(p: Pen): Extent {
  const w = span(p.num('width_cm', 60), 30, 80, 200, 380)
  const gas = p.text('type', 'induction') === 'gas'
  const x = 206 - w / 2
  const k = 150
  p.path(
    d`M${x} 330l92 ${-k}h${w - 40}l-40 ${k}z`,
    p.lin('d', [
      [0, '#4a5359'],
      [0.4, '#1d2225'],
      [1, '#0c0f10'],
    ]),
    'stroke="#8b949a" stroke-width="2"',
  )
  p.path(d`M${x} 330h${w + 12}v9h${-w - 12}z`, '#5b646a')
  const n = w > 260 ? 4 : 2
  for (let i = 0; i < n; i++) {
    const back = i % 2
    const col = n === 2 ? 0.5 : i < 2 ? 0.28 : 0.72
    const cx = x + 36 + w * col + (back ? 24 : -6)
    const cy = back ? 218 : 284
    const r = back ? 42 : 50
    if (gas) {
      p.ell(cx, cy, r * 0.7, r * 0.28, '#2b3034', 'stroke="#8b949a" stroke-width="3"')
      p.ell(cx, cy - 4, r * 0.4, r * 0.16, metal(p, 'x', '#c0a04c'))
      p.line(d`M${cx - r} ${cy - 6}h${r * 2}M${cx - r * 0.3} ${cy - r * 0.36}l${r * 0.5} ${r * 0.6}`, '#3a4146', 7)
    } else {
      p.ell(cx, cy, r, r * 0.4, 'none', 'stroke="#aab2b7" stroke-width="2"')
      p.ell(
        cx,
        cy,
        r * 0.72,
        r * 0.29,
        'none',
        `stroke="${p.text('type', '') === 'vitro' ? '#d0452b' : '#6d757b'}" stroke-width="${p.text('type', '') === 'vitro' ? 4 : 1.5}"`,
      )
      p.line(d`M${cx - 8} ${cy}h16M${cx} ${cy - 4}v8`, '#aab2b7', 1.6)
    }
  }
  p.path(d`M${x + 30} 300l60 -104h50l-70 104z`, '#fff', 'opacity=".08"')
  p.line(d`M${x + w * 0.34} 320h${w * 0.34}`, '#e0452b', 3, 'stroke-dasharray="3 9"')
  p.mark(x + w - 40, 321, 5, '#aab2b7', 0, 50)
  return { x, y: 330 - k, w: w + 60, h: k + 9, focus: [x + w * 0.4, 270, 2.1] }
}

function drawHood(p: Pen): Extent {
  const c = p.hex('color', 'stainless_c')
  const w = span(p.num('width_cm', 60), 50, 90, 240, 372)
  const x = 240 - w / 2
  p.rect(182, 60, 92, 190, 0, front(p, c))
  p.path('M274 60l24 -12v190l-24 12z', shade(c, -0.3))
  p.path('M182 60l24 -12h92l-24 12z', shade(c, 0.3))
  p.path(d`M182 236h92L${x + w - 16} 318H${x}z`, front(p, c))
  p.path(d`M274 236l24 -12L${x + w + 14} 304L${x + w - 16} 318z`, shade(c, -0.34))
  p.rect(
    x,
    318,
    w - 16,
    30,
    0,
    p.lin('y', [
      [0, shade(c, 0.3)],
      [1, shade(c, -0.2)],
    ]),
  )
  p.path(d`M${x + w - 16} 318l30 -14v28l-30 16z`, shade(c, -0.42))
  for (let i = 0; i < 4; i++) p.ell(x + w / 2 - 42 + i * 22, 333, 5, 5, i === 1 ? '#ffd98a' : '#4b5359')
  p.path(
    d`M${x + 10} 348h${w - 36}l24 70H${x - 14}z`,
    p.lin('y', [
      [0, '#fff1cf', 0.7],
      [1, '#fff1cf', 0],
    ]),
  )
  p.mark(228, 300, 8, inkOn(c), 0, 110)
  return { x, y: 48, w: w + 14, h: 300, focus: [240, 310, 2] }
}

function drawDishwasher(p: Pen): Extent {
  const w = span(p.num('width_cm', 60), 45, 60, 206, 262)
  const x = 210 - w / 2
  const e = box(p, x, 104, w, 300, 120, '#d9dee1', {
    front: p.lin('x', [
      [0, '#eef1f2'],
      [0.4, '#ffffff'],
      [1, '#c9cfd2'],
    ]),
  })
  p.rect(
    x,
    104,
    w,
    46,
    0,
    p.lin('y', [
      [0, '#c9cfd2'],
      [1, '#9aa2a8'],
    ]),
  )
  p.rect(x + w * 0.38, 114, 74, 24, 3, '#0d1113')
  p.line(d`M${x + w * 0.38 + 12} 119v14M${x + w * 0.38 + 22} 119h10v7h-10v7h10M${x + w * 0.38 + 44} 119h10v14h-10z`, '#7fd0ff', 2.2)
  for (let i = 0; i < 4; i++) p.ell(x + w - 64 + i * 15, 127, 4, 4, '#4b5359')
  chromeTube(p, d`M${x + 26} 176h${w - 52}`, 10, '#c3c9cd')
  p.rect(x + 6, 192, w - 12, 186, 3, 'none', 'stroke="#b3babf" stroke-width="2"')
  p.rect(x, 384, w, 20, 0, '#4b5359')
  p.mark(x + w * 0.19, 127, 7, '#2b3034', 0, w * 0.3)
  return { ...e, focus: [210, 150, 2.1] }
}

function drawFridge(p: Pen): Extent {
  const c = p.hex('color', 'white')
  const h = span(p.num('height_cm', 186), 170, 203, 320, 372)
  const w = span(p.num('volume', 300), 250, 380, 142, 162)
  const x = 216 - w / 2
  const y = 424 - h
  const e = box(p, x, y, w, h, 104, c, { front: front(p, c) })
  const split = y + h * 0.62
  p.line(d`M${x} ${split}h${w}`, shade(c, -0.5), 4)
  p.line(d`M${x + 3} ${split + 4}h${w - 6}M${x + 4} ${y + 4}h${w - 8}`, '#fff', 1.6, 'opacity=".6"')
  for (const [a, b] of [
    [split - 106, split - 20],
    [split + 20, split + 84],
  ] as const)
    chromeTube(p, d`M${x + w - 16} ${a}V${b}`, 8, '#c3c9cd')
  p.rect(x + w * 0.3, y + 46, w * 0.34, 22, 3, '#14181b')
  p.line(d`M${x + w * 0.3 + 12} ${y + 57}h${w * 0.2}`, '#7fd0ff', 2.4, 'stroke-dasharray="6 5"')
  p.mark(x + w * 0.47, y + 26, 7, inkOn(c), 0, w * 0.6)
  p.rect(x, y + h - 10, w, 10, 0, '#3a4146')
  return { ...e, focus: [x + w * 0.6, split, 2] }
}

function drawSink(p: Pen): Extent {
  const c = p.hex('color', 'stainless_c')
  const steel = p.text('color', 'stainless_c') === 'stainless_c'
  const w = span(p.num('width_cm', 78), 46, 100, 220, 372)
  const x = 216 - w / 2
  const skew = 56
  const dy = 132
  p.path(d`M${x} 310l${skew} ${-dy}h${w}l${-skew} ${dy}z`, steel ? metal(p, 'd', c) : face(p, c))
  p.path(d`M${x} 310h${w}v12h${-w}z`, shade(c, -0.25))
  p.path(d`M${x + w} 310l${skew} ${-dy}v12l${-skew} ${dy}z`, shade(c, -0.4))
  const basins = w > 330 ? 2 : 1
  for (let i = 0; i < basins; i++) {
    const bw = basins === 2 ? w * 0.36 : w > 250 ? w * 0.5 : w * 0.8
    const bx = x + 24 + i * (bw + 20)
    p.path(
      d`M${bx} 292q-6 0 -2 -8l32 -84q4 -8 14 -8h${bw - 20}q10 0 6 8l-34 84q-4 8 -14 8z`,
      p.lin('y', [
        [0, shade(c, -0.5)],
        [0.6, shade(c, -0.18)],
        [1, shade(c, 0.2)],
      ]),
      `stroke="${shade(c, 0.4)}" stroke-width="2"`,
    )
    p.ell(bx + bw * 0.5 + 12, 256, 14, 6, metal(p, 'x', '#9aa2a8'))
  }
  if (basins === 1 && w > 250) p.line(ribs(x + w * 0.66, 296, 6, w * 0.055, 0, 34, -90), shade(c, -0.34), 3, 'opacity=".7"')
  chromeTube(p, d`M${x + w * 0.52 + skew} 196v-72q0 -30 -26 -30t-26 30v14`, 13, '#cfd4d8')
  p.mark(x + w - 40, 302, 5, inkOn(c), 0, 52)
  return { x, y: 88, w: w + skew, h: 234, focus: [x + w * 0.4, 240, 2] }
}

function drawUnit(p: Pen): Extent {
  const c = p.hex('color', 'white')
  const w = span(p.num('width_cm', 60), 30, 80, 142, 290)
  const x = 214 - w / 2
  const e = box(p, x, 132, w, 240, 126, c, { front: shade(c, -0.4) })
  p.rect(x + 6, 372, w - 12, 26, 0, '#3a4146')
  const n = p.num('doors_n', 1) > 1 && w > 180 ? 2 : 1
  p.rect(x + 3, 136, w - 6, 54, 1, face(p, c, 0.6))
  for (let i = 0; i < n; i++) {
    const dw = (w - 6) / n
    p.rect(x + 3 + i * dw + (i ? 1.5 : 0), 194, dw - (n > 1 ? 1.5 : 0), 175, 1, face(p, c, 0.6))
    if (isWood(p.text('color', ''))) grain(p, x + 8 + i * dw, 198, dw - 10, 168, c, 'y', i)
    chromeTube(p, d`M${x + (i || n === 1 ? i * dw + 22 : dw - 16)} 216v58`, 6, '#aab2b7')
  }
  chromeTube(p, d`M${x + w / 2 - 30} 163h60`, 6, '#aab2b7')
  p.path(
    d`M${x - 6} 132l80 -46h${w + 12}l-80 46z`,
    p.lin('x', [
      [0, '#e3c795'],
      [1, '#c39a5e'],
    ]),
  )
  p.rect(x - 6, 132, w + 6, 12, 0, '#b08a50')
  return { x: x - 6, y: 86, w: e.w + 12, h: 312, focus: [214, 180, 2] }
}

function drawWorktop(p: Pen): Extent {
  const c = p.hex('color', 'natural_oak')
  const l = span(p.num('length_cm', 246), 180, 410, 270, 356)
  const t = span(p.num('thickness', 38), 28, 38, 18, 26)
  const x = 222 - l / 2
  p.path(
    d`M${x} 262l96 -70h${l}l-96 70z`,
    p.lin('d', [
      [0, shade(c, 0.3)],
      [1, shade(c, -0.06)],
    ]),
  )
  p.path(d`M${x + l} 262l96 -70v${t}l-96 70z`, shade(c, -0.4))
  p.rect(
    x,
    262,
    l,
    t,
    0,
    p.lin('y', [
      [0, shade(c, 0.1)],
      [1, shade(c, -0.25)],
    ]),
  )
  if (isWood(p.text('color', ''))) {
    p.group(d`matrix(1 0 1.37 -1 ${x} 262)`, () => grain(p, 4, 4, l - 8, 62, c, 'x', 2))
    p.line(d`M${x} ${262 + t * 0.5}h${l}`, shade(c, -0.3), 1, 'opacity=".5"')
  } else p.line(ribs(x + 60, 250, 9, l / 10, -5, 8, -4), shade(c, brightness(c) > 0.5 ? -0.15 : 0.3), 2, 'opacity=".5"')
  return { x, y: 192, w: l + 96, h: 70 + t, focus: [x + l, 258, 2.3], foot: [x, l] }
}

export const kitchen: Record<string, FamilyDrawing> = {
  oven: { draw: drawOven, scene: 'room', noSide: true, lengths: () => ({ w: '595 mm', h: '595 mm' }) },
  hob: { draw: drawHob, scene: 'counter', noSide: true, lengths: fromAttrs('width_cm', '') },
  cooker_hood: { draw: drawHood, scene: 'room', hangs: true, noSide: true, lengths: fromAttrs('width_cm', '') },
  dishwasher: { draw: drawDishwasher, scene: 'room', noSide: true, lengths: fromAttrs('width_cm', '') },
  fridge: { draw: drawFridge, scene: 'room', inScene: 0.86, noSide: true, lengths: fromAttrs('', 'height_cm') },
  kitchen_sink: { draw: drawSink, scene: 'counter', noSide: true, lengths: fromAttrs('width_cm', '') },
  kitchen_tap: { draw: drawTap, scene: 'counter', inScene: 0.86, lengths: fromAttrs('', 'height_cm') },
  kitchen_unit: { draw: drawUnit, scene: 'room', lengths: fromAttrs('width_cm', '') },
  worktop: { draw: drawWorktop, scene: 'room', lengths: fromAttrs('length_cm', '') },
}
