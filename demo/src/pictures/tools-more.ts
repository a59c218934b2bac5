import { boss, box, chromeTube, ribs, scaled, span, tube } from './bodies.ts'
import { brandColor, inkOn, shade } from './colors.ts'
import type { FamilyDrawing } from './family.ts'
import { amount, fromAttrs } from './lengths.ts'
import { carton } from './packs.ts'
import { d, face, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'
import { battery, teeth } from './tools-power.ts'

const RUBBER = '#2b3034'

function drawJigsaw(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  const cordless = p.text('power_source', 'mains') === 'battery'
  if (cordless) battery(p, 342, 168, 76, 84, c)
  else tube(p, 'M386 196c40 4 60 40 40 66s-44 0 -26 -18', 8, '#2a2e31', 0.3)
  // Closed handle over the body
  p.path('M140 196q-4 -92 90 -98h90q68 4 74 66l-4 66q-2 34 -40 36H170q-24 -8 -30 -70z', volume(p, 'y', c, 0.34))
  p.path('M212 176q4 -30 36 -32h64q26 2 28 24q-2 24 -28 26h-70q-30 6 -30 -18z', '#fdfdfd')
  p.path('M206 112q20 -14 110 -12q60 6 70 50l-36 2q-6 -18 -34 -18h-68q-34 4 -38 30q-10 -30 -4 -52z', volume(p, 'y', RUBBER, 0.3))
  p.path('M252 146h40q6 14 -4 18h-30z', '#b3262b')
  p.line(ribs(262, 218, 6, 13, 0, 0, 30), shade(c, -0.55), 5)
  p.mark(214, 234, 13, inkOn(c), 0, 84)
  p.path('M132 190q8 -34 34 -38l8 116h-36q-14 -30 -6 -78z', volume(p, 'y', '#767e84', 0.5))
  // Blade and sole
  p.path('M150 296h22l-3 108l-10 8z', metal(p, 'x', '#b7bec3'))
  p.line(ribs(150, 304, 12, 0.6, 8, -6, 5), '#5b646a', 2.4)
  p.rect(142, 266, 32, 36, 4, metal(p, 'x', '#8b949a'))
  p.path('M96 300h256q14 0 14 8v10H88q-4 -16 8 -18z', metal(p, 'x', '#a7afb5'))
  p.rect(86, 316, 282, 7, 2, '#6d757b')
  boss(p, 316, 250, 4.5)
  return { x: 86, y: 96, w: cordless ? 334 : 350, h: 316, focus: [170, 290, 2], foot: [130, 70] }
}

function drawMitreSaw(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  const r = span(p.num('blade_d', 254), 210, 305, 92, 116)
  // Table with turning scale
  p.ell(240, 366, 176, 40, volume(p, 'x', '#8b949a', 0.4))
  p.rect(56, 330, 368, 26, 3, metal(p, 'x', '#b7bec3'))
  p.path('M60 290h140v44H60zM272 290h140v44H272z', metal(p, 'y', '#aab2b7'))
  p.line(ribs(90, 394, 16, 20, 0, 0, 8), '#4b5359', 2)
  p.path('M210 396h60l10 26h-80z', volume(p, 'y', '#2b3034', 0.3))
  // Rails and head
  tube(p, 'M300 250L420 160', 13, '#aab2b7', 0.7)
  tube(p, 'M284 226L404 136', 13, '#aab2b7', 0.7)
  p.rect(392, 122, 34, 60, 8, volume(p, 'y', '#2b3034', 0.3))
  p.ell(
    226,
    236,
    r,
    r,
    p.lin('d', [
      [0, '#e9edef'],
      [0.45, '#9aa2a8'],
      [0.6, '#cfd5d9'],
      [1, '#737b81'],
    ]),
  )
  p.path(teeth(226, 236, r - 3, r + 4, 34), '#8b939a')
  p.ell(
    226,
    236,
    r - 5,
    r - 5,
    p.lin('d', [
      [0, '#eef1f2'],
      [0.45, '#a4acb2'],
      [1, '#7b848a'],
    ]),
  )
  p.path(d`M${226 - r - 10} 252a${r + 10} ${r + 10} 0 0 1 ${r * 2 + 20} -16l-6 22q-100 -22 -${r * 2} 14z`, volume(p, 'd', c, 0.34))
  p.ell(256, 214, 46, 46, volume(p, 'd', '#33393e', 0.3))
  p.line(ribs(232, 200, 5, 12, 0, 0, 30), '#0f1214', 5)
  tube(p, 'M150 170Q140 96 214 92', 22, '#23282b', 0.35)
  p.path('M170 96l34 -14l8 16l-32 12z', '#b3262b')
  p.mark(196, 168, 13, inkOn(c), -22, 92)
  return { x: 56, y: 78, w: 372, h: 346, focus: [230, 220, 1.9] }
}

function drawBattery(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  const h = span(p.num('capacity_ah', 4), 2, 8, 118, 176)
  const w = span(p.num('voltage', 18), 12, 40, 216, 272)
  const x = 230 - w / 2
  const y = 392 - h
  const e = box(p, x, y, w, h, 108, '#33393e', { front: volume(p, 'y', '#3a4146', 0.25) })
  p.path(d`M${x + 30} ${y - 8}l44 -30h${w - 52}l-40 30z`, volume(p, 'y', '#23282b', 0.3))
  p.line(ribs(x + 62, y - 14, 5, 26, 0, 12, -12), '#c0a04c', 6)
  p.rect(x, y + h * 0.42, w, h * 0.3, 0, face(p, c))
  p.path(d`M${x + w} ${y + h * 0.42}l67 -39v${h * 0.3}l-67 39z`, shade(c, -0.3))
  p.mark(x + w / 2, y + h * 0.57, 16, inkOn(c), 0, w * 0.6)
  for (let i = 0; i < 4; i++) p.ell(x + 28 + i * 18, y + h * 0.2, 5, 5, i < 3 ? '#46c06a' : '#15191c')
  p.rect(x + w - 62, y + h * 0.12, 44, 18, 6, volume(p, 'y', '#b3262b', 0.3))
  p.line(d`M${x + 6} ${y + 4}h${w - 12}`, '#fff', 2, 'opacity=".35"')
  return { ...e, y: y - 40, h: h + 40, focus: [x + w * 0.4, y + h * 0.5, 2] }
}

function drawHammer(p: Pen): Extent {
  const material = p.text('material', 'wood')
  return scaled(p, span(p.num('weight_g', 600), 450, 900, 0.88, 1.04), 240, 240, () => {
    p.group('rotate(38 240 240)', () => {
      if (material === 'wood') p.path('M228 130h26l8 276q-20 14 -42 0z', volume(p, 'x', '#c99a5c', 0.4))
      else {
        p.path('M230 130h22l4 150h-30z', material === 'steel' ? metal(p, 'x', '#b7bec3') : volume(p, 'x', '#e0a01c', 0.4))
        p.path('M224 270h34l8 136q-24 14 -50 0z', volume(p, 'x', '#2b3034', 0.3))
        p.line(ribs(220, 296, 8, -0.6, 14, 42, 0), '#0f1214', 3)
      }
      // Head: face left, claw right
      p.path('M152 96h26l8 10h56q44 -2 92 34q-46 -12 -78 2l-8 14h-54l-12 -10h-30z', metal(p, 'y', '#8b949a'))
      p.rect(140, 92, 24, 58, 5, metal(p, 'y', '#aab2b7'))
      p.line('M262 116q40 2 66 22', '#31383d', 3)
      p.mark(240, 380, 6, material === 'wood' ? '#6b4a2f' : '#c9ced2', 90, 70)
    })
    return { x: 84, y: 70, w: 316, h: 340, focus: [270, 130, 2.1], foot: [96, 240] }
  })
}

function drawScrewdrivers(p: Pen): Extent {
  const c = p.hex('color', 'red')
  const n = Math.round(span(p.num('pieces', 6), 4, 24, 4, 9))
  const step = span(n, 4, 9, 62, 42)
  const x0 = 240 - ((n - 1) * step) / 2
  p.rect(x0 - 40, 300, (n - 1) * step + 80, 84, 10, volume(p, 'y', '#33393e', 0.25))
  for (let i = 0; i < n; i++) {
    const x = x0 + i * step
    const k = 1 - (i / n) * 0.3
    p.rect(x - 4 * k, 190, 8 * k, 176, 2, metal(p, 'x', '#aab2b7'))
    if (p.text('drive', 'torx') === 'torx') p.path(d`M${x - 5 * k} 362h${10 * k}v14l-${2 * k} 6h-${6 * k}l-${2 * k} -6z`, '#4b5359')
    else p.path(d`M${x - 5 * k} 362h${10 * k}l-${5 * k} 22z`, '#4b5359')
    p.path(
      d`M${x - 17 * k} ${204 - 130 * k}q${17 * k} ${-22 * k} ${34 * k} 0l${3 * k} ${70 * k}q${-8 * k} ${26 * k} ${-6 * k} ${58 * k}h${-28 * k}q${2 * k} ${-32 * k} ${-6 * k} ${-58 * k}z`,
      volume(p, 'x', c, 0.45),
    )
    p.line(ribs(x - 11 * k, 204 - 116 * k, 3, 11 * k, 0, 0, 70 * k), RUBBER, 6 * k, 'opacity=".75"')
  }
  p.path(d`M${x0 - 40} 310h${(n - 1) * step + 80}v34h${-(n - 1) * step - 80}z`, volume(p, 'y', '#3d454b', 0.25))
  p.mark(240, 327, 11, '#fff', 0, 150)
  return { x: x0 - 40, y: 66, w: (n - 1) * step + 80, h: 320, focus: [x0 + step, 160, 2.1] }
}

function drawPliers(p: Pen): Extent {
  const c = p.hex('color', 'red')
  return scaled(p, span(p.num('length_mm', 180), 160, 250, 0.84, 1.06), 240, 240, () => {
    p.group('rotate(24 240 240)', () => {
      const handle = 'M234 196Q300 240 296 330T268 424'
      const other = 'M246 196Q180 240 184 330T212 424'
      for (const path of [other, handle]) {
        tube(p, path, 34, c, 0.5)
        p.line(path, RUBBER, 9, 'opacity=".5" stroke-dasharray="90 14"')
      }
      p.path('M204 176q-4 -84 32 -124q4 60 2 110l16 40q-26 22 -50 -26z', metal(p, 'x', '#9aa2a8'))
      p.path('M276 176q4 -84 -32 -124q-4 60 -2 110l-16 40q26 22 50 -26z', metal(p, 'x', '#b7bec3'))
      p.line(ribs(236, 72, 7, 0, 9, 9, 0), '#31383d', 2)
      p.ell(240, 186, 25, 25, metal(p, 'd', '#aab2b7'), 'stroke="#4b5359" stroke-width="1.5"')
      boss(p, 240, 186, 12, '#8b949a')
    })
    return { x: 130, y: 60, w: 240, h: 366, focus: [266, 150, 2.1], foot: [130, 170] }
  })
}

function drawSockets(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  const cols = Math.round(span(p.num('pieces', 94), 24, 216, 6, 10))
  p.path('M92 84h304l40 130H54z', volume(p, 'y', shade(c, -0.1), 0.25))
  p.path('M106 96h276l32 106H76z', '#23282b')
  p.mark(244, 148, 18, '#c9ced2', 0, 200)
  p.path('M44 214h404l-10 168q-2 16 -18 16H72q-16 0 -18 -16z', volume(p, 'y', '#2b3034', 0.25))
  p.path('M58 224h376l-8 152H66z', '#171b1e')
  const w = 344 / cols
  for (let row = 0; row < 2; row++) {
    for (let i = 0; i < cols; i++) {
      const r = (w * 0.42 * (1 - (i / cols) * 0.4)) / (row ? 1.1 : 1)
      const x = 76 + (i + 0.5) * w
      const y = 252 + row * 44
      p.ell(x, y, r, r, metal(p, 'd', '#c3c9cd'))
      p.ell(x, y, r * 0.6, r * 0.6, '#0d1012')
    }
  }
  chromeTube(p, 'M96 346H300', 15, '#c3c9cd')
  p.ell(316, 346, 22, 22, metal(p, 'd', '#b7bec3'))
  p.ell(316, 346, 11, 11, '#31383d')
  p.rect(82, 334, 90, 24, 11, volume(p, 'y', c, 0.4))
  p.line(ribs(352, 326, 5, 14, 0, 0, 40), '#aab2b7', 6)
  return { x: 44, y: 84, w: 404, h: 314, focus: [150, 280, 2.1] }
}

function drawTape(p: Pen): Extent {
  const c = p.hex('color', 'yellow')
  return scaled(p, span(p.num('length_m', 5), 3, 10, 0.82, 1.04), 240, 380, () => {
    const t = span(p.num('width_mm', 25), 16, 27, 34, 60)
    const e = box(p, 84, 136, 236, 232, t * 1.6, c, { front: face(p, c) })
    p.rect(84, 136, 236, 232, 46, RUBBER)
    p.rect(84, 136, 236, 232, 46, volume(p, 'd', '#33393e', 0.2))
    p.ell(200, 246, 86, 86, volume(p, 'd', c, 0.4))
    p.ell(200, 246, 66, 66, face(p, shade(c, 0.06)))
    p.mark(200, 240, 14, inkOn(c), 0, 112)
    p.line('M160 268h80', inkOn(c), 3, 'opacity=".6"')
    p.path('M84 184q0 -48 48 -48h40q-70 14 -74 90z', c, 'opacity=".9"')
    p.rect(292, 180, 34, 60, 8, volume(p, 'x', '#4b5359', 0.4))
    p.path(
      'M306 346h132v22H306z',
      p.lin('y', [
        [0, '#ffe680'],
        [1, '#e0b51c'],
      ]),
    )
    p.line(ribs(322, 346, 12, 9, 0, 0, 8) + ribs(340, 346, 4, 27, 0, 0, 14), '#23282b', 1.6)
    p.path('M436 340h9v40h-7z', metal(p, 'x', '#b7bec3'))
    return { x: 84, y: e.y, w: 362, h: 380 - e.y, focus: [340, 320, 2.2] }
  })
}

function drawNails(p: Pen): Extent {
  const c = p.hex('material', 'steel')
  const l = span(p.num('length_mm', 60), 30, 120, 130, 300)
  const t = span(p.num('diameter', 3), 2, 5, 7, 13)
  const k = span(Math.sqrt(p.num('weight_kg', 1)), 0.7, 2.3, 0.74, 1)
  carton(p, 240 - 110 * k, 310 - 170 * k, 210 * k, 170 * k, 100 * k)
  for (let i = 0; i < 5; i++) {
    p.group(d`translate(${242 - l / 2 + (i % 2) * 14} ${336 + i * 17}) rotate(${(p.chance(i) - 0.5) * 14})`, () => {
      p.path(d`M4 ${-t / 2}H${l - t * 2}L${l} 0L${l - t * 2} ${t / 2}H4z`, metal(p, 'y', c))
      p.rect(0, -t * 1.1, 6, t * 2.2, 2, metal(p, 'y', c))
      p.line(ribs(12, -t / 2, 4, 5, 0, 0, t), shade(c, -0.5), 1.4)
    })
  }
  const x = Math.min(240 - 110 * k, 236 - l / 2)
  return { x, y: 310 - 206 * k, w: Math.max(272 * k, l + 30), h: 110 + 206 * k, focus: [240 - l * 0.3, 370, 2.2] }
}

function drawBolts(p: Pen): Extent {
  const c = p.hex('material', 'zinc_plated')
  const t = span(p.num('thread', 8), 6, 12, 26, 46)
  const l = span(p.num('length_mm', 40), 20, 100, 120, 290)
  const one = (y: number, turn: number): void =>
    p.group(d`translate(${220 - l / 2} ${y}) rotate(${turn})`, () => {
      p.rect(t * 0.6, -t / 2, l, t, 3, metal(p, 'y', c))
      p.line(ribs(t * 0.6 + l * 0.36, -t / 2, Math.floor((l * 0.62) / 7), 7, 0, -2.4, t), shade(c, -0.5), 2.4)
      p.rect(0, -t, t * 0.66, t * 2, 3, metal(p, 'y', c))
      p.line(d`M0 ${-t * 0.42}h${t * 0.66}M0 ${t * 0.42}h${t * 0.66}`, shade(c, -0.5), 1.5)
      p.rect(t * 0.6 + l * 0.68, -t * 0.94, t * 0.8, t * 1.88, 3, metal(p, 'y', shade(c, -0.05)))
      p.line(d`M${t * 0.6 + l * 0.68} ${-t * 0.4}h${t * 0.8}M${t * 0.6 + l * 0.68} ${t * 0.4}h${t * 0.8}`, shade(c, -0.5), 1.5)
    })
  one(190, -8)
  one(206 + t * 1.9, 5)
  const hx = 250 + l / 2 + t
  let hexagon = ''
  for (let i = 0; i < 6; i++) hexagon += d`${i ? 'L' : 'M'}${hx + Math.cos(i * 1.0472) * t} ${320 + Math.sin(i * 1.0472) * t}`
  p.path(`${hexagon}Z`, face(p, c, 1.8), `stroke="${shade(c, -0.45)}" stroke-width="1.5"`)
  p.ell(hx, 320, t * 0.54, t * 0.54, '#31383d')
  p.ell(hx, 320, t * 0.44, t * 0.44, '#fbfbfb')
  return { x: 216 - l / 2, y: 190 - t * 1.5, w: hx + t - 216 + l / 2, h: 150 + t * 2.4, focus: [220, 240, 2.1] }
}

function drawHinge(p: Pen): Extent {
  const c = p.hex('finish', 'brushed_steel')
  const h = span(p.num('length_mm', 80), 40, 120, 190, 330)
  const w = h * 0.36
  const y = 240 - h / 2
  for (const s of [-1, 1]) {
    const x = s < 0 ? 240 - 12 - w : 252
    p.rect(x, y, w, h, 5, metal(p, 'd', c))
    p.rect(x + 3, y + 3, w - 6, h - 6, 4, face(p, c))
    for (const k of [0.16, 0.5, 0.84]) {
      p.ell(x + w * (k === 0.5 ? 0.34 : 0.62), y + h * k, h * 0.042, h * 0.042, shade(c, -0.6))
      p.ell(x + w * (k === 0.5 ? 0.34 : 0.62), y + h * k, h * 0.026, h * 0.026, '#f4f5f5')
    }
  }
  for (let i = 0; i < 5; i++) p.rect(226, y + (i * h) / 5 + 1, 28, h / 5 - 2, 3, metal(p, 'x', shade(c, i % 2 ? 0.06 : -0.1)))
  for (const yy of [y - 7, y + h - 4]) p.rect(230, yy, 20, 11, 5, metal(p, 'x', c))
  return { x: 228 - w, y: y - 7, w: w * 2 + 24, h: h + 14, focus: [240, y + h * 0.25, 2.3] }
}

export const moreTools: Record<string, FamilyDrawing> = {
  jigsaw: { draw: drawJigsaw, scene: 'bench' },
  mitre_saw: { draw: drawMitreSaw, scene: 'bench', lengths: (p) => ({ note: `Ø ${p.plain('blade_d', 254)} mm` }) },
  tool_battery: { draw: drawBattery, scene: 'bench', inScene: 0.6, noSide: true },
  hammer: { draw: drawHammer, scene: 'bench', lengths: amount('weight_g', 'g') },
  screwdriver_set: { draw: drawScrewdrivers, scene: 'bench', noSide: true },
  pliers: { draw: drawPliers, scene: 'bench', noSide: true, lengths: fromAttrs('', 'length_mm', 'mm') },
  socket_set: { draw: drawSockets, scene: 'bench', noSide: true },
  tape_measure: { draw: drawTape, scene: 'bench', inScene: 0.6, noSide: true, lengths: amount('length_m', 'm') },
  nails: {
    draw: drawNails,
    scene: 'bench',
    noSide: true,
    lengths: (p) => ({ note: `Ø ${p.plain('diameter', 3)} × ${p.plain('length_mm', 60)} mm` }),
  },
  hex_bolts: {
    draw: drawBolts,
    scene: 'bench',
    noSide: true,
    lengths: (p) => ({ note: `M${p.plain('thread', 8)} × ${p.plain('length_mm', 40)} mm` }),
  },
  hinge: { draw: drawHinge, scene: 'door', hangs: true, noSide: true, lengths: fromAttrs('', 'length_mm', 'mm') },
}
