import * as v from 'valibot'

export interface Reply {
  status: number
  body: unknown
}

export const failed = (status: number, code: string): Reply => ({ status, body: { error: { code, message: code, errors: [] } } })

const line = v.pipe(v.string(), v.trim(), v.maxLength(120))
const optional = v.optional(v.nullable(line), null)

/** An address of a shipment or a pickup. */
export const addressWire = v.object({
  name: v.pipe(line, v.nonEmpty()),
  company: optional,
  street1: line,
  street2: optional,
  zip: line,
  city: line,
  country: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)),
})
