import { boss, box, chromeTube, grain, ribs, scaled, span, tube } from './bodies.ts'
import { brandColor, inkOn, isWood, shade } from './colors.ts'
import type { FamilyDrawing } from './family.ts'
import { d, face, metal, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

export function drawTap(p: Pen): Extent {
  const c = p.hex('finish', 'chrome')
  const h = span(p.num('height_cm', 16), 14, 30, 226, 336)
  const tall = h > 260
  const top = 396 - h
  const x = 270
  const w = tall ? 25 : 31
  p.ell(x, 398, 52, 13, shade(c, -0.5))
  p.path(d`M${x - 52} 386a52 13 0 0 1 104 0v10a52 13 0 0 1 -104 0z`, metal(p, 'x', c))
  // Spout first, so the body closes over it
  chromeTube(
    p,
    tall
      ? d`M${x} ${top + 96}C${x - 40} ${top + 66} ${x - 110} ${top + 66} ${x - 142} ${top + 110}v26`
      : d`M${x} ${top + 84}C${x - 40} ${top + 78} ${x - 100} ${top + 76} ${x - 132} ${top + 100}`,
    tall ? 30 : 36,
    c,
  )
  if (tall) p.rect(x - 159, top + 132, 34, 13, 4, metal(p, 'x', shade(c, -0.25)))
  else p.path(d`M${x - 152} ${top + 106}l32 -12l6 16l-30 12z`, metal(p, 'd', shade(c, -0.25)))
  p.path(d`M${x - w} ${top + 40}h${w * 2}l6 ${h - 50}a${w + 6} 10 0 0 1 ${-w * 2 - 12} 0z`, metal(p, 'x', c))
  p.line(d`M${x - w - 2} ${top + h * 0.42}a${w + 2} 7 0 0 0 ${w * 2 + 4} 0`, shade(c, -0.5), 1.6, 'opacity=".7"')
  // Lever
  p.path(d`M${x - w - 3} ${top + 38}q0 -34 ${w + 3} -34t${w + 3} 34q${-w - 3} 12 ${-w * 2 - 6} 0z`, metal(p, 'x', c))
  chromeTube(p, d`M${x + 4} ${top + 16}Q${x + 40} ${top - 6} ${x + 106} ${top - 22}`, 15, c)
  p.ell(x + 6, top + 56, 5, 5, '#c2272d')
  p.ell(
    x + 6,
    top + 56,
    5,
    5,
    p.lin('x', [
      [0, '#2f6fb0'],
      [0.5, '#2f6fb0'],
      [0.51, '#c2272d'],
      [1, '#c2272d'],
    ]),
  )
  p.mark(x, 374, 6.5, shade(c, c === '#2a2c2e' ? 0.5 : -0.5), 0, w * 1.8)
  return { x: x - 162, y: top - 30, w: 276, h: h + 44, focus: [x - 20, top + 60, 2.1], foot: [x - 60, 120] }
}

function drawShower(p: Pen): Extent {
  const c = p.hex('finish', 'chrome')
  const head = span(p.num('width_cm', 25), 20, 30, 78, 114)
  const x = 286
  chromeTube(p, d`M${x} 420V82q0 -38 -38 -38H188v28`, 15, c)
  for (const y of [150, 312]) {
    p.rect(x - 14, y, 28, 18, 5, metal(p, 'y', c))
    p.ell(x + 22, y + 9, 12, 12, metal(p, 'd', c))
  }
  // Rain head
  p.path('M178 70h20l8 14h-36z', metal(p, 'x', c))
  p.ell(188, 95, head, head * 0.2, shade(c, -0.55))
  p.path(d`M${188 - head} 90a${head} ${head * 0.2} 0 0 1 ${head * 2} 0v5a${head} ${head * 0.2} 0 0 1 ${-head * 2} 0z`, metal(p, 'x', c))
  p.ell(188, 96, head - 5, head * 0.17 - 1, shade(c, -0.4))
  p.line(
    ribs(188 - head * 0.76, 94, 11, head * 0.152, 0, 0, 0.1) +
      ribs(188 - head * 0.6, 101, 9, head * 0.15, 0, 0, 0.1) +
      ribs(188 - head * 0.6, 88, 9, head * 0.15, 0, 0, 0.1),
    shade(c, 0.6),
    2.6,
  )
  // Mixer bar
  p.rect(x - 124, 330, 196, 42, 20, metal(p, 'y', c))
  if (p.text('type', 'thermostatic') === 'thermostatic') {
    p.rect(x - 152, 326, 44, 50, 9, metal(p, 'y', shade(c, 0.05)))
    p.rect(x + 56, 326, 44, 50, 9, metal(p, 'y', shade(c, 0.05)))
    p.line(ribs(x - 146, 329, 5, 8, 0, 0, 44) + ribs(x + 62, 329, 5, 8, 0, 0, 44), shade(c, -0.5), 1.6, 'opacity=".6"')
    p.rect(x + 72, 334, 6, 12, 3, '#c2272d')
  } else {
    p.ell(x - 26, 351, 34, 34, metal(p, 'd', c))
    chromeTube(p, d`M${x - 26} 351L${x - 40} 300`, 13, c)
  }
  p.mark(x - 26, 351, 6.5, shade(c, c === '#2a2c2e' ? 0.5 : -0.55), 0, 60)
  // Hand shower with hose
  tube(p, d`M${x - 30} 372C${x - 20} 446 ${x - 126} 452 ${x - 118} 372S${x - 78} 290 ${x - 70} 262`, 8, '#b9c0c4', 0.8)
  p.rect(x - 26, 200, 52, 20, 8, metal(p, 'y', c))
  chromeTube(p, d`M${x - 72} 260L${x - 38} 186`, 15, c)
  p.group(d`translate(${x - 34} 172) rotate(-24)`, () => {
    p.ell(0, 0, 42, 19, metal(p, 'x', c))
    p.ell(-2, 4, 36, 13, shade(c, -0.45))
    p.line(ribs(-26, 3, 7, 8, 0, 0, 0.1) + ribs(-20, 9, 5, 9, 0, 0, 0.1), shade(c, 0.6), 2.4)
  })
  return { x: 188 - head, y: 36, w: x + 100 - (188 - head), h: 400, focus: [x - 40, 310, 2] }
}

function drawToilet(p: Pen): Extent {
  const c = p.hex('color', 'white')
  const light = c === '#f1f2f2'
  const shadeX = p.lin('x', [
    [0, shade(c, light ? -0.1 : 0.1)],
    [0.2, shade(c, 0.4)],
    [0.55, c],
    [0.85, shade(c, -0.2)],
    [1, shade(c, -0.32)],
  ])
  const rim = light ? '#b3babf' : '#0f1214'
  const k = span(p.num('depth_cm', 54), 48, 65, 0.94, 1.06)
  const floor = p.text('mounting', 'wall_hung') === 'close_coupled'
  return scaled(p, k, 240, 410, () => {
    if (floor) {
      // Cistern
      p.path('M272 92h142q10 0 10 10v150q0 14 -14 14H290q-14 0 -15 -14z', shadeX)
      p.path(
        'M262 78q0 -12 14 -12h140q14 0 14 12v16H262z',
        p.lin('y', [
          [0, shade(c, 0.5)],
          [1, shade(c, -0.12)],
        ]),
      )
      p.line('M264 95h164', rim, 1.5, 'opacity=".7"')
      p.rect(322, 60, 44, 8, 4, metal(p, 'x', '#c3c9cd'))
      // Pedestal
      p.path('M128 300q30 34 36 70l2 40h226V262H250z', shadeX)
      p.path('M166 400h226v10H166z', '#000', 'opacity=".12"')
    } else {
      p.rect(
        394,
        60,
        16,
        350,
        3,
        p.lin('x', [
          [0, '#eceeee'],
          [1, '#d5dadd'],
        ]),
      )
      p.rect(398, 96, 9, 66, 3, metal(p, 'y', '#c3c9cd'))
      p.path('M150 318q40 56 120 58h126V250z', shadeX)
    }
    // Bowl
    p.path('M64 258q4 62 74 84q60 16 130 12l128 -10V240H70z', shadeX)
    p.path('M138 342q60 16 130 12l128 -10v-14q-140 18 -258 12z', '#000', 'opacity=".07"')
    // Rim, seat and lid a little open to the viewer
    p.path(
      'M56 250q-2 -20 30 -24h310v28H74q-16 0 -18 -4z',
      p.lin('y', [
        [0, shade(c, 0.6)],
        [0.5, shade(c, 0.1)],
        [1, shade(c, -0.25)],
      ]),
    )
    p.path(
      'M60 232q6 -20 52 -22h262q20 0 20 10v12H64q-4 0 -4 0z',
      p.lin('y', [
        [0, shade(c, 0.7)],
        [1, shade(c, -0.06)],
      ]),
    )
    p.line('M62 233H394', rim, 1.6, 'opacity=".8"')
    p.line('M70 254H394', rim, 1.2, 'opacity=".5"')
    p.rect(364, 202, 24, 12, 5, metal(p, 'x', '#c3c9cd'))
    p.line('M96 216q30 -4 120 -3', '#fff', 4, 'opacity=".8"')
    p.path('M92 268q10 40 60 58q-40 -30 -40 -60z', '#fff', `opacity="${light ? 0.9 : 0.12}"`)
    p.ell(330, 300, 6, 6, metal(p, 'd', '#c3c9cd'))
    p.mark(196, 284, 7, shade(c, light ? -0.3 : 0.4))
    return {
      x: 54,
      y: 58,
      w: floor ? 376 : 358,
      h: 352,
      focus: [200, 250, 1.9],
      foot: floor ? [160, 236] : [376, 40],
    }
  })
}

function drawVanity(p: Pen): Extent {
  const name = p.text('color', 'white')
  const c = p.hex('color', 'white')
  const w = span(p.num('width_cm', 80), 50, 120, 220, 366)
  const standing = p.text('mounting', 'wall_hung') === 'close_coupled'
  const h = standing ? 250 : 196
  const x = 216 - w / 2
  const y = 190
  const depth = 120
  box(p, x, y, w, h, depth, c, { front: shade(c, -0.5) })
  // Drawers with a shadow gap
  const n = standing ? 3 : 2
  const dh = (h - 6 * (n + 1)) / n
  const halves = w > 300 ? 2 : 1
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < halves; j++) {
      const dx = x + 3 + j * (w / halves)
      const dw = w / halves - 6
      const dy = y + 8 + i * (dh + 6)
      p.rect(dx, dy, dw, dh, 1.5, face(p, c, 0.55))
      if (isWood(name)) grain(p, dx + 3, dy + 2, dw - 6, dh - 4, c, 'x', i * 3 + j)
      p.rect(
        dx + dw / 2 - dw * 0.18,
        dy + 9,
        dw * 0.36,
        6,
        3,
        metal(p, 'y', name === 'matt_black' || name === 'anthracite' ? '#c3a95c' : '#8b949a'),
      )
    }
  }
  if (standing) for (const fx of [x + 10, x + w - 24]) p.rect(fx, y + h, 14, 16, 2, '#2b3034')
  // Basin slab with bowl
  const dx = depth * 0.62
  const dy = depth * 0.36
  p.path(
    d`M${x - 6} ${y - 22}l${dx} ${-dy}h${w + 12}l${-dx} ${dy}z`,
    p.lin('x', [
      [0, '#ffffff'],
      [1, '#e9ecec'],
    ]),
    'stroke="#cdd3d6" stroke-width="1"',
  )
  p.path(d`M${x + w + 6} ${y - 22}l${dx} ${-dy}v22l${-dx} ${dy}z`, '#c9cfd2')
  p.rect(
    x - 6,
    y - 22,
    w + 12,
    22,
    2,
    p.lin('y', [
      [0, '#fbfbfb'],
      [1, '#dde1e3'],
    ]),
  )
  const bw = Math.min(w * 0.36, 104)
  const cx = x + w / 2 + dx / 2
  const cy = y - 22 - dy / 2
  p.ell(
    cx,
    cy + 1,
    bw,
    17,
    p.lin('y', [
      [0, '#a9b1b6'],
      [0.5, '#dfe3e5'],
      [1, '#f7f8f8'],
    ]),
    'stroke="#c3c9cd"',
  )
  p.ell(cx, cy + 6, 7, 2.6, metal(p, 'x', '#aab2b7'))
  chromeTube(p, d`M${cx + 6} ${cy - 16}v-38q0 -14 -14 -12l-28 8`, 10, '#cfd4d8')
  p.mark(x + w - 44, y - 10.5, 5.5, '#8b949a', 0, 60)
  return { x: x - 6, y: cy - 76, w: w + 12 + dx, h: y + h + (standing ? 16 : 0) - cy + 76, focus: [cx - 20, y, 2.1] }
}

function drawPipe(p: Pen): Extent {
  const sn = p.text('sn', 'SN4')
  const c = sn === 'SN2' ? '#9aa1a6' : sn === 'SN8' ? '#b0562f' : '#c46a34'
  const r = span(p.num('diameter', 100), 32, 200, 20, 66)
  const l = span(p.num('length_m', 2), 1, 4, 240, 330)
  const e = r * 0.42
  const one = (): void => {
    // Socket at the far end, open cut towards us
    p.rect(-l / 2, -r, l - 60, r * 2, 0, volume(p, 'y', c, 0.45))
    p.path(d`M${l / 2 - 70} ${-r}l14 ${-r * 0.16}h62a${e} ${r * 1.16} 0 0 1 0 ${r * 2.32}h-62l-14 ${-r * 0.16}z`, volume(p, 'y', c, 0.45))
    p.path(
      d`M${l / 2 - 44} ${-r * 1.16}h14v${-r * 0.08}h18v${r * 0.08 + r * 2.32}v${r * 0.08}h-18v${-r * 0.08}h-14z`,
      volume(p, 'y', shade(c, 0.05), 0.5),
    )
    p.line(d`M${l / 2 - 46} ${-r * 1.15}a${e} ${r * 1.15} 0 0 1 0 ${r * 2.3}`, shade(c, -0.5), 1.5, 'opacity=".6"')
    p.ell(-l / 2, 0, e, r, shade(c, 0.18))
    p.ell(
      -l / 2,
      0,
      e * 0.86,
      r * 0.86,
      p.lin('y', [
        [0, shade(c, -0.72)],
        [1, shade(c, -0.3)],
      ]),
    )
    p.line(d`M${-l / 2 + e + 8} ${-r * 0.2}h${l * 0.44}`, shade(c, -0.45), 2, 'opacity=".5" stroke-dasharray="16 5 4 5"')
  }
  p.group(d`translate(262 ${250 - r * 1.15}) rotate(-13)`, one)
  p.group(d`translate(226 ${256 + r * 0.95}) rotate(-13)`, () => {
    one()
    p.mark(-l * 0.04, r * 0.22, Math.max(8, r * 0.24), shade(c, -0.5), 0, l * 0.4)
  })
  const top = 250 - r * 2.3 - l * 0.12
  return { x: 226 - l / 2 - e - 4, y: top, w: l + 2 * e + 54, h: 256 + r * 2 + l * 0.115 - top, focus: [226 - l / 2 + 60, 270 + r, 2.2] }
}

function drawPump(p: Pen): Extent {
  const dirty = p.text('type', 'clear_water') === 'dirty_water'
  const c = brandColor(p.subject.brand)
  return scaled(p, span(p.num('power', 550), 250, 1100, 0.84, 1.02), 236, 408, () => {
    tube(p, 'M206 104C190 40 330 30 356 96S420 190 396 214', 9, '#24292d', 0.3)
    tube(p, 'M214 104C250 54 96 60 92 170', 8, '#24292d', 0.3)
    p.path('M62 170q30 -14 60 0l6 62q-36 16 -72 0z', volume(p, 'x', '#e0701c', 0.4))
    // Handle and body
    tube(p, 'M164 132V96q0 -16 16 -16h76q16 0 16 16v36', 17, '#2b3034', 0.35)
    p.path('M134 150q2 -32 40 -32h92q38 0 40 32l8 166H126z', volume(p, 'x', c, 0.38))
    p.path('M142 150q4 -22 34 -22h90q28 0 32 20q-80 14 -156 2z', '#fff', 'opacity=".2"')
    p.line(ribs(166, 182, 2, 108, 0, 0, 100), shade(c, -0.4), 3, 'opacity=".6"')
    p.mark(220, 220, 15, inkOn(c), 0, 120)
    // Outlet
    p.path('M300 262h44v-60h46v66q0 42 -44 42h-46z', volume(p, 'x', '#2b3034', 0.35))
    p.rect(338, 184, 58, 22, 4, volume(p, 'x', '#3a4146', 0.4))
    p.line(ribs(340, 189, 3, 0, 6, 54, 0), '#15191c', 2)
    // Strainer base: wide slots for clean water, legs for dirty water
    if (dirty) {
      p.path('M122 312h196l6 28H116z', volume(p, 'x', '#2b3034', 0.3))
      for (const x of [128, 184, 240, 290]) p.rect(x, 336, 24, 68, 3, volume(p, 'x', '#2b3034', 0.3))
      p.rect(146, 340, 150, 30, 4, '#0f1214')
      p.rect(112, 394, 216, 14, 5, volume(p, 'y', '#343b40', 0.3))
    } else {
      p.path('M120 312h200l8 92H112z', volume(p, 'x', '#2b3034', 0.3))
      p.line(ribs(134, 336, 12, 15.6, 0, 0, 46), '#0d1012', 7)
      p.rect(110, 394, 220, 14, 5, volume(p, 'y', '#343b40', 0.3))
    }
    return { x: 56, y: 60, w: 346, h: 348, focus: [220, 250, 2], foot: [112, 220] }
  })
}

function drawPoolPump(p: Pen): Extent {
  const c = brandColor(p.subject.brand)
  return scaled(p, span(p.num('power_cv', 0.75), 0.33, 2, 0.86, 1.04), 240, 400, () => {
    p.rect(62, 384, 352, 16, 5, volume(p, 'y', '#23282c', 0.25))
    p.path('M250 352h120l14 34H236z', '#2b3034')
    // Motor
    p.rect(236, 214, 184, 146, 22, volume(p, 'y', c, 0.36))
    p.line(ribs(252, 224, 12, 12, 0, 0, 126), shade(c, -0.5), 4, 'opacity=".6"')
    p.path('M404 220q30 4 34 68q-4 62 -34 66z', volume(p, 'y', '#2b3034', 0.3))
    p.line(ribs(412, 246, 6, 0, 16, 16, 0), '#0f1214', 5)
    p.rect(280, 188, 84, 44, 6, volume(p, 'y', '#2b3034', 0.3))
    p.mark(322, 210, 10, '#e9ecec', 0, 72)
    // Wet end and pre-filter with a clear lid
    p.path('M176 196h64q20 0 20 24v134q0 22 -20 22h-64z', volume(p, 'y', '#343b40', 0.35))
    p.rect(196, 128, 42, 76, 4, volume(p, 'x', '#3b4348', 0.4))
    p.rect(188, 122, 58, 22, 5, volume(p, 'x', '#4b5359', 0.4))
    p.path('M70 214h116v150q0 22 -22 22H92q-22 0 -22 -22z', volume(p, 'x', '#343b40', 0.35))
    p.rect(38, 268, 40, 52, 5, volume(p, 'y', '#4b5359', 0.4))
    p.rect(28, 262, 18, 64, 5, volume(p, 'y', '#3b4348', 0.4))
    p.path('M64 196h128v20q-4 12 -20 12H84q-16 0 -20 -12z', volume(p, 'x', '#4b5359', 0.35))
    p.path(
      'M78 196q4 -38 50 -38t50 38q-50 16 -100 0z',
      p.lin('d', [
        [0, '#e8f3f6', 0.95],
        [0.5, '#9fb9c4', 0.9],
        [1, '#6d8793', 0.95],
      ]),
    )
    p.path('M92 188q6 -20 28 -24q-10 10 -12 28z', '#fff', 'opacity=".8"')
    for (const x of [60, 176]) boss(p, x + 10, 214, 9, '#6d757b')
    return { x: 28, y: 122, w: 410, h: 278, focus: [140, 210, 2.1], foot: [62, 352] }
  })
}

export const bath: Record<string, FamilyDrawing> = {
  basin_tap: {
    draw: drawTap,
    scene: 'counter',
    inScene: 0.86,
    lengths: (p) => ({ h: `${p.num('height_cm', 16)} cm`, w: `${Math.round(9 + p.num('height_cm', 16) * 0.2)} cm` }),
  },
  shower_column: {
    draw: drawShower,
    scene: 'bath',
    inScene: 0.92,
    hangs: true,
    lengths: (p) => ({ h: '112 cm', w: `${p.num('width_cm', 25)} cm` }),
  },
  toilet: {
    draw: drawToilet,
    scene: 'bath',
    inScene: 0.72,
    lengths: (p) => ({ w: `${p.num('depth_cm', 54)} cm`, h: p.text('mounting', 'wall_hung') === 'wall_hung' ? '36 cm' : '80 cm' }),
  },
  vanity: {
    draw: drawVanity,
    scene: 'bath',
    inScene: 0.8,
    lengths: (p) => ({ w: `${p.num('width_cm', 80)} cm`, h: p.text('mounting', 'wall_hung') === 'wall_hung' ? '56 cm' : '82 cm' }),
  },
  pvc_pipe: {
    draw: drawPipe,
    scene: 'site',
    noSide: true,
    lengths: (p) => ({ note: `Ø ${p.plain('diameter', 100)} mm × ${p.plain('length_m', 2)} m` }),
  },
  water_pump: { draw: drawPump, scene: 'cellar', lengths: (p) => ({ h: `${Math.round(26 + p.num('power', 550) / 90)} cm` }) },
  pool_pump: { draw: drawPoolPump, scene: 'pool', lengths: (p) => ({ w: `${Math.round(44 + p.num('power_cv', 1) * 8)} cm`, h: '31 cm' }) },
}
