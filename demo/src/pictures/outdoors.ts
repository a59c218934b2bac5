import { box, grain, KX, KY, ribs, span, tube } from './bodies.ts'
import { brandColor, brightness, isWood, shade } from './colors.ts'
import type { FamilyDrawing } from './family.ts'
import { d, face, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

function drawShed(p: Pen): Extent {
  const c = p.hex('color', 'anthracite')
  const material = p.text('material', 'spruce')
  const w = span(Math.sqrt(p.num('area_m2', 4)), 1.3, 3.4, 186, 268)
  const depth = span(Math.sqrt(p.num('area_m2', 4)), 1.3, 3.4, 130, 236)
  const h = 190
  const x = 216 - (w + depth * KX) / 2 + 12
  const y = 208
  const dx = depth * KX
  const dy = depth * KY
  const peak = y - 64
  const roof = material === 'spruce' ? '#4b4643' : shade(c, -0.25)
  // Walls with gable
  p.path(d`M${x + w} ${y}l${dx} ${-dy}v${h}l${-dx} ${dy}z`, shade(c, p.mirrored ? 0.06 : -0.24))
  p.path(d`M${x} ${y}L${x + w / 2} ${peak}L${x + w} ${y}v${h}h${-w}z`, face(p, c, 0.8))
  const line = shade(c, brightness(c) > 0.5 ? -0.28 : -0.42)
  p.clip(d`M${x} ${y}L${x + w / 2} ${peak}L${x + w} ${y}v${h}h${-w}z`, () => {
    if (material === 'spruce') p.line(ribs(x, peak + 10, 20, 0, 13, w, 0), line, 2, 'opacity=".75"')
    else p.line(ribs(x + 10, peak, Math.floor(w / 14), 14, 0, 0, 270), line, material === 'resin' ? 3.5 : 2, 'opacity=".6"')
  })
  p.line(
    material === 'spruce'
      ? ribs(x + w, y + 10, 14, 0, 13, dx, -dy)
      : ribs(x + w + 10, y - 10 * (KY / KX), Math.floor(dx / 11), 11, -11 * (KY / KX), 0, h),
    line,
    1.8,
    'opacity=".6"',
  )
  // Doors
  const two = p.num('doors_n', 1) > 1
  const dw = two ? Math.min(128, w * 0.56) : 74
  const doorX = x + w / 2 - dw / 2
  p.rect(doorX - 5, y + 26, dw + 10, h - 26, 2, shade(c, brightness(c) > 0.45 ? -0.4 : 0.3))
  p.rect(doorX, y + 31, dw, h - 33, 1, face(p, shade(c, 0.06)))
  p.line(ribs(doorX + 9, y + 33, Math.floor(dw / 12), 12, 0, 0, h - 38), line, 1.6, 'opacity=".6"')
  if (two) p.line(d`M${x + w / 2} ${y + 31}v${h - 33}`, '#15191c', 3)
  else
    p.rect(
      doorX + 14,
      y + 48,
      dw - 28,
      44,
      2,
      p.lin('d', [
        [0, '#e4f0f4'],
        [0.5, '#9cb8c4'],
        [1, '#c9dde4'],
      ]),
      'stroke="#f1f2f2" stroke-width="3"',
    )
  p.rect(doorX + dw / 2 + (two ? 6 : dw / 2 - 16), y + 116, 6, 24, 3, metal(p, 'x', '#c3c9cd'))
  if (two)
    p.rect(
      x + w + dx * 0.32,
      y + 46 - dy * 0.5,
      dx * 0.34,
      46,
      1,
      '#b4ccd6',
      `stroke="#f1f2f2" stroke-width="3" transform="skewY(-30.1) translate(0 ${((x + w + dx * 0.32) * 0.58).toFixed(1)})"`,
    )
  // Roof
  p.path(
    d`M${x + w / 2} ${peak - 12}l${dx} ${-dy}L${x + w + dx + 14} ${y - dy + 8}l${-dx} ${dy}z`,
    p.lin('x', [
      [0, shade(roof, 0.18)],
      [1, shade(roof, -0.12)],
    ]),
  )
  p.path(
    d`M${x - 14} ${y + 8}L${x + w / 2} ${peak - 12}L${x + w + 14} ${y + 8}v10L${x + w / 2} ${peak}L${x - 14} ${y + 18}z`,
    shade(roof, material === 'spruce' ? 0.3 : 0.1),
  )
  p.line(
    ribs(x + w / 2 + (w / 2 + 14) * 0.2, peak - 12 + (y + 20 - peak) * 0.2, 4, (w / 2 + 14) * 0.2, (y + 20 - peak) * 0.2, dx, -dy),
    shade(roof, -0.35),
    1.8,
    'opacity=".7"',
  )
  p.line(d`M${x + w / 2} ${peak - 12}l${dx} ${-dy}`, shade(roof, 0.4), 2.5)
  p.mark(x + w / 2, peak + 42, 6, brightness(c) > 0.5 ? '#4a3a26' : '#e9ecec', 0, w * 0.3)
  const top = peak - 12 - dy
  return { x: x - 14, y: top, w: w + dx + 28, h: y + h - top, focus: [x + w / 2, y + 60, 2] }
}

function drawFence(p: Pen): Extent {
  const c = p.hex('color', 'anthracite')
  const w = span(p.num('width_m', 2.5), 2, 2.5, 320, 372)
  const h = span(p.num('height_cm', 123), 83, 193, 150, 330)
  const t = span(p.num('thickness', 5), 4, 6, 2.6, 4.2)
  const stack = p.num('pack_qty', 1)
  const layers = stack >= 20 ? 3 : stack >= 10 ? 2 : stack >= 2 ? 1 : 0
  const panel = (x: number, y: number, opacity: number): void => {
    const n = Math.round(w / 13)
    const rows = Math.max(3, Math.round(h / 52))
    p.line(ribs(x, y, n + 1, w / n, 0, 0, h), shade(c, -0.3), t, `opacity="${opacity}"`)
    p.line(ribs(x - 1, y - 1, n + 1, w / n, 0, 0, h), shade(c, 0.32), t * 0.34, `opacity="${opacity}"`)
    for (const shift of [-3, 3])
      p.line(
        ribs(x - 2, y + 12 + shift, rows + 1, 0, (h - 24) / rows, w + 4, 0),
        shift < 0 ? shade(c, 0.12) : shade(c, -0.25),
        t * 1.2,
        `opacity="${opacity}"`,
      )
  }
  const x = 240 - w / 2
  const y = 240 - h / 2
  for (let i = layers; i > 0; i--) panel(x + i * 9, y - i * 7, 0.5)
  panel(x, y, 1)
  for (const s of [0, 1]) {
    p.rect(x + s * w - 9, y - 14, 18, h + 34, 2, volume(p, 'x', c, 0.4))
    p.rect(x + s * w - 10, y - 19, 20, 7, 2, shade(c, -0.4))
    for (const k of [0.12, 0.5, 0.88]) p.rect(x + s * w - 12, y + h * k - 5, 24, 10, 2, shade(c, 0.16))
  }
  p.rect(x + w / 2 - 44, y + h * 0.5 - 15, 88, 30, 3, '#f6f7f7', 'stroke="#b3babf"')
  p.mark(x + w / 2, y + h * 0.5, 9, brandColor(p.subject.brand), 0, 70)
  const top = y - 19 - layers * 7
  return { x: x - 12, y: top, w: w + 24 + layers * 7, h: y + h + 20 - top, focus: [x + 40, y + h * 0.2, 2.4] }
}

function drawAwning(p: Pen): Extent {
  const c = p.hex('color', 'beige')
  const w = span(p.num('width_m', 3.5), 2.5, 5, 262, 372)
  const out = span(p.num('projection_m', 2.5), 2, 3, 118, 172)
  const x = 240 - w / 2
  const y = 110
  const skew = 30
  // Fabric falls towards us, striped, with a scalloped valance
  const stripes = Math.round(w / 34)
  const pale = brightness(c) > 0.72 ? shade(c, -0.2) : '#f3f0e8'
  // Arms under the cloth
  tube(p, d`M${x + 40} ${y + 18}L${x + 8} ${y + out * 0.62}L${x + 26 - skew} ${y + out}`, 9, '#c5c9cb', 0.6)
  tube(p, d`M${x + w - 40} ${y + 18}L${x + w - 8} ${y + out * 0.62}L${x + w - 26 + skew} ${y + out}`, 9, '#c5c9cb', 0.6)
  for (let i = 0; i < stripes; i++) {
    const a = i / stripes
    const b = (i + 1) / stripes
    const bx = x - skew
    const bw = w + skew * 2
    const col = i % 2 ? pale : c
    p.path(
      d`M${x + w * a} ${y + 12}H${x + w * b}L${bx + bw * b} ${y + out}H${bx + bw * a}z`,
      p.lin('y', [
        [0, shade(col, -0.22)],
        [0.5, col],
        [1, shade(col, 0.22)],
      ]),
    )
    p.path(
      d`M${bx + bw * a} ${y + out + 7}h${bw / stripes}v26q${-bw / stripes / 2} 18 ${-bw / stripes} 0z`,
      p.lin('y', [
        [0, shade(col, -0.1)],
        [1, shade(col, -0.26)],
      ]),
    )
  }
  // Cassette and front rail
  p.rect(x - 10, y - 24, w + 20, 38, 14, volume(p, 'y', '#e9ecec', 0.4))
  p.line(d`M${x} ${y - 16}h${w}`, '#fff', 3, 'opacity=".9"')
  p.rect(x - skew - 7, y + out - 6, w + skew * 2 + 14, 15, 6, volume(p, 'y', '#e3e6e8', 0.5))
  for (const s of [x - 10, x + w - 8]) p.rect(s, y - 26, 18, 42, 5, volume(p, 'y', '#b4b8ba', 0.4))
  p.mark(240, y - 5, 9, '#6d757b')
  tube(p, d`M${x + w - 4} ${y + 16}v196q0 14 12 14h10v14`, 5, '#c5c9cb', 0.5)
  return { x: x - skew - 8, y: y - 26, w: w + skew * 2 + 16, h: Math.max(out + 76, 272), focus: [x + w * 0.25, y + out - 10, 2.1] }
}

function drawParasol(p: Pen): Extent {
  const c = p.hex('color', 'beige')
  const w = span(p.num('width_m', 3), 2.5, 4, 300, 372)
  const half = w / 2
  const cx = 206
  const y = 150
  // Mast, arm and cross base
  tube(p, 'M396 420V96', 14, '#5b646a', 0.55)
  tube(p, d`M396 118Q330 48 ${cx + 6} 66`, 11, '#5b646a', 0.55)
  tube(p, d`M396 226L300 86`, 7, '#5b646a', 0.55)
  p.rect(384, 250, 26, 44, 6, volume(p, 'x', '#30363a', 0.35))
  tube(p, 'M410 272h18v18', 6, '#8b949a', 0.6)
  tube(p, 'M330 424H458', 13, '#4b5359', 0.4)
  tube(p, 'M370 440L424 408', 11, '#4b5359', 0.4)
  p.line(d`M${cx} 66v18`, '#30363a', 6)
  // Canopy: four lit panels over a dark inside
  p.path(d`M${cx - half} ${y + 20}Q${cx} ${y + 52} ${cx + half} ${y + 20}L${cx} ${y - 30}z`, shade(c, -0.55))
  const low = y + 26
  p.path(
    d`M${cx} 82Q${cx - half * 0.6} 106 ${cx - half} ${low - 10}L${cx - half * 0.42} ${low + 10}Q${cx - half * 0.2} 110 ${cx} 82z`,
    p.lin('d', [
      [0, shade(c, 0.36)],
      [1, shade(c, 0.02)],
    ]),
  )
  p.path(
    d`M${cx} 82Q${cx - half * 0.2} 110 ${cx - half * 0.42} ${low + 10}H${cx + half * 0.42}Q${cx + half * 0.2} 110 ${cx} 82z`,
    p.lin('y', [
      [0, shade(c, 0.2)],
      [1, shade(c, -0.06)],
    ]),
  )
  p.path(
    d`M${cx} 82Q${cx + half * 0.6} 106 ${cx + half} ${low - 10}L${cx + half * 0.42} ${low + 10}Q${cx + half * 0.2} 110 ${cx} 82z`,
    p.lin('d', [
      [0, shade(c, -0.06)],
      [1, shade(c, -0.32)],
    ]),
  )
  p.path(
    d`M${cx - half} ${low - 10}L${cx - half * 0.42} ${low + 10}H${cx + half * 0.42}L${cx + half} ${low - 10}v17L${cx + half * 0.42} ${low + 29}H${cx - half * 0.42}L${cx - half} ${low + 7}z`,
    p.lin('x', [
      [0, shade(c, 0.12)],
      [0.5, shade(c, -0.08)],
      [1, shade(c, -0.36)],
    ]),
  )
  p.line(
    d`M${cx} 82Q${cx - half * 0.2} 110 ${cx - half * 0.42} ${low + 10}M${cx} 82Q${cx + half * 0.2} 110 ${cx + half * 0.42} ${low + 10}`,
    shade(c, -0.35),
    1.6,
    'opacity=".7"',
  )
  p.path(d`M${cx} 70l34 22q-34 10 -68 0z`, shade(c, 0.2), `stroke="${shade(c, -0.25)}" stroke-width="1"`)
  p.mark(cx, low + 19.5, 6.5, brightness(c) > 0.5 ? '#5b646a' : '#f1f2f2', 0, half * 0.6)
  return { x: cx - half, y: 46, w: Math.max(460 - cx + half, w), h: 398, focus: [cx + 20, 130, 2], foot: [320, 146] }
}

function drawWardrobe(p: Pen): Extent {
  const name = p.text('color', 'white')
  const c = p.hex('color', 'white')
  const w = span(p.num('width_cm', 150), 80, 250, 168, 330)
  const h = span(p.num('height_cm', 200), 180, 210, 306, 344)
  const depth = 92
  const x = 226 - (w + depth * KX) / 2 + 8
  const y = 416 - h
  box(p, x, y, w, h, depth, c, { front: shade(c, -0.45) })
  const n = Math.round(span(p.num('doors_n', 2), 2, 6, 2, 6))
  const sliding = p.text('type', 'hinged') === 'sliding_d'
  const handle = brightness(c) > 0.45 ? '#7d868c' : '#d5dadd'
  const dw = (w - 4) / n
  for (let i = 0; i < n; i++) {
    const back = sliding && i % 2 === 1
    const dx = x + 2 + i * dw
    const dy = y + 8 + (back ? 4 : 0)
    const dh = h - 26 - (back ? 8 : 0)
    p.rect(dx + 1, dy, dw - 2, dh, 1, back ? face(p, shade(c, -0.08), 0.5) : face(p, c, 0.5))
    if (sliding && i === n - 1 && n > 2) {
      p.rect(
        dx + 5,
        dy + 4,
        dw - 10,
        dh - 8,
        1,
        p.lin('d', [
          [0, '#f0f5f7'],
          [0.4, '#b7c8d0'],
          [0.6, '#dfe9ed'],
          [1, '#98adb8'],
        ]),
      )
    } else if (isWood(name)) grain(p, dx + 4, dy + 2, dw - 8, dh - 4, c, 'y', i)
    if (sliding) p.rect(back ? dx + dw - 12 : dx + 6, dy, 6, dh, 0, metal(p, 'x', '#b4b8ba'))
    else p.rect(i % 2 ? dx + 9 : dx + dw - 15, y + h * 0.44, 6, 62, 3, metal(p, 'x', handle))
    if (back)
      p.rect(
        dx,
        dy,
        8,
        dh,
        0,
        p.lin('x', [
          [0, '#000', 0.3],
          [1, '#000', 0],
        ]),
      )
  }
  if (sliding) p.line(d`M${x + 2} ${y + 7}h${w - 4}M${x + 2} ${y + h - 16}h${w - 4}`, '#8b949a', 4)
  p.rect(x, y + h - 16, w, 16, 0, shade(c, -0.25))
  return { x, y: y - depth * KY, w: w + depth * KX, h: h + depth * KY, focus: [x + w * 0.45, y + h * 0.5, 2.1] }
}

function drawShelving(p: Pen): Extent {
  const n = Math.round(span(p.num('shelves', 5), 3, 8, 3, 8))
  const w = span(p.num('width_cm', 90), 75, 150, 178, 300)
  const h = span(p.num('height_cm', 180), 150, 200, 306, 362)
  const depth = 116
  const dx = depth * KX
  const dy = depth * KY
  const x = 240 - (w + dx) / 2
  const y = 428 - h
  const steel = '#aab2b7'
  const heavy = span(p.num('max_load', 700), 400, 1325, 11, 17)
  for (const ux of [x + dx + 4, x + w + dx - 12]) p.rect(ux, y - dy, 12, h, 0, shade(steel, -0.28))
  for (let i = n - 1; i >= 0; i--) {
    const sy = y + 12 + (i * (h - 42)) / (n - 1)
    p.path(
      d`M${x + 4} ${sy}l${dx} ${-dy}h${w - 8}l${-dx} ${dy}z`,
      p.lin('x', [
        [0, '#dcc08e'],
        [1, '#b9965c'],
      ]),
    )
    p.path(d`M${x + w} ${sy}l${dx} ${-dy}v${heavy}l${-dx} ${dy}z`, shade(steel, -0.32))
    p.rect(x, sy, w, heavy, 1, metal(p, 'y', steel))
    p.line(d`M${x + 10} ${sy + heavy * 0.55}H${x + w - 10}`, shade(steel, -0.4), 1.4, 'opacity=".7"')
  }
  // A few things to indicate the scale
  const brand = brandColor(p.subject.brand)
  const at = (i: number): number => y + 12 + (i * (h - 42)) / (n - 1)
  box(p, x + 34, at(1) - 36, 62, 30, 40, '#c99f6b')
  box(p, x + w * 0.52, at(n - 1) - 46, 70, 40, 50, brand)
  box(p, x + w * 0.6, at(2) - 34, 52, 28, 40, '#6d757b')
  for (const ux of [x - 2, x + w - 12]) {
    p.rect(ux, y, 14, h, 0, metal(p, 'x', steel))
    p.line(ribs(ux + 7, y + 10, Math.floor(h / 15), 0, 15, 0, 6), '#5b646a', 3)
    p.rect(ux - 2, y + h - 4, 18, 8, 2, '#23282b')
  }
  p.rect(x + w / 2 - 34, at(0) - 0.5, 68, heavy + 1, 1, brand)
  p.mark(x + w / 2, at(0) + heavy / 2, 6, '#fff', 0, 58)
  return { x: x - 4, y: y - dy, w: w + dx + 8, h: h + dy + 4, focus: [x + 30, at(1), 2.3] }
}

export const outdoors: Record<string, FamilyDrawing> = {
  garden_shed: {
    draw: drawShed,
    scene: 'lawn',
    inScene: 0.86,
    lengths: (p) => ({ w: `${Math.round(Math.sqrt(p.num('area_m2', 4)) * 108)} cm`, h: '216 cm' }),
  },
  fence_panel: {
    draw: drawFence,
    scene: 'lawn',
    inScene: 0.9,
    noSide: true,
    lengths: (p) => ({ w: `${Math.round(p.num('width_m', 2.5) * 100)} cm`, h: `${p.num('height_cm', 123)} cm` }),
  },
  awning: {
    draw: drawAwning,
    scene: 'terrace',
    hangs: true,
    inScene: 0.9,
    noSide: true,
    lengths: (p) => ({ w: `${Math.round(p.num('width_m', 3.5) * 100)} cm`, h: `${Math.round(p.num('projection_m', 2.5) * 100)} cm` }),
  },
  parasol: {
    draw: drawParasol,
    scene: 'terrace',
    inScene: 0.86,
    lengths: (p) => ({ w: `${Math.round(p.num('width_m', 3) * 100)} cm`, h: '255 cm' }),
  },
  wardrobe: {
    draw: drawWardrobe,
    scene: 'room',
    inScene: 0.86,
    lengths: (p) => ({ w: `${p.num('width_cm', 150)} cm`, h: `${p.num('height_cm', 200)} cm` }),
  },
  shelving: {
    draw: drawShelving,
    scene: 'cellar',
    inScene: 0.84,
    lengths: (p) => ({ w: `${p.num('width_cm', 90)} cm`, h: `${p.num('height_cm', 180)} cm` }),
  },
}
