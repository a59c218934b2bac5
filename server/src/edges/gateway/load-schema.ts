import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Pool, asCommand, isRefused } from '#platform'
import { moduleFolders } from '../../modules.ts'
import type { Resolver, Resolvers } from './build-schema.ts'
import { type RequestScope, commandScope } from './request-scope.ts'

interface ModuleEdge {
  resolvers?: Resolvers
  usesSession?: readonly string[]
}

const contract = join(import.meta.dirname, '../../../../contract/graphql')

/** The published API: every file of the contract, joined. */
export function loadSdl(): string {
  const files = readdirSync(contract).filter((file) => file.endsWith('.graphql'))
  return files
    .toSorted((a, b) => Number(b === 'common.graphql') - Number(a === 'common.graphql') || a.localeCompare(b))
    .map((file) => readFileSync(join(contract, file), 'utf8'))
    .join('\n')
}

/** The resolvers of every module's graphql.ts, joined and fitted: a mutation field is one command. */
export async function loadResolvers(pool: Pool, edges?: ModuleEdge[]): Promise<Resolvers> {
  const all: Resolvers = {}
  const usesSession = new Set<string>()
  for (const edge of edges ?? (await loadEdges())) {
    for (const field of edge.usesSession ?? []) usesSession.add(field)
    for (const [type, fields] of Object.entries(edge.resolvers ?? {})) {
      const into = (all[type] ??= {})
      for (const [field, resolver] of Object.entries(fields)) {
        if (into[field]) throw new Error(`Two modules resolve ${type}.${field}`)
        into[field] = resolver
      }
    }
  }
  for (const [type, fields] of Object.entries(all)) {
    for (const [field, resolver] of Object.entries(fields)) {
      if (type === 'Mutation') fields[field] = asMutation(pool, resolver)
      else if (usesSession.has(`${type}.${field}`)) fields[field] = withSession(resolver)
      if (type === 'Query') fields[field] = counted(fields[field] ?? resolver)
    }
  }
  return all
}

async function loadEdges(): Promise<ModuleEdge[]> {
  const edges: ModuleEdge[] = []
  for (const folder of moduleFolders) {
    const file = join(import.meta.dirname, '../..', folder, 'graphql.ts')
    if (existsSync(file)) edges.push((await import(file)) as ModuleEdge)
  }
  return edges
}

/** One command: its own transaction, rolled back when the result carries a refusal. */
function asMutation(pool: Pool, resolver: Resolver): Resolver {
  return async (parent, args, requestScope) => {
    const scope = requestScope as RequestScope
    await scope.loadSession()
    let keep: () => void = () => undefined
    const result = await asCommand(
      pool,
      async (unit) => {
        const command = commandScope(scope, unit)
        keep = command.keep
        return resolver(parent, args, command.scope)
      },
      () => void scope.statements++,
    )
    if (!isRefused(result)) keep()
    return result
  }
}

function withSession(resolver: Resolver): Resolver {
  return async (parent, args, scope, info) => {
    await (scope as RequestScope).loadSession()
    return resolver(parent, args, scope, info)
  }
}

/** An answer is shared when every question in the document is. */
function counted(resolver: Resolver): Resolver {
  return (parent, args, scope, info) => {
    ;(scope as RequestScope).sharing.asked++
    return resolver(parent, args, scope, info)
  }
}
