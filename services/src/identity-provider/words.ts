import type { Language } from '@purlin/contract/markets.ts'
import de from './messages/de.json' with { type: 'json' }
import en from './messages/en.json' with { type: 'json' }
import es from './messages/es.json' with { type: 'json' }
import fr from './messages/fr.json' with { type: 'json' }
import it from './messages/it.json' with { type: 'json' }

export type Word = keyof typeof en
/** `t('mailSent.text', { email, minutes })` */
export type Translate = (key: Word, values?: Readonly<Record<string, string | number>>) => string

const catalogues: Record<Language, Record<Word, string>> = { en, fr, de, es, it }

export function wordsOf(language: Language): Translate {
  const words = catalogues[language]
  return (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
