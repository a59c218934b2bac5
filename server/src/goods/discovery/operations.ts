import { publicUrl } from '@purlin/contract/public-addresses.ts'
import type { SiteScope } from '#platform'
import { reference, type CommercialOperation as Operation } from '#catalogue'

export type OperationState = 'coming' | 'running' | 'ended'

/** How long before its first day an operation is announced. */
const announcedForMs = 30 * 86_400_000

export function operationState({ startsAt, endsAt }: Pick<Operation, 'startsAt' | 'endsAt'>, now: Date): OperationState {
  if (now < startsAt) return 'coming'
  return now < endsAt ? 'running' : 'ended'
}

export function operationUrl({ type, slug, id }: Pick<Operation, 'type' | 'slug' | 'id'>): string {
  return publicUrl('operation', { type, slug, id })
}

/** operations of the market that run, the one that ends first leading, then those announced. */
export async function currentOperations(scope: SiteScope): Promise<Operation[]> {
  const { operations } = await reference(scope)
  const here = [...operations.values()].filter(({ market }) => market === scope.market)
  const inState = (state: OperationState) => here.filter((operation) => operationState(operation, scope.now) === state)
  const until = scope.now.getTime() + announcedForMs
  return [
    ...inState('running').toSorted((a, b) => a.endsAt.getTime() - b.endsAt.getTime() || a.id - b.id),
    ...inState('coming')
      .filter(({ startsAt }) => startsAt.getTime() <= until)
      .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime() || a.id - b.id),
  ]
}

/** an operation of this market, including ended ones, whose pages say so and link onwards. */
export async function findOperation(scope: SiteScope, id: number): Promise<Operation | null> {
  const operation = (await reference(scope)).operations.get(id)
  return operation?.market === scope.market ? operation : null
}
