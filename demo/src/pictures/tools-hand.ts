import { boss, box, chromeTube, KX, KY, onSide, ribs, scaled, span, tube } from './bodies.ts'
import { brandColor, entry, inkOn, shade } from './colors.ts'
import type { FamilyDrawing } from './family.ts'
import { d, face, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

const useColor: Record<string, string> = { for_wood: '#c8741f', for_metal: '#2a639c', for_multi: '#3d7a55', for_concrete: '#8a3034' }

function drawSawBlade(p: Pen): Extent {
  const r = span(p.num('blade_d', 190), 140, 305, 138, 196)
  const n = Math.round(span(p.num('teeth', 40), 20, 80, 20, 64))
  const c = entry(useColor, p.text('use_for', 'for_wood'), '#c8741f')
  const cx = 240
  const cy = 236
  const root = r * 0.925
  let path = ''
  let tips = ''
  for (let i = 0; i < n; i++) {
    const a = (i / n) * Math.PI * 2
    const s = (Math.PI * 2) / n
    const at = (t: number, rad: number): string => d`${cx + Math.cos(a + s * t) * rad} ${cy + Math.sin(a + s * t) * rad}`
    path += `${i ? 'L' : 'M'}${at(0, root)}L${at(0.12, r)}L${at(0.5, r * 0.985)}`
    tips += `M${at(0.06, r * 0.965)}L${at(0.12, r)}L${at(0.36, r * 0.992)}`
  }
  const sheen = p.lin('d', [
    [0, '#f4f6f7'],
    [0.22, '#b3bbc0'],
    [0.36, '#dde2e5'],
    [0.5, '#8e979d'],
    [0.62, '#cdd3d7'],
    [0.8, '#9aa3a9'],
    [1, '#6c757b'],
  ])
  p.path(`${path}Z`, sheen, 'stroke="#5c656b" stroke-width="1"')
  p.line(tips, p.text('use_for', '') === 'for_metal' ? '#e0b64c' : '#3f474d', 2)
  p.ell(cx, cy, r * 0.86, r * 0.86, 'none', 'stroke="#fff" stroke-opacity=".45" stroke-width="2"')
  let slots = ''
  for (let i = 0; i < 4; i++) {
    const a = (i / 4) * 6.283 + 0.5
    const at = (t: number, k: number): string => d`${cx + Math.cos(a + t) * r * k} ${cy + Math.sin(a + t) * r * k}`
    slots += `M${at(0, 0.92)}Q${at(0, 0.8)} ${at(0.12, 0.72)}`
    p.ell(cx + Math.cos(a + 0.12) * r * 0.72, cy + Math.sin(a + 0.12) * r * 0.72, 4, 4, '#394147')
  }
  p.line(slots, '#394147', 2)
  p.ell(cx, cy, r * 0.56, r * 0.56, c, 'opacity=".92"')
  p.ell(
    cx,
    cy,
    r * 0.56,
    r * 0.56,
    p.lin('d', [
      [0, '#fff', 0.35],
      [0.5, '#fff', 0],
      [1, '#000', 0.25],
    ]),
  )
  p.ell(cx, cy, r * 0.24, r * 0.24, sheen)
  const bore = span(p.num('bore', 20), 16, 30, 0.085, 0.14) * r
  p.ell(cx, cy, bore, bore, '#fdfdfd', 'stroke="#545d63" stroke-width="2"')
  p.mark(cx, cy - r * 0.4, Math.max(10, r * 0.085), '#fff', 0, r * 0.7)
  p.line(d`M${cx - r * 0.3} ${cy + r * 0.38}h${r * 0.6}M${cx - r * 0.2} ${cy + r * 0.45}h${r * 0.4}`, '#fff', 2.5, 'opacity=".75"')
  return { x: cx - r, y: cy - r, w: r * 2, h: r * 2, focus: [cx + r * 0.45, cy - r * 0.5, 2.6], foot: [cx - r * 0.45, r * 0.9] }
}

function drawDrillBits(p: Pen): Extent {
  const pieces = p.num('pieces', 19)
  const n = Math.round(span(Math.sqrt(pieces), 2.2, 8, 5, 17))
  const grade = p.text('grade', 'HSS')
  const use = p.text('use_for', 'for_multi')
  const tint = grade === 'HSS-TiN' ? '#c9a23a' : grade === 'HSS-Co' ? '#8d7355' : grade === 'TCT' ? '#b4bbc0' : '#4d555b'
  const c = brandColor(p.subject.brand)
  const w = span(n, 5, 17, 220, 350)
  const x = 240 - w / 2
  // Open lid behind
  p.rect(x - 14, 104, w + 28, 200, 14, volume(p, 'y', shade(c, -0.05), 0.25))
  p.rect(
    x - 2,
    116,
    w + 4,
    176,
    8,
    p.lin('y', [
      [0, shade(c, -0.4)],
      [1, shade(c, -0.2)],
    ]),
  )
  p.line(d`M${x - 6} 108h${w + 12}`, '#fff', 2.4, 'opacity=".45"')
  const step = w / n
  for (let i = 0; i < n; i++) {
    const t = n === 1 ? 0 : i / (n - 1)
    const half = (1 - t) * step * 0.3 + 2.2
    const bx = x + step * (i + 0.5)
    const top = 132 + t * 96
    const fill = metal(p, 'x', tint)
    if (use === 'for_wood')
      p.path(d`M${bx - half} ${top + 12}h${half * 0.7}l${half * 0.3} -12l${half * 0.3} 12h${half * 0.7}V322h${-half * 2}z`, fill)
    else p.path(d`M${bx - half} ${top + half}L${bx} ${top}L${bx + half} ${top + half}V322h${-half * 2}z`, fill)
    if (use === 'for_concrete') p.path(d`M${bx - half - 1.6} ${top + 10}L${bx} ${top - 2}l${half + 1.6} 12z`, '#d9dee1')
    p.line(
      ribs(bx - half, top + 22, Math.max(3, Math.floor((270 - top) / 15)), 0, 15, half * 2, -10),
      shade(tint, -0.5),
      2,
      'opacity=".75"',
    )
  }
  // Tray
  p.path(d`M${x - 14} 292h${w + 28}l14 82q2 22 -18 22H${x - 10}q-20 0 -18 -22z`, volume(p, 'y', c, 0.35))
  p.path(d`M${x - 14} 292h${w + 28}l2 14H${x - 16}z`, shade(c, -0.35))
  for (let i = 0; i < n; i++) p.ell(x + step * (i + 0.5), 299, 5, 2.4, '#14181b')
  p.rect(240 - 62, 326, 124, 40, 6, shade(c, -0.25))
  p.mark(240, 346, 15, '#fff', 0, 108)
  p.rect(x + 4, 330, 30, 36, 4, volume(p, 'y', '#2b3034', 0.3))
  p.rect(x + w - 34, 330, 30, 36, 4, volume(p, 'y', '#2b3034', 0.3))
  return { x: x - 28, y: 104, w: w + 56, h: 292, focus: [x + w * 0.3, 230, 2.3] }
}

function drawToolbox(p: Pen): Extent {
  const c = p.hex('color', 'black')
  const steel = p.text('material', 'plastic') === 'steel'
  const body = steel ? c : c === '#24282b' ? '#2b3034' : shade('#2b3034', 0.02)
  const lid = c === '#24282b' && !steel ? '#3d454b' : c
  return scaled(p, span(p.num('length_cm', 48), 33, 60, 0.74, 1.02), 240, 400, () => {
    tube(p, 'M140 168v-46q0 -18 20 -18h160q20 0 20 18v46', steel ? 12 : 20, steel ? '#9aa1a6' : '#3a4146', 0.5)
    p.rect(196, 90, 92, 28, 13, volume(p, 'y', '#22272b', 0.3))
    const e = box(p, 52, 226, 330, 172, 80, body, { front: volume(p, 'y', body, 0.2) })
    box(p, 46, 158, 342, 70, 82, lid, { front: volume(p, 'y', lid, 0.3) })
    p.line('M50 230h334', '#0d1012', 3, 'opacity=".55"')
    if (steel) {
      p.path('M60 300h314v6h-314z', shade(c, -0.3), 'opacity=".6"')
      p.line('M60 300h314', '#fff', 1.5, 'opacity=".35"')
    } else {
      p.rect(70, 292, 294, 88, 10, shade(body, -0.3), 'opacity=".55"')
      p.line(ribs(92, 304, 2, 252, 0, 0, 64), shade(body, 0.2), 3, 'opacity=".5"')
    }
    for (const x of [92, 306]) {
      p.rect(x, 208, 44, 54, 6, steel ? metal(p, 'x', '#a9b1b6') : volume(p, 'y', c === '#24282b' ? '#d0701f' : '#e5e8ea', 0.4))
      p.rect(x + 10, 240, 24, 8, 3, '#2b3034', 'opacity=".6"')
    }
    p.line('M56 162h320', '#fff', 2.6, 'opacity=".5"')
    p.mark(218, 194, 17, inkOn(lid))
    return { x: 46, y: 90, w: e.w + 14, h: 308, focus: [130, 226, 2.3] }
  })
}

function drawLaser(p: Pen): Extent {
  const beam = p.text('color', 'red') === 'green' ? '#18b34a' : '#e0252b'
  const c = brandColor(p.subject.brand)
  const lines = p.num('lines', 3)
  const glow = p.rad([
    [0, beam, 0.5],
    [0.4, beam, 0.14],
    [1, beam, 0],
  ])
  // Lines on the wall behind
  p.ell(232, 182, 190, 130, glow, 'opacity=".35"')
  const across = ['M26 182H440', 'M232 20V352']
  if (lines > 2) across.push('M64 20L400 344')
  if (lines > 4) across.push('M400 20L64 344')
  p.line(across.join(''), beam, 5, 'opacity=".16"')
  p.line(across.join(''), beam, 1.8, 'opacity=".85"')
  const k = span(lines, 2, 12, 0.94, 1.1)
  const e = scaled(p, k, 240, 424, () => {
    // Bracket foot
    box(p, 166, 396, 132, 22, 88, '#2b3034')
    p.path('M186 396v-30h92v30z', volume(p, 'x', '#3a4146', 0.3))
    const b = box(p, 158, 186, 146, 188, 96, c, { front: face(p, c) })
    for (const [x, y] of [
      [152, 180],
      [276, 180],
      [152, 342],
      [276, 342],
    ] as const)
      p.rect(x, y, 34, 38, 10, volume(p, 'd', '#2b3034', 0.25))
    // Window
    p.rect(184, 214, 94, 92, 12, '#14181b')
    p.rect(
      190,
      220,
      82,
      80,
      8,
      p.lin('d', [
        [0, '#5c666d'],
        [0.4, '#22282c'],
        [1, '#0e1113'],
      ]),
    )
    p.ell(231, 258, 22, 22, metal(p, 'd', '#8f979d'))
    p.ell(231, 258, 15, 15, '#101416')
    p.ell(231, 258, 9, 9, beam)
    p.ell(228, 255, 3.4, 3.4, '#fff', 'opacity=".9"')
    p.path('M194 224h40l-30 66h-10z', '#fff', 'opacity=".12"')
    p.mark(231, 332, 12.5, inkOn(c), 0, 112)
    p.group(onSide(304, 186), () => {
      p.rect(18, 50, 56, 96, 10, shade(c, -0.5), 'opacity=".6"')
      p.line('M30 74h32M30 92h32M30 110h32', '#0d1012', 5)
    })
    p.ell(268, 164, 16, 6, volume(p, 'x', '#22272b', 0.3))
    return { x: 152, y: b.y, w: b.w + 12, h: 232 }
  })
  return { x: Math.min(e.x, 30), y: 22, w: 408, h: 402, focus: [232, 270, 2.2], foot: [160, 210] }
}

function drawCompressor(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  const k = span(Math.sqrt(p.num('tank', 50)), 2.4, 14.2, 0.72, 1.04)
  const w = span(Math.sqrt(p.num('tank', 50)), 2.4, 14.2, 286, 384)
  return scaled(p, k, 240, 404, () => {
    const x = 226 - w / 2
    tube(p, d`M${x + w - 26} 250C${x + w + 40} 236 ${x + w + 34} 170 ${x + w + 6} 160`, 13, '#3a4146', 0.4)
    // Pump and motor on the tank
    p.path(d`M${x + 44} 150h120v96h-120z`, volume(p, 'x', '#4b5359', 0.35))
    p.line(ribs(x + 44, 162, 8, 0, 11, 120, 0), '#23282c', 4)
    p.rect(x + 54, 120, 100, 34, 8, volume(p, 'x', '#656d73', 0.45))
    p.rect(x + 164, 158, w - 214, 88, 26, volume(p, 'y', c, 0.35))
    p.line(ribs(x + w - 88, 176, 4, 9, 0, 0, 52), shade(c, -0.5), 3.5)
    p.mark(x + w * 0.42, 310, 17, inkOn(c))
    // Tank
    p.rect(x, 244, w, 118, 56, volume(p, 'y', c, 0.4))
    p.line(d`M${x + 44} 246q-12 57 0 114M${x + w - 44} 246q12 57 0 114`, shade(c, -0.4), 2, 'opacity=".7"')
    p.line(d`M${x + 50} 262h${w - 110}`, '#fff', 5, 'opacity=".4"')
    // Regulator with two dials
    tube(p, d`M${x + w * 0.56} 244v-26h52`, 10, '#b99a4a', 0.8)
    for (const [gx, gy, r] of [
      [x + w * 0.56, 214, 21],
      [x + w * 0.56 + 50, 226, 15],
    ] as const) {
      p.ell(gx, gy, r, r, metal(p, 'd', '#aab2b7'))
      p.ell(gx, gy, r * 0.78, r * 0.78, '#fbfbfa')
      p.line(d`M${gx} ${gy}l${r * 0.4} ${-r * 0.45}`, '#c2272d', 2)
      p.line(d`M${gx - r * 0.5} ${gy + r * 0.3}a${r * 0.6} ${r * 0.6} 0 1 1 ${r} 0`, '#3a4248', 1.5)
    }
    // Wheels and foot
    p.path(d`M${x + 30} 348h34v44h-34z`, '#2b3034')
    p.rect(x + 24, 388, 48, 16, 5, '#15191c')
    p.ell(x + w - 62, 360, 44, 44, volume(p, 'd', '#24292d', 0.2))
    p.ell(x + w - 62, 360, 25, 25, volume(p, 'd', '#d4d8da', 0.4))
    boss(p, x + w - 62, 360, 9)
    return { x, y: 120, w: w + 34, h: 284, focus: [x + w * 0.55, 220, 2.3] }
  })
}

function drawWelder(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  const process = p.text('process', 'mma')
  const k = span(p.num('amp_weld', 160), 120, 250, 0.86, 1.02) * (process === 'mig' ? 1.04 : 1)
  return scaled(p, k, 230, 400, () => {
    tube(p, 'M150 330C60 330 24 372 84 392S200 400 226 396', 14, '#22272b', 0.35)
    if (process === 'mma') {
      p.path('M210 384l70 -4l26 10q8 6 -2 12l-92 6z', volume(p, 'y', c, 0.3))
      p.line('M306 394l62 -16', '#8f979d', 5)
    } else {
      p.path('M214 382l62 -6q22 2 24 14q-2 10 -16 12l-70 4z', volume(p, 'y', '#2b3034', 0.3))
      chromeTube(p, process === 'tig' ? 'M300 390l44 2' : 'M298 388q36 -2 50 22', process === 'tig' ? 9 : 13, '#c0a04c')
    }
    tube(p, 'M150 134v-34q0 -14 16 -14h170q16 0 16 14v20', 20, '#2b3034', 0.3)
    const e = box(p, 120, 140, 190, 220, 176, c, { front: volume(p, 'y', '#2f353a', 0.12) })
    p.group(onSide(310, 140), () => {
      p.line(ribs(28, 140, 8, 15, 0, 0, 48), shade(c, -0.6), 5)
      p.path('M0 0H176V14H0z', '#fff', 'opacity=".18"')
    })
    p.group(`matrix(.62 -.36 0 1 310 140)`, () => p.mark(88, 76, 20, inkOn(c), 0, 146))
    // Panel
    p.rect(
      132,
      152,
      166,
      196,
      8,
      p.lin('y', [
        [0, '#434b51'],
        [1, '#262c30'],
      ]),
    )
    p.rect(148, 168, 92, 46, 5, '#0d1114')
    p.line('M166 178v26M180 178h14v13h-14v13h14M206 178h14v26h-14zM206 191h14', '#ff7a45', 3)
    p.ell(270, 192, 21, 21, volume(p, 'd', '#15191c', 0.3))
    p.line('M270 192l8 -14', '#fff', 3)
    for (let i = 0; i < 4; i++) p.ell(156 + i * 24, 234, 4, 4, i === 1 ? '#46c06a' : '#5b646a')
    for (const [x, col] of [
      [170, '#c2272d'],
      [252, '#1b1f22'],
    ] as const) {
      p.ell(x, 302, 27, 27, volume(p, 'd', '#596168', 0.35))
      p.ell(x, 302, 19, 19, col)
      p.ell(x, 302, 9, 9, metal(p, 'd', '#c0a04c'))
    }
    tube(p, process === 'mig' ? 'M252 306q-8 40 -60 34t-64 -4' : 'M170 306q4 30 -24 28', 16, '#22272b', 0.35)
    p.rect(114, 356, 200, 14, 6, '#1a1e21')
    p.path(d`M314 368l${176 * KX - 6} ${-176 * KY}v-12l${-176 * KX + 6} ${176 * KY}z`, '#1a1e21')
    return { x: 44, y: 76, w: e.w + 78, h: 332, focus: [226, 240, 2.2] }
  })
}

function drawLadder(p: Pen): Extent {
  const n = Math.round(span(p.num('steps', 10), 6, 14, 5, 11))
  const k = span(p.num('steps', 10), 6, 14, 0.8, 1)
  const c = brandColor(p.subject.brand)
  return scaled(p, k, 240, 436, () => {
    const alu = '#b9c0c4'
    const y0 = 44
    // Rear leg
    p.path('M254 46h16l104 346h-18z', metal(p, 'x', shade(alu, -0.2)))
    p.path('M206 46h12l60 346h-14z', metal(p, 'x', shade(alu, -0.28)))
    for (let i = 2; i < n; i++) {
      const t = (i + 0.4) / n
      p.line(d`M${212 + 58 * t} ${y0 + 346 * t}L${264 + 102 * t} ${y0 + 346 * t}`, shade(alu, -0.35), 6)
    }
    // Front leg with treads
    for (let i = 0; i < n; i++) {
      const t = (i + 0.6) / n
      const y = y0 + 382 * t
      const l = 196 - 112 * t
      const r = 262 - 20 * t
      p.path(d`M${l} ${y - 8}h${r - l}l-2 13h${l - r}z`, metal(p, 'y', alu))
      p.line(d`M${l + 4} ${y - 7}H${r - 4}`, '#fff', 1.5, 'opacity=".7"')
    }
    p.path('M188 40h18l-112 390h-22z', metal(p, 'x', alu))
    p.path('M252 40h18l-16 390h-22z', metal(p, 'x', alu))
    p.path('M68 418h30l-4 18h-30zM228 418h30v18h-32z', '#24292d')
    p.path('M262 384l14 -4v16l-12 4zM352 384h24l4 16h-24z', '#24292d')
    p.rect(178, 30, 102, 26, 9, volume(p, 'y', c, 0.35))
    p.mark(229, 43, 9.5, inkOn(c), 0, 88)
    for (const [x, y] of [
      [146, 186],
      [248, 186],
    ] as const) {
      p.ell(x, y, 17, 17, volume(p, 'd', '#30363a', 0.3))
      boss(p, x, y, 7, c)
    }
    return { x: 64, y: 30, w: 318, h: 406, focus: [210, 110, 2.3] }
  })
}

export const handTools: Record<string, FamilyDrawing> = {
  saw_blade: { draw: drawSawBlade, scene: 'bench', inScene: 0.72, lengths: (p) => ({ w: `${p.num('blade_d', 190)} mm` }), noSide: true },
  drill_bits: {
    draw: drawDrillBits,
    scene: 'bench',
    inScene: 0.72,
    lengths: (p) => ({ w: `${Math.round(span(p.num('pieces', 19), 5, 100, 98, 310))} mm` }),
    noSide: true,
  },
  toolbox: {
    draw: drawToolbox,
    scene: 'bench',
    lengths: (p) => ({ w: `${p.num('length_cm', 48)} cm`, h: `${Math.round(p.num('length_cm', 48) * 0.52)} cm` }),
  },
  laser_level: { draw: drawLaser, scene: 'site', lengths: () => ({ h: '118 mm', w: '96 mm' }) },
  compressor: { draw: drawCompressor, scene: 'cellar', lengths: (p) => ({ w: `${Math.round(34 + Math.sqrt(p.num('tank', 50)) * 7)} cm` }) },
  welder: { noSide: true, draw: drawWelder, scene: 'bench', lengths: (p) => ({ h: `${Math.round(20 + p.num('amp_weld', 160) / 20)} cm` }) },
  ladder: { draw: drawLadder, scene: 'wall', inScene: 0.86, lengths: (p) => ({ h: `${Math.round(p.num('steps', 10) * 0.28 * 100)} cm` }) },
}
