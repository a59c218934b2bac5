import { box, chromeTube, ribs, span, tube } from './bodies.ts'
import { brandColor, mix, shade } from './colors.ts'
import { lightOf } from './electric.ts'
import type { FamilyDrawing } from './family.ts'
import { amount, fromAttrs } from './lengths.ts'
import { d, face, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

function drawSoftener(p: Pen): Extent {
  const h = span(p.num('volume', 18), 8, 30, 196, 300)
  const c = brandColor(p.subject.brand)
  const e = box(p, 128, 408 - h, 170, h, 110, '#f1f2f2', { front: volume(p, 'x', '#f1f2f2', 0.5) })
  p.path(d`M124 ${408 - h}l66 -40h178l-66 40z`, shade(c, 0.1))
  p.rect(124, 402 - h, 178, 44, 8, face(p, c))
  p.rect(170, 412 - h, 86, 24, 4, '#0f1417')
  p.line(d`M184 ${424 - h}h56`, '#7fd0ff', 3, 'stroke-dasharray="7 5"')
  p.mark(213, 408 - h * 0.5, 13, c, 0, 120)
  tube(p, d`M350 ${430 - h}h44v60`, 11, '#b7bec3', 0.7)
  return { x: 124, y: e.y, w: 274, h: 408 - e.y, focus: [213, 420 - h, 2] }
}

function drawFilter(p: Pen): Extent {
  const n = Math.round(span(p.num('pieces', 1), 1, 3, 1, 3))
  const w = 104
  const x = 240 - (n * w) / 2
  chromeTube(p, d`M${x - 34} 130H${x + n * w + 34}`, 22, '#c0a04c')
  for (let i = 0; i < n; i++) {
    const cx = x + (i + 0.5) * w
    p.path(
      d`M${cx - 44} 150h88v196q0 40 -44 40t-44 -40z`,
      p.lin('x', [
        [0, '#7fb0d0', 0.85],
        [0.25, '#e3f1f8', 0.8],
        [0.6, '#a9cde3', 0.75],
        [1, '#5f93b5', 0.9],
      ]),
    )
    p.rect(cx - 27, 166, 54, 186, 8, volume(p, 'x', '#f6f4ec', 0.5))
    p.line(ribs(cx - 27, 176, 12, 0, 15, 54, -6), '#d9d3c0', 2)
    p.rect(cx - 48, 104, 96, 54, 8, volume(p, 'x', '#23282b', 0.35))
    p.line(ribs(cx - 40, 112, 9, 10, 0, 0, 38), '#3d454b', 3)
    p.path(d`M${cx - 34} 170v170q2 24 14 34q-6 -100 -4 -204z`, '#fff', 'opacity=".5"')
  }
  p.mark(240, 131, 8, '#e9ecec', 0, 80)
  return { x: x - 40, y: 104, w: n * w + 80, h: 282, focus: [240, 200, 2] }
}

function drawTray(p: Pen): Extent {
  const c = p.hex('color', 'white')
  const l = span(p.num('length_cm', 120), 80, 160, 210, 300)
  const w = span(p.num('width_cm', 80), 70, 100, 104, 140)
  const x = 240 - (l + w * 1.1) / 2
  const dx = w * 1.1
  const dy = w * 0.9
  const y = 290
  p.path(
    d`M${x} ${y}l${dx} ${-dy}h${l}l${-dx} ${dy}z`,
    p.lin('d', [
      [0, shade(c, 0.34)],
      [1, shade(c, -0.1)],
    ]),
    `stroke="${shade(c, -0.25)}"`,
  )
  p.path(d`M${x} ${y}h${l}v20h${-l}z`, face(p, shade(c, -0.1)))
  p.path(d`M${x + l} ${y}l${dx} ${-dy}v20l${-dx} ${dy}z`, shade(c, -0.34))
  p.path(
    d`M${x + 34} ${y - 14}l${dx - 30} ${-dy + 28}h${l - 38}l${-dx + 30} ${dy - 28}z`,
    p.lin('y', [
      [0, shade(c, -0.16)],
      [1, shade(c, 0.2)],
    ]),
  )
  p.ell(x + l * 0.5 + dx * 0.8, y - dy * 0.66, 17, 9, metal(p, 'x', '#c3c9cd'))
  p.mark(x + l - 40, y + 10, 6, shade(c, c === '#383e42' ? 0.5 : -0.4), 0, 60)
  return { x, y: y - dy, w: l + dx, h: dy + 20, focus: [x + l * 0.5 + dx * 0.7, y - dy * 0.6, 2] }
}

function drawScreen(p: Pen): Extent {
  const c = p.hex('finish', 'chrome')
  const w = span(p.num('width_cm', 90), 80, 120, 160, 230)
  const h = span(p.num('height_cm', 200), 195, 200, 350, 358)
  const x = 250 - w / 2
  const bar = p.text('finish', '') === 'matt_black' ? volume(p, 'x', c, 0.3) : metal(p, 'x', c)
  chromeTube(p, d`M${x + w * 0.6} 66L${x - 70} 36`, 9, c)
  p.path(
    d`M${x} 62h${w}v${h}h${-w}z`,
    p.lin('d', [
      [0, '#e9f4f6', 0.9],
      [0.45, '#c3dade', 0.55],
      [0.6, '#e3f0f2', 0.7],
      [1, '#a9c4ca', 0.7],
    ]),
    'stroke="#8fb0b6" stroke-width="2"',
  )
  p.path(d`M${x + 10} ${62 + h * 0.6}L${x + w * 0.8} 70h${w * 0.12}L${x + 10} ${62 + h * 0.78}z`, '#fff', 'opacity=".5"')
  p.rect(x - 8, 54, 14, h + 14, 2, bar)
  p.rect(x - 8, 56 + h, w + 8, 12, 2, bar)
  return { x: x - 72, y: 32, w: w + 76, h: h + 36, focus: [x + 20, 90, 2], foot: [x - 8, w + 8] }
}

function drawSeat(p: Pen): Extent {
  const c = p.hex('color', 'white')
  const ink = shade(c, c === '#f1f2f2' ? -0.24 : 0.2)
  p.path(
    'M140 250q-4 -180 100 -184t100 184q-8 36 -100 36t-100 -36z',
    p.lin('d', [
      [0, shade(c, 0.4)],
      [0.5, c],
      [1, shade(c, -0.22)],
    ]),
    `stroke="${ink}" stroke-width="1.5"`,
  )
  p.line('M160 236q2 -140 72 -150', '#fff', 5, 'opacity=".6"')
  p.path(
    'M128 300q4 -22 112 -22t112 22q8 108 -112 120t-112 -120zM176 306q0 70 64 76t64 -76q-64 -12 -128 0z',
    p.lin('d', [
      [0, shade(c, 0.4)],
      [0.5, c],
      [1, shade(c, -0.26)],
    ]),
    `fill-rule="evenodd" stroke="${ink}" stroke-width="1.5"`,
  )
  for (const x of [186, 274]) p.rect(x, 270, 22, 18, 6, metal(p, 'x', '#c3c9cd'))
  p.mark(240, 110, 7, ink, 0, 90)
  return { x: 126, y: 64, w: 228, h: 358, focus: [240, 290, 1.9] }
}

function drawBathMirror(p: Pen): Extent {
  const w = span(p.num('width_cm', 80), 50, 120, 200, 384)
  const h = span(p.num('height_cm', 70), 60, 80, 230, 290)
  const light = lightOf(p.num('kelvin', 4000))
  const x = 240 - w / 2
  const y = 230 - h / 2
  p.ell(
    240,
    230,
    w * 0.72,
    h * 0.74,
    p.rad([
      [0, light, 1],
      [0.7, light, 0.5],
      [1, light, 0],
    ]),
  )
  p.rect(
    x,
    y,
    w,
    h,
    10,
    p.lin('d', [
      [0, '#eef4f6'],
      [0.4, '#b3c6cf'],
      [0.55, '#dde8ec'],
      [1, '#93abb6'],
    ]),
  )
  p.rect(x + 14, y + 14, w - 28, h - 28, 6, 'none', `stroke="${mix('#ffffff', light, 0.5)}" stroke-width="9"`)
  p.path(d`M${x + 24} ${y + h * 0.6}L${x + w * 0.5} ${y + 24}h${w * 0.14}L${x + 24} ${y + h * 0.78}z`, '#fff', 'opacity=".5"')
  p.ell(240, y + h - 28, 6, 6, '#fff', 'stroke="#6fb7d9" stroke-width="2"')
  return { x, y, w, h, focus: [x + w * 0.8, y + h * 0.2, 2.1] }
}

function drawBathtub(p: Pen): Extent {
  const l = span(p.num('length_cm', 170), 150, 180, 310, 364)
  const x = 240 - l / 2
  p.path(
    d`M${x + 12} 240q6 130 70 138h${l - 160}q60 -8 66 -138z`,
    p.lin('x', [
      [0, '#cfd5d8'],
      [0.2, '#ffffff'],
      [0.6, '#eef0f1'],
      [1, '#b9c0c4'],
    ]),
  )
  p.ell(
    240,
    236,
    l / 2,
    52,
    p.lin('y', [
      [0, '#dfe3e5'],
      [1, '#ffffff'],
    ]),
    'stroke="#c3c9cd"',
  )
  p.ell(
    240,
    240,
    l / 2 - 22,
    40,
    p.lin('y', [
      [0, '#a9b2b7'],
      [0.5, '#d5dbde'],
      [1, '#f6f7f7'],
    ]),
  )
  p.ell(240, 258, l / 2 - 70, 18, '#c5dfe6', 'opacity=".8"')
  chromeTube(p, d`M${x + l - 46} 214v-62q0 -16 -16 -16h-22v14`, 12, '#cfd4d8')
  p.line(d`M${x + 30} 268q10 70 44 92`, '#fff', 6, 'opacity=".9"')
  p.mark(240, 340, 8, '#aab2b7', 0, 90)
  return { x, y: 128, w: l, h: 250, focus: [x + l * 0.75, 210, 2] }
}

export const waterAndHome: Record<string, FamilyDrawing> = {
  water_softener: { draw: drawSoftener, scene: 'cellar', noSide: true, lengths: amount('volume', 'L') },
  water_filter: { draw: drawFilter, scene: 'cellar', hangs: true, noSide: true },
  shower_tray: {
    draw: drawTray,
    scene: 'bath',
    noSide: true,
    lengths: (p) => ({ note: `${p.plain('length_cm', 120)} × ${p.plain('width_cm', 80)} cm` }),
  },
  shower_screen: { draw: drawScreen, scene: 'bath', inScene: 0.9, lengths: fromAttrs('width_cm', 'height_cm') },
  toilet_seat: { draw: drawSeat, scene: 'bath', noSide: true },
  bathroom_mirror: { draw: drawBathMirror, scene: 'bath', hangs: true, noSide: true, lengths: fromAttrs('width_cm', 'height_cm') },
  bathtub: { draw: drawBathtub, scene: 'bath', lengths: fromAttrs('length_cm', '') },
}
