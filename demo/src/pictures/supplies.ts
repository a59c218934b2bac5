import { box, grain, KX, KY, ribs, span, tube } from './bodies.ts'
import { sack } from './packs.ts'
import { brandColor, brightness, inkOn, isWood, shade } from './colors.ts'
import { drawCement } from './building.ts'
import type { FamilyDrawing } from './family.ts'
import { floorInRoom, paintedWall } from './in-use.ts'
import { amount, fromAttrs } from './lengths.ts'
import { d, face, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'
import { drawEnamel, drawFloorTile, drawLaminate, drawWallPaint } from './surfaces.ts'

function drawPellets(p: Pen): Extent {
  const k = span(Math.cbrt(p.num('weight_kg', 15)), 2.4, 5.4, 0.8, 1)
  const e = sack(p, 220, 410, 240 * k, 340 * k, '#f4f3ee', '#3f7a3a', (cx, cy, s) => {
    p.group(d`translate(${cx} ${cy})` + ` scale(${(s * 0.82).toFixed(2)}) translate(0 16)`, () => {
      p.path('M-34 40q-28 -50 12 -84q0 26 16 30q-6 -50 28 -76q0 36 22 54q10 -8 8 -22q28 42 -8 98z', '#f2a93b')
      p.path('M-14 40q-10 -28 10 -46q4 14 12 16q2 -18 14 -28q6 30 14 38q6 12 -4 20z', '#fff1c9')
    })
  })
  for (let i = 0; i < 22; i++) {
    const x = 220 + 120 * k + (p.chance(i) - 0.4) * 96
    const y = 406 - p.chance(i + 40) * Math.max(4, 26 - Math.abs(x - 220 - 128 * k) * 0.4)
    p.group(d`translate(${x} ${y}) rotate(${p.chance(i + 80) * 180})`, () => p.rect(-8, -3, 16, 6, 2, volume(p, 'y', '#b98d57', 0.3)))
  }
  return { ...e, w: e.w + 70 }
}

/** Sheets standing behind each other. */
function sheets(p: Pen, c: string, dress: (x: number, y: number, w: number, h: number) => void, edge: (t: number) => void): Extent {
  const [a, b] = p.pair('tile', 1250, 2500)
  const h = 340 * Math.min(1, Math.max(a, b) / 2500)
  const w = span(Math.min(a, b), 600, 1250, 132, 206)
  const t = span(p.num('thickness', 12), 6, 18, 11, 30)
  const x = 196 - w / 2
  for (let i = 2; i >= 0; i--) {
    const bx = x + i * 42
    const by = 416 - h - i * 13
    box(p, bx, by, w, h, t, c, {
      front: p.lin('d', [
        [0, shade(c, 0.22)],
        [1, shade(c, -0.08)],
      ]),
    })
    p.group(`matrix(${KX} ${-KY} 0 1 ${(bx + w).toFixed(1)} ${by.toFixed(1)})`, () => edge(t))
    if (i === 0) dress(bx, by, w, h)
  }
  p.mark(x + w * 0.3, 398, 8, shade(c, -0.6), 0, w * 0.4)
  return { x, y: 416 - h - 26 - t * KY, w: w + 84 + t * KX, h: h + 26 + t * KY, focus: [x + w - 10, 120, 2.3] }
}

const drawPlywood = (p: Pen): Extent =>
  sheets(
    p,
    '#e0c391',
    (x, y, w, h) => grain(p, x + 4, y + 4, w - 8, h - 8, '#d9b980', 'y', 3),
    (t) => p.line(ribs(t * 0.2, 2, 4, t * 0.2, 0, 0, 336), '#8a6535', 1.6),
  )

const drawPlasterboard = (p: Pen): Extent =>
  sheets(
    p,
    p.text('type', 'standard') === 'moisture' ? '#a9c2ac' : '#dcdad4',
    (x, y, w, h) => p.line(d`M${x + 10} ${y}v${h}M${x + w - 10} ${y}v${h}`, '#fff', 2, 'opacity=".7"'),
    (t) => p.rect(t * 0.12, 0, t * 0.76, 338, 0, '#f6f6f3'),
  )

function drawRoofing(p: Pen): Extent {
  const clear = p.text('color', 'red') === 'transparent'
  const c = p.hex('color', 'red')
  const l = span(p.num('length_m', 2), 1, 3, 190, 300)
  const n = 8
  for (let i = 0; i < n; i++) {
    const x = 70 + i * 30
    p.path(
      d`M${x} 400q15 -30 30 0l${l * 0.4} ${-l * 0.86}q-15 -30 -30 0z`,
      p.lin('x', [
        [0, shade(c, -0.2)],
        [0.4, shade(c, 0.3)],
        [1, shade(c, -0.4)],
      ]),
      clear ? 'opacity=".6"' : '',
    )
  }
  p.line(d`M70 400${'q15 -30 30 0'.repeat(n)}`, shade(c, clear ? -0.3 : 0.45), 3)
  return { x: 70, y: 384 - l * 0.86, w: n * 30 + l * 0.4, h: l * 0.86 + 20, focus: [150, 370, 2.3] }
}

function drawGutter(p: Pen): Extent {
  const c = p.hex('color', 'light_grey')
  const r = span(p.num('width_mm', 100), 80, 125, 50, 70)
  const l = span(p.num('length_m', 3), 2, 4, 240, 300)
  p.path(d`M90 ${300 - r * 0.2}l${l} -120h${r * 2}l${-l} 120z`, shade(c, -0.5))
  p.path(
    d`M90 ${300 - r * 0.2}a${r} ${r} 0 0 0 ${r * 2} 0l${l} -120a${r} ${r} 0 0 1 ${-r * 0.3} ${r * 0.7}l${-l} 120z`,
    volume(p, 'd', c, 0.4),
  )
  p.path(d`M90 ${300 - r * 0.2}a${r} ${r} 0 0 0 ${r * 2} 0h-8a${r - 8} ${r - 8} 0 0 1 ${-r * 2 + 16} 0z`, shade(c, 0.4))
  p.line(d`M90 ${298 - r * 0.2}l${l} -120M${90 + r * 2} ${298 - r * 0.2}l${l} -120`, shade(c, 0.35), 7)
  return { x: 84, y: 170 - r * 0.2, w: l + r * 2 + 12, h: 136 + r, focus: [120 + r, 300, 2.2], foot: [120, l] }
}

function drawRoller(p: Pen): Extent {
  const w = span(p.num('width_mm', 180), 110, 250, 150, 270)
  const x = 200 - w / 2
  tube(p, d`M${x + w + 4} 130h34v76h-100v50`, 10, '#b7bec3', 0.7)
  p.path(d`M${x + w - 76} 250h28l8 156q-22 16 -44 0z`, volume(p, 'x', brandColor(p.subject.brand), 0.4))
  p.line(ribs(x + w - 78, 300, 5, -0.4, 18, 30, 0), '#15191c', 3, 'opacity=".4"')
  p.rect(x, 96, w, 72, 20, volume(p, 'y', '#efe6cf', 0.4))
  let nap = ''
  for (let i = 0; i < 60; i++) nap += d`M${x + 6 + p.chance(i) * (w - 12)} ${100 + p.chance(i + 99) * 62}l${(p.chance(i + 50) - 0.5) * 8} 5`
  p.line(nap, '#c9bb97', 1.8)
  p.rect(x - 6, 112, 9, 40, 4, '#e0a01c')
  return { x: x - 6, y: 94, w: w + 54, h: 322, focus: [200, 150, 2.1], foot: [x + w - 100, 90] }
}

function drawBrush(p: Pen): Extent {
  const w = span(p.num('width_mm', 50), 25, 100, 56, 170)
  const round = p.text('type', 'flat') === 'round_b'
  const c = p.text('material', 'wood') === 'wood' ? '#c99a5c' : brandColor(p.subject.brand)
  p.group(`rotate(${p.text('type', '') === 'radiator_b' ? 12 : -14} 240 240)`, () => {
    p.path(
      d`M${240 - w * 0.4} 232q${w * 0.16} -40 ${w * 0.24} -76q-6 -80 4 -96q${w * 0.12} -14 ${w * 0.24} 0q10 16 4 96q${w * 0.08} 36 ${w * 0.24} 76z`,
      volume(p, 'x', c, 0.4),
    )
    p.ell(240, 74, 6, 7, '#fdfdfd', 'stroke="#6b4a2f"')
    p.rect(240 - w / 2, 228, w, 56, 4, metal(p, 'x', '#c3a95c'))
    p.line(d`M${240 - w / 2} 240h${w}M${240 - w / 2} 272h${w}`, '#7d6527', 1.6)
    p.path(d`M${240 - w / 2 + 3} 284h${w - 6}l6 110q${-w / 2} ${round ? 40 : 12} ${-w - 6} 0z`, volume(p, 'x', '#3b3a36', 0.25))
    p.line(ribs(240 - w / 2 + 10, 292, Math.floor(w / 9), 9, 0, 1, 104), '#6b665c', 1.6, 'opacity=".7"')
    p.mark(240, 190, 6, inkOn(c), 90, 60)
  })
  return { x: 240 - w / 2 - 56, y: 50, w: w + 112, h: 366, focus: [250, 270, 2.1], foot: [240 - w / 2 + 20, w] }
}

function drawMaskingTape(p: Pen): Extent {
  const c = p.hex('color', 'beige')
  const t = span(p.num('width_mm', 25), 19, 50, 40, 84)
  const n = Math.round(span(Math.sqrt(p.num('pack_qty', 1)), 1, 3.5, 1, 4))
  for (let i = 0; i < n; i++) {
    const y = 380 - i * (t + 3)
    p.path(d`M110 ${y - t}v${t}a130 42 0 0 0 260 0v${-t}z`, volume(p, 'x', c, 0.35))
    p.ell(240, y - t, 130, 42, face(p, shade(c, 0.12)))
    p.ell(240, y - t, 104, 33, 'none', `stroke="${shade(c, -0.16)}" stroke-width="1.4"`)
    p.ell(240, y - t, 78, 24, '#cdb48c')
    p.ell(240, y - t + 3, 70, 20, '#5a4a35')
  }
  return { x: 110, y: 338 - n * (t + 3), w: 260, h: 84 + n * (t + 3), focus: [190, 370 - t, 2.2] }
}

function drawWallpaper(p: Pen): Extent {
  const c = p.hex('color', 'sage')
  const pale = brightness(c) > 0.6 ? shade(c, -0.16) : shade(c, 0.35)
  const type = p.text('type', 'plain')
  const pattern = (x: number, y: number, w: number, h: number): void => {
    if (type === 'striped') for (let i = 0; i < 5; i++) p.rect(x + (i * w) / 5, y, w / 10, h, 0, pale, 'opacity=".8"')
    if (type === 'floral') {
      for (let i = 0; i < 12; i++) {
        const fx = x + ((i % 3) + 0.5 + (Math.floor(i / 3) % 2) * 0.3) * (w / 3.3)
        const fy = y + (Math.floor(i / 3) + 0.5) * (h / 4)
        for (let k = 0; k < 5; k++) p.ell(fx + Math.cos(k * 1.257) * 9, fy + Math.sin(k * 1.257) * 9, 7, 7, pale)
        p.ell(fx, fy, 5, 5, '#e0b64c')
      }
    }
  }
  p.path(
    'M150 110H330V380q-90 16 -180 0z',
    p.lin('d', [
      [0, shade(c, 0.2)],
      [1, shade(c, -0.08)],
    ]),
  )
  p.clip('M150 110H330V380q-90 16 -180 0z', () => pattern(150, 130, 180, 250))
  p.rect(142, 72, 196, 62, 30, volume(p, 'y', c, 0.35))
  p.clip('M150 72H330V134H150z', () => type === 'striped' && pattern(150, 72, 180, 62))
  p.ell(334, 103, 12, 31, shade(c, 0.4))
  p.line('M334 84q8 18 0 36q-6 -18 0 -30', shade(c, -0.35), 2)
  p.rect(206, 84, 68, 38, 3, '#fff', 'opacity=".85"')
  p.mark(240, 103, 8, '#3a4248', 0, 58)
  return { x: 142, y: 72, w: 204, h: 318, focus: [230, 150, 2] }
}

function drawUnderlay(p: Pen): Extent {
  const c = p.text('material', 'polyester') === 'wood_fibre' ? '#8f9f5c' : '#5f9ac0'
  p.path('M90 372h330l40 34H60z', face(p, c))
  p.path('M60 406h400v7H60z', shade(c, -0.3))
  p.path('M150 190H360c34 0 60 44 60 96s-26 98 -60 98H150z', volume(p, 'y', c, 0.35))
  p.path('M230 190h80q40 98 0 194h-80q40 -98 0 -194z', volume(p, 'y', '#f4f5f5', 0.4))
  p.mark(292, 288, 14, brandColor(p.subject.brand), 90, 130)
  p.ell(150, 287, 56, 97, shade(c, 0.2))
  let spiral = ''
  const turns = span(p.num('thickness', 3), 2, 5, 8, 5)
  for (let i = 0; i <= turns * 12; i++) {
    const a = (i / 12) * 6.283
    const r = i / (turns * 12)
    spiral += d`${i ? 'L' : 'M'}${150 + Math.cos(a) * 54 * r} ${287 + Math.sin(a) * 94 * r}`
  }
  p.line(spiral, shade(c, -0.45), 2)
  return { x: 60, y: 190, w: 400, h: 224, focus: [180, 270, 2] }
}

function drawSkirting(p: Pen): Extent {
  const c = p.hex('color', 'white')
  const h = span(p.num('height_mm', 80), 60, 100, 56, 88)
  const t = span(p.num('thickness', 14), 12, 16, 16, 24)
  for (let i = 2; i >= 0; i--) {
    const x = 90 + i * 20
    const y = 300 - i * 50
    p.path(
      d`M${x} ${y}l230 -110v${h}l-230 110z`,
      p.lin('y', [
        [0, shade(c, 0.3)],
        [0.5, c],
        [1, shade(c, -0.16)],
      ]),
    )
    if (isWood(p.text('color', ''))) p.group(`matrix(.9 -.43 0 1 ${x} ${y})`, () => grain(p, 4, 4, 246, h - 8, c, 'x', i))
    p.path(d`M${x} ${y}l${-t} ${-t * 0.4}l230 -110l${t} ${t * 0.4}z`, shade(c, 0.4))
    p.path(
      d`M${x - t} ${y - t * 0.4}q${t * 0.2} ${-6} ${t} ${t * 0.4}v${h}l${-t} ${-t * 0.4}z`,
      '#d9c39a',
      `stroke="${shade(c, -0.3)}" stroke-width="1"`,
    )
  }
  return { x: 90 - t, y: 88 - t * 0.4, w: 290 + t, h: 212 + h, focus: [110, 310, 2.3], foot: [80, 220] }
}

function coil(p: Pen, c: string, t: number, rings: number, open: string): Extent {
  const outer = 70 + rings * t * 0.9
  let rounds = ''
  for (let i = 0; i < rings; i++) {
    const r = outer - t * 0.5 - i * t * 0.9
    rounds += d`M${240 - r} 220a${r} ${r} 0 1 1 ${r * 2} 0a${r} ${r} 0 1 1 ${-r * 2} 0`
  }
  tube(p, rounds, t, c, 0.4)
  tube(p, d`M${244} ${220 + outer - t * 0.5}Q${240 + outer * 0.7} ${228 + outer} ${250 + outer} ${236 + outer * 0.8}`, t, c, 0.4, 'butt')
  p.ell(250 + outer, 236 + outer * 0.8, t * 0.3, t * 0.5, open)
  for (const a of [0.4, 2.5, 4.6])
    p.line(
      d`M${240 + Math.cos(a) * (outer - rings * t * 0.9)} ${220 + Math.sin(a) * (outer - rings * t * 0.9)}L${240 + Math.cos(a) * outer} ${220 + Math.sin(a) * outer}`,
      '#2b3034',
      8,
    )
  return {
    x: 240 - outer,
    y: 220 - outer,
    w: outer * 2 + 20,
    h: outer * 2 + 8,
    focus: [250 + outer * 0.7, 226 + outer * 0.8, 2.2],
    foot: [240 - outer * 0.6, outer * 1.3],
  }
}

function drawCopper(p: Pen): Extent {
  const c = '#c07a4a'
  const r = span(p.num('diameter', 15), 12, 22, 13, 24)
  const l = span(p.num('length_m', 2), 1, 5, 300, 380)
  for (let i = 0; i < 3; i++) {
    p.group(d`translate(${240 + i * 8} ${190 + i * (r * 2 + 8)}) rotate(-12)`, () => {
      p.rect(-l / 2, -r, l, r * 2, 2, metal(p, 'y', c))
      p.ell(l / 2, 0, r * 0.4, r, shade(c, -0.2))
      p.ell(-l / 2, 0, r * 0.42, r, shade(c, 0.25))
      p.ell(-l / 2, 0, r * 0.32, r * 0.78, '#4a2a18')
    })
  }
  return { x: 230 - l / 2, y: 190 - r - l * 0.11, w: l + 30, h: r * 7 + 24 + l * 0.22, focus: [270 - l / 2, 260, 2.3] }
}

function drawValve(p: Pen): Extent {
  const c = '#c0a04c'
  p.rect(206, 132, 68, 16, 5, metal(p, 'x', '#8b949a'))
  p.path('M232 122q0 -16 20 -14l126 26q16 6 10 18q-6 8 -20 4l-128 -18z', volume(p, 'y', '#c2272d', 0.4))
  p.rect(222, 136, 36, 60, 4, metal(p, 'x', c))
  p.path('M98 214h60l26 -18h112l26 18h60v92h-60l-26 18H184l-26 -18H98z', metal(p, 'y', c))
  for (const x of [98, 344]) {
    p.path(d`M${x} 204h38v112h-38z`, metal(p, 'y', shade(c, 0.05)))
    p.line(d`M${x} 240h38M${x} 282h38`, shade(c, -0.45), 2)
  }
  p.ell(98, 260, 17, 56, shade(c, -0.15))
  p.ell(98, 260, 12, 40, '#31281a')
  p.mark(240, 262, 11, shade(c, -0.6), 0, 90)
  return { x: 82, y: 106, w: 308, h: 218, focus: [240, 180, 2] }
}

export const supplies: Record<string, FamilyDrawing> = {
  plywood: {
    draw: drawPlywood,
    scene: 'site',
    inScene: 0.72,
    lengths: (p) => ({ note: `${p.pair('tile', 1250, 2500).join(' × ')} × ${p.plain('thickness', 12)} mm` }),
  },
  plasterboard: {
    draw: drawPlasterboard,
    scene: 'site',
    inScene: 0.72,
    lengths: (p) => ({ note: `${p.pair('tile', 1200, 2500).join(' × ')} × ${p.plain('thickness', 13)} mm` }),
  },
  concrete_mix: { draw: drawCement, scene: 'site', noSide: true, lengths: amount('weight_kg', 'kg') },
  wood_pellets: { draw: drawPellets, scene: 'cellar', noSide: true, lengths: amount('weight_kg', 'kg') },
  roofing_sheet: { draw: drawRoofing, scene: 'lawn', noSide: true, lengths: amount('length_m', 'm') },
  gutter: {
    draw: drawGutter,
    scene: 'site',
    noSide: true,
    lengths: (p) => ({ note: `${p.plain('width_mm', 100)} mm × ${p.plain('length_m', 3)} m` }),
  },
  ceiling_paint: { draw: drawWallPaint, scene: 'room', noSide: true, lengths: amount('volume', 'L'), inUse: paintedWall },
  bath_paint: { draw: drawWallPaint, scene: 'bath', noSide: true, lengths: amount('volume', 'L') },
  masonry_paint: { draw: drawWallPaint, scene: 'terrace', noSide: true, lengths: amount('volume', 'L') },
  wood_stain: { draw: drawEnamel, scene: 'bench', noSide: true, lengths: amount('volume', 'L') },
  paint_roller: { draw: drawRoller, scene: 'bench', noSide: true, lengths: fromAttrs('width_mm', '', 'mm') },
  paint_brush: { draw: drawBrush, scene: 'bench', noSide: true, lengths: fromAttrs('width_mm', '', 'mm') },
  masking_tape: {
    draw: drawMaskingTape,
    scene: 'bench',
    noSide: true,
    inScene: 0.6,
    lengths: (p) => ({ note: `${p.plain('width_mm', 25)} mm × ${p.plain('length_m', 50)} m` }),
  },
  wallpaper: { draw: drawWallpaper, scene: 'room', noSide: true },
  wall_tile: {
    draw: drawFloorTile,
    scene: 'bath',
    lengths: (p) => ({ note: p.text('tile', '30 x 60 cm').replace('x', '×').replace(',5', '½') }),
  },
  vinyl_plank: { draw: drawLaminate, scene: 'room', lengths: amount('thickness', 'mm'), inUse: floorInRoom },
  underlay: { draw: drawUnderlay, scene: 'room', noSide: true, lengths: amount('thickness', 'mm') },
  skirting: {
    draw: drawSkirting,
    scene: 'room',
    noSide: true,
    lengths: (p) => ({ note: `${p.plain('height_mm', 80)} × ${p.plain('thickness', 14)} mm` }),
  },
  copper_pipe: {
    draw: drawCopper,
    scene: 'site',
    noSide: true,
    lengths: (p) => ({ note: `Ø ${p.plain('diameter', 15)} mm × ${p.plain('length_m', 2)} m` }),
  },
  multilayer_pipe: {
    draw: (p) =>
      coil(
        p,
        '#f1f2f2',
        span(p.num('diameter', 20), 16, 32, 17, 26),
        Math.round(span(Math.log2(p.num('length_m', 50)), 3.3, 6.7, 3, 5)),
        '#4b5359',
      ),
    scene: 'site',
    noSide: true,
    lengths: (p) => ({ note: `Ø ${p.plain('diameter', 20)} mm × ${p.plain('length_m', 50)} m` }),
  },
  ball_valve: { draw: drawValve, scene: 'cellar', inScene: 0.6 },
}
