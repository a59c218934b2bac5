import type { Action, PersonalAction } from '@purlin/contract/actions.ts'
import type { SiteScope } from './scope.ts'

type Fields = Record<string, Record<string, unknown>>
type Paths<All extends Fields> = { [Type in keyof All & string]: `${Type}.${keyof All[Type] & string}` }[keyof All & string]
type At<All extends Fields, Path> = Path extends `${infer Type}.${infer Field}` ? All[Type][Field] : never
/** A resolver that a `SiteScope` does not satisfy: it uses the principal. */
type AsksWho<Resolver> = Resolver extends (parent: never, args: never, scope: infer Given, ...more: never) => unknown
  ? SiteScope extends Given
    ? false
    : true
  : false
type Personal<All extends Fields> = { [Path in Paths<All>]: AsksWho<At<All, Path>> extends true ? Path : never }[Paths<All>]
type Root<All extends Fields> = Extract<Paths<All>, `Query.${string}` | `Mutation.${string}`>

/**
 * What a module must declare for its resolvers: an action for every field of Query and Mutation, and a personal one for
 * each that takes a `Scope`. A resolver with an anonymous action takes a `SiteScope`, which has no principal.
 */
export type ActionsOf<All extends Fields> = Record<Exclude<Root<All>, Personal<All>>, Action> &
  Record<Personal<All>, PersonalAction> &
  Partial<Record<Paths<All>, Action>>
