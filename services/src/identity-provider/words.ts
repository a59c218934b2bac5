import type { Language } from '@purlin/contract/markets.ts'
import de from './messages/de.json' with { type: 'json' }
import en from './messages/en.json' with { type: 'json' }
import es from './messages/es.json' with { type: 'json' }
import fr from './messages/fr.json' with { type: 'json' }
import it from './messages/it.json' with { type: 'json' }

export type Words = Record<keyof typeof en, string>

const catalogues: Record<Language, Words> = { en, fr, de, es, it }

export function wordsOf(language: Language): Words {
  return catalogues[language]
}
