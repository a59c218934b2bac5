import { checkFlagValue, flagOverrides, flags, type FlagName, type FlagValues, type ValueOf } from '@purlin/contract/flags.ts'
import type { FlagSetting } from './flag-settings.ts'

/** Flags in the browser: those of the page, which are the same for everybody, and a tester's overrides. */
let known: FlagValues | undefined

function pageFlags(): FlagValues {
  if (known) return known
  const settings = JSON.parse(document.querySelector<HTMLElement>('[data-flags]')?.dataset['flags'] ?? '[]') as FlagSetting[]
  const values: Record<string, unknown> = Object.fromEntries(settings.map(({ name, value }) => [name, JSON.parse(value) as unknown]))
  return (known = { ...(values as FlagValues), ...overrides() })
}

/** A wrong override must not cost the page its scripts. */
function overrides(): FlagValues {
  try {
    return flagOverrides(document.cookie)
  } catch (error) {
    console.error(error)
    return {}
  }
}

/** A flag the server has set for this storefront, or the tester for this browser. */
export function pageFlag<Name extends FlagName>(name: Name): ValueOf<Name> {
  return checkFlagValue(name, pageFlags()[name] ?? flags[name].fallback)
}
