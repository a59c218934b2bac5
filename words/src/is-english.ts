import type { Language } from '@purlin/contract/markets.ts'

/** English function words, whose presence identifies an English sentence. Excludes words that the other language has too. */
const functionWords =
  'the and of with your you is are this that not from have has was were will our we by be been please can cannot for to it its they their there which what when how why who any more these those would should into about does did'.split(
    ' ',
  )

/** Function words that are also words of the language. */
const ownWords: Record<Exclude<Language, 'en'>, readonly string[]> = {
  fr: ['not'],
  de: ['was', 'will', 'be', 'not', 'more'],
  es: ['has', 'are'],
  it: ['it', 'more'],
}

/** Words that are the same in both languages, names and units included: a text made only of these may equal the English one. */
const sameWords: Record<Exclude<Language, 'en'>, readonly string[]> = {
  fr: [
    'code',
    'contact',
    'description',
    'documents',
    'e-mail',
    'litres',
    'messages',
    'minute',
    'minutes',
    'page',
    'pages',
    'photos',
    'suggestions',
    'total',
  ],
  de: ['code', 'in', 'name', 'newsletter', 'optional', 'passkeys', 'register', 'sale'],
  es: ['no', 'ref', 'total'],
  it: ['e-mail', 'home', 'in', 'newsletter', 'no', 'password', 'privacy'],
}
const names = ['Purlin', 'Pro', 'EAN', 'IBAN', 'kg', 'PDF', 'PEC', 'UBL', 'XML', 'cXML', 'ZIP']

/** English in disguise: the text of the English message, or a sentence with English function words. */
export function isEnglish(language: Exclude<Language, 'en'>, texts: readonly string[], english: readonly string[]): string[] {
  const words = wordsOf(texts)
  const own = new Set(ownWords[language])
  const found = words.map((word) => word.toLowerCase()).filter((word) => functionWords.includes(word) && !own.has(word))
  if (found.length > 0) return [`reads as English: "${found.join('", "')}"`]
  const same = new Set([...sameWords[language], ...names].map((word) => word.toLowerCase()))
  const foreign = words.filter((word) => !same.has(word.toLowerCase()))
  return foreign.length > 0 && words.join(' ') === wordsOf(english).join(' ')
    ? [`is the English text; if "${foreign.join('", "')}" is the same in both languages, say so in words/src/is-english.ts`]
    : []
}

function wordsOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.match(/[\p{L}’'-]{2,}/gu) ?? [])
}
