import { boss, box, ribs, span, tube } from './bodies.ts'
import { brandColor, shade } from './colors.ts'
import type { FamilyDrawing } from './family.ts'
import { amount } from './lengths.ts'
import { d, face, metal } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

/** One photovoltaic module in the given parallelogram: cells, busbars, frame. */
function module(p: Pen, x: number, y: number, w: number, h: number, lean: number): void {
  p.group(`matrix(1 0 ${(-lean).toFixed(3)} 1 ${(x + lean * h).toFixed(1)} ${y.toFixed(1)})`, () => {
    p.rect(-5, -5, w + 10, h + 10, 2, metal(p, 'd', '#3a4248'))
    p.rect(
      0,
      0,
      w,
      h,
      0,
      p.lin('d', [
        [0, '#3a526b'],
        [0.4, '#16222e'],
        [1, '#0a1016'],
      ]),
    )
    p.line(ribs(w / 6, 0, 5, w / 6, 0, 0, h) + ribs(0, h / 10, 9, 0, h / 10, w, 0), '#8fa3b5', 1, 'opacity=".6"')
    p.path(d`M0 0h${w * 0.4}L${w * 0.1} ${h}H0z`, '#fff', 'opacity=".07"')
  })
}

function drawSolarPanel(p: Pen): Extent {
  const n = Math.round(span(p.num('pack_qty', 1), 1, 4, 1, 3))
  const h = span(p.num('wp', 430), 400, 500, 306, 342)
  const w = h * 0.62
  for (let i = n - 1; i >= 0; i--) module(p, 100 + i * 34, 406 - h - i * 16, w, h, 0.12)
  p.mark(100 + w * 0.5, 398, 5, '#c3c9cd', 0, 60)
  return {
    x: 95,
    y: 400 - h - (n - 1) * 16,
    w: w + h * 0.12 + (n - 1) * 34 + 10,
    h: h + (n - 1) * 16 + 12,
    focus: [160, 406 - h * 0.7, 2.1],
  }
}

function microInverter(p: Pen, x: number, y: number, k: number): void {
  const c = '#aeb6bb'
  p.rect(x, y, 110 * k, 62 * k, 7, face(p, c))
  p.line(ribs(x + 14 * k, y + 8 * k, 8, 11.6 * k, 0, 0, 46 * k), shade(c, -0.3), 3 * k)
  p.ell(x + 98 * k, y + 12 * k, 4 * k, 4 * k, '#46c06a')
}

function drawBalconyKit(p: Pen): Extent {
  module(p, 78, 112, 148, 226, 0.1)
  module(p, 246, 112, 148, 226, 0.1)
  tube(p, 'M64 352H406', 9, '#b7bec3', 0.6)
  if (p.text('type', 'railing') === 'railing') p.line(ribs(80, 352, 11, 31, 0, 0, 52), '#8b949a', 5)
  else if (p.text('type', '') === 'flat_roof') p.path('M70 352h150l-20 44H50zM250 352h150l20 44H270z', face(p, '#c3c9cd'))
  else p.line('M96 346v40M376 346v40', '#8b949a', 12)
  tube(p, 'M330 390Q380 370 420 392T452 360', 7, '#23282b', 0.3)
  microInverter(p, 226, 362, 0.9)
  p.mark(276, 412, 4.5, brandColor(p.subject.brand), 0, 70)
  return { x: 50, y: 106, w: 406, h: 314, focus: [280, 380, 2] }
}

function drawInverter(p: Pen): Extent {
  const k = span(p.num('power_kw', 5), 1.5, 10, 0.84, 1.04)
  const w = 230 * k
  const h = 270 * k
  const x = 220 - w / 2
  const e = box(p, x, 100, w, h, 70, '#e6e9ea', {
    front: p.lin('d', [
      [0, '#ffffff'],
      [0.6, '#eef0f1'],
      [1, '#ccd3d6'],
    ]),
  })
  p.path(d`M${x} ${100 + h * 0.66}q${w / 2} ${h * 0.12} ${w} 0V${100 + h}h${-w}z`, face(p, '#3a4248'))
  p.rect(x + w * 0.3, 100 + h * 0.26, w * 0.4, h * 0.2, 5, '#0f1417')
  p.line(
    d`M${x + w * 0.36} ${100 + h * 0.42}l${w * 0.06} ${-h * 0.06}l${w * 0.06} ${h * 0.03}l${w * 0.08} ${-h * 0.09}l${w * 0.07} ${h * 0.06}`,
    '#5fd08a',
    2.6,
  )
  for (let i = 0; i < 3; i++) p.ell(x + w * 0.4 + i * w * 0.1, 100 + h * 0.54, 4, 4, i ? '#b3babf' : '#46c06a')
  p.mark(x + w / 2, 100 + h * 0.13, 13, brandColor(p.subject.brand), 0, w * 0.6)
  const n = Math.round(span(p.num('mppt', 2), 1, 3, 1, 3))
  for (let i = 0; i < n * 2; i++) p.rect(x + 26 + i * 22, 98 + h, 13, 26, 3, i % 2 ? '#b0363a' : '#23282b')
  p.rect(x + w - 60, 98 + h, 34, 22, 4, '#23282b')
  return { ...e, h: e.h + 26, focus: [x + w / 2, 100 + h * 0.4, 2] }
}

function drawMounting(p: Pen): Extent {
  for (let i = 0; i < 2; i++) {
    const y = 190 + i * 60
    p.path(
      d`M${70 - i * 14} ${y + 60}l280 -110h30l-280 110z`,
      p.lin('d', [
        [0, '#eef1f2'],
        [1, '#b7bec3'],
      ]),
    )
    p.path(d`M${100 - i * 14} ${y + 60}l280 -110v26l-280 110z`, '#8b949a')
    p.path(d`M${70 - i * 14} ${y + 60}h30v26h-30z`, metal(p, 'x', '#aab2b7'))
    p.rect(78 - i * 14, y + 66, 14, 20, 0, '#31383d')
  }
  const n = Math.round(span(p.num('panels_n', 2), 1, 10, 3, 6))
  for (let i = 0; i < n; i++) {
    const x = 150 + (i % 3) * 96
    const y = 330 + Math.floor(i / 3) * 44
    p.path(d`M${x} ${y}h18l8 34h30v12h-46z`, metal(p, 'd', '#aab2b7'))
    boss(p, x + 40, y + 38, 6)
  }
  p.rect(60, 348, 66, 48, 4, '#f1f2f2', 'stroke="#c3c9cd"')
  p.mark(93, 372, 8, brandColor(p.subject.brand), 0, 56)
  return { x: 54, y: 140, w: 332, h: 286, focus: [120, 250, 2] }
}

function drawSolarBattery(p: Pen): Extent {
  const n = Math.round(span(p.num('kwh', 5), 1.9, 10.2, 1, 4))
  const c = '#f1f2f2'
  const h = 74
  for (let i = 0; i < n; i++) {
    const y = 400 - (i + 1) * h
    box(p, 104, y, 230, h - 3, 120, c, {
      front: p.lin('d', [
        [0, '#ffffff'],
        [1, '#d9dee1'],
      ]),
    })
    p.line(d`M120 ${y + h - 16}h198`, '#b3babf', 2)
  }
  const top = 400 - n * h
  box(p, 104, top - 40, 230, 38, 120, '#3a4248')
  p.mark(200, top - 21, 11, '#fff', 0, 120)
  p.line(d`M276 ${top - 21}h42`, '#46c06a', 5, 'stroke-dasharray="6 5"')
  p.rect(112, 398, 214, 10, 0, '#23282b')
  return { x: 104, y: top - 84, w: 304, h: 492 - top, focus: [219, top, 2] }
}

export const solar: Record<string, FamilyDrawing> = {
  solar_panel: { draw: drawSolarPanel, scene: 'lawn', noSide: true, lengths: amount('wp', 'W') },
  balcony_kit: { draw: drawBalconyKit, scene: 'terrace', noSide: true, lengths: amount('wp', 'W') },
  solar_inverter: { draw: drawInverter, scene: 'cellar', hangs: true, noSide: true, inScene: 0.6 },
  solar_mounting: { draw: drawMounting, scene: 'site', noSide: true },
  solar_battery: {
    draw: drawSolarBattery,
    scene: 'cellar',
    noSide: true,
    lengths: (p) => ({ note: `${Math.round(p.num('kwh', 5) * 1000)} Wh` }),
  },
}
