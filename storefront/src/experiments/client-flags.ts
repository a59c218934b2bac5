import { checkFlagValue, flagOverrides, isFlagName, type FlagValues } from '@purlin/contract/flags.ts'
import { browserConsent } from '../consent/browser-consent.ts'
import { readVisitorId } from '@purlin/contract/consent.ts'
import { callApi } from '../session/api-client.ts'
import { authState } from '../session/auth-state.ts'
import { pageFacts } from '../session/page-facts.ts'

/** Flags and variations of this visitor, from the experimentation service. Source: spec §3, §7, R-404, R-405. */
export interface ClientFlags {
  status: 'retrieved' | 'unavailable'
  flagValuesMap: FlagValues
  campaignVariations: { campaignId: number; variationId: number; type: string }[]
}

interface FlagsAnswer {
  content: { campaign_variations: { campaign_id: number; variation_id: number; type: string }[]; flags: Record<string, unknown> }
}

/** Nobody waits longer for flags. Source: spec §9, R-668; an event instead of polling (decision 8, R-667). */
export const waitMs = 5000

const none: ClientFlags = { status: 'unavailable', flagValuesMap: {}, campaignVariations: [] }
let asked: Promise<ClientFlags> | undefined

/** Requested once per page. Unavailable or late flags are logged, and the empty set is used. */
export function clientFlags(): Promise<ClientFlags> {
  return (asked ??= request().catch((error: unknown) => {
    console.error('Flags unavailable', error)
    return none
  }))
}

async function request(): Promise<ClientFlags> {
  const visitorId = browserConsent().purposes.length > 0 ? readVisitorId(document.cookie) : null
  // Verbatim. Source: spec §8, R-617.
  if (visitorId === null) throw new Error('No visitor_id found')
  const { market, mode, timeoutMs } = pageFacts()
  const { userId } = authState()
  const body = { context: { CHANNEL: 'web', MARKET: market, PLATFORM: mode }, visitor_id: visitorId, ...(userId && { user_id: userId }) }
  const answer = await callApi('/ab-test/api/v1/user/flags', { body, timeoutMs: Math.min(timeoutMs, waitMs) })
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
  const { content } = (await answer.json()) as FlagsAnswer
  return {
    status: 'retrieved',
    flagValuesMap: { ...checked(content.flags), ...flagOverrides(document.cookie) },
    campaignVariations: content.campaign_variations.map(({ campaign_id, variation_id, type }) => ({
      campaignId: campaign_id,
      variationId: variation_id,
      type,
    })),
  }
}

/** @throws InvalidFlagValue */
function checked(values: Record<string, unknown>): FlagValues {
  const known: FlagValues = {}
  for (const [name, value] of Object.entries(values)) if (isFlagName(name)) known[name] = checkFlagValue(name, value)
  return known
}
