/** A value of a column: arrays of numbers or texts become Postgres arrays, `json` becomes jsonb. */
export type Value = string | number | boolean | Date | null | readonly (string | number)[] | { json: unknown }
export type Row = Readonly<Record<string, Value>>
