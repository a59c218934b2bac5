import { box, KX, KY } from './bodies.ts'
import { brandColor, inkOn, shade } from './colors.ts'
import { d, face, volume } from './pen.ts'
import type { Extent, Pen } from './pen.ts'

/** A patch of shade where something touches the ground behind the main object. */
export function contact(p: Pen, cx: number, y: number, rx: number): void {
  p.ell(
    cx,
    y,
    rx,
    rx * 0.1,
    p.rad([
      [0, '#1b2329', 0.4],
      [0.6, '#1b2329', 0.2],
      [1, '#1b2329', 0],
    ]),
  )
}

/** A folding carton with the brand's band; `window` is drawn on its lower front. */
export function carton(p: Pen, x: number, y: number, w: number, h: number, depth: number, picture?: () => void): Extent {
  const c = brandColor(p.subject.brand)
  contact(p, x + (w + depth * KX) / 2, y + h - 2, w * 0.62)
  const e = box(p, x, y, w, h, depth, '#eceeee', {
    front: p.lin('d', [
      [0, '#ffffff'],
      [1, '#dfe3e5'],
    ]),
  })
  p.rect(x, y, w, h * 0.34, 0, face(p, c, 0.7))
  p.path(d`M${x + w} ${y}l${depth * KX} ${-depth * KY}v${h * 0.34}l${-depth * KX} ${depth * KY}z`, shade(c, p.mirrored ? 0.1 : -0.3))
  p.path(d`M${x} ${y}l${depth * KX} ${-depth * KY}h${w}l${-depth * KX} ${depth * KY}z`, shade(c, 0.28))
  p.line(d`M${x} ${y}h${w}M${x + w / 2} ${y}l${depth * KX} ${-depth * KY}`, '#fff', 1.2, 'opacity=".4"')
  p.mark(x + w / 2, y + h * 0.17, h * 0.11, inkOn(c), 0, w * 0.72)
  picture?.()
  return e
}

/** A filled paper sack standing up, with a coloured panel; `icon` is drawn on it. */
export function sack(
  p: Pen,
  cx: number,
  ground: number,
  w: number,
  h: number,
  paper: string,
  panel: string,
  icon?: (cx: number, cy: number, k: number) => void,
): Extent {
  const x = cx - w / 2
  const y = ground - h
  const right = x + w
  const low = y + h
  const shape =
    d`M${x + 5} ${y}Q${cx} ${y + 9} ${right - 5} ${y}C${right - 12} ${y + 28} ${right - 4} ${y + h * 0.16} ${right - 4} ${y + h * 0.32}` +
    d`S${right + 7} ${y + h * 0.72} ${right} ${low - 18}Q${right - 2} ${low - 1} ${right - 18} ${low}Q${cx} ${low + 7} ${x + 18} ${low}Q${x + 2} ${low - 1} ${x} ${low - 18}` +
    d`C${x - 8} ${y + h * 0.7} ${x + 6} ${y + h * 0.5} ${x + 4} ${y + h * 0.32}S${x + 12} ${y + 28} ${x + 5} ${y}z`
  p.path(shape, volume(p, 'x', paper, 0.25))
  p.clip(shape, () => {
    p.path(
      d`M${x - 10} ${y + h * 0.4}q${w / 2 + 10} -18 ${w + 20} 0V${y + h * 0.82}q${-w / 2 - 10} 16 ${-w - 20} 0z`,
      volume(p, 'x', panel, 0.2),
    )
    p.path(d`M${x - 10} ${y + h * 0.86}q${w / 2 + 10} 14 ${w + 20} 0v8q${-w / 2 - 10} 14 ${-w - 20} 0z`, panel)
    // Folds where the content bulges
    p.path(d`M${x + w * 0.1} ${y + 40}q${w * 0.1} ${h * 0.3} -8 ${h * 0.6}q${w * 0.16} ${-h * 0.3} 8 ${-h * 0.6}z`, '#fff', 'opacity=".3"')
    p.path(
      d`M${x + w * 0.84} ${y + 50}q${w * 0.02} ${h * 0.3} 14 ${h * 0.6}q${-w * 0.14} ${-h * 0.24} -14 ${-h * 0.6}z`,
      '#000',
      'opacity=".14"',
    )
    p.path(d`M${x} ${y + 52}q${w / 2} 22 ${w} 0l-2 10q${-w / 2} 18 ${-w + 4} 0z`, '#000', 'opacity=".09"')
  })
  p.path(
    d`M${x + 5} ${y}Q${cx} ${y + 9} ${right - 5} ${y}L${right - 8} ${y + 24}Q${cx} ${y + 33} ${x + 8} ${y + 24}z`,
    volume(p, 'x', shade(paper, -0.08), 0.3),
  )
  p.line(d`M${x + 8} ${y + 14}Q${cx} ${y + 23} ${right - 8} ${y + 14}`, shade(panel, -0.1), 2, 'stroke-dasharray="5 4"')
  p.mark(cx, y + h * 0.28, w * 0.1, shade(panel, -0.15), 0, w * 0.76)
  icon?.(cx, y + h * 0.61, w / 190)
  return { x: x - 2, y: y - 2, w: w + 4, h: h + 2, focus: [cx, y + h * 0.5, 2.1] }
}
