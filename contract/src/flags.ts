/**
 * Every feature flag and its type; what it switches is said in the server (`flags/what-flags-switch.ts`), because browsers load this file. Local flags are set by the operator for a storefront; remote ones come
 * with the answer of the experimentation service. Source: spec §9, R-697…R-706.
 */
export type FlagValue = boolean | string | number
export type FlagType = 'boolean' | 'string' | 'number'

interface FlagFacts {
  source: 'local' | 'remote'
  type: FlagType
  /** Used when no value is set, and when flags are unavailable. */
  fallback: FlagValue
  /** Whether a tester may set it for their own browser. Never for what protects or signs in. */
  isOverridable: boolean
}

const local = { source: 'local', type: 'boolean', fallback: false, isOverridable: true } as const
const remote = { source: 'remote', type: 'boolean', fallback: false, isOverridable: true } as const

export const flags = {
  appB2bTouchpoint: local,
  suspectedProModalRevamp: local,
  pepeAutocompleteAddress: { ...local, fallback: true },
  pepeUnifyAuth: { ...local, isOverridable: false },
  enableMfRebranding: local,
  pepePdpB2bBnpl: local,
  batchEnabled: remote,
  csideEnabled: remote,
  enableCustomDataNewFormat: remote,
  eventsWithPurposesEnabled: remote,
} as const satisfies Record<string, FlagFacts>

export type FlagName = keyof typeof flags
export const flagNames = /* @__PURE__ */ Object.keys(flags) as FlagName[]
export type ValueOf<Name extends FlagName> = { boolean: boolean; string: string; number: number }[(typeof flags)[Name]['type']]
export type FlagValues = Partial<Record<FlagName, FlagValue>>

export const isFlagName = (name: string): name is FlagName => Object.hasOwn(flags, name)

/** A value of the wrong type; the message is verbatim. Source: spec §5, R-488. */
export class InvalidFlagValue extends TypeError {
  constructor(name: string, value: unknown, type: string) {
    super(`Invalid value found for flag ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)} should be of type ${type}.`)
    this.name = 'InvalidFlagValue'
  }
}

/** @throws InvalidFlagValue */
export function checkFlagValue<Name extends FlagName>(name: Name, value: unknown): ValueOf<Name> {
  const { type } = flags[name]
  if (!isOfType<ValueOf<Name>>(value, type)) throw new InvalidFlagValue(name, value, type)
  return value
}

function isOfType<Value extends FlagValue>(value: unknown, type: FlagType): value is Value {
  return typeof value === type
}

/** The cookie in which a tester sets flags for their own browser: a JSON object. Source: spec §9, R-692. */
export const flagOverridesCookie = 'mm_flag_overrides'

/**
 * Overrides of a Cookie header. Names that are unknown or closed to testers are ignored.
 * @throws InvalidFlagValue for a value of the wrong type
 */
export function flagOverrides(cookieHeader: string | undefined): FlagValues {
  const text = new RegExp(`(?:^|;\\s*)${flagOverridesCookie}=([^;]{1,2000})`).exec(cookieHeader ?? '')?.[1]
  const overrides: FlagValues = {}
  for (const [name, value] of Object.entries(parsed(text)))
    if (isFlagName(name) && flags[name].isOverridable) overrides[name] = checkFlagValue(name, value)
  return overrides
}

function parsed(text: string | undefined): object {
  if (!text) return {}
  try {
    const value: unknown = JSON.parse(decodeURIComponent(text))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}
