import { box, ribs, scaled, span } from './bodies.ts'
import { brandColor, entry, mix, shade } from './colors.ts'
import type { FamilyDrawing } from './family.ts'
import { sack } from './packs.ts'
import { d, face, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

/** Strands of an oriented board within a rectangle: three tones, steady for the salt. */
function strands(p: Pen, x: number, y: number, w: number, h: number, n: number): void {
  for (const [t, tone] of [
    [0, '#b98c4e'],
    [1, '#e3c18a'],
    [2, '#8f6a38'],
  ] as const) {
    let path = ''
    for (let i = 0; i < n; i++) {
      const s = t * 400 + i * 3
      const px = x + p.chance(s) * w
      const py = y + p.chance(s + 1) * h
      const a = (p.chance(s + 2) - 0.5) * 2.4
      const l = 12 + p.chance(s + 7) * 20
      path += d`M${px} ${py}l${Math.cos(a) * l} ${Math.sin(a) * l}`
    }
    p.line(path, tone, t === 2 ? 3 : 5, 'opacity=".5" stroke-linecap="butt"')
  }
}

function drawOsb(p: Pen): Extent {
  const [l, b] = p.pair('tile', 2500, 1250)
  const h = 330 * (l / 2500)
  const w = span(b, 675, 1250, 128, 214)
  const t = span(p.num('thickness', 12), 9, 25, 16, 38)
  const x = 196 - w / 2
  const board = (bx: number, by: number): void => {
    box(p, bx, by, w, h, t, '#d2ab6d', {
      front: p.lin('d', [
        [0, '#deba80'],
        [1, '#c39a5a'],
      ]),
    })
    p.clip(d`M${bx} ${by}h${w}v${h}h${-w}z`, () => strands(p, bx, by, w, h, bx === x ? 40 : 11))
    p.group(`matrix(.62 -.36 0 1 ${(bx + w).toFixed(1)} ${by.toFixed(1)})`, () => {
      p.line(ribs(t * 0.3, 6, 9, 0, h / 9, 0, h / 14) + ribs(t * 0.68, 18, 9, 0, h / 9, 0, h / 16), '#7d5b2c', 2.2, 'opacity=".6"')
      if (p.text('type', 'straight') === 'tg') p.rect(t * 0.36, 0, t * 0.28, h, 0, '#6b4c22', 'opacity=".75"')
    })
  }
  board(x + 86, 50)
  board(x + 43, 62)
  p.path(d`M${x + w} 90l26 -8v${h}l-26 8z`, '#000', 'opacity=".12"')
  board(x, 76)
  p.path(d`M${x + 16} 350h${w * 0.5}v34h${-w * 0.5}z`, '#fff', 'opacity=".82"')
  p.mark(x + 16 + w * 0.25, 367, 10, '#5b4420', 0, w * 0.44)
  const top = 50 - t * 0.36
  return { x, y: top, w: w + 86 + t * 0.62, h: 76 + h - top, focus: [x + w - 10, 130, 2.3] }
}

const woolTone: Record<string, string> = { glass_wool: '#e5c55c', rock_wool: '#9c9a72', wood_fibre: '#a97c4b' }

function drawInsulation(p: Pen): Extent {
  const c = entry(woolTone, p.text('material', 'glass_wool'), '#e5c55c')
  const brand = brandColor(p.subject.brand)
  const turns = span(p.num('thickness', 100), 45, 300, 5.5, 2.2)
  const k = span(p.num('yield_m2', 5), 2.7, 10.8, 0.9, 1.04)
  return scaled(p, k, 240, 400, () => {
    // Loose end on the ground
    const t = span(p.num('thickness', 100), 45, 300, 16, 52)
    p.path(d`M96 ${398 - t}L40 ${404 - t}v${t}l110 6h290v-${t * 0.9}z`, face(p, c))
    p.path(d`M40 ${404 - t}l56 -8h320l24 6l-290 10z`, shade(c, 0.3))
    p.line(
      ribs(60, 406 - t, 12, 30, 0.3, 12, t * 0.6) + ribs(70, 402 - t * 0.3, 12, 30, 0.2, -10, -t * 0.3),
      shade(c, -0.3),
      2,
      'opacity=".45"',
    )
    // Roll
    p.path('M138 108H366c44 0 78 62 78 142s-34 146 -78 146H138z', volume(p, 'y', c, 0.3))
    p.path(
      'M186 108H366c44 0 78 62 78 142s-34 146 -78 146H186q44 -60 44 -146t-44 -142z',
      volume(p, 'y', mix(brand, '#ffffff', 0.08), 0.36),
      'opacity=".95"',
    )
    p.path('M236 108H330q42 62 42 142t-42 146H236q42 -62 42 -146t-42 -142z', volume(p, 'y', '#f4f5f5', 0.4))
    p.mark(326, 244, 15, shade(brand, -0.1), 90)
    p.line('M190 118q120 -6 200 2', '#fff', 4, 'opacity=".4"')
    // End: spiral of wool
    p.ell(
      138,
      252,
      88,
      144,
      p.lin('d', [
        [0, shade(c, 0.3)],
        [0.6, c],
        [1, shade(c, -0.25)],
      ]),
    )
    let spiral = ''
    for (let i = 0; i <= turns * 14; i++) {
      const a = (i / 14) * 6.283
      const r = i / (turns * 14)
      spiral += d`${i ? 'L' : 'M'}${138 + Math.cos(a) * 84 * r} ${252 + Math.sin(a) * 140 * r}`
    }
    p.line(spiral, shade(c, -0.45), 2.6, 'opacity=".7"')
    let fluff = ''
    for (let i = 0; i < 46; i++) {
      const a = p.chance(i) * 6.283
      const r = Math.sqrt(p.chance(i + 99)) * 0.95
      fluff += d`M${138 + Math.cos(a) * 84 * r} ${252 + Math.sin(a) * 140 * r}l${(p.chance(i + 7) - 0.5) * 14} ${(p.chance(i + 8) - 0.5) * 12}`
    }
    p.line(fluff, shade(c, 0.5), 1.8, 'opacity=".7"')
    return { x: 40, y: 108, w: 404, h: 302, focus: [170, 190, 2.2] }
  })
}

function sackSize(p: Pen, max: number): [number, number] {
  const k = span(Math.cbrt(p.num('weight_kg', 15)), 1, Math.cbrt(max), 0.62, 1)
  return [236 * k, 344 * k]
}

function trowelIcon(p: Pen, color: string) {
  return (cx: number, cy: number, k: number): void => {
    p.group(d`translate(${cx} ${cy})` + ` scale(${k.toFixed(2)})`, () => {
      p.path('M-62 8L30 -16L14 40Q-30 40 -62 8z', metal(p, 'd', '#b7bec3'))
      p.line('M28 2q20 -8 16 -26h16', '#6d757b', 6)
      p.rect(50, -34, 44, 17, 8, color)
      p.path('M-60 44q60 -22 130 6l-8 10h-114z', '#fff', 'opacity=".9"')
    })
  }
}

function drawPlaster(p: Pen): Extent {
  const [w, h] = sackSize(p, 25)
  const c = brandColor(p.subject.brand)
  const rapid = p.text('grade', 'standard') === 'rapid'
  const e = sack(p, 230, 410, w, h, '#f3f1ec', rapid ? '#c9552b' : c, trowelIcon(p, '#6b4a2f'))
  heap(p, 230 + w * 0.5, 410, w * 0.4, '#f4f2ee')
  return { ...e, w: e.w + w * 0.36 }
}

/** A little heap of powder in front of the sack. */
function heap(p: Pen, cx: number, ground: number, r: number, color: string): void {
  p.path(
    d`M${cx - r} ${ground}q${r * 0.5} ${-r * 0.1} ${r * 0.8} ${-r * 0.42}q${r * 0.22} ${-r * 0.14} ${r * 0.44} 0q${r * 0.3} ${r * 0.34} ${r * 0.76} ${r * 0.42}z`,
    face(p, color, 1.6),
  )
  p.line(ribs(cx - r * 0.3, ground - r * 0.12, 4, r * 0.2, r * 0.02, r * 0.05, 1), shade(color, -0.3), 2.4, 'opacity=".5"')
}

export function drawCement(p: Pen): Extent {
  const [w, h] = sackSize(p, 35)
  const strength = p.text('grade', 'CEM II 32,5 R')
  const c = strength.includes('52') ? '#8f2f33' : strength.includes('42') ? '#2f6b46' : '#2a5f94'
  const e = sack(p, 230, 410, w * 1.06, h, '#cdb894', c, (cx, cy, k) => {
    p.group(d`translate(${cx} ${cy})` + ` scale(${k.toFixed(2)})`, () => {
      for (const [x, y] of [
        [-66, 6],
        [-20, 6],
        [26, 6],
        [-43, -20],
        [3, -20],
        [-20, -46],
      ] as const)
        p.rect(x, y, 42, 22, 3, '#fff', 'opacity=".88"')
    })
  })
  if (p.text('type', 'standard') === 'rapid') p.path(d`M${230 + w * 0.26} ${410 - h * 0.54}l-16 26h12l-8 22l24 -30h-13l12 -18z`, '#f2c21a')
  heap(p, 230 + w * 0.54, 410, w * 0.42, '#a3a6a6')
  return { ...e, w: e.w + w * 0.4 }
}

function drawTileAdhesive(p: Pen): Extent {
  const [w, h] = sackSize(p, 25)
  const c = brandColor(p.subject.brand)
  const powder = p.hex('color', 'light_grey')
  const outside = p.text('compat', 'interior') === 'exterior'
  const e = sack(p, 216, 410, w, h, powder === '#f1f2f2' ? '#f5f5f3' : '#d9dcdc', c, (cx, cy, k) => {
    p.group(d`translate(${cx} ${cy})` + ` scale(${k.toFixed(2)})`, () => {
      for (let i = 0; i < 4; i++) p.rect(-70 + (i % 2) * 46, -46 + (i >> 1) * 46, 42, 42, 2, outside ? '#d9b48c' : '#f2f3f3')
      // Notched trowel leaving its ridges
      p.path('M24 -40h52l6 40H24z', metal(p, 'd', '#b7bec3'))
      p.line(ribs(28, 6, 6, 9, 0, 0, 38), '#e8eaea', 4)
      p.rect(36, -62, 34, 14, 7, '#2b3034')
    })
  })
  heap(p, 216 + w * 0.54, 410, w * 0.42, powder)
  return { ...e, w: e.w + w * 0.4 }
}

function cartridge(p: Pen, x: number, ground: number, k: number, seal: string): void {
  const brand = brandColor(p.subject.brand)
  p.group(d`translate(${x} ${ground})` + ` scale(${k.toFixed(3)})`, () => {
    p.path(
      'M-7 -330h14l13 78h-40z',
      p.lin('x', [
        [0, '#dfe3e5'],
        [0.3, '#ffffff'],
        [1, '#b3babf'],
      ]),
    )
    p.path('M-8 -336h12l4 16h-16z', seal)
    p.path('M-24 -254h48v16q24 4 26 20H-50q2 -16 26 -20z', volume(p, 'x', '#f2f3f3', 0.4))
    p.rect(-54, -220, 108, 220, 4, volume(p, 'x', '#eef0f0', 0.3))
    p.rect(-54, -200, 108, 92, 0, volume(p, 'x', brand, 0.3))
    p.rect(-54, -104, 108, 46, 0, volume(p, 'x', seal, 0.3))
    p.ell(0, 0, 54, 9, '#aeb5ba')
    p.ell(0, -1, 44, 6, '#7f888e')
    p.path('M-30 -26q30 -26 60 0', 'none', 'stroke="#2a639c" stroke-width="4"')
    p.line('M-28 -28h56M-22 -18h44', '#8fa7b8', 3)
    p.mark(0, -154, 13, '#fff', 0, 92)
  })
}

function drawSilicone(p: Pen): Extent {
  const seal = p.hex('color', 'white')
  const qty = p.num('pack_qty', 1)
  const n = qty >= 12 ? 3 : qty >= 6 ? 2 : 1
  const k = span(p.num('ml', 300), 280, 310, 0.98, 1.06)
  if (n > 2) cartridge(p, 330, 388, k * 0.9, seal)
  if (n > 1) cartridge(p, 140, 388, k * 0.9, seal)
  cartridge(p, 236, 404, k * 1.04, seal)
  // A bead of its content
  const bead = 'M300 424q30 -8 62 -2t64 -4'
  p.line(bead, shade(seal, -0.3), 17)
  p.line(bead, seal, 13, 'transform="translate(-1 -2)"')
  p.line(bead, '#fff', 3, 'opacity=".6" transform="translate(-1 -5)"')
  const left = n > 1 ? 140 - 50 : 180
  return { x: left, y: 404 - 336 * k * 1.04, w: 434 - left, h: 336 * k * 1.04 + 28, focus: [236, 250, 2.1] }
}

export const building: Record<string, FamilyDrawing> = {
  osb_panel: {
    draw: drawOsb,
    scene: 'site',
    inScene: 0.72,
    lengths: (p) => {
      const [l, b] = p.pair('tile', 2500, 1250)
      return { h: `${l} mm`, w: `${b} mm` }
    },
  },
  insulation: {
    draw: drawInsulation,
    scene: 'site',
    lengths: (p) => ({ h: '60 cm', note: `${p.plain('thickness', 100)} mm` }),
  },
  plaster: {
    draw: drawPlaster,
    scene: 'site',
    noSide: true,
    lengths: (p) => ({
      note: `${p.plain('weight_kg', 15)} kg`,
      h: `${Math.round(span(Math.cbrt(p.num('weight_kg', 15)), 1, 3, 20, 62))} cm`,
    }),
  },
  cement: {
    draw: drawCement,
    scene: 'site',
    noSide: true,
    lengths: (p) => ({
      note: `${p.plain('weight_kg', 25)} kg`,
      h: `${Math.round(span(Math.cbrt(p.num('weight_kg', 25)), 1.7, 3.3, 34, 66))} cm`,
    }),
  },
  silicone: { draw: drawSilicone, scene: 'counter', noSide: true, lengths: (p) => ({ h: '232 mm', note: `${p.plain('ml', 300)} ml` }) },
  tile_adhesive: {
    draw: drawTileAdhesive,
    scene: 'site',
    noSide: true,
    lengths: (p) => ({
      note: `${p.plain('weight_kg', 20)} kg`,
      h: `${Math.round(span(Math.cbrt(p.num('weight_kg', 20)), 1.7, 3, 30, 60))} cm`,
    }),
  },
}
