import { box, chromeTube, ribs, span, tube } from './bodies.ts'
import { mix, shade } from './colors.ts'
import { drawBreaker, lightOf } from './electric.ts'
import type { FamilyDrawing } from './family.ts'
import { ceiling, pendant } from './in-use.ts'
import { amount, fromAttrs } from './lengths.ts'
import { d, face, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

function drawExtension(p: Pen): Extent {
  const c = p.hex('color', 'white')
  const n = Math.round(span(p.num('sockets_n', 4), 1, 6, 1, 6))
  const w = 66 + n * 54
  const x = 240 - w / 2
  const turns = Math.round(span(Math.log2(p.num('length_m', 3)), 1, 4.6, 2, 5))
  for (let i = 0; i < turns; i++) tube(p, d`M${130 + i * 3} ${172 - i * 9}a104 38 0 1 1 208 0a104 38 0 1 1 -208 0`, 11, c, 0.4)
  tube(p, d`M330 180Q400 236 ${x + w - 6} 322`, 11, c, 0.4)
  tube(p, 'M140 182Q70 210 84 262', 11, c, 0.4)
  p.path('M66 258q18 -14 38 0l4 40q-22 12 -44 0z', volume(p, 'x', c, 0.4))
  p.rect(74, 300, 7, 26, 3, metal(p, 'x', '#c3c9cd'))
  p.rect(92, 300, 7, 26, 3, metal(p, 'x', '#c3c9cd'))
  box(p, x, 316, w, 66, 44, c, { front: face(p, c) })
  for (let i = 0; i < n; i++) {
    const cx = x + 34 + i * 54
    p.ell(
      cx,
      349,
      22,
      22,
      p.lin('y', [
        [0, shade(c, -0.4)],
        [1, shade(c, -0.05)],
      ]),
    )
    p.ell(cx - 8, 349, 3.4, 3.4, '#15191c')
    p.ell(cx + 8, 349, 3.4, 3.4, '#15191c')
  }
  p.rect(x + w - 32, 334, 20, 30, 4, '#c2372d')
  const left = Math.min(60, x)
  return { x: left, y: 130 - turns * 9, w: Math.max(352, x + w + 28) - left, h: 252 + turns * 9, focus: [240, 340, 2.1] }
}

/** A frame on the wall with a plate in it. */
function plate(p: Pen, inner: (cx: number, cy: number) => void): Extent {
  const c = p.hex('color', 'white')
  const n = p.num('pack_qty', 1) > 1 ? 2 : 1
  const one = (x: number, y: number): void => {
    p.rect(x + 7, y + 9, 230, 230, 22, '#1b2329', 'opacity=".2"')
    p.rect(
      x,
      y,
      230,
      230,
      22,
      p.lin('d', [
        [0, shade(c, 0.5)],
        [0.4, c],
        [1, shade(c, -0.24)],
      ]),
      `stroke="${shade(c, -0.2)}"`,
    )
    p.rect(
      x + 24,
      y + 24,
      182,
      182,
      12,
      p.lin('d', [
        [0, shade(c, 0.1)],
        [0.5, shade(c, 0.3)],
        [1, shade(c, -0.14)],
      ]),
      `stroke="${shade(c, -0.25)}" stroke-width="1.5"`,
    )
    inner(x + 115, y + 115)
  }
  if (n > 1) one(196, 66)
  one(n > 1 ? 76 : 125, n > 1 ? 138 : 106)
  return n > 1 ? { x: 76, y: 66, w: 350, h: 302, focus: [190, 250, 1.8] } : { x: 125, y: 106, w: 230, h: 230, focus: [240, 220, 1.8] }
}

const drawSocket = (p: Pen): Extent =>
  plate(p, (cx, cy) => {
    const c = p.hex('color', 'white')
    const usb = p.text('type', 'standard') === 'usb_c'
    const y = usb ? cy - 16 : cy
    p.ell(
      cx,
      y,
      64,
      64,
      p.lin('y', [
        [0, shade(c, -0.42)],
        [1, shade(c, -0.02)],
      ]),
    )
    p.ell(
      cx,
      y + 2,
      57,
      57,
      p.rad([
        [0, shade(c, -0.06)],
        [1, shade(c, -0.22)],
      ]),
    )
    for (const s of [-1, 1]) {
      p.ell(cx + s * 27, y, 8.5, 8.5, '#15191c')
      p.rect(cx - 5, y + s * 52 - 6, 10, 12, 3, metal(p, 'x', '#b7bec3'))
    }
    if (usb) for (const s of [-1, 1]) p.rect(cx + s * 26 - 14, cy + 64, 28, 11, 5, '#15191c')
  })

const drawSwitch = (p: Pen): Extent =>
  plate(p, (cx, cy) => {
    const c = p.hex('color', 'white')
    const type = p.text('type', 'single_sw')
    if (type === 'dimmer') {
      p.ell(cx + 3, cy + 5, 54, 54, '#000', 'opacity=".2"')
      p.ell(
        cx,
        cy,
        52,
        52,
        p.lin('d', [
          [0, shade(c, 0.5)],
          [0.5, c],
          [1, shade(c, -0.35)],
        ]),
      )
      p.line(d`M${cx} ${cy - 20}v-24`, shade(c, -0.5), 5)
      return
    }
    const halves = type === 'two_way' ? 2 : 1
    for (let i = 0; i < halves; i++) {
      const w = 150 / halves
      const x = cx - 75 + i * w
      p.rect(
        x + 1,
        cy - 75,
        w - 2,
        150,
        5,
        p.lin('y', [
          [0, shade(c, -0.12)],
          [0.5, c],
          [0.52, shade(c, 0.4)],
          [1, shade(c, -0.06)],
        ]),
        `stroke="${shade(c, -0.3)}" stroke-width="1.2"`,
      )
      p.ell(x + w / 2, cy + 52, 4, 4, '#ef8a3a', 'opacity=".8"')
    }
  })

function drawCeilingLight(p: Pen): Extent {
  const c = p.hex('color', 'white')
  const light = lightOf(p.num('kelvin', 3000))
  const r = span(p.num('power', 18), 12, 36, 128, 174)
  p.ell(
    240,
    240,
    r * 1.4,
    r * 1.1,
    p.rad([
      [0, light, 0.9],
      [0.6, light, 0.4],
      [1, light, 0],
    ]),
  )
  p.path(
    d`M${240 - r} 214v34a${r} ${r * 0.5} 0 0 0 ${r * 2} 0v-34z`,
    p.text('color', '') === 'brass' ? metal(p, 'x', c) : volume(p, 'x', c, 0.4),
  )
  p.ell(240, 214, r, r * 0.5, shade(c, 0.1))
  p.ell(
    240,
    250,
    r * 0.9,
    r * 0.44,
    p.rad([
      [0, '#ffffff'],
      [0.5, mix('#ffffff', light, 0.5)],
      [1, light],
    ]),
  )
  p.path(
    d`M${240 - r * 0.9} 250a${r * 0.9} ${r * 0.56} 0 0 0 ${r * 1.8} 0a${r * 0.9} ${r * 0.44} 0 0 1 ${-r * 1.8} 0z`,
    mix('#ffffff', light, 0.7),
  )
  return { x: 240 - r, y: 214 - r * 0.5, w: r * 2, h: r + 44, focus: [240 - r * 0.5, 250, 2] }
}

function drawPendant(p: Pen): Extent {
  const c = p.hex('color', 'black')
  const r = span(p.num('width_cm', 30), 20, 50, 92, 158)
  const material = p.text('material', 'steel')
  p.line('M240 40V156', '#23282b', 4)
  p.rect(216, 34, 48, 16, 5, volume(p, 'x', c, 0.4))
  p.ell(
    240,
    290,
    r * 1.2,
    92,
    p.rad([
      [0, '#ffe3a8', 0.8],
      [1, '#ffe3a8', 0],
    ]),
  )
  p.rect(224, 146, 32, 34, 5, metal(p, 'x', p.text('color', '') === 'brass' ? '#b99a4a' : '#8b949a'))
  p.ell(
    240,
    300,
    26,
    28,
    p.rad([
      [0, '#ffffff'],
      [0.6, '#fff1cf'],
      [1, '#ffdc94'],
    ]),
  )
  const shape = d`M${240 - 22} 176q${-r * 0.2} ${24} ${-r * 0.5 + 6} ${46}T${240 - r} 300a${r} ${r * 0.16} 0 0 0 ${r * 2} 0q0 -60 ${-r * 0.5 + 0} ${-78}T262 176z`
  p.path(shape, p.text('color', '') === 'brass' ? metal(p, 'x', c) : volume(p, 'x', c, 0.45), material === 'glass' ? 'opacity=".55"' : '')
  if (material === 'wood') p.clip(shape, () => p.line(ribs(240 - r, 180, 11, (r * 2) / 10, 0, 0, 140), shade(c, -0.4), 2, 'opacity=".5"'))
  p.line(d`M${240 - r} 300a${r} ${r * 0.16} 0 0 0 ${r * 2} 0`, shade(c, 0.3), 3)
  return { x: 240 - r, y: 34, w: r * 2, h: 294, focus: [240, 240, 2], foot: [240 - r * 0.5, r] }
}

function drawStrip(p: Pen): Extent {
  const light = lightOf(p.num('kelvin', 2700))
  const turns = Math.round(span(Math.log2(p.num('length_m', 5)), 1, 3.3, 3, 6))
  p.ell(
    230,
    216,
    190,
    150,
    p.rad([
      [0, light, 0.8],
      [0.6, light, 0.3],
      [1, light, 0],
    ]),
  )
  p.ell(230, 216, 54, 54, '#eceeee', 'stroke="#b3babf" stroke-width="2"')
  p.ell(230, 216, 20, 20, '#fff', 'stroke="#b3babf" stroke-width="2"')
  let spiral = ''
  for (let i = 0; i <= turns * 20; i++) {
    const a = (i / 20) * 6.283
    const r = 62 + i * 0.84
    spiral += d`${i ? 'L' : 'M'}${230 + Math.cos(a) * r} ${216 + Math.sin(a) * r}`
  }
  const end = 62 + turns * 20 * 0.84
  spiral += d`Q${230 + end} 330 ${230 + end + 30} 380`
  p.line(spiral, '#c9cfd2', 13)
  p.line(spiral, '#f6f7f7', 10)
  p.line(spiral, mix('#ffffff', light, 0.75), 6, 'stroke-dasharray="5 9" stroke-linecap="butt"')
  box(p, 60, 372, 108, 34, 44, '#2b3034')
  p.mark(114, 389, 8, '#fff', 0, 84)
  tube(p, 'M168 390Q200 410 230 384', 5, '#23282b', 0.3)
  return { x: 60, y: 216 - end, w: 210 + end, h: 196 + end, focus: [230 + end * 0.6, 160, 2.1] }
}

function drawWallLight(p: Pen): Extent {
  const c = p.hex('color', 'anthracite')
  const light = lightOf(p.num('kelvin', 3000))
  p.path(
    'M150 90L240 190L330 90z',
    p.lin('y', [
      [0, light, 0],
      [1, light, 0.9],
    ]),
  )
  p.path(
    'M120 430L240 300L360 430z',
    p.lin('y', [
      [0, light, 0.9],
      [1, light, 0],
    ]),
  )
  p.rect(206, 208, 116, 76, 5, shade(c, -0.3))
  const h = span(p.num('power', 7), 5, 12, 128, 168)
  p.rect(190, 246 - h / 2, 100, h, 7, volume(p, 'x', c, 0.34))
  p.ell(240, 246 - h / 2, 48, 8, shade(light, 0.5))
  p.ell(240, 246 + h / 2, 48, 8, shade(light, 0.5))
  p.mark(240, 246, 7, shade(c, 0.55), 0, 66)
  return { x: 150, y: 100, w: 180, h: 300, focus: [240, 220, 2.1] }
}

function drawFloodlight(p: Pen): Extent {
  const c = p.hex('color', 'black')
  const k = span(Math.sqrt(p.num('power', 30)), 3.1, 10, 0.74, 1.06)
  const light = lightOf(p.num('kelvin', 4000))
  const w = 260 * k
  const h = 200 * k
  const x = 232 - w / 2
  const y = 216 - h / 2
  chromeTube(p, d`M${x - 10} ${y + h * 0.5}V${y + h + 50}H${x + w + 22}V${y + h * 0.5}`, 12, '#4b5359')
  box(p, x, y, w, h, 40, c, { front: face(p, c) })
  p.line(ribs(x + w + 4, y + 10, 9, 0, h / 10, 18, -10), shade(c, 0.2), 3)
  p.rect(
    x + 16,
    y + 16,
    w - 32,
    h - 32,
    4,
    p.lin('d', [
      [0, '#e9eff2'],
      [0.5, '#b9c6cd'],
      [1, '#e3eaee'],
    ]),
  )
  for (let i = 0; i < 12; i++)
    p.rect(x + w * 0.24 + (i % 4) * w * 0.14, y + h * 0.26 + Math.floor(i / 4) * h * 0.18, w * 0.09, h * 0.1, 2, mix('#f2d75c', light, 0.5))
  p.path(d`M${x + 16} ${y + 16}h${w * 0.34}L${x + w * 0.16} ${y + h - 16}H${x + 16}z`, '#fff', 'opacity=".35"')
  p.mark(x + w / 2, y + h - 8, 5, '#9aa2a8', 0, 70)
  return { x: x - 16, y: y - 14, w: w + 48, h: h + 76, focus: [232, 216, 2] }
}

export const powerAndLight: Record<string, FamilyDrawing> = {
  rcd: { draw: drawBreaker, scene: 'board', hangs: true, inScene: 0.62 },
  extension_lead: { draw: drawExtension, scene: 'room', noSide: true, lengths: amount('length_m', 'm') },
  wall_socket: { draw: drawSocket, scene: 'wall', hangs: true, noSide: true, inScene: 0.44 },
  light_switch: { draw: drawSwitch, scene: 'wall', hangs: true, noSide: true, inScene: 0.44 },
  ceiling_light: {
    draw: drawCeilingLight,
    scene: 'room',
    hangs: true,
    noSide: true,
    inUse: (p) => ceiling(p, lightOf(p.num('kelvin', 3000))),
  },
  pendant_light: {
    draw: drawPendant,
    scene: 'room',
    hangs: true,
    noSide: true,
    lengths: fromAttrs('width_cm', ''),
    inUse: (p) => pendant(p, '#ffd48a', p.hex('color', 'terracotta')),
  },
  led_strip: { draw: drawStrip, scene: 'room', hangs: true, noSide: true, lengths: amount('length_m', 'm') },
  outdoor_wall_light: { draw: drawWallLight, scene: 'wall', hangs: true, noSide: true },
  floodlight: { draw: drawFloodlight, scene: 'wall', hangs: true, noSide: true, inScene: 0.6 },
}
