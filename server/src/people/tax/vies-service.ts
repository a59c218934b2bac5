import * as v from 'valibot'
import { fetchJson, disclosed, unanswered, type VatService } from './vat-service.ts'

const optional = v.optional(v.nullable(v.string()))
const found = v.object({
  countryCode: v.string(),
  vatNumber: v.string(),
  valid: v.boolean(),
  requestIdentifier: optional,
  name: optional,
  address: optional,
})
/** Codes come with status 200, 400 or 500, as the day will have it. */
const failed = v.object({ errorWrappers: v.pipe(v.array(v.object({ error: v.string() })), v.minLength(1)) })

/**
 * VIES, the European Commission's door to the registers of the member states (REST). A member state that is down, or busy
 * with others, is no answer about the number.
 */
export function viesService({ url }: { url: string }): VatService {
  return {
    async check(number, { requester, signal }) {
      const countryCode = number.slice(0, 2)
      const vatNumber = number.slice(2)
      const asked = {
        countryCode,
        vatNumber,
        ...(requester && { requesterMemberStateCode: requester.slice(0, 2), requesterNumber: requester.slice(2) }),
      }
      const reply = await fetchJson(`${url}/check-vat-number`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(asked),
        signal,
      })
      if (!reply) return unanswered('NO_REPLY')
      const { status, json } = reply
      const failure = v.safeParse(failed, json)
      if (failure.success) return faultOf(failure.output.errorWrappers[0]?.error ?? '', json)
      const answer = v.safeParse(found, json)
      if (status !== 200 || !answer.success) return unanswered(`HTTP_${status}`)
      const { output } = answer
      // A response about another number says nothing about this one.
      if (output.countryCode !== countryCode || output.vatNumber !== vatNumber) return unanswered('OTHER_NUMBER', json)
      const consultationNumber = output.requestIdentifier || null
      if (!output.valid) return { outcome: 'not-valid', consultationNumber, body: json }
      return { outcome: 'valid', name: disclosed(output.name), address: disclosed(output.address), consultationNumber, body: json }
    },
  }
}

/** A number that is malformed for its member state is not valid; every other code is about the service or about us. */
function faultOf(code: string, body: unknown) {
  return code === 'INVALID_INPUT' ? ({ outcome: 'not-valid', consultationNumber: null, body } as const) : unanswered(code, body)
}
