import * as v from 'valibot'

/** A result as its schema describes it: times as text, and nothing that the document does not mention. */
export function shaped(schema: v.GenericSchema, value: unknown): unknown {
  return v.parse(schema, JSON.parse(JSON.stringify(value)))
}
