import * as v from 'valibot'
import { fetchJson, disclosed, unanswered, type VatService } from './vat-service.ts'

export interface HmrcSettings {
  /** https://api.service.hmrc.gov.uk */
  url: string
  clientId: string
  clientSecret: string
}

const optional = v.optional(v.nullable(v.string()))
const token = v.object({ access_token: v.string(), expires_in: v.number() })
const found = v.object({
  target: v.object({
    name: optional,
    vatNumber: v.string(),
    address: v.optional(
      v.object({
        line1: optional,
        line2: optional,
        line3: optional,
        line4: optional,
        line5: optional,
        postcode: optional,
        countryCode: optional,
      }),
    ),
  }),
  consultationNumber: optional,
})
const failed = v.object({ code: v.string() })

/** HMRC's "Check a UK VAT number" 2.0: an application token, then one lookup. */
export function hmrcService({ url, clientId, clientSecret }: HmrcSettings): VatService {
  let known: { token: string; until: number } | undefined

  async function tokenFor(signal: AbortSignal): Promise<string | null> {
    if (known && Date.now() < known.until) return known.token
    const form = { grant_type: 'client_credentials', scope: 'read:vat', client_id: clientId, client_secret: clientSecret }
    const reply = await fetchJson(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form), signal })
    const answer = v.safeParse(token, reply?.json)
    if (reply?.status !== 200 || !answer.success) return null
    const { access_token: value, expires_in: seconds } = answer.output
    known = { token: value, until: Date.now() + (seconds - 60) * 1000 }
    return value
  }

  return {
    async check(number, { requester, signal }) {
      const bearer = await tokenFor(signal)
      if (bearer === null) return unanswered('NO_TOKEN')
      const vatNumber = number.slice(2)
      const path = `${url}/organisations/vat/check-vat-number/lookup/${vatNumber}${requester ? `/${requester.slice(2)}` : ''}`
      const headers = { accept: 'application/vnd.hmrc.2.0+json', authorization: `Bearer ${bearer}` }
      const reply = await fetchJson(path, { method: 'GET', headers, signal })
      if (!reply) return unanswered('NO_REPLY')
      const { status, json } = reply
      if (status === 401) known = undefined
      if (status !== 200) {
        const { output, success } = v.safeParse(failed, json)
        if (status === 404 && success && output.code === 'NOT_FOUND') return { outcome: 'not-valid', consultationNumber: null, body: json }
        return unanswered(success ? output.code : `HTTP_${status}`, success ? json : null)
      }
      const answer = v.safeParse(found, json)
      if (!answer.success) return unanswered('HTTP_200')
      const { target, consultationNumber } = answer.output
      if (target.vatNumber !== vatNumber) return unanswered('OTHER_NUMBER', json)
      const { line1, line2, line3, line4, line5, postcode, countryCode } = target.address ?? {}
      const lines = [line1, line2, line3, line4, line5, postcode, countryCode].filter(Boolean).join(', ')
      const about = { name: disclosed(target.name), address: disclosed(lines) }
      return { outcome: 'valid', ...about, consultationNumber: consultationNumber || null, body: json }
    },
  }
}
