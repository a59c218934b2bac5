import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { actions, isAnonymous, reachOf, type Action, type PersonalAction } from '@purlin/contract/actions.ts'
import { sessionRole } from '#accounts'
import { type Beside, type Scope, type SiteScope, StatusError, transaction } from '#platform'
import { isOptional, moduleFolders } from '../../modules.ts'
import { OptionalFailure } from './error-answer.ts'
import type { Resolver, Resolvers } from './build-schema.ts'
import type { RequestScope } from './request-scope.ts'

interface ModuleEdge {
  resolvers?: Resolvers
  /** The action of each resolver: "Query.cart" → "cart.see". */
  actions?: Partial<Record<string, Action>>
  /** The row a field reads in the same statement as the session, by its arguments. */
  besides?: Partial<Record<string, ReadsBeside>>
  /** Of a module that the shop can do without. */
  isOptional?: boolean
}

type ReadsBeside = (args: never, site: SiteScope) => Beside | undefined

const contract = join(import.meta.dirname, '../../../../contract/graphql')

/** The published API: every file of the contract, joined. */
export function loadSdl(): string {
  const files = readdirSync(contract).filter((file) => file.endsWith('.graphql'))
  return files
    .toSorted((a, b) => Number(b === 'common.graphql') - Number(a === 'common.graphql') || a.localeCompare(b))
    .map((file) => readFileSync(join(contract, file), 'utf8'))
    .join('\n')
}

/** The resolvers of every module's graphql.ts, merged and wrapped: each mutation field is one command. */
export async function loadResolvers(edges?: ModuleEdge[]): Promise<Resolvers> {
  const all: Resolvers = {}
  for (const { resolvers = {}, actions: named = {}, besides = {}, isOptional = false } of edges ?? (await loadEdges())) {
    for (const [type, fields] of Object.entries(resolvers)) {
      const into = (all[type] ??= {})
      for (const [field, resolver] of Object.entries(fields)) {
        if (into[field]) throw new Error(`Two modules resolve ${type}.${field}`)
        const fitted = fit(type, field, resolver, named[`${type}.${field}`], besides[`${type}.${field}`])
        into[field] = type === 'Query' ? counted(isOptional ? asOptional(fitted) : fitted) : fitted
      }
    }
    for (const path of Object.keys(named)) {
      const [type = '', field = ''] = path.split('.')
      if (!resolvers[type]?.[field]) throw new Error(`An action is named for ${path}, which has no resolver there`)
    }
  }
  return all
}

/** Default deny: a field of Query or Mutation must name an action; other fields only if they need the principal. */
function fit(type: string, field: string, resolver: Resolver, action: Action | undefined, beside?: ReadsBeside): Resolver {
  const isRoot = type === 'Query' || type === 'Mutation'
  if (isRoot && (action === undefined || !Object.hasOwn(actions, action)))
    throw new Error(
      action === undefined
        ? `${type}.${field} names no action: name one of contract/src/actions.ts in the module's graphql.ts`
        : `${type}.${field} names the action ${action}, which contract/src/actions.ts does not have`,
    )
  if (action === undefined || isAnonymous(action)) {
    if (type === 'Mutation') throw new Error(`${type}.${field} is a mutation: its action cannot be anonymous`)
    return resolver
  }
  return type === 'Mutation' ? asMutation(resolver, action, beside) : asPersonal(resolver, action, beside)
}

/** Refuses before anything is looked up, with the same error whatever was requested. */
async function admitted(requestScope: Scope, action: PersonalAction, beside?: Beside): Promise<Scope> {
  const scope = await (requestScope as Scope & RequestScope).personal(action, beside)
  if (reachOf(scope.principal, action, scope.market) !== null) return scope
  // Signing in may help a guest, and their browser may have a session to refresh.
  if (sessionRole(scope.principal) === 'guest') throw new StatusError(401, 'UNAUTHENTICATED', 'Nobody is signed in')
  throw new StatusError(403, 'FORBIDDEN', 'This is not open to you')
}

export async function loadEdges(): Promise<ModuleEdge[]> {
  const edges: ModuleEdge[] = []
  for (const folder of moduleFolders) {
    const file = join(import.meta.dirname, '../..', folder, 'graphql.ts')
    if (existsSync(file)) edges.push({ ...((await import(file)) as ModuleEdge), isOptional: isOptional(basename(folder)) })
  }
  return edges
}

/** A mutation is one command; it is rolled back when the result contains a refusal. */
function asMutation(resolver: Resolver, action: PersonalAction, beside?: ReadsBeside): Resolver {
  return async (parent, args, scope) =>
    transaction(await admitted(scope, action, beside?.(args, scope)), async (command) => resolver(parent, args, command))
}

function asPersonal(resolver: Resolver, action: PersonalAction, beside?: ReadsBeside): Resolver {
  return async (parent, args, scope, info) => resolver(parent, args, await admitted(scope, action, beside?.(args, scope)), info)
}

/** Failures are marked, so that no page has to know which of its fields it can do without. What is refused has not failed. */
function asOptional(resolver: Resolver): Resolver {
  return async (parent, args, scope, info) => {
    try {
      return await resolver(parent, args, scope, info)
    } catch (error) {
      throw error instanceof StatusError ? error : new OptionalFailure(error)
    }
  }
}

/** A response is shared when every field in the document is. */
function counted(resolver: Resolver): Resolver {
  return (parent, args, scope, info) => {
    ;(scope as Scope & RequestScope).sharing.asked++
    return resolver(parent, args, scope, info)
  }
}
