import type { FlagName } from '@purlin/contract/flags.ts'

/** A flag whose value differs from its default, as the server sends it: the value is JSON. */
export interface FlagSetting {
  name: string
  value: string
}

export function isOn(settings: readonly FlagSetting[], name: FlagName): boolean {
  return settings.some((setting) => setting.name === name && setting.value === 'true')
}
