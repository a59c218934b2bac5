import type { GatewayError } from '@purlin/contract/gateway.ts'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValidationRule,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  execute,
  getOperationAST,
  parse,
  specifiedRules,
  validate,
  visit,
} from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import { boundedCache } from '#platform'
import { type Checked, checkVariables } from './check-variables.ts'
import { resolveInSlices } from './build-schema.ts'
import { documentError, tooExpensive } from './error-answer.ts'
import { limits, textProblem, tooLarge } from './limits.ts'
import { type Plan, costLimit, foreignCostLimit, planPrice, priceOf } from './price-query.ts'
import type { RequestScope } from './request-scope.ts'
import type { Slices } from './time-slices.ts'

/** A parsed, validated and priced document, ready to run many times. */
export interface Operation {
  isQuery: boolean
  check(variables: Record<string, unknown>): Checked
  price(coerced: Record<string, unknown>): number
  run(scope: RequestScope, variables: Record<string, unknown>): Promise<ExecutionResult> | ExecutionResult
  /** Interprets the document, whose lists and root fields take turns with other work. */
  runInSlices(scope: RequestScope, variables: Record<string, unknown>, slices: Slices): Promise<ExecutionResult> | ExecutionResult
  /** The memory it holds, about. */
  bytes(): number
}

export type Prepared = { ok: true; operation: Operation } | { ok: false; errors: readonly GatewayError[] }

export interface Operations {
  /** A foreign document is a stranger's, with lower limits. */
  prepare(source: string, operationName?: string, isForeign?: boolean): Prepared
  /** Why a foreign document is refused for its size or its price; null for others, which need not be valid. */
  refusalOf(source: string, operationName?: string): readonly GatewayError[] | null
  /** One of our own documents by its hash: prepared once and never evicted by other queries. */
  prepareKnown(id: string): Prepared
}

/** Memory of the prepared documents of others: a few thousand usual ones, or a hundred of the largest allowed. */
const maxReadyBytes = 24 * 2 ** 20
const maxRefusedBytes = 4 * 2 ** 20
/** Measured: a node of a syntax tree alone and with its compiled form, and everything about a document that does not grow with them. */
const nodeBytes = 120
const compiledNodeBytes = 500
const entryBytes = 2_000

/**
 * LRU caches of prepared operations by text, bounded by the memory that their entries hold. Refused documents have a cache of their
 * own, so that they never evict valid ones.
 */
export function createOperations(
  schema: GraphQLSchema,
  { isPublic, maxBytes = maxReadyBytes }: { isPublic: boolean; maxBytes?: number },
): Operations {
  // On real domains introspection is closed: the schema is in the repository.
  const rules = isPublic ? [...specifiedRules, NoSchemaIntrospectionCustomRule] : specifiedRules
  const ready = boundedCache<Prepared>(maxBytes, bytesOf)
  const refused = boundedCache<Prepared>(maxRefusedBytes, bytesOf)
  const measured = boundedCache<readonly GatewayError[]>(
    maxRefusedBytes,
    (errors, key) => entryBytes + 2 * (key.length + JSON.stringify(errors).length),
  )
  const own = new Map<string, Prepared>()
  return {
    prepare(source, operationName, isForeign = false) {
      // The name comes first, even if empty, so that no text can collide with another's name and text.
      const key = `${isForeign ? 'foreign' : ''} ${operationName ?? ''}\n${source}`
      const known = ready.get(key) ?? refused.get(key)
      if (known) return known
      // Compiled, it is heavier: its place is weighed again.
      const weighAgain = () => void (ready.get(key) === prepared && ready.set(key, prepared))
      const compiling: Compiling = { atRun: strangersAtRun, done: weighAgain }
      const prepared: Prepared = prepare(schema, rules, source, { operationName, compiling, isForeign })
      // Caching a long document costs more memory than preparing it costs time.
      if (source.length <= 20_000) (prepared.ok ? ready : refused).set(key, prepared)
      return prepared
    },
    refusalOf(source, operationName) {
      const key = `${operationName ?? ''}\n${source}`
      const known = measured.get(key)
      if (known) return known.length === 0 ? null : known
      const result = measure(schema, source, { operationName, isForeign: true })
      const errors = 'errors' in result ? result.errors : []
      if (source.length <= 20_000) measured.set(key, errors)
      return errors.length === 0 ? null : errors
    },
    prepareKnown(id) {
      const known = own.get(id)
      if (known) return known
      const text = Object.hasOwn(knownDocuments, id) ? knownDocuments[id] : undefined
      if (text === undefined) return refusedWith(new GraphQLError('Unknown document'))
      const prepared = prepare(schema, rules, text, { compiling: { atRun: ownAtRun } })
      own.set(id, prepared)
      return prepared
    },
  }
}

interface Measured {
  document: DocumentNode
  node: OperationDefinitionNode
  plan: Plan
}

/** Size and price come first, because validation takes superlinear time on crafted documents. */
function measure(
  schema: GraphQLSchema,
  source: string,
  { operationName, isForeign }: { operationName?: string | undefined; isForeign: boolean },
): Measured | { ok: false; errors: readonly GatewayError[] } {
  const { fields, tokens } = isForeign ? limits.foreign : limits
  const maxCost = isForeign ? foreignCostLimit : costLimit
  const document = tryParse(source, tokens)
  if (document instanceof GraphQLError) return refusedWith(document)
  const large = tooLarge(document, fields)
  if (large) return refusedWith(new GraphQLError(`The query is too large: ${large}`))
  const node = getOperationAST(document, operationName)
  if (!node) return refusedWith(new GraphQLError('The document has no operation of this name, or several operations and no name was given'))
  const plan = planPrice(schema, document, node)
  return plan.fixed > maxCost ? { ok: false, errors: [tooExpensive(plan.fixed, maxCost)] } : { document, node, plan }
}

function prepare(
  schema: GraphQLSchema,
  rules: readonly ValidationRule[],
  source: string,
  { operationName, compiling, isForeign = false }: { operationName?: string | undefined; compiling: Compiling; isForeign?: boolean },
): Prepared {
  const result = measure(schema, source, { operationName, isForeign })
  if ('errors' in result) return result
  const { document, node, plan } = result
  const errors = validate(schema, document, rules, { maxErrors: 5 })
  const text = textProblem(document)
  if (text || errors.length > 0) return refusedWith(...(text ? [text] : errors))
  return {
    ok: true,
    operation: {
      isQuery: node.operation === OperationTypeNode.QUERY,
      check: (variables) => checkVariables(schema, node.variableDefinitions ?? [], variables),
      price: (coerced) => priceOf(plan, coerced),
      ...runner(schema, document, { operationName, compiling }),
    },
  }
}

/** V8 stores a text with one or two bytes per character. */
function bytesOf(prepared: Prepared, key: string): number {
  const held = prepared.ok ? prepared.operation.bytes() : 2 * JSON.stringify(prepared.errors).length
  return entryBytes + 2 * key.length + held
}

function nodesOf(document: DocumentNode): number {
  let nodes = 0
  visit(document, { enter: () => void nodes++ })
  return nodes
}

function refusedWith(...errors: readonly GraphQLError[]): { ok: false; errors: readonly GatewayError[] } {
  return { ok: false, errors: errors.map(documentError) }
}

function tryParse(source: string, maxTokens: number): DocumentNode | GraphQLError {
  try {
    return parse(source, { maxTokens, noLocation: true })
  } catch (error) {
    return error instanceof GraphQLError ? error : new GraphQLError('The query cannot be read')
  }
}

/**
 * The run at which a document is compiled: ours come again for sure, and most of others run only once. A compiled one holds four times
 * the memory, a megabyte for the largest allowed (V-01).
 */
const ownAtRun = 2
const strangersAtRun = 100

interface Compiling {
  atRun: number
  done?(): void
}

/** Interprets the first runs and compiles when it has proved to come again. */
function runner(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operationName, compiling }: { operationName?: string | undefined; compiling: Compiling },
): Pick<Operation, 'run' | 'runInSlices' | 'bytes'> {
  const nodes = nodesOf(document)
  let perNode = nodeBytes
  let runs = 0
  let run: Operation['run'] = (contextValue, variableValues) => execute({ schema, document, contextValue, variableValues, operationName })
  const compile = () => {
    const compiled = compileQuery(schema, document, operationName)
    if (!isCompiledQuery(compiled)) return
    run = (scope, variables) => compiled.query(undefined, scope, variables)
    perNode = compiledNodeBytes
    compiling.done?.()
  }
  return {
    run: (scope, variables) => {
      if (++runs === compiling.atRun) compile()
      return run(scope, variables)
    },
    runInSlices: (scope, variableValues, slices) => {
      const contextValue = Object.assign(scope, { slices })
      return execute({ schema, document, contextValue, variableValues, operationName, fieldResolver: resolveInSlices })
    },
    bytes: () => nodes * perNode,
  }
}
