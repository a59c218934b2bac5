import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { languages, type Language } from '@purlin/contract/markets.ts'

/** Messages of one language, by area (the file's name) and key. */
export type Areas = Record<string, Record<string, string>>
export type MessageSources = Record<Language, Areas>

const folder = join(import.meta.dirname, '../messages')

/** Every `messages/<language>/<area>.json`. */
export function readMessages(): MessageSources {
  return byLanguage((language) => {
    const below = join(folder, language)
    const files = readdirSync(below).filter((name) => name.endsWith('.json'))
    return Object.fromEntries(files.toSorted().map((name) => [name.slice(0, -5), readArea(join(below, name))]))
  })
}

function byLanguage<Of>(make: (language: Language) => Of): Record<Language, Of> {
  const entries = new Map(languages.map((language) => [language, make(language)]))
  return Object.fromEntries(entries) as Record<Language, Of>
}

/** JSON.parse keeps the last of two equal keys; a catalogue must not lose the first. */
function readArea(path: string): Record<string, string> {
  const text = readFileSync(path, 'utf8')
  const messages: Record<string, string> = JSON.parse(text)
  const keys = [...text.matchAll(/^\s*"([^"]+)":/gm)].map(([, key]) => key)
  if (keys.length !== Object.keys(messages).length) throw new Error(`${path}: a key appears twice`)
  return messages
}
