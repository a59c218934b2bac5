/**
 * Formats messages that `npm run generate` has compiled from ICU MessageFormat: nothing is parsed here. Runs on the server and,
 * with the few messages an island needs, in the browser.
 */

/** A compiled message: plain text, or its parts. Serialisable as JSON. */
export type Message = string | readonly Part[]

/** Text, or an argument by name with its format. */
export type Part =
  | string
  | readonly [name: string, kind?: undefined]
  | readonly [name: string, kind: 'number', options?: Intl.NumberFormatOptions]
  | readonly [name: string, kind: 'date', options: Intl.DateTimeFormatOptions]
  | readonly [name: string, kind: 'plural' | 'ordinal' | 'select', cases: Readonly<Record<string, Message>>]
  | readonly [name: string, kind: 'tag', children: Message]

export type Catalogue = Readonly<Record<string, Message>>

export type Value = string | number | boolean | Date
export type Values = Readonly<Record<string, Value>>

type Intersection<Union> = (Union extends unknown ? (of: Union) => void : never) extends (of: infer All) => void ? All : never

/** The arguments a message takes: none, or one object that names them all. */
export type ArgumentsOf<Messages, Key extends keyof Messages> = keyof Intersection<Messages[Key]> extends never
  ? []
  : [values: Intersection<Messages[Key]>]

/** A message with tags, as typed by the catalogue. */
export interface Rich {
  tags: string
  values: object
}

type ValuesOf<RichMessages extends Record<keyof RichMessages, Rich>> = { [Key in keyof RichMessages]: RichMessages[Key]['values'] }

/**
 * Formats a message of the catalogue. `Messages` maps each key to its arguments, `RichMessages` to its tags and arguments.
 * A missing or wrong key, argument or tag does not compile.
 */
export interface Translate<Messages, RichMessages extends Record<keyof RichMessages, Rich> = object, Node = string> {
  <Key extends keyof Messages & string>(key: Key, ...values: ArgumentsOf<Messages, Key>): string
  /** A message with tags: each is rendered by the function of its name, from its content. */
  rich<Key extends keyof RichMessages & string>(
    key: Key,
    tags: Readonly<Record<RichMessages[Key]['tags'], (children: Node) => Node>>,
    ...values: ArgumentsOf<ValuesOf<RichMessages>, Key>
  ): Node
}

export interface TranslateOptions<Node> {
  /** BCP 47. */
  locale: string
  catalogue: Catalogue
  /** Time zone of dates. */
  timeZone?: string
  /** Formats of numbers and dates; those of the runtime by default. */
  intl?: LocaleIntl
  /** How text, and several parts in a row, become part of a page or mail. */
  text(words: string): Node
  join(parts: Node[]): Node
}

type Tags<Node> = Readonly<Record<string, (children: Node) => Node>>

const noValues: Values = {}

/** A translator without types of its own: `Translate` defines the keys it accepts. */
export function createTranslate<Node>({ locale, catalogue, timeZone, text, join, intl = intlOf(locale) }: TranslateOptions<Node>) {
  const zone = timeZone === undefined ? {} : { timeZone }

  const say = (message: Message, values: Values): string => {
    if (typeof message === 'string') return message
    let words = ''
    for (const part of message) words += typeof part === 'string' ? part : sayArgument(part, values)
    return words
  }
  const sayArgument = (part: Exclude<Part, string>, values: Values): string => {
    const value = valueOf(part[0], values)
    switch (part[1]) {
      case undefined:
        return String(value)
      case 'number':
        return intl.number(Number(value), part[2])
      case 'date':
        return intl.date({ ...part[2], ...zone }).format(dateOf(value))
      case 'tag':
        return say(part[2], values)
      default:
        return say(caseOf(part, value), values)
    }
  }
  const caseOf = (part: readonly [string, string, Readonly<Record<string, Message>>], value: Value): Message => {
    const [, kind, cases] = part
    if (kind === 'select') return own(cases, String(value)) ?? cases['other'] ?? ''
    const exact = own(cases, `=${String(value)}`)
    return exact ?? own(cases, intl.plural(Number(value), kind === 'ordinal')) ?? cases['other'] ?? ''
  }
  const sayRich = (message: Message, values: Values, tags: Tags<Node>): Node => {
    const nodes: Node[] = []
    let words = ''
    const flush = () => {
      if (words) nodes.push(text(words))
      words = ''
    }
    const visit = (of: Message): void => {
      if (typeof of === 'string') words += of
      else
        for (const part of of) {
          if (typeof part === 'string') words += part
          else if (part[1] === 'tag') {
            flush()
            const children = sayRich(part[2], values, tags)
            nodes.push(tags[part[0]]?.(children) ?? children)
          } else if (part[1] === 'plural' || part[1] === 'ordinal' || part[1] === 'select') visit(caseOf(part, valueOf(part[0], values)))
          else words += sayArgument(part, values)
        }
    }
    visit(message)
    flush()
    return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : join(nodes)
  }

  const translate = (key: string, ...[values]: unknown[]): string => {
    const message = own(catalogue, key) ?? key
    return typeof message === 'string' ? message : say(message, isValues(values) ? values : noValues)
  }
  return Object.assign(translate, {
    rich: (key: string, tags: Tags<Node>, ...[values]: unknown[]): Node =>
      sayRich(own(catalogue, key) ?? key, isValues(values) ? values : noValues, tags),
  })
}

/** A single message outside a catalogue: a page's script receives the few it needs. */
export function formatMessage(locale: string, message: Message, values: Values = noValues): string {
  return createTranslate({ locale, catalogue: { message }, text: String, join: String })('message', values)
}

function isValues(values: unknown): values is Values {
  return typeof values === 'object' && values !== null
}

function own<Of>(record: Readonly<Record<string, Of>>, key: string): Of | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

function valueOf(name: string, values: Values): Value {
  return own(values, name) ?? `{${name}}`
}

function dateOf(value: Value): Date {
  return value instanceof Date ? value : new Date(typeof value === 'number' ? value : String(value))
}

/** Formats dates, for example "24 November 2026". */
export interface DateFormat {
  format(date: Date): string
}

export interface LocaleIntl {
  number(value: number, options: Intl.NumberFormatOptions | undefined): string
  date(options: Intl.DateTimeFormatOptions): DateFormat
  plural(value: number, isOrdinal: boolean): string
}

const locales = new Map<string, LocaleIntl>()

/**
 * Constructing an Intl object costs more than a thousand uses, 50 ms on a slow phone: each is constructed when it is first used. Using
 * it costs more than a cache lookup.
 */
export function intlOf(locale: string): LocaleIntl {
  const known = locales.get(locale)
  if (known) return known
  const plain = onUse(() => new Intl.NumberFormat(locale))
  const cardinal = onUse(() => new Intl.PluralRules(locale))
  const ordinal = onUse(() => new Intl.PluralRules(locale, { type: 'ordinal' }))
  const dates = new Map<string, DateFormat>()
  const numbers = new Map<string, Intl.NumberFormat>()
  const numberFormat = (options: Intl.NumberFormatOptions): Intl.NumberFormat => {
    const key = JSON.stringify(options)
    const format = numbers.get(key) ?? new Intl.NumberFormat(locale, options)
    numbers.set(key, format)
    return format
  }
  const intl: LocaleIntl = {
    number: remembered((value, options) => (options ? numberFormat(options) : plain()).format(value)),
    date(options) {
      const key = JSON.stringify(options)
      const format = dates.get(key) ?? new Intl.DateTimeFormat(locale, options)
      dates.set(key, format)
      return format
    },
    plural: remembered((value, isOrdinal) => (isOrdinal ? ordinal() : cardinal()).select(value)),
  }
  locales.set(locale, intl)
  return intl
}

function onUse<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}

/** A page formats the same few numbers again and again. */
const rememberedMax = 2_000

function remembered<How extends object | boolean | undefined>(
  say: (value: number, how: How) => string,
): (value: number, how: How) => string {
  const plain = new Map<number, string>()
  const special = new Map<string, string>()
  const keep = <Key>(kept: Map<Key, string>, key: Key, value: number, how: How): string => {
    const hit = kept.get(key)
    if (hit !== undefined) return hit
    if (kept.size >= rememberedMax) kept.clear()
    const said = say(value, how)
    kept.set(key, said)
    return said
  }
  return (value, how) => (how ? keep(special, `${value}${JSON.stringify(how)}`, value, how) : keep(plain, value, value, how))
}
