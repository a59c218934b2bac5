import { box, chromeTube, ribs, scaled, span, tube } from './bodies.ts'
import { brandColor, inkOn, mix, shade } from './colors.ts'
import type { FamilyDrawing } from './family.ts'
import { amount, fromAttrs } from './lengths.ts'
import { d, face, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'
import { battery } from './tools-power.ts'

function drawTrimmer(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  const l = span(p.num('bar_cm', 55), 45, 65, 190, 240)
  const x = 250
  p.rect(x - l, 266, l + 20, 15, 4, metal(p, 'y', '#b7bec3'))
  p.line(
    ribs(x - l + 6, 266, Math.floor(l / 15), 15, 0, -5, -15) + ribs(x - l + 10, 281, Math.floor(l / 15), 15, 0, -5, 13),
    '#6d757b',
    6,
    'stroke-linecap="butt"',
  )
  const power = p.text('power_source', 'battery')
  if (power === 'battery') battery(p, 386, 214, 62, 74, c)
  else if (power === 'mains') tube(p, 'M420 250c34 8 40 44 14 60', 8, '#23282b', 0.3)
  tube(p, 'M306 236Q318 152 372 166T424 246', 19, '#23282b', 0.35)
  p.path('M236 250q4 -28 34 -30h120q36 4 40 38q0 34 -32 38H268q-30 -4 -32 -46z', volume(p, 'y', c, 0.36))
  if (power === 'petrol') p.rect(282, 196, 92, 48, 12, volume(p, 'y', '#e9ecec', 0.3))
  p.line(ribs(370, 238, 4, 12, 0, 0, 36), '#0f1214', 5)
  p.mark(308, 262, 12, inkOn(c), 0, 84)
  tube(p, 'M226 292Q196 190 262 206', 13, '#23282b', 0.35)
  p.path('M212 210q14 -14 26 -4l4 70q-16 10 -26 2z', volume(p, 'x', '#3a4146', 0.35))
  return { x: x - l - 4, y: 148, w: 454 - x + l, h: 168, focus: [260, 250, 2], foot: [170, 260] }
}

function drawSpade(p: Pen): Extent {
  const type = p.text('type', 'digging_spade')
  const c = p.text('material', 'steel') === 'stainless' ? '#c3c9cd' : '#6d757b'
  return scaled(p, span(p.num('length_cm', 105), 95, 120, 0.92, 1.02), 240, 440, () => {
    p.group('rotate(9 240 240)', () => {
      tube(p, 'M240 74V300', 17, '#c99a5c', 0.5)
      tube(p, 'M204 44H276', 18, '#23282b', 0.4)
      p.path('M206 44l28 36h12l28 -36', 'none', 'stroke="#2b3034" stroke-width="10"')
      p.rect(230, 252, 20, 56, 6, metal(p, 'x', c))
      if (type === 'digging_fork') {
        p.path('M192 316q0 -16 18 -16h60q18 0 18 16v12h-96z', metal(p, 'y', c))
        for (const x of [196, 226, 256, 284]) p.path(d`M${x - 6} 322h12l-3 100l-4 14l-3 -14z`, metal(p, 'x', c))
      } else if (type === 'shovel_t') p.path('M186 312q54 -26 108 0q8 80 -54 124q-62 -44 -54 -124z', metal(p, 'x', c))
      else p.path('M190 306h100l4 10l-8 118q-46 12 -92 0l-8 -118z', metal(p, 'x', c))
      if (type !== 'digging_fork') p.path('M232 306h16l-4 70h-8z', shade(c, -0.35), 'opacity=".6"')
      p.mark(240, 210, 6, '#6b4a2f', 90, 70)
    })
    return { x: 150, y: 30, w: 180, h: 410, focus: [216, 360, 2], foot: [164, 96] }
  })
}

function drawButt(p: Pen): Extent {
  const c = p.hex('color', 'green')
  const k = span(Math.cbrt(p.num('volume', 200)), 4.6, 8, 0.76, 1.02)
  return scaled(p, k, 240, 430, () => {
    p.path('M130 124q-14 140 8 296h204q22 -156 8 -296z', volume(p, 'x', c, 0.35))
    for (const y of [176, 246, 316, 380])
      p.line(d`M${y < 200 ? 126 : 128} ${y}q112 26 ${y < 200 ? 228 : 224} 0`, shade(c, -0.3), 5, 'opacity=".6"')
    p.ell(240, 122, 112, 25, shade(c, -0.2))
    p.path('M124 116q0 -28 116 -32q116 4 116 32q-116 36 -232 0z', volume(p, 'x', shade(c, 0.08), 0.4))
    p.ell(240, 90, 34, 8, shade(c, -0.3))
    tube(p, 'M240 366v12h-22v12', 13, '#c0a04c', 0.8)
    p.rect(226, 346, 28, 9, 4, metal(p, 'x', '#c0a04c'))
    p.mark(240, 280, 13, inkOn(c), 0, 120)
    return { x: 122, y: 82, w: 236, h: 342, focus: [240, 350, 2.1] }
  })
}

const leafTone: Record<string, readonly [string, string]> = {
  laurel: ['#2f6b3a', '#5d9d5a'],
  thuja: ['#3d6b34', '#7fa04c'],
  privet: ['#4a7d3c', '#8fbd5c'],
  photinia: ['#4f7040', '#b8463c'],
}

function foliage(p: Pen, cx: number, cy: number, rx: number, ry: number, dark: string, pale: string, n: number, size: number): void {
  p.ell(cx, cy, rx * 0.92, ry * 0.92, dark)
  for (let layer = 0; layer < 3; layer++) {
    let path = ''
    for (let i = 0; i < n; i++) {
      const a = p.chance(layer * 97 + i) * 6.283
      const r = Math.sqrt(p.chance(layer * 131 + i + 500))
      const x = cx + Math.cos(a) * rx * r
      const y = cy + Math.sin(a) * ry * r
      const t = p.chance(layer * 71 + i + 900) * 6.283
      const u = Math.cos(t) * size
      const v = Math.sin(t) * size
      path += d`M${x} ${y}q${u - v * 0.5} ${v + u * 0.5} ${u * 2} ${v * 2}q${-u + v * 0.5 - u} ${-v - u * 0.5} ${-u * 2} ${-v * 2}`
    }
    p.path(path, mix(dark, pale, [0.25, 0.6, 1][layer] ?? 1), layer === 2 ? 'opacity=".9"' : '')
  }
}

function pot(p: Pen, cx: number, ground: number, w: number, h: number, c = '#2b3034'): void {
  p.path(d`M${cx - w / 2} ${ground - h}h${w}l${-w * 0.1} ${h}h${-w * 0.8}z`, volume(p, 'x', c, 0.3))
  p.rect(cx - w / 2 - 5, ground - h - 6, w + 10, 15, 3, volume(p, 'x', shade(c, 0.08), 0.35))
}

function drawHedge(p: Pen): Extent {
  const species = p.text('species', 'laurel')
  const [dark, pale] = Object.hasOwn(leafTone, species) ? (leafTone[species] ?? ['#2f6b3a', '#5d9d5a']) : ['#2f6b3a', '#5d9d5a']
  const h = span(p.num('height_cm', 80), 40, 125, 160, 290)
  const several = p.num('pack_qty', 1) > 1
  const one = (x: number, g: number, k: number, n = 24): void => {
    pot(p, x, g, 96 * k, 82 * k)
    tube(p, d`M${x} ${g - 82 * k}V${g - 120 * k}`, 9, '#6b4a2f', 0.3)
    foliage(
      p,
      x,
      g - 82 * k - (h * k) / 2,
      (species === 'thuja' ? 48 : 76) * k,
      (h * k) / 2,
      dark,
      pale,
      species === 'thuja' ? n * 1.4 : n,
      species === 'thuja' ? 7 : 13,
    )
  }
  if (several) one(340, 402, 0.84, 14)
  one(several ? 186 : 240, 420, 1)
  return { x: several ? 106 : 160, y: 332 - h, w: several ? 306 : 160, h: h + 88, focus: [several ? 186 : 240, 300 - h / 2, 2.1] }
}

const fruitTone: Record<string, string> = { apple: '#c2372d', pear: '#b9b23a', cherry: '#a01f2c', plum: '#5a3a6b', fig: '#5b4a5c' }

function drawTree(p: Pen): Extent {
  const species = p.text('species', 'apple')
  const fruit = Object.hasOwn(fruitTone, species) ? (fruitTone[species] ?? '#c2372d') : '#c2372d'
  return scaled(p, span(p.num('height_cm', 150), 120, 180, 0.9, 1.02), 240, 434, () => {
    pot(p, 240, 434, 104, 88, '#3a4146')
    tube(p, 'M240 346Q234 280 242 214', 13, '#7a5a3a', 0.4)
    tube(p, 'M240 280Q206 236 196 196M241 262Q280 226 290 190', 8, '#7a5a3a', 0.4)
    foliage(p, 240, 158, 112, 112, '#3c7038', '#86b45c', 34, 14)
    for (let i = 0; i < 9; i++) {
      const x = 240 + Math.cos(i * 2.4) * (30 + i * 8)
      const y = 160 + Math.sin(i * 2.4) * (28 + i * 8)
      const r = species === 'cherry' ? 8 : 13
      p.ell(
        x,
        y,
        r,
        species === 'pear' ? r * 1.3 : r,
        p.rad(
          [
            [0, shade(fruit, 0.5)],
            [0.5, fruit],
            [1, shade(fruit, -0.35)],
          ],
          0.35,
          0.3,
        ),
      )
    }
    return { x: 122, y: 40, w: 236, h: 394, focus: [250, 160, 2] }
  })
}

const seedTone: Record<string, string> = {
  tomato: '#c93328',
  carrot: '#e07a1f',
  lettuce: '#7fb04a',
  courgette: '#4c7d3a',
  radish: '#c23a64',
}

function drawSeeds(p: Pen): Extent {
  const species = p.text('species', 'tomato')
  const c = Object.hasOwn(seedTone, species) ? (seedTone[species] ?? '#c93328') : '#c93328'
  p.group('rotate(-3 240 240)', () => {
    p.rect(
      138,
      60,
      204,
      340,
      5,
      p.lin('d', [
        [0, '#fdfaf0'],
        [0.6, '#f2ead6'],
        [1, '#d9cfb6'],
      ]),
    )
    p.rect(138, 60, 204, 64, 5, face(p, brandColor(p.subject.brand)))
    p.mark(240, 92, 16, '#fff', 0, 160)
    const ball = p.rad(
      [
        [0, shade(c, 0.5)],
        [0.5, c],
        [1, shade(c, -0.35)],
      ],
      0.35,
      0.3,
    )
    if (species === 'carrot') {
      p.path('M214 214q26 -16 52 0q-4 96 -26 142q-22 -46 -26 -142z', ball)
      p.line(ribs(222, 240, 4, 2, 24, 22, 0), shade(c, -0.3), 2)
      p.line('M240 212q-30 -40 -34 -60M240 212q0 -40 2 -66M240 212q28 -40 36 -58', '#4c8a3a', 9)
    } else if (species === 'courgette') {
      p.path('M168 320q10 -60 70 -110q30 -22 56 -8q14 26 -14 52q-54 52 -92 78q-18 6 -20 -12z', ball)
      p.line('M196 306q50 -40 84 -84', shade(c, 0.35), 4)
    } else if (species === 'lettuce') {
      for (const [x, y, r] of [
        [198, 262, 46],
        [282, 262, 46],
        [240, 232, 52],
        [216, 292, 44],
        [264, 292, 44],
        [240, 270, 40],
      ] as const)
        p.ell(
          x,
          y,
          r,
          r * 0.9,
          p.rad(
            [
              [0, shade(c, 0.45)],
              [1, shade(c, -0.2)],
            ],
            0.4,
            0.3,
          ),
        )
    } else {
      for (const [x, y, r] of species === 'radish'
        ? ([
            [206, 262, 36],
            [272, 254, 34],
            [240, 308, 38],
          ] as const)
        : ([
            [204, 262, 48],
            [278, 256, 44],
            [242, 312, 46],
          ] as const)) {
        p.ell(x, y, r, r * 0.94, ball)
        p.line(
          d`M${x - r * 0.4} ${y - r * 0.8}l${r * 0.4} ${r * 0.16}l${r * 0.4} ${-r * 0.2}M${x} ${y - r * 0.6}v${-r * 0.5}`,
          '#4c8a3a',
          6,
        )
        if (species === 'radish') p.line(d`M${x} ${y + r * 0.9}v20`, '#f3e3e8', 4)
      }
    }
    if (p.text('grade', '') === 'organic') p.path('M306 366q-6 -26 24 -30q4 30 -24 30z', '#5e9a3a')
    p.line('M142 66v328', '#fff', 3, 'opacity=".6"')
    p.path('M138 60h204v10H138z', '#000', 'opacity=".1"')
  })
  return { x: 130, y: 56, w: 220, h: 352, focus: [240, 260, 1.9] }
}

function drawTable(p: Pen): Extent {
  const c = p.hex('color', 'anthracite')
  const l = span(p.num('length_cm', 150), 120, 220, 262, 340)
  const x = 186 - l / 2 + 6
  for (const [a, b] of [
    [x + 108, 226],
    [x + l + 64, 226],
  ] as const)
    tube(p, d`M${a} ${b}V356`, 12, shade(c, -0.25), 0.3)
  for (const a of [x + 18, x + l - 18]) tube(p, d`M${a} 278V408`, 15, c, 0.4)
  p.path(
    d`M${x} 268l100 -72h${l - 8}l-100 72z`,
    p.lin('d', [
      [0, shade(c, 0.34)],
      [1, shade(c, 0.02)],
    ]),
  )
  const slats = 8
  p.line(ribs(x + 100 / slats, 268 - 72 / slats, slats - 1, 100 / slats, -72 / slats, l - 8, 0), shade(c, -0.4), 2)
  p.path(d`M${x + l - 8} 268l100 -72v15l-100 72z`, shade(c, -0.36))
  p.rect(x, 268, l - 8, 15, 2, face(p, c))
  return { x, y: 196, w: l + 96, h: 218, focus: [x + l * 0.7, 250, 2] }
}

function drawChair(p: Pen): Extent {
  const c = p.hex('color', 'anthracite')
  const n = Math.round(span(p.num('pack_qty', 1), 1, 4, 1, 3))
  const one = (): void => {
    tube(p, 'M302 270L330 400M198 262L186 380', 11, shade(c, -0.3), 0.3)
    tube(p, 'M180 270L156 412M282 280L292 412', 13, c, 0.4)
    p.path(
      'M196 84q56 -18 116 4l-4 176q-56 -14 -112 -4z',
      p.lin('d', [
        [0, shade(c, 0.3)],
        [0.5, c],
        [1, shade(c, -0.3)],
      ]),
    )
    p.line(ribs(206, 112, 7, 0, 21, 92, 2), shade(c, -0.45), 4)
    p.path(
      'M152 270q6 -18 40 -22h116q24 4 20 20l-16 22q-80 12 -156 -4z',
      p.lin('y', [
        [0, shade(c, 0.3)],
        [1, shade(c, -0.2)],
      ]),
    )
    p.line(ribs(176, 256, 6, 24, 0, -14, 28), shade(c, -0.4), 3)
    tube(p, 'M200 180Q150 176 146 200L164 276M306 186Q352 184 350 206L318 280', 11, c, 0.45)
  }
  for (let i = n - 1; i >= 0; i--) p.group(d`translate(${i * 12} ${-i * 20})`, one)
  return { x: 138, y: 70 - (n - 1) * 20, w: 220 + (n - 1) * 12, h: 350 + (n - 1) * 20, focus: [240, 170, 2] }
}

function drawBarbecue(p: Pen): Extent {
  const c = p.hex('color', 'black')
  const type = p.text('type', 'charcoal')
  const w = span(p.num('width_cm', 57), 45, 120, 200, 330)
  const x = 240 - w / 2
  if (type === 'charcoal') {
    for (const [a, b] of [
      [-0.3, -0.46],
      [0.3, 0.46],
      [0.04, 0.1],
    ] as const)
      tube(p, d`M${240 + w * a} 270L${240 + w * b} 410`, 9, '#8b949a', 0.6)
    p.path(d`M${x} 214q6 82 ${w / 2} 86t${w / 2} -86z`, volume(p, 'x', c, 0.45))
    p.path(d`M${x - 4} 208q10 -102 ${w / 2 + 4} -106t${w / 2 + 4} 106z`, volume(p, 'x', c, 0.5))
    p.rect(x - 6, 206, w + 12, 10, 4, metal(p, 'x', '#aab2b7'))
    p.rect(214, 84, 52, 16, 7, volume(p, 'y', '#7a5230', 0.4))
    p.ell(240 + w * 0.42, 396, 24, 24, volume(p, 'd', '#23282b', 0.2))
    p.ell(240 + w * 0.24, 140, 12, 7, '#aab2b7')
  } else {
    box(p, x, 262, w, 130, 60, '#343b40')
    p.line(d`M${x + w / 2} 270v114`, '#15191c', 3)
    chromeTube(p, d`M${x + w * 0.42} 300v50M${x + w * 0.58} 300v50`, 6, '#c3c9cd')
    p.path(d`M${x - 8} 212q0 -84 50 -92h${w - 60}q50 8 60 92z`, volume(p, 'y', c, 0.5))
    chromeTube(p, d`M${x + 34} 196h${w - 60}`, 9, '#c3c9cd')
    p.rect(x - 10, 212, w + 24, 50, 3, metal(p, 'y', '#b7bec3'))
    for (let i = 0; i < 4; i++) p.ell(x + w * (0.16 + i * 0.22), 238, 13, 13, volume(p, 'd', '#23282b', 0.4))
    p.path(d`M${x - 62} 218h54v14h-54zM${x + w + 14} 218h50v14h-50z`, metal(p, 'y', '#9aa2a8'))
    p.ell(x + 24, 398, 15, 15, volume(p, 'd', '#23282b', 0.2))
    p.ell(x + w - 12, 398, 15, 15, volume(p, 'd', '#23282b', 0.2))
    p.mark(x + w / 2, 156, 11, inkOn(c), 0, w * 0.5)
    return { x: x - 62, y: 118, w: w + 126, h: 296, focus: [240, 230, 2], foot: [x, w + 30] }
  }
  p.mark(240, 176, 11, inkOn(c), 0, w * 0.5)
  return { x: x - 12, y: 84, w: w + 24, h: 336, focus: [240, 200, 2] }
}

function drawFirewood(p: Pen): Extent {
  const n = Math.round(span(Math.log2(p.num('weight_kg', 40)), 3.9, 9, 2, 6))
  const c = ({ oak: '#b98d57', beech_w: '#d0a878', birch_w: '#e3d3b4' } as Record<string, string>)[p.text('wood_kind', 'oak')] ?? '#b98d57'
  const cols = 6
  for (let row = 0; row < n; row++) {
    for (let i = 0; i < cols - (row % 2); i++) {
      const r = 27
      const x = 96 + i * 55 + (row % 2) * 27
      const y = 384 - row * 48
      p.line(d`M${x} ${y}l44 -26`, shade(c, -0.52), r * 2, 'stroke-linecap="butt"')
      p.ell(x, y, r, r, shade(c, -0.45))
      p.ell(
        x,
        y,
        r - 4,
        r - 4,
        p.rad([
          [0, shade(c, -0.1)],
          [0.5, shade(c, 0.2)],
          [1, c],
        ]),
      )
      p.ell(x, y, r * 0.5, r * 0.5, 'none', `stroke="${shade(c, -0.25)}" stroke-width="1.5"`)
    }
  }
  return { x: 68, y: 318 - (n - 1) * 48, w: 376, h: 94 + (n - 1) * 48, focus: [200, 350, 2.1] }
}

export const gardenLiving: Record<string, FamilyDrawing> = {
  hedge_trimmer: { draw: drawTrimmer, scene: 'lawn', lengths: (p) => ({ note: `${p.plain('bar_cm', 55)} cm` }) },
  spade: { draw: drawSpade, scene: 'lawn', lengths: fromAttrs('', 'length_cm') },
  water_butt: { draw: drawButt, scene: 'lawn', noSide: true, lengths: amount('volume', 'L') },
  hedge_plant: { draw: drawHedge, scene: 'lawn', noSide: true, lengths: fromAttrs('', 'height_cm') },
  fruit_tree: { draw: drawTree, scene: 'lawn', noSide: true, lengths: fromAttrs('', 'height_cm') },
  seeds: { draw: drawSeeds, scene: 'bench', noSide: true },
  garden_table: {
    draw: drawTable,
    scene: 'terrace',
    lengths: (p) => ({ note: `${p.plain('length_cm', 150)} × ${p.plain('width_cm', 90)} cm` }),
  },
  garden_chair: { draw: drawChair, scene: 'terrace', noSide: true, lengths: () => ({ h: '86 cm', w: '56 cm' }) },
  barbecue: { draw: drawBarbecue, scene: 'terrace', noSide: true, lengths: fromAttrs('width_cm', '') },
  firewood: { draw: drawFirewood, scene: 'lawn', noSide: true, lengths: fromAttrs('length_cm', '') },
}
