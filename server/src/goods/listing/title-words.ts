import { languages, type Language } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import { readTitleSamples, type Category, type Reference, type TitleSample } from '#catalogue'
import { negation, rooted, telling, wordsOf } from './query-lexicon.ts'

/** Which categories' goods have a word in their titles, in each language. */
export interface TitleWords {
  /** Categories most of whose titles have all these words. */
  categoriesWith(words: readonly string[], language: Language): number[]
}

const keptMs = 3_600_000
/** A word belongs to a category's goods if this share of the sampled titles has it. */
const commonFrom = 0.7
/** The words of a single title are also its brand and its model. */
const fewestTitles = 2

let kept: { words: Promise<TitleWords>; until: number } | undefined

/** Read when a query first needs them; while the database is down the last ones are used, or none. */
export function titleWords({ db }: { db: Db }, { categories }: Pick<Reference, 'categories'>): Promise<TitleWords> {
  const now = Date.now()
  if (kept && kept.until > now) return kept.words
  const before = kept?.words ?? Promise.resolve(wordsIn([], categories.all))
  const words = readTitleSamples(db).then(
    (samples) => wordsIn(samples, categories.all),
    () => before,
  )
  kept = { words, until: now + keptMs }
  return words
}

/** Words of the names of categories and of the titles of their goods. */
export function wordsIn(samples: readonly TitleSample[], named: readonly Pick<Category, 'id' | 'names'>[]): TitleWords {
  const byCategory = Map.groupBy(samples, ({ categoryId }) => categoryId)
  const categories = new Map<string, Set<number>>()
  const add = (language: Language, word: string, categoryId: number): void => {
    const key = `${language} ${word}`
    const known = categories.get(key)
    if (known) known.add(categoryId)
    else categories.set(key, new Set([categoryId]))
  }
  for (const { id, names } of named)
    for (const language of languages) for (const word of rootsOf(names[language] ?? '', language)) add(language, word, id)
  for (const [categoryId, of] of byCategory) {
    if (of.length < fewestTitles) continue
    for (const language of languages) {
      const counts = new Map<string, number>()
      for (const { titles } of of)
        for (const word of new Set(rootsOf(titles[language] ?? '', language))) counts.set(word, (counts.get(word) ?? 0) + 1)
      for (const [word, count] of counts) if (count >= of.length * commonFrom) add(language, word, categoryId)
    }
  }
  return {
    categoriesWith(words, language) {
      const [first, ...rest] = words.map((word) => categories.get(`${language} ${word}`) ?? new Set<number>())
      return first === undefined ? [] : [...rest.reduce((both, one) => both.intersection(one), first)].toSorted((a, b) => a - b)
    },
  }
}

/** The words of a text by which titles are compared, without numbers and negations. */
export function rootsOf(text: string, language: Language): string[] {
  return telling(wordsOf(text), language)
    .filter((word) => word !== negation && !/\d/.test(word))
    .map((word) => rooted([word]))
}
