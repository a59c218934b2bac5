import { randomBytes } from 'node:crypto'
import type { Call, Reply } from './wire.ts'
import type { Mood, Register } from './register.ts'

const failures: Partial<Record<Mood, string>> = { 'not-available': 'MS_UNAVAILABLE', 'rate-limited': 'MS_MAX_CONCURRENT_REQ' }
const undisclosed = '---'
/** Member states that withhold names and addresses. */
const discreet = ['DE', 'ES']

/** The European Commission's REST service; null for other addresses. */
export function answerVies({ method, path, body }: Call, register: Register): Reply | 'slow' | null {
  if (path !== '/taxation_customs/vies/rest-api/check-vat-number' || method !== 'POST') return null
  const asked = parsed(body)
  const [country = '', number = ''] = [asked['countryCode'], asked['vatNumber']].map((value) => (typeof value === 'string' ? value : ''))
  if (!/^[A-Z]{2}$/.test(country) || country === 'GB' || !/^[0-9A-Z+*]{2,12}$/.test(number)) return failed('INVALID_INPUT', 400)
  const requester = `${String(asked['requesterMemberStateCode'] ?? '')}${String(asked['requesterNumber'] ?? '')}`
  if (requester !== '' && !/^[A-Z]{2}[0-9A-Z+*]{2,12}$/.test(requester)) return failed('INVALID_REQUESTER_INFO', 400)
  const mood = register.moodOf(country + number)
  if (mood === 'slow') return 'slow'
  if (mood === 'answers-html') return { status: 503, body: '<html><body>Service under maintenance</body></html>' }
  const failure = failures[mood]
  // The real service reports failures with 200 on some days and 500 on others.
  if (failure) return failed(failure, mood === 'rate-limited' ? 500 : 200)
  const trader = mood === 'answers' ? register.find(country + number) : null
  const shown = (text: string | undefined) => (discreet.includes(country) ? undisclosed : (text ?? undisclosed))
  return {
    status: 200,
    body: {
      countryCode: country,
      vatNumber: number,
      requestDate: new Date().toISOString(),
      valid: mood === 'answers',
      requestIdentifier: requester === '' ? '' : `WAPIAAAA${randomBytes(6).toString('base64url')}`,
      name: shown(trader?.name),
      address: shown(trader?.address),
      traderName: undisclosed,
      traderStreet: undisclosed,
      traderPostalCode: undisclosed,
      traderCity: undisclosed,
      traderCompanyType: undisclosed,
      traderNameMatch: 'NOT_PROCESSED',
      traderStreetMatch: 'NOT_PROCESSED',
      traderPostalCodeMatch: 'NOT_PROCESSED',
      traderCityMatch: 'NOT_PROCESSED',
      traderCompanyTypeMatch: 'NOT_PROCESSED',
    },
  }
}

function failed(error: string, status: number): Reply {
  return { status, body: { actionSucceed: false, errorWrappers: [{ error }] } }
}

function parsed(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
