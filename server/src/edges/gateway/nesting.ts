import { limits } from './limits.ts'

/** Why a request is refused that is nested deeper than `limits.nesting`. */
export const tooDeep = `A request has at most ${limits.nesting} levels of objects and lists, those of its variables included`

/**
 * Whether a value has objects or lists at more than so many levels. It looks no deeper: functions that do, such as JSON.stringify, exhaust the
 * stack on values that JSON.parse accepts.
 */
export function isNestedDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isNestedDeeperThan(levels - 1, each))
}
