/**
 * One of our own documents: what is sent is the hash of its text, what it answers is known to the compiler. The values are
 * generated from the `.graphql` files beside the pages (`npm run generate`).
 */
export interface ApiDocument<Data, Variables> {
  readonly id: string
  readonly name: string
  /** For the compiler alone. */
  readonly answers?: (variables: Variables) => Data
}

/** Variables may be left out when every one of them may. */
export type VariablesOf<Variables> = Record<string, never> extends Variables ? [variables?: Variables] : [variables: Variables]
