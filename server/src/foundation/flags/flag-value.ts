import { flagNames, flags, isFlagName, type FlagName, type FlagValue, type FlagValues, type ValueOf } from '@purlin/contract/flags.ts'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import { log as processLog, type Db, type Log } from '#platform'
import { fits, specificity } from './platform-config.ts'
import { flagClient } from './provider.ts'
import type { FlagRow } from './store.ts'
import { switches } from './switches.ts'

export interface FlagScope {
  market: Market
  mode: Mode
  db: Db
  log?: Pick<Log, 'error'>
}

/** The value of a flag on a storefront, through OpenFeature. A value of the wrong type is logged, and the default is used. */
export async function flagValue<Name extends FlagName>(scope: FlagScope, name: Name, overrides: FlagValues = {}): Promise<ValueOf<Name>> {
  const log = scope.log ?? processLog
  const values = { ...(await localFlags(scope)), ...overrides }
  const { market, mode } = scope
  const { fallback } = flags[name]
  const context = { market, mode, values }
  const details = await evaluate(name, fallback, context)
  if (details.errorMessage) log.error({ flag: name, code: details.errorCode }, details.errorMessage)
  return details.value as ValueOf<Name>
}

function evaluate(name: FlagName, fallback: FlagValue, context: Parameters<typeof flagClient.getBooleanDetails>[2]) {
  if (typeof fallback === 'string') return flagClient.getStringDetails(name, fallback, context)
  if (typeof fallback === 'number') return flagClient.getNumberDetails(name, fallback, context)
  return flagClient.getBooleanDetails(name, fallback, context)
}

/** Values set for a storefront; empty when none can be read. */
export async function localFlags(scope: FlagScope): Promise<FlagValues> {
  const { flags: rows } = await switches({ db: scope.db, log: scope.log ?? processLog })
  return valuesOf(rows ?? [], scope)
}

function valuesOf(rows: readonly FlagRow[], { market, mode }: Pick<FlagScope, 'market' | 'mode'>): FlagValues {
  const values: FlagValues = {}
  for (const row of rows.filter((each) => fits(each.market, market) && fits(each.mode, mode)).toSorted(bySpecificity))
    if (isFlagName(row.name)) values[row.name] = row.value as FlagValue
  return values
}
const bySpecificity = (a: FlagRow, b: FlagRow): number => specificity(a) - specificity(b)

/** The values scripts need: those of local flags that differ from their default, checked. */
export async function pageFlags(scope: FlagScope): Promise<{ name: string; value: string }[]> {
  const evaluated = await Promise.all(
    flagNames.map(async (name) => ({ name, value: await flagValue(scope, name), fallback: flags[name].fallback })),
  )
  return evaluated.filter(({ value, fallback }) => value !== fallback).map(({ name, value }) => ({ name, value: JSON.stringify(value) }))
}
