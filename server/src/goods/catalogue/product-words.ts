import type { Language } from '@purlin/contract/markets.ts'
import type { ProductDocument, ProductSafety } from './product.ts'

const view: Record<Language, string> = { en: 'view', fr: 'vue', de: 'Ansicht', es: 'vista', it: 'vista' }

/** What a picture shows, for those who do not see it: the first is the product, the others say which they are. */
export function pictureAlt(language: Language, title: string, index: number): string {
  return index === 0 ? title : `${title}, ${view[language]} ${index + 1}`
}

const documentNames: Record<string, Record<Language, string>> = {
  manual: { en: 'Instructions', fr: 'Mode d’emploi', de: 'Anleitung', es: 'Instrucciones', it: 'Istruzioni' },
  'energy-label': {
    en: 'Energy label',
    fr: 'Étiquette énergie',
    de: 'Energielabel',
    es: 'Etiqueta energética',
    it: 'Etichetta energetica',
  },
}

/** A product's documents with a name people understand, those in the market's language first. */
export function namedDocuments(documents: readonly ProductDocument[], language: Language): (ProductDocument & { label: string })[] {
  const foreign = (document: ProductDocument) => Number(document.language !== language)
  return documents
    .map((document) => ({ ...document, label: document.label ?? documentNames[document.kind]?.[language] ?? document.kind }))
    .toSorted((a, b) => foreign(a) - foreign(b))
}

/** Warnings in the market's language; a list without languages is taken as it is. */
export function safetyWarnings(warnings: ProductSafety['warnings'] | undefined, language: Language): string[] {
  if (!warnings) return []
  return Array.isArray(warnings) ? warnings : (warnings[language] ?? warnings.en ?? [])
}
