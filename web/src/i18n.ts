/**
 * Messages in the ICU form translators' tools know, as far as a shop needs it: `{name}`,
 * `{count, plural, =0 {…} one {…} other {…}}` with `#`, `{kind, select, a {…} other {…}}`, `'{'` for a brace.
 * Runs on the server and, with the few messages an island needs, in the browser.
 */

export type Catalogue = Record<string, string>
export type MessageValues = Record<string, string | number>
export type Translate<Key extends string = string> = (key: Key, values?: MessageValues) => string

type Part = string | { name: string; kind?: 'plural' | 'select'; cases?: Record<string, Part[]> } | { count: true }

const parsed = new Map<string, Part[]>()

/** A translator for one language. An unknown key shows itself, so that a missing word is seen and not an empty place. */
export function createTranslate(locale: string, catalogue: Catalogue): Translate {
  const plurals = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  const format = (parts: Part[], values: MessageValues, count: number): string => {
    let text = ''
    for (const part of parts) {
      if (typeof part === 'string') text += part
      else if ('count' in part) text += numbers.format(count)
      else {
        const value = values[part.name]
        if (part.kind === undefined) text += typeof value === 'number' ? numbers.format(value) : (value ?? `{${part.name}}`)
        else if (part.kind === 'select') text += format(caseOf(part.cases!, String(value)), values, count)
        else {
          const figure = Number(value)
          const exact = part.cases![`=${figure}`]
          text += format(exact ?? caseOf(part.cases!, plurals.select(figure)), values, figure)
        }
      }
    }
    return text
  }
  return (key, values = {}) => {
    const message = Object.hasOwn(catalogue, key) ? catalogue[key]! : undefined
    return message === undefined ? key : format(partsOf(message), values, 0)
  }
}

function caseOf(cases: Record<string, Part[]>, name: string): Part[] {
  return (Object.hasOwn(cases, name) ? cases[name] : cases['other']) ?? []
}

/** Parsed once per message. Throws on a message that is not well formed: the test of the catalogues finds it. */
export function partsOf(message: string): Part[] {
  const known = parsed.get(message)
  if (known) return known
  const [parts, end] = read(message, 0, false)
  if (end !== message.length) throw new Error(`Brace without partner in message: ${message}`)
  parsed.set(message, parts)
  return parts
}

function read(message: string, start: number, inPlural: boolean): [Part[], number] {
  const parts: Part[] = []
  let text = ''
  let at = start
  const flush = () => {
    if (text) parts.push(text)
    text = ''
  }
  while (at < message.length && message[at] !== '}') {
    const letter = message[at]!
    if (letter === "'" && '{}#'.includes(message[at + 1] ?? ' ')) {
      const close = message.indexOf("'", at + 2)
      if (close < 0) throw new Error(`Quote without partner in message: ${message}`)
      text += message.slice(at + 1, close)
      at = close + 1
    } else if (letter === '#' && inPlural) {
      flush()
      parts.push({ count: true })
      at++
    } else if (letter === '{') {
      flush()
      const [part, end] = readArgument(message, at + 1)
      parts.push(part)
      at = end
    } else {
      text += letter
      at++
    }
  }
  flush()
  return [parts, at]
}

function readArgument(message: string, start: number): [Part, number] {
  const head = /^\s*(\w+)\s*(?:,\s*(plural|select)\s*,|\})/.exec(message.slice(start))
  if (!head) throw new Error(`Not an argument in message: ${message}`)
  let at = start + head[0].length
  if (!head[2]) return [{ name: head[1]! }, at]
  const kind = head[2] as 'plural' | 'select'
  const cases: Record<string, Part[]> = {}
  for (;;) {
    const label = /^\s*(=?\w+)\s*\{/.exec(message.slice(at))
    if (!label) break
    const [parts, end] = read(message, at + label[0].length, kind === 'plural')
    if (message[end] !== '}') throw new Error(`Brace without partner in message: ${message}`)
    cases[label[1]!] = parts
    at = end + 1
  }
  const close = /^\s*\}/.exec(message.slice(at))
  if (!close || !cases['other']) throw new Error(`Case "other" or closing brace is missing in message: ${message}`)
  return [{ name: head[1]!, kind, cases }, at + close[0].length]
}

/** Names of the arguments of a message, sorted: the same in every language. */
export function argumentsOf(message: string): string[] {
  const names = new Set<string>()
  const visit = (parts: Part[]) => {
    for (const part of parts) {
      if (typeof part === 'string' || 'count' in part) continue
      names.add(part.name)
      for (const inner of Object.values(part.cases ?? {})) visit(inner)
    }
  }
  visit(partsOf(message))
  return [...names].sort()
}
