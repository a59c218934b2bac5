import { isFlagName, type FlagType } from '@purlin/contract/flags.ts'
import {
  FlagNotFoundError,
  OpenFeature,
  StandardResolutionReasons,
  TypeMismatchError,
  type EvaluationContext,
  type JsonValue,
  type Provider,
  type ResolutionDetails,
} from '@openfeature/server-sdk'
import { InvalidFlagValue } from '@purlin/contract/flags.ts'

/**
 * Our provider for OpenFeature: values come with the evaluation context, where `flagValue` puts those of the storefront.
 * Any other provider can be set instead; the context names market and mode.
 */
export const shopProvider: Provider = {
  metadata: { name: 'purlin' },
  runsOn: 'server',
  resolveBooleanEvaluation: (name, fallback, context) => resolve(name, fallback, 'boolean', context),
  resolveStringEvaluation: (name, fallback, context) => resolve(name, fallback, 'string', context),
  resolveNumberEvaluation: (name, fallback, context) => resolve(name, fallback, 'number', context),
  resolveObjectEvaluation: <Value extends JsonValue>(name: string): Promise<ResolutionDetails<Value>> =>
    Promise.reject(new FlagNotFoundError(`No flag holds an object: ${name}`)),
}

// oxlint-disable-next-line typescript/require-await -- the SDK awaits a rejection; an exception would escape it
async function resolve<Value>(
  name: string,
  fallback: Value,
  type: FlagType,
  context: EvaluationContext,
): Promise<ResolutionDetails<Value>> {
  if (!isFlagName(name)) throw new FlagNotFoundError(`There is no flag ${name}`)
  const { values } = context
  const value: unknown = typeof values === 'object' && values !== null && name in values ? Reflect.get(values, name) : undefined
  if (value === undefined) return { value: fallback, reason: StandardResolutionReasons.DEFAULT }
  if (!isOf<Value>(value, type)) throw new TypeMismatchError(new InvalidFlagValue(name, value, type).message)
  return { value, reason: StandardResolutionReasons.TARGETING_MATCH }
}

function isOf<Value>(value: unknown, type: FlagType): value is Value {
  return typeof value === type
}

OpenFeature.setProvider(shopProvider)
export const flagClient = OpenFeature.getClient('shop')
