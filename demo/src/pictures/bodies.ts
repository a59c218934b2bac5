import { brightness, shade } from './colors.ts'
import { d, face, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

/** The one camera: depth runs to the right and up. */
export const KX = 0.62
export const KY = 0.36

interface BoxSkin {
  front?: string
  side?: string
  top?: string
}

/** A box with its front at (x, y, w, h) and a depth behind it. Returns its extent. */
export function box(p: Pen, x: number, y: number, w: number, h: number, depth: number, color: string, skin: BoxSkin = {}): Extent {
  const dx = depth * KX
  const dy = depth * KY
  p.path(d`M${x + w} ${y}l${dx} ${-dy}v${h}l${-dx} ${dy}z`, skin.side ?? sideFill(p, color))
  p.path(
    d`M${x} ${y}l${dx} ${-dy}h${w}l${-dx} ${dy}z`,
    skin.top ??
      p.lin('x', [
        [0, shade(color, 0.42)],
        [1, shade(color, 0.2)],
      ]),
  )
  p.rect(x, y, w, h, 0, skin.front ?? face(p, color, 0.7))
  return { x, y: y - dy, w: w + dx, h: h + dy }
}

/** The side turned away from the light (towards it when the view is mirrored). */
function sideFill(p: Pen, color: string): string {
  const k = p.mirrored ? 0.12 : -0.22
  return p.lin('x', [
    [0, shade(color, k)],
    [1, shade(color, k - 0.16)],
  ])
}

/** Draws in the plane of a box's side (u back, v down) from its front top right corner. */
export const onSide = (x: number, y: number): string => `matrix(${KX} ${-KY} 0 1 ${x} ${y})`

/** An upright cylinder from y to y + h with an elliptic lid. */
export function drum(p: Pen, cx: number, y: number, rx: number, h: number, color: string, gloss = 0.35, lid?: string): Extent {
  const ry = rx * 0.22
  p.path(d`M${cx - rx} ${y}v${h}a${rx} ${ry} 0 0 0 ${rx * 2} 0v${-h}z`, volume(p, 'x', color, gloss))
  p.ell(cx, y, rx, ry, lid ?? face(p, shade(color, 0.2)))
  return { x: cx - rx, y: y - ry, w: rx * 2, h: h + ry * 2 }
}

/** A round bar, hose or wire along a path: shaded by stacked strokes, lit from the top left. */
export function tube(p: Pen, path: string, width: number, color: string, gloss = 0.5, cap: 'round' | 'butt' = 'round'): void {
  const sx = p.mirrored ? 1 : -1
  const more = cap === 'butt' ? 'stroke-linecap="butt"' : ''
  const stroke = (c: string, k: number, shift: number, opacity = 1): void => {
    const style = `${opacity < 1 ? ` opacity="${opacity}"` : ''}${shift ? d` transform="translate(${sx * width * shift} ${-width * shift})"` : ''}`
    p.raw(
      d`<path d="${path}" fill="none" stroke="${c}" stroke-width="${width * k}" stroke-linecap="${more ? 'butt' : 'round'}" stroke-linejoin="round"${style}/>`,
    )
  }
  stroke(shade(color, -0.42), 1, 0)
  stroke(shade(color, -0.14), 0.78, 0.05)
  stroke(color, 0.5, 0.1)
  stroke(shade(color, 0.75), 0.16, 0.17, gloss)
}

/** A chromed or brushed bar: like a tube with a hard horizon. */
export function chromeTube(p: Pen, path: string, width: number, color: string): void {
  if (brightness(color) < 0.3) return tube(p, path, width, color, 0.35)
  const sx = p.mirrored ? 1 : -1
  const layers: [string, number, number][] = [
    [shade(color, -0.5), 1, 0],
    [shade(color, 0.25), 0.86, 0.02],
    [shade(color, -0.36), 0.5, -0.06],
    [shade(color, 0.05), 0.42, 0.06],
    [shade(color, 0.85), 0.24, 0.13],
  ]
  for (const [c, k, s] of layers) {
    p.raw(
      d`<path d="${path}" fill="none" stroke="${c}" stroke-width="${width * k}" stroke-linecap="round" stroke-linejoin="round" transform="translate(${sx * width * s} ${-width * s})"/>`,
    )
  }
}

/** Wood figure within a rectangle: fine wavy lines, steady for the salt. */
export function grain(p: Pen, x: number, y: number, w: number, h: number, color: string, along: 'x' | 'y' = 'x', salt = 0): void {
  const across = along === 'x' ? h : w
  const length = along === 'x' ? w : h
  const lines = Math.max(2, Math.min(7, Math.round(across / 11)))
  let path = ''
  for (let i = 0; i < lines; i++) {
    const at = ((i + 0.25 + p.chance(salt * 31 + i) * 0.6) / lines) * across
    const bow = (p.chance(salt * 57 + i) - 0.5) * (across / lines) * 0.9
    path +=
      along === 'x'
        ? d`M${x} ${y + at}q${length * 0.25} ${bow} ${length * 0.5} 0t${length * 0.5} 0`
        : d`M${x + at} ${y}q${bow} ${length * 0.25} 0 ${length * 0.5}t0 ${length * 0.5}`
  }
  p.line(path, shade(color, brightness(color) > 0.8 ? -0.12 : -0.3), 1.3, 'opacity=".45"')
}

/** A row of parallel slots or ribs as one path: from (x, y), n times step, each of the given length. */
export function ribs(x: number, y: number, n: number, stepX: number, stepY: number, lengthX: number, lengthY: number): string {
  let path = ''
  for (let i = 0; i < n; i++)
    path +=
      d`M${x + i * stepX} ${y + i * stepY}` + (lengthX === 0 ? d`v${lengthY}` : lengthY === 0 ? d`h${lengthX}` : d`l${lengthX} ${lengthY}`)
  return path
}

/** A small screw head. */
export function boss(p: Pen, cx: number, cy: number, r: number, color = '#4a5157'): void {
  p.ell(cx, cy, r, r, shade(color, -0.35))
  p.ell(cx, cy, r * 0.68, r * 0.68, face(p, shade(color, 0.25)))
  p.line(
    d`M${cx - r * 0.35} ${cy - r * 0.35}l${r * 0.7} ${r * 0.7}m0 ${-r * 0.7}l${-r * 0.7} ${r * 0.7}`,
    shade(color, -0.5),
    Math.max(0.8, r * 0.2),
  )
}

/** Draws scaled about a foot point, so that bigger products stand bigger on the same ground. */
export function scaled(p: Pen, k: number, cx: number, ground: number, inner: () => Extent): Extent {
  let e: Extent = { x: 0, y: 0, w: 0, h: 0 }
  const s = Math.round(k * 1000) / 1000
  p.group(`translate(${cx} ${ground}) scale(${s}) translate(${-cx} ${-ground})`, () => {
    e = inner()
  })
  const focus = e.focus ? ([cx + (e.focus[0] - cx) * s, ground + (e.focus[1] - ground) * s, e.focus[2] ?? 2.2] as const) : undefined
  const foot = e.foot ? ([cx + (e.foot[0] - cx) * s, e.foot[1] * s] as const) : undefined
  return { x: cx + (e.x - cx) * s, y: ground + (e.y - ground) * s, w: e.w * s, h: e.h * s, ...(focus && { focus }), ...(foot && { foot }) }
}

/** Maps a value from a range of products onto a range of sizes, clamped. */
export function span(v: number, from: number, to: number, a: number, b: number): number {
  return a + (b - a) * Math.min(1, Math.max(0, (v - from) / (to - from)))
}
