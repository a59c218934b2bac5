import { bears, settings } from '#platform'

/** Does this `Authorization` header carry the operators' key? Without a key in the settings nobody is an operator. */
export function isOperator(authorization: string | undefined): boolean {
  return bears(authorization, settings().keys.operator)
}
