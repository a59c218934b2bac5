import type { FormFields } from './form.ts'

/** Maximum number of entries in one list or record of a form. */
export const listLimit = 300

/** The parts of any valibot schema that are used here. */
export interface Shape {
  type: string
  entries?: Record<string, Shape>
  wrapped?: Shape
  item?: Shape
  pipe?: readonly unknown[]
  key?: unknown
  options?: readonly unknown[]
  /** The constraint that a pipe step places on its field or form. */
  metadata?: { files?: number; bytes?: number }
}

export class TooMany extends Error {
  readonly field: string
  constructor(field: string) {
    super(`${field} has more than ${listLimit} entries`)
    this.field = field
  }
}

/** The schema without its optional wrappers. */
export function coreOf(shape: Shape): Shape {
  if (shape.wrapped) return coreOf(shape.wrapped)
  const [first] = shape.pipe ?? []
  return isShape(first) && first !== shape && first.wrapped ? coreOf(first) : shape
}

export function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null && 'type' in value
}

/**
 * The fields of a schema, nested: `billing.city`, `lines.0.quantity`, a repeated name for a list.
 * Other fields are not read. @throws TooMany
 */
export function readInput(schema: Shape, form: FormFields, at = ''): unknown {
  const shape = coreOf(schema)
  if (shape.type === 'variant') return readVariant(shape, form, at)
  if (shape.entries) {
    const entries = Object.entries(shape.entries).map(([key, entry]) => [key, readInput(entry, form, below(at, key))] as const)
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }
  if (shape.type === 'array' && shape.item) return readList(shape.item, form, at)
  if (shape.type === 'record') return Object.fromEntries(keysBelow(form, at).map((key) => [key, form.get(below(at, key))]))
  if (shape.type === 'boolean') return form.has(at)
  return form.has(at) ? form.get(at) : undefined
}

function readVariant(shape: Shape, form: FormFields, at: string): unknown {
  const key = String(shape.key)
  const value = form.get(below(at, key))
  const option = (shape.options ?? []).filter(isShape).find((one) => {
    const literal = one.entries?.[key]
    return literal !== undefined && 'literal' in literal && literal.literal === value
  })
  return option ? readInput(option, form, at) : { [key]: value }
}

function readList(item: Shape, form: FormFields, at: string): unknown[] {
  if (!coreOf(item).entries) {
    const values = form.all(at)
    if (values.length > listLimit) throw new TooMany(at)
    return values
  }
  const places = keysBelow(form, at)
    .filter((key) => /^\d{1,4}$/.test(key))
    .toSorted((one, other) => Number(one) - Number(other))
  return places.map((place) => readInput(item, form, below(at, place)))
}

function keysBelow(form: FormFields, at: string): string[] {
  const keys = new Set(
    form.names().flatMap((name) => (name.startsWith(`${at}.`) ? [name.slice(at.length + 1).split('.', 1)[0] ?? ''] : [])),
  )
  if (keys.size > listLimit) throw new TooMany(at)
  return [...keys]
}

function below(at: string, key: string): string {
  return at === '' ? key : `${at}.${key}`
}
