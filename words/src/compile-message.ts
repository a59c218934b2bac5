/** Compiles ICU MessageFormat into the form that `translate.ts` formats. For `npm run generate` and its checks: nothing is parsed at run time. */
import { TYPE, parse, type MessageFormatElement, type PluralElement } from '@formatjs/icu-messageformat-parser'
import type { Message, Part } from './translate.ts'

/** Type of an argument: a preformatted text, a number, a date, or one of the cases of a select. */
export type ArgumentKind = 'text' | 'number' | 'date' | readonly string[]

export interface CompiledMessage {
  message: Message
  values: Map<string, ArgumentKind>
  tags: Set<string>
  /** Categories of each plural, and whether it is cardinal ("2 items") or ordinal ("2nd"). */
  plurals: { name: string; type: 'cardinal' | 'ordinal'; cases: string[] }[]
  /** Literal text without arguments, for the language checks. */
  texts: string[]
}

/** Throws, with the parser's message, on an invalid message. */
export function compileMessage(source: string): CompiledMessage {
  const compiled: CompiledMessage = { message: '', values: new Map(), tags: new Set(), plurals: [], texts: [] }
  const elements = parse(source, { requiresOtherClause: true, shouldParseSkeletons: true })
  return { ...compiled, message: compileElements(elements, compiled, undefined) }
}

function compileElements(elements: readonly MessageFormatElement[], into: CompiledMessage, counted: PluralElement | undefined): Message {
  const parts: Part[] = elements.map((element) => compileElement(element, into, counted))
  if (parts.length === 0) return ''
  const [only] = parts
  return parts.length === 1 && typeof only === 'string' ? only : parts
}

function compileElement(element: MessageFormatElement, into: CompiledMessage, counted: PluralElement | undefined): Part {
  switch (element.type) {
    case TYPE.literal:
      into.texts.push(element.value)
      return element.value
    case TYPE.argument:
      take(into, element.value, 'text')
      return [element.value]
    case TYPE.number: {
      take(into, element.value, 'number')
      const options = numberOptions(element.style)
      return options ? [element.value, 'number', options] : [element.value, 'number']
    }
    case TYPE.date:
    case TYPE.time:
      take(into, element.value, 'date')
      return [element.value, 'date', dateOptions(element.type === TYPE.date ? 'dateStyle' : 'timeStyle', element.style)]
    case TYPE.pound:
      if (!counted) throw new Error('# is used outside a plural')
      return [counted.value, 'number']
    case TYPE.tag:
      into.tags.add(element.value)
      return [element.value, 'tag', compileElements(element.children, into, counted)]
    case TYPE.select: {
      take(into, element.value, Object.keys(element.options))
      return [element.value, 'select', casesOf(element.options, into, counted)]
    }
    case TYPE.plural: {
      if (element.offset !== 0) throw new Error('an offset is not supported: name the exact case (=1)')
      take(into, element.value, 'number')
      const type = element.pluralType ?? 'cardinal'
      into.plurals.push({ name: element.value, type, cases: Object.keys(element.options) })
      return [element.value, type === 'ordinal' ? 'ordinal' : 'plural', casesOf(element.options, into, element)]
    }
  }
}

function casesOf(
  options: Readonly<Record<string, { value: MessageFormatElement[] }>>,
  into: CompiledMessage,
  counted: PluralElement | undefined,
): Record<string, Message> {
  return Object.fromEntries(Object.entries(options).map(([name, { value }]) => [name, compileElements(value, into, counted)]))
}

/** An argument may be used twice if both uses agree. A number may also be inserted by name only. */
function take({ values }: CompiledMessage, name: string, kind: ArgumentKind): void {
  const before = values.get(name)
  if (before === undefined) values.set(name, kind)
  else if (Array.isArray(before) && Array.isArray(kind)) values.set(name, [...new Set([...before, ...kind])])
  else if (before !== kind) throw new Error(`{${name}} is used as two types of argument`)
}

const numberStyles: Readonly<Record<string, Intl.NumberFormatOptions>> = {
  integer: { maximumFractionDigits: 0 },
  percent: { style: 'percent' },
}

function numberOptions(style: unknown): Intl.NumberFormatOptions | undefined {
  if (style === null || style === undefined) return undefined
  if (typeof style === 'object' && 'parsedOptions' in style) return style.parsedOptions ?? undefined
  const known = typeof style === 'string' ? numberStyles[style] : undefined
  if (!known) throw new Error(`unknown number style: ${String(style)}`)
  return known
}

const dateStyles = ['full', 'long', 'medium', 'short'] as const

function dateOptions(kind: 'dateStyle' | 'timeStyle', style: unknown): Intl.DateTimeFormatOptions {
  if (typeof style === 'object' && style !== null && 'parsedOptions' in style) return style.parsedOptions ?? {}
  const known = dateStyles.find((each) => each === (style ?? 'medium'))
  if (!known) throw new Error(`unknown date style: ${String(style)}`)
  return { [kind]: known }
}
