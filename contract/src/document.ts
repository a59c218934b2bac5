/**
 * One of our own documents: its hash is what is sent, and its result type is known to the compiler. The values are
 * generated from the `.graphql` files next to the pages (`npm run generate`).
 */
export interface ApiDocument<Data, Variables> {
  readonly id: string
  readonly name: string
  /** Exists only for the compiler. */
  readonly answers?: (variables: Variables) => Data
}

/** Variables may be omitted when all of them are optional. */
export type VariablesOf<Variables> = Record<string, never> extends Variables ? [variables?: Variables] : [variables: Variables]
