import { hash } from './colors.ts'
import type { FamilyDrawing, PictureView } from './family.ts'
import { takePen } from './pen.ts'
import { families } from './families.ts'
import { closeUp, inUse, measured, onPaper } from './views.ts'

export { drawCategoryPicture, pictureDepartments } from './category.ts'
export { drawHero, heroThemes } from './hero.ts'
export { drawBrandLogo } from './logo.ts'
export type { PictureView } from './family.ts'

export interface PictureRequest {
  family: string
  attrs: Record<string, string | number>
  brand: string
  seed: number
  view: PictureView
}

function drawingOf(family: string): FamilyDrawing {
  const drawing = Object.hasOwn(families, family) ? families[family] : undefined
  if (!drawing) throw new RangeError(`no drawing for the family ${family}`)
  return drawing
}

/** Whether a family has a drawing of its own. */
export function isPictured(family: string): boolean {
  return Object.hasOwn(families, family)
}

/** The views a family is drawn in, the main one first. @throws RangeError for an unknown family. */
export function pictureViews(family: string): PictureView[] {
  const drawing = drawingOf(family)
  const views: PictureView[] = drawing.noSide ? ['main', 'detail', 'inUse'] : ['main', 'side', 'detail', 'inUse']
  if (drawing.lengths) views.push('dimensions')
  return views
}

/** One product picture: a complete SVG of 480 × 480. Same request, same bytes. @throws RangeError for an unknown family. */
export function drawPicture(request: PictureRequest): string {
  const drawing = drawingOf(request.family)
  const key = `${request.family}|${request.brand}|${request.seed}|${request.view}|${JSON.stringify(request.attrs)}`
  const p = takePen(request, `p${hash(key).toString(36)}`, request.view === 'side' && !drawing.noSide)
  if (request.view === 'detail') return closeUp(p, drawing)
  if (request.view === 'inUse') return inUse(p, drawing)
  if (request.view === 'dimensions') return measured(p, drawing)
  return onPaper(p, drawing)
}
