/** Checks of the catalogues themselves, for `npm run verify`. Returns problems with language and key; empty if there are none. */
import { languages, type Language } from '@purlin/contract/markets.ts'
import { compileMessage, type ArgumentKind, type CompiledMessage } from './compile-message.ts'
import { isEnglish } from './is-english.ts'
import type { MessageSources } from './read-messages.ts'

export function checkMessages(sources: MessageSources): string[] {
  const english = flat(sources, 'en')
  return languages.flatMap((language) => {
    const messages = flat(sources, language)
    const missing = [...english.keys()].filter((key) => !messages.has(key)).map((key) => `${language}: ${key} has no translation`)
    return [
      ...missing,
      ...misplaced(sources, language),
      ...[...messages].flatMap(([key, text]) =>
        checkMessage(language, text, english.get(key)).map((problem) => `${language}: ${key} ${problem}`),
      ),
    ]
  })
}

function flat(sources: MessageSources, language: Language): Map<string, string> {
  return new Map(Object.values(sources[language]).flatMap((messages) => Object.entries(messages)))
}

function misplaced(sources: MessageSources, language: Language): string[] {
  return Object.entries(sources[language]).flatMap(([area, messages]) =>
    Object.keys(messages)
      .filter((key) => !key.startsWith(`${area}.`))
      .map((key) => `${language}: ${key} stands in ${area}.json, where keys begin with "${area}."`),
  )
}

function checkMessage(language: Language, text: string, english: string | undefined): string[] {
  if (english === undefined) return ['is not in the English catalogue']
  if (!text.trim()) return ['is empty']
  const message = compiled(text)
  const original = compiled(english)
  if (typeof message === 'string') return [`is not well formed: ${message}`]
  if (typeof original === 'string') return []
  return [
    ...differences(message, original),
    ...message.plurals.flatMap(({ name, type, cases }) => checkPlural(language, name, type, cases)),
    ...(language === 'en' ? [] : isEnglish(language, message.texts, original.texts)),
    ...(language === 'fr' && /[ \n][?!:;»%]|«[ \n]/.test(text)
      ? ['has a French sign that can begin a line: write a no-break space (U+00A0 or U+202F)']
      : []),
  ]
}

function compiled(text: string): CompiledMessage | string {
  try {
    return compileMessage(text)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Arguments and tags must match the English message; a select may leave cases to "other" but must not add any. */
function differences(message: CompiledMessage, original: CompiledMessage): string[] {
  const names = new Set([...message.values.keys(), ...original.values.keys()])
  const values = [...names].flatMap((name) => {
    const [mine, theirs] = [message.values.get(name), original.values.get(name)]
    if (mine === undefined) return [`lacks the argument {${name}}`]
    if (theirs === undefined) return [`has an argument {${name}} that English lacks`]
    return agree(mine, theirs) ? [] : [`uses {${name}} as ${nameOf(mine)}, English as ${nameOf(theirs)}`]
  })
  const tags = [...message.tags.symmetricDifference(original.tags)].map((tag) =>
    original.tags.has(tag) ? `lacks the tag <${tag}>` : `has a tag <${tag}> that English lacks`,
  )
  return [...values, ...tags]
}

function agree(mine: ArgumentKind, theirs: ArgumentKind): boolean {
  if (typeof mine === 'string' || typeof theirs === 'string') return mine === theirs
  return mine.every((each) => theirs.includes(each))
}

function nameOf(kind: ArgumentKind): string {
  return typeof kind === 'string' ? kind : `select of ${kind.join(', ')}`
}

/** A plural category the language lacks is never used; one that integers need must be present. */
function checkPlural(language: Language, name: string, type: 'cardinal' | 'ordinal', cases: readonly string[]): string[] {
  const rules = new Intl.PluralRules(language, { type })
  const known: ReadonlySet<string> = new Set(rules.resolvedOptions().pluralCategories)
  const needed = new Set(Array.from({ length: 200 }, (_, n) => rules.select(n)))
  const unknown = cases.filter((each) => !each.startsWith('=') && !known.has(each))
  const lacking = [...needed].filter((each) => !cases.includes(each) && !(each === 'one' && cases.includes('=1')))
  return [
    ...unknown.map((each) => `has a plural case "${each}" of {${name}}, which this language does not have`),
    ...lacking.map((each) => `lacks the plural case "${each}" of {${name}}`),
  ]
}
