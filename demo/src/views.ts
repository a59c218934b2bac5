import { familyOf } from './grammar.ts'
import { languages, type Language } from './languages.ts'
import { isPictured, pictureViews } from './pictures/index.ts'

/** The family whose drawing shows this one: its own as soon as it has one. */
export function drawnAs(family: string): string {
  return isPictured(family) ? family : (familyOf(family).drawAs ?? family)
}

const known = new Map<string, { view: string }[]>()

/** The views of a product's drawing, the main one first. */
export function picturesOf(family: string): { view: string }[] {
  let views = known.get(family)
  if (!views) {
    views = pictureViews(drawnAs(family)).map((view) => ({ view }))
    known.set(family, views)
  }
  return views
}

/** Manual in each language, and the energy label of products that need one; `documents.ts` generates the content. */
export function documentsOf(productId: number, hasEnergyLabel: boolean): { kind: string; language: Language; url: string }[] {
  return languages.flatMap((language) => [
    { kind: 'manual', language, url: `/documents/p/${productId}/manual-${language}.html` },
    ...(hasEnergyLabel ? [{ kind: 'energy-label', language, url: `/documents/p/${productId}/energy-label-${language}.svg` }] : []),
  ])
}
