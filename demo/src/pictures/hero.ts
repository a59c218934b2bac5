import { ribs, tube } from './bodies.ts'
import { hash, mix, shade } from './colors.ts'
import { group } from './group.ts'
import type { Placed } from './group.ts'
import { d, takePen, volume } from './pen.ts'
import type { Pen } from './pen.ts'

const W = 1440
const H = 480

interface Hero {
  /** The background; its left 45 % stays calm, for text on top. */
  scenery(p: Pen): void
  placed: readonly Placed[]
}

function workshop(p: Pen): void {
  p.rect(
    0,
    0,
    W,
    392,
    0,
    p.lin('x', [
      [0, '#eef1f2'],
      [0.5, '#e3e8ea'],
      [1, '#ccd4d8'],
    ]),
  )
  p.path('M60 0H420L640 392H200z', '#fff', 'opacity=".4"')
  // A panel of holes with hand tools, a shelf above the bench
  p.rect(
    640,
    24,
    770,
    214,
    8,
    p.lin('y', [
      [0, '#c9a97c'],
      [1, '#b8935f'],
    ]),
  )
  p.line(ribs(662, 46, 7, 0, 29, 730, 0), '#8a6536', 4, 'stroke-dasharray=".1 29"')
  p.path('M700 54h12v118h-12z', '#e3c793')
  p.path('M676 44h62v26h-46l-16 -10z', '#5b646a')
  p.line('M790 50l22 92M822 50l-22 92', '#aab2b7', 7)
  p.line('M802 140l-8 54M810 140l8 54', '#b0363a', 12)
  p.line('M880 48v84', '#dfe3e5', 7)
  p.rect(871, 124, 18, 58, 8, '#e0a01c')
  p.line('M926 48v70', '#dfe3e5', 6)
  p.rect(918, 112, 16, 52, 7, '#2a5f94')
  p.path(
    'M980 56l150 26v20l-150 22z',
    p.lin('y', [
      [0, '#e9ecee'],
      [1, '#9aa2a8'],
    ]),
  )
  p.path('M1128 74l40 -6q22 6 20 28t-26 22l-34 -8z', '#a5703c')
  tube(p, 'M1240 52v112', 8, '#aab2b7', 0.6)
  p.path('M1226 160h28l10 24h-48z', '#2b3034')
  p.rect(1300, 52, 84, 20, 3, '#f2c21a')
  p.rect(1334, 55, 16, 14, 3, '#bfe3a0')
  // Bench
  p.rect(
    0,
    376,
    W,
    104,
    0,
    p.lin('y', [
      [0, '#e0bd88'],
      [0.2, '#cfa468'],
      [1, '#a97d44'],
    ]),
  )
  p.path('M0 376h1440v6H0z', '#f3dcb2')
  p.line('M0 404q360 -10 720 4t720 -6M0 432q300 12 760 -2t680 6M0 460q420 -8 800 2t640 -2', '#8f6530', 1.8, 'opacity=".5"')
  p.path('M566 424l120 -14l20 20l-120 16z', '#ecd09f')
  p.path('M586 446l120 -16v14l-120 16z', '#bd9252')
}

function garden(p: Pen): void {
  p.rect(
    0,
    0,
    W,
    320,
    0,
    p.lin('y', [
      [0, '#cfe6f3'],
      [1, '#f4f9f6'],
    ]),
  )
  p.ell(
    1180,
    80,
    60,
    60,
    p.rad([
      [0, '#fff6d2'],
      [0.5, '#fff1c0', 0.7],
      [1, '#fff1c0', 0],
    ]),
  )
  for (const [x, y, k] of [
    [260, 76, 1],
    [760, 54, 1.3],
    [1320, 110, 0.8],
  ] as const) {
    p.ell(x, y, 70 * k, 15 * k, '#fff', 'opacity=".85"')
    p.ell(x + 34 * k, y - 12 * k, 44 * k, 20 * k, '#fff', 'opacity=".85"')
  }
  p.path('M0 290Q260 214 560 268T1080 240T1440 262V340H0z', '#b9d3a6')
  for (let i = 0; i < 13; i++) {
    const c = mix('#5f8d55', '#83ab6a', p.chance(i + 20))
    const r = 62 + p.chance(i) * 34
    p.ell(
      i * 122 - 10,
      300,
      r * 1.1,
      r * 0.8,
      p.lin('d', [
        [0, shade(c, 0.26)],
        [1, shade(c, -0.16)],
      ]),
    )
  }
  p.rect(
    0,
    318,
    W,
    162,
    0,
    p.lin('y', [
      [0, '#79aa55'],
      [0.45, '#8fbd64'],
      [1, '#719f4b'],
    ]),
  )
  p.path('M0 320q720 -18 1440 0v8q-720 -14 -1440 0z', '#4d7a3c', 'opacity=".35"')
  let blades = ''
  for (let i = 0; i < 110; i++) blades += d`M${p.chance(i + 500) * W} ${336 + p.chance(i + 700) * 140}l${(p.chance(i) - 0.5) * 8} -9`
  p.line(blades, '#b3d886', 2.2, 'opacity=".8"')
  // A bed of flowers
  for (let i = 0; i < 26; i++) {
    const x = 600 + i * 30 + p.chance(i + 60) * 14
    const y = 330 + p.chance(i + 90) * 10
    p.ell(x, y, 5, 5, ['#f2c21a', '#e9ecee', '#d8767a', '#c7a6d8'][i % 4] ?? '#fff')
  }
}

function paint(p: Pen): void {
  const c = '#c9785c'
  p.rect(
    0,
    0,
    W,
    388,
    0,
    p.lin('x', [
      [0, '#f3efe8'],
      [0.6, '#ece6dc'],
      [1, '#dcd4c7'],
    ]),
  )
  // Fresh colour with the roller's edge
  p.path(
    'M690 0H1440V388H648V330H668V268H640V206H676V142H652V84H684V40H660V0z',
    p.lin('x', [
      [0, shade(c, 0.18)],
      [0.5, c],
      [1, shade(c, -0.12)],
    ]),
  )
  p.path('M80 0H420L600 388H230z', '#fff', 'opacity=".4"')
  p.path('M760 0H980L1120 388H880z', '#fff', 'opacity=".08"')
  p.rect(0, 372, W, 18, 0, '#fbfaf7')
  p.rect(
    0,
    388,
    W,
    92,
    0,
    p.lin('y', [
      [0, '#b48f63'],
      [1, '#c9a67a'],
    ]),
  )
  p.line(
    'M0 420H1440M0 456H1440M220 388l-60 32M560 388l-30 32M900 388l10 32M1240 388l40 32M60 420l-60 36M420 420l-44 36M800 420l-4 36M1120 420l30 36',
    '#8a6538',
    1.6,
    'opacity=".6"',
  )
  // A dust sheet under the pots
  p.path('M700 414q380 -30 690 -6l40 62q-400 22 -780 2z', '#f3f1ec')
  p.line('M760 430q120 16 260 4M1060 448q140 -14 300 2', '#d5d0c6', 3)
  // Roller resting on the wall
  tube(p, 'M742 158h34v54h-44l-18 70', 9, '#8b949a', 0.6)
  tube(p, 'M714 278l-22 96', 20, '#2f5f7a', 0.4)
  p.rect(614, 128, 130, 60, 17, volume(p, 'y', c, 0.35))
  p.line(ribs(626, 134, 13, 9.4, 0, 0, 48), shade(c, -0.2), 1.6, 'opacity=".5"')
}

function pro(p: Pen): void {
  p.rect(
    0,
    0,
    W,
    384,
    0,
    p.lin('x', [
      [0, '#2b343b'],
      [0.5, '#3a454d'],
      [1, '#55626b'],
    ]),
  )
  p.path('M900 0h460L1240 384H700z', '#fff', 'opacity=".05"')
  // Concrete with its formwork joints, a scaffold before it
  p.line('M600 128H1440M600 256H1440M760 0V384M1000 0V384M1240 0V384', '#2b343b', 3, 'opacity=".55"')
  for (let i = 0; i < 3; i++) for (let j = 0; j < 2; j++) p.ell(820 + i * 240, 64 + j * 128, 5, 5, '#2b343b', 'opacity=".6"')
  for (const x of [690, 1040, 1400]) tube(p, d`M${x} -10V384`, 12, '#8b959c', 0.5)
  tube(p, 'M660 92H1440', 10, '#8b959c', 0.5)
  p.path(
    'M640 150h800v14H640z',
    p.lin('y', [
      [0, '#c9a26a'],
      [1, '#8a6536'],
    ]),
  )
  tube(p, 'M690 380L1040 164', 7, '#8b959c', 0.4)
  p.rect(
    0,
    384,
    W,
    96,
    0,
    p.lin('y', [
      [0, '#4a555c'],
      [1, '#6d7981'],
    ]),
  )
  p.path('M0 382h1440v6H0z', '#20282d', 'opacity=".7"')
  p.line(ribs(40, 420, 18, 82, 0, 26, 4), '#39434a', 3, 'opacity=".6"')
}

const heroes: Readonly<Record<string, Hero>> = {
  workshop: {
    scenery: workshop,
    placed: [
      { thing: 'toolbox', brand: 'Tornavex', attrs: { color: 'red', length_cm: 55 }, x: 1276, ground: 424, size: 268 },
      { thing: 'circular_saw', brand: 'Brexiro', attrs: { power_source: 'battery', blade_d: 190 }, x: 1036, ground: 424, size: 288 },
      {
        thing: 'cordless_drill',
        brand: 'Tarvok',
        attrs: { color: 'blue', pack_content: 'kit1', capacity_ah: 5 },
        x: 838,
        ground: 440,
        size: 272,
      },
      { thing: 'screws', brand: 'Visdorel', attrs: { length_mm: 60, diameter: 5 }, x: 1176, ground: 466, size: 150 },
    ],
  },
  garden: {
    scenery: garden,
    placed: [
      {
        thing: 'garden_shed',
        brand: 'Silvarello',
        attrs: { material: 'spruce', color: 'natural_oak', area_m2: 5.9, doors_n: 2 },
        x: 1238,
        ground: 372,
        size: 330,
      },
      { thing: 'parasol', brand: 'Ombralino', attrs: { color: 'beige' }, x: 800, ground: 396, size: 350 },
      { thing: 'lawn_mower', brand: 'Verdalune', attrs: { power_source: 'battery', cut_width: 46 }, x: 1040, ground: 456, size: 268 },
      { thing: 'garden_hose', brand: 'Gartolino', attrs: { color: 'green', length_m: 25 }, x: 776, ground: 462, size: 166 },
    ],
  },
  paint: {
    scenery: paint,
    placed: [
      { thing: 'ladder', brand: 'Werkhusar', attrs: { steps: 9 }, x: 1296, ground: 446, size: 404, flip: true },
      {
        thing: 'wall_paint',
        brand: 'Colvanta',
        attrs: { color: 'terracotta', volume: 10, finish: 'satin' },
        x: 1004,
        ground: 452,
        size: 252,
      },
      { thing: 'wall_paint', brand: 'Colvanta', attrs: { color: 'sage', volume: 2.5 }, x: 836, ground: 456, size: 158 },
      { thing: 'enamel', brand: 'Tintessa', attrs: { color: 'blue', volume: 0.75 }, x: 1166, ground: 466, size: 170 },
    ],
  },
  pro: {
    scenery: pro,
    placed: [
      { thing: 'osb_panel', brand: 'Gravandor', attrs: { thickness: 18 }, x: 1310, ground: 420, size: 296 },
      { thing: 'insulation', brand: 'Isolvento', attrs: { thickness: 140 }, x: 1090, ground: 424, size: 240 },
      { thing: 'cement', brand: 'Betrovan', attrs: { weight_kg: 25 }, x: 744, ground: 442, size: 208 },
      { thing: 'rotary_hammer', brand: 'Tarvok', attrs: { power_source: 'battery', impact_j: 3.2 }, x: 926, ground: 452, size: 262 },
      { thing: 'safety_boots', brand: 'Werkhusar', attrs: { color: 'brown', safety_class: 'S3' }, x: 1200, ground: 464, size: 172 },
    ],
  },
}

/** The themes that have a hero picture. */
export const heroThemes: readonly string[] = Object.keys(heroes)

/** A hero picture, 1440 × 480; its left 45 % stays calm for text. @throws RangeError for an unknown theme. */
export function drawHero(theme: string): string {
  const hero = Object.hasOwn(heroes, theme) ? heroes[theme] : undefined
  if (!hero) throw new RangeError(`no picture for the theme ${theme}`)
  const p = takePen({ family: theme, attrs: {}, brand: 'Purlin', seed: 5 }, `h${hash(theme).toString(36)}-`)
  hero.scenery(p)
  const { defs, body } = group(`hero ${theme}`, hero.placed)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${W}" height="${H}" viewBox="0 0 ${W} ${H}"><defs>${p.defs()}${defs}</defs>${p.body()}${body}</svg>`
}
