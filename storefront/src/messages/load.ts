import { readdirSync, readFileSync } from 'node:fs'
import type { Language } from '@purlin/contract/markets.ts'
import type { Catalogue } from '@purlin/web/i18n.ts'

export const languages = ['en', 'fr', 'de', 'es', 'it'] as const satisfies Language[]

/** Every `<area>.<lang>.json` of this folder, by language and area. */
export function readAreas(folder: URL | string = import.meta.dirname): Record<Language, Record<string, Catalogue>> {
  const areas = Object.fromEntries(languages.map((language) => [language, {}])) as Record<Language, Record<string, Catalogue>>
  for (const name of readdirSync(folder)) {
    const [, area, language] = /^([\w-]+)\.(en|fr|de|es|it)\.json$/.exec(name) ?? []
    if (area) areas[language as Language][area] = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'))
  }
  return areas
}

/** One catalogue per language, all areas together. */
export function loadCatalogues(): Record<Language, Catalogue> {
  const areas = readAreas()
  return Object.fromEntries(
    languages.map((language) => [language, Object.assign({}, ...Object.values(areas[language])) as Catalogue]),
  ) as Record<Language, Catalogue>
}
